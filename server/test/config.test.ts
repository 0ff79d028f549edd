import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { quietCameras } from './support/quiet-cameras.ts'
import { failedRestart, failedStart, startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceSlowly, advanceUntil } from './support/test-clock.ts'
import { wait } from './support/wait.ts'

const yaml = { 'content-type': 'text/yaml' }
const raw = '/api/config/raw'

const lengthOf = async (client: TestClient) =>
  ((await client.get('/api/config')).json as { auth: { session_length: number } }).auth.session_length

/** Retries until the condition is true; the rule allows an edit two seconds. */
async function within(milliseconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (
    const until = Date.now() + milliseconds;
    Date.now() < until;
    await wait(50, 'asks again until the file has been read')
  )
    if (await holds()) return true
  return false
}

/** Waits until a line is logged after the output had this length: a changed file is read once it is a second old. */
const logged = ({ clock, output }: InProcessService, pattern: RegExp, after = 0) =>
  advanceUntil(clock, () => expect(output().slice(after)).toMatch(pattern))

const warnings = (output: string) =>
  output.split('\n').filter((line) => line.includes('secret file readable by other users'))

describe('the file', () => {
  test('[CONF-1] is created at the first start, with explanations, readable only by its owner, and valid', async () => {
    const gatehouse = await startService({ config: undefined })
    await expect.poll(() => statSync(gatehouse.configFile, { throwIfNoEntry: false })?.mode).toBe(0o100600)
    const text = readFileSync(gatehouse.configFile, 'utf8')
    expect(text).toContain('# Seconds until a session expires.')
    expect(text.split('\n').every((line) => line === '' || line.startsWith('#'))).toBe(true)
  })

  test('[CONF-2] with problems stops the service at startup with 78, and each problem is printed with its position', async () => {
    const config =
      'auth:\n  session_lenght: 5\n  trusted_proxies: [nowhere]\nproxy:\n  default_role: ghost\nlogger: {default: loud}\n'
    const { status, output } = await failedStart({ config })
    expect(status).toBe(78)
    expect(output).toContain(
      'config.yml:2:3 auth.session_lenght: Unknown key "session_lenght". Did you mean auth.session_length?',
    )
    expect(output).toContain('config.yml:3:21 auth.trusted_proxies[0]: "nowhere" isn\'t an IP address')
    expect(output).toContain('config.yml:5:17 proxy.default_role: Role "ghost" doesn\'t exist')
    expect(output).toContain(
      'config.yml:6:19 logger.default: Invalid value "loud". Allowed: debug, info, warn, or error.',
    )
  })

  test('[CONF-3] can read secrets from the environment and from files, and only the raw file shows them', async () => {
    const config = {
      proxy: { auth_secret: 'hunter2-{SERVICE_PROXY_A}' },
      cameras: { yard: { source: 'rtsp://u:{SERVICE_CAM_A}@127.0.0.1:9/s?k=hunter2-query', enabled: false } },
    }
    const env = { SERVICE_PROXY_A: 'hunter2-env', CREDENTIALS_DIRECTORY: '/nowhere' }
    const first = await startService()
    const secrets = join(first.dir, 'secrets')
    const text = stringify({ ...(parse(readFileSync(first.configFile, 'utf8')) as object), ...config })
    const refused = await failedRestart(first, { config: text, env })
    expect(refused.status).toBe(78)
    expect(refused.output).toContain('cameras.yard.source: No value for {SERVICE_CAM_A}.')
    expect(refused.output).not.toContain('hunter2')

    mkdirSync(secrets)
    writeFileSync(join(secrets, 'SERVICE_CAM_A'), 'hunter2@/file\n')
    const gatehouse = await first.restart({ env: { ...env, CREDENTIALS_DIRECTORY: secrets } })
    for (const path of ['/api/config', '/api/config/schema.json', '/api/cameras', '/api/logs', '/api/stats']) {
      expect((await gatehouse.internal.get(path)).text).not.toContain('hunter2')
    }
    expect((await gatehouse.internal.get(raw)).text).toContain('hunter2-query')
    expect(
      (await gatehouse.internal.put(raw, 'database: {url: "mysql://hunter2"}', { ...yaml, 'if-match': '*' })).text,
    ).not.toContain('hunter2')
    expect(gatehouse.output()).not.toContain('hunter2')
    expect((await gatehouse.gate.get('/api/profile', { 'x-proxy-secret': 'hunter2-hunter2-env' })).status).toBe(401)
  })

  test('[CONF-3] files with secrets are created readable only by their owner, and the service warns at startup of those that others can read', async () => {
    const gatehouse = await startService()
    const files = ['.jwt_secret', 'config.yml', 'config.yml.previous'].map((name) => join(gatehouse.configDir, name))
    const [secret = '', config = '', previous = ''] = files
    chmodSync(config, 0o644)
    const { text } = await gatehouse.internal.get(raw)
    expect((await gatehouse.internal.put(raw, `${text}# more\n`, { ...yaml, 'if-match': '*' })).status).toBe(200)
    expect([secret, config, previous].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o644, 0o600])
    for (const [modes, warned] of [
      [[0o600, 0o600, 0o600], 0],
      [[0o640, 0o604, 0o644], 3],
      [[0o400, 0o711, 0o622], 0],
    ] as const) {
      await gatehouse.stop()
      for (const [nth, mode] of modes.entries()) chmodSync(files[nth] ?? '', mode)
      const again = await gatehouse.restart()
      const lines = warnings(again.output())
      expect(lines).toHaveLength(warned)
      if (warned > 0) for (const [nth, file] of files.entries()) expect(lines[nth]).toContain(file)
      await again.stop()
    }
  })

  test('[CONF-3] with a secret in the wrong place is never quoted', async () => {
    const slips = [
      'cameras: {yard: "rtsp://u:hunter2@h/s"}\n',
      'cameras:\n  yard:\n  source: rtsp://u:hunter2@h/s\n',
      'cameras: {yard: {source: rtsp://u:pa,hunter2@h/s}}\n',
      'database: postgres://u:hunter2@db/x\n',
      'proxy: [hunter2]\n',
      'proxy: {hunter2: 1}\n',
      'auth: {"rtsp://u:hunter2@h": 1, trusted_proxies: ["http://u:hunter2@h"]}\n',
      'proxy:\n  auth_secret: "\\hunter2"\n',
      'proxy: {auth_secret: @hunter2}\n',
      'proxy: {auth_secret: *hunter2}\n',
      'proxy: {auth_secret: !hunter2 x}\n',
    ]
    const gatehouse = await startService()
    const admin = await gatehouse.admin()
    const good = readFileSync(gatehouse.configFile, 'utf8')
    for (const slip of slips) {
      const [saved, checked] = [
        await admin.put(raw, slip, { ...yaml, 'if-match': '*' }),
        await admin.post('/api/config/check', slip, yaml),
      ]
      expect([slip, saved.status, checked.status]).toEqual([slip, 400, 200])
      expect(saved.text + checked.text, slip).not.toContain('hunter2')
    }
    // A change by hand: only the log reports it.
    for (const slip of slips) {
      const printed = gatehouse.output().length
      writeFileSync(gatehouse.configFile, slip)
      await logged(gatehouse, /config invalid/, printed)
    }
    writeFileSync(gatehouse.configFile, good)
    for (const path of ['/api/logs', '/api/audit', '/api/config']) {
      expect((await admin.get(path)).text, path).not.toContain('hunter2')
    }
    const refused = await failedRestart(gatehouse, { config: slips[0]! })
    expect(refused.status).toBe(78)
    expect(refused.output).toMatch(/config\.yml:1:\d+ cameras\.yard: Found text\./)
    expect(gatehouse.output() + refused.output).not.toContain('hunter2')
  })

  test('[ROLE-7] if missing, stops a service that has users at startup', async () => {
    const first = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
    await first.user('gustav', 'guard')
    await first.stop()
    const text = readFileSync(first.configFile, 'utf8')
    rmSync(first.configFile)
    const without = await failedRestart(first, { config: undefined })
    expect([without.status, without.output]).toEqual([78, expect.stringContaining('config.yml is missing')])
    expect((await failedRestart(first, { config: '# empty\n' })).status).toBe(78)
    writeFileSync(first.configFile, text)
    const again = await first.restart()
    expect((await again.internal.get('/api/users')).text).toContain('"guard"')
  })
})

describe('the editor', () => {
  test('[CONF-4] saves a valid text, by the version it was based on, and keeps the previous version', async () => {
    const gatehouse = await startService()
    const admin = await gatehouse.admin()
    const read = await admin.get(raw)
    const etag = read.headers.etag ?? ''
    expect([read.status, read.headers['content-type']]).toEqual([200, 'text/yaml; charset=utf-8'])
    expect(etag).toMatch(/^"[^"]+"$/)
    const next = `# mine\n${read.text}auth:\n  session_length: 600\n`

    expect((await admin.put(raw, next, yaml)).status).toBe(428)
    expect((await admin.put(raw, next, { ...yaml, 'if-match': '"other"' })).status).toBe(412)
    expect(
      (await admin.put(raw, JSON.stringify(next), { 'content-type': 'application/json', 'if-match': etag })).status,
    ).toBe(415)
    const bad = await admin.put(raw, `${next}  session_lenght: 5\nx: 1\n`, { ...yaml, 'if-match': etag })
    expect(bad.status).toBe(400)
    expect((bad.json as { problems: { line: number }[] }).problems).toHaveLength(2)
    expect(readFileSync(gatehouse.configFile, 'utf8')).toBe(read.text)

    const both = await Promise.all([
      admin.put(raw, next, { ...yaml, 'if-match': etag }),
      admin.put(raw, `${next}# theirs\n`, { ...yaml, 'if-match': etag }),
    ])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]))
    expect(both.find(({ status }) => status === 200)?.json).toEqual({
      applied: ['auth.session_length'],
      restart_required: [],
    })
    expect(readFileSync(gatehouse.configFile, 'utf8')).toContain('# mine')
    expect(readFileSync(`${gatehouse.configFile}.previous`, 'utf8')).toBe(read.text)
  })

  test('[CONF-2] [CONF-3] validates a text while it is edited: every problem with its position, no secrets, and nothing saved', async () => {
    const gatehouse = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
    const admin = await gatehouse.admin()
    const before = (await admin.get(raw)).text
    const check = (text: string, client: TestClient = admin) => client.post('/api/config/check', text, yaml)

    const bad = await check('auth:\n  session_lenght: 5\ndatabase: { url: "mysql://u:hunter2@db/x" }\n')
    expect(bad.status).toBe(200)
    expect(bad.json).toMatchObject({
      problems: [
        { field: 'auth.session_lenght', line: 2, column: 3 },
        { field: 'database.url', line: 3, column: 18 },
      ],
      warnings: [],
    })
    expect(bad.text).not.toContain('hunter2')
    expect((await check('a: [1\n')).json).toMatchObject({ problems: [{ field: '', line: 2 }] })
    expect((await check('auth: { roles: { guard: [nowhere] } }')).json).toMatchObject({
      problems: [],
      warnings: [{ field: 'auth.roles.guard[0]', line: 1 }],
    })
    expect((await check(before)).json).toEqual({ problems: [], warnings: [] })
    expect((await admin.get(raw)).text).toBe(before)

    expect((await admin.post('/api/config/check', { auth: {} })).status).toBe(415)
    for (const client of [await gatehouse.user('vera'), await gatehouse.user('gustav', 'guard')]) {
      expect((await check('', client)).status).toBe(403)
    }
    expect((await check('', gatehouse.gate)).status).toBe(401)
  })

  test('[CONF-4] [ROLE-7] a document without any key is rejected, and changes nothing', async () => {
    const gatehouse = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
    const gustav = await gatehouse.user('gustav', 'guard')
    const before = readFileSync(gatehouse.configFile, 'utf8')
    const empty = [
      '',
      ' \n\n',
      '# only\n  # comments\n',
      '{}',
      '---\n',
      '---\n...\n',
      'null\n',
      '~',
      '\ufeff',
      '{ }\n# x\n',
    ]
    for (const text of empty) {
      for (const query of ['', '?orphan_roles=allow']) {
        const saved = await gatehouse.internal.put(`${raw}${query}`, text, { ...yaml, 'if-match': '*' })
        expect([text, saved.status]).toEqual([text, 400])
        expect(saved.json).toMatchObject({ code: 'invalid-request', problems: [{ code: 'no-keys' }] })
      }
      const checked = await gatehouse.internal.post('/api/config/check', text, yaml)
      expect([text, checked.json]).toMatchObject([text, { problems: [{ code: 'no-keys' }] }])
    }
    expect(readFileSync(gatehouse.configFile, 'utf8')).toBe(before)
    expect((await gustav.get('/api/profile')).json).toMatchObject({ role: 'guard', allowed_cameras: ['yard'] })
    // Nor by hand.
    for (const text of empty) {
      writeFileSync(gatehouse.configFile, text)
      const printed = gatehouse.output().length
      await logged(gatehouse, /config empty/, printed)
      expect((await gustav.get('/api/profile')).json).toMatchObject({ role: 'guard', allowed_cameras: ['yard'] })
    }
  })

  test('[CONF-4] [ROLE-7] a document that removes the role of users is only saved after a confirmation, and the error names them', async () => {
    const config = { auth: { roles: { guard: ['yard'], cook: ['door'], idle: ['office'] } } }
    const gatehouse = await startService({ config })
    const gustav = await gatehouse.user('gustav', 'guard')
    await gatehouse.user('carla', 'cook')
    await gatehouse.user('vera')
    const { text } = await gatehouse.internal.get(raw)
    const save = (next: string, query = '') =>
      gatehouse.internal.put(`${raw}${query}`, next, { ...yaml, 'if-match': '*' })
    const fewer = text.replace('guard:', 'gaurd:').replace('cook:', 'Cook:')
    const refused = await save(fewer)
    expect(refused.status).toBe(409)
    expect(refused.json).toMatchObject({
      code: 'conflict',
      reason: { code: 'orphaned-roles', values: { roles: ['cook', 'guard'], users: ['carla', 'gustav'] } },
      detail: expect.stringMatching(/carla, gustav/) as string,
    })
    expect(refused.text).not.toContain('vera')
    for (const query of ['?orphan_roles=yes', '?orphan_roles=', '?orphan_roles']) {
      expect((await save(fewer, query)).status, query).toBe(400)
    }
    expect(readFileSync(gatehouse.configFile, 'utf8')).toBe(text)
    // A role without users can be removed.
    expect((await save(text.replace('idle:', 'lazy:'))).status).toBe(200)
    expect((await save(fewer, '?orphan_roles=allow')).status).toBe(200)
    expect((await gustav.get('/api/profile')).status).toBe(403)
    expect((await gatehouse.internal.get('/api/users')).text).toContain('"role":"guard"')
    expect((await save(text)).status).toBe(200)
    expect((await gustav.get('/api/profile')).json).toMatchObject({ role: 'guard', allowed_cameras: ['yard'] })
  })

  test('[CONF-4] reports which keys need a restart', async () => {
    const gatehouse = await startService()
    const response = await gatehouse.internal.put(raw, 'auth: {}\n', { ...yaml, 'if-match': '*' })
    expect(response.status).toBe(200)
    expect(response.json).toMatchObject({
      restart_required: ['networking.gate.host', 'networking.gate.port', 'networking.internal.port'],
    })
  })

  test('[ROLE-2] [CONF-4] only admins can access it', async () => {
    const gatehouse = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
    for (const client of [await gatehouse.user('vera'), await gatehouse.user('gustav', 'guard')]) {
      expect((await client.get(raw)).status).toBe(403)
      expect((await client.put(raw, '', { ...yaml, 'if-match': '*' })).status).toBe(403)
      expect((await client.get('/api/config/schema.json')).status).toBe(403)
    }
    expect((await gatehouse.gate.get(raw)).status).toBe(401)
  })
})

test('[ROLE-5] a role reads a configuration that names only its own cameras', async () => {
  const gatehouse = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
  const yard = { yard: { title: 'yard', enabled: false } }
  expect((await (await gatehouse.user('gustav', 'guard')).get('/api/config')).json).toEqual({ cameras: yard })
  const all = (await (await gatehouse.user('vera')).get('/api/config')).json as { cameras: object }
  expect(Object.keys(all.cameras)).toEqual(Object.keys(quietCameras))
})

test('[CONF-5] an edit by hand is applied within two seconds; an invalid, empty or missing file never is', async () => {
  const gatehouse = await startService({ config: { auth: { session_length: 601 } } })
  const edit = (from: RegExp, to: string) =>
    writeFileSync(gatehouse.configFile, readFileSync(gatehouse.configFile, 'utf8').replace(from, to))

  edit(/601/, '602')
  expect(await within(2000, async () => (await lengthOf(gatehouse.internal)) === 602)).toBe(true)
  const good = readFileSync(gatehouse.configFile, 'utf8')
  edit(/602/, 'soon')
  await logged(gatehouse, /auth\.session_length: Invalid value/)
  writeFileSync(gatehouse.configFile, '')
  await logged(gatehouse, /config empty/)
  rmSync(gatehouse.configFile)
  await logged(gatehouse, /config missing/)
  expect(await lengthOf(gatehouse.internal)).toBe(602)
  writeFileSync(gatehouse.configFile, good.replace('602', '603'))
  expect(await within(2000, async () => (await lengthOf(gatehouse.internal)) === 603)).toBe(true)
})

test('[CONF-5] [ROLE-7] a replacement that is not a valid file changes nothing', async () => {
  const gatehouse = await startService({
    config: { auth: { roles: { guard: ['yard'] } }, proxy: { header_map: { user: 'remote-user' } } },
  })
  const gustav = await gatehouse.user('gustav', 'guard')
  const text = readFileSync(gatehouse.configFile, 'utf8')
  const file = gatehouse.configFile
  const away = `${file}.away`
  const unchanged = async (what: string) => {
    expect([what, (await gustav.get('/api/profile')).json]).toMatchObject([
      what,
      { role: 'guard', allowed_cameras: ['yard'] },
    ])
    expect([what, (await gatehouse.gate.get('/api/profile', { 'remote-user': 'eve' })).status]).toEqual([what, 401])
    expect([what, (await gatehouse.gate.get('/api/cameras')).status]).toEqual([what, 401])
  }
  const replaced: readonly (readonly [string, () => void, RegExp])[] = [
    ['a directory', () => mkdirSync(file), /failed to read config/],
    ['a link to nothing', () => symlinkSync('/nowhere/config.yml', file), /config missing/],
    ['UTF-16', () => writeFileSync(file, Buffer.from(`\ufeff${text}`, 'utf16le')), /config invalid/],
    ['Latin-1', () => writeFileSync(file, Buffer.from(`${text}# caf\u00e9\n`, 'latin1')), /config invalid/],
    [
      'a role twice',
      () => writeFileSync(file, text.replace(/ {4}guard:/, '    guard: [door]\n    guard:')),
      /config invalid/,
    ],
    [
      'a merge key',
      () => writeFileSync(file, `${text}more: &m { enabled: false }\nhttp: { <<: *m }\n`),
      /config invalid/,
    ],
    [
      'a default role that is missing',
      () => writeFileSync(file, text.replace('proxy:', 'proxy:\n  default_role: ghost')),
      /config invalid/,
    ],
    [
      'a role map that names a missing one',
      () => writeFileSync(file, text.replace('header_map:', 'header_map:\n    role_map: { ghost: [g] }')),
      /config invalid/,
    ],
  ]
  for (const [what, put, reported] of replaced) {
    renameSync(file, away)
    const printed = gatehouse.output().length
    put()
    await logged(gatehouse, reported, printed)
    await unchanged(what)
    rmSync(file, { recursive: true })
    renameSync(away, file)
    await advanceSlowly(gatehouse.clock, 1500)
  }
  // An older file that lets a proxy authenticate and makes every caller a viewer is not applied while the service runs.
  const open = text.replace('auth:', 'auth:\n  enabled: false').replace('proxy:', 'proxy:\n  default_role: viewer')
  writeFileSync(file, open)
  await logged(gatehouse, /config reloaded/)
  await unchanged('auth.enabled: false')
  // A byte order mark makes no difference.
  writeFileSync(file, `\ufeff${text}audit: { retain_days: 9 }\n`)
  await advanceUntil(gatehouse.clock, async () =>
    expect((await gatehouse.internal.get('/api/config')).json).toMatchObject({ audit: { retain_days: 9 } }),
  )
  await unchanged('a byte order mark')
})

test('[CONF-6] the level of a logger is set by its name, while the service runs', async () => {
  const gatehouse = await startService({ config: { logger: { default: 'error' } } })
  expect(
    await within(
      10_000,
      async () => (await gatehouse.internal.get('/api/health').catch(() => undefined))?.status === 200,
    ),
  ).toBe(true)
  expect(gatehouse.output()).not.toContain('service ready')
  const { text } = await gatehouse.internal.get(raw)
  const changed = text.replace('default: error', 'default: error\n  logs: { service.config: info }')
  await gatehouse.internal.put(raw, changed, { ...yaml, 'if-match': '*' })
  writeFileSync(gatehouse.configFile, `${changed}audit: { retain_days: 5 }\n`)
  await logged(gatehouse, /config reloaded/)
})
