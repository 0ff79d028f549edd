import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { controlCharacters, sendHostileRequests } from './support/hostile-requests.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { openDatabase } from './support/service-database.ts'
import { password, signIn, tokenIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceUntil } from './support/test-clock.ts'

const plain = { tls: { enabled: false } }
const roles = { guard: ['door'] }

interface Line {
  readonly time: string
  readonly level: string
  readonly logger: string
  readonly msg: string
}

/** The output without the banner of the first admin, which is printed between two rules. */
const withoutBanner = (output: string): string => output.replace(/\n\*{20,}\n[^]*?\n\*{20,}\n/, '\n')

/** Every line of output; throws if one is not JSON. */
const linesOf = (output: string): Line[] =>
  withoutBanner(output)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

interface Entry {
  readonly action: string
  readonly result: string
  readonly user: string | null
  readonly auth_method: string | null
  readonly address: string | null
  readonly target: string | null
  readonly detail?: string
  readonly at: string
}

/** The audit log, oldest first, once it has entries. */
const auditOf = async (client: TestClient, query = ''): Promise<Entry[]> =>
  ((await client.get(`/api/audit?limit=500${query}`)).json as { entries: Entry[] }).entries.toReversed()

const isLike = (entry: Partial<Entry>) => (found: Entry) =>
  Object.entries(entry).every(([key, value]) => found[key as keyof Entry] === value)

describe('the log', () => {
  test('[CONF-6] without a terminal, it is one JSON object per line, with time, level and logger', async () => {
    const service = await startService({ config: plain })
    await service.gate.post('/api/login', { user: 'ann', password: 'wrong' })
    await service.printed(/"action":"login"/)
    const lines = linesOf(service.output())
    for (const line of lines) {
      expect(new Date(line.time).toISOString()).toBe(line.time)
      expect(['debug', 'info', 'warn', 'error']).toContain(line.level)
      expect(line.logger).toMatch(/^service/)
    }
    expect(lines.some(({ msg }) => msg.includes('ready'))).toBe(true)
  })

  test('[CONF-6] levels are set by logger name, at startup and while the service runs', async () => {
    const quiet = { default: 'error', logs: { 'service.audit': 'info', service: 'info' } }
    const service = await startService({ config: { ...plain, logger: quiet } })
    const make = (username: string) => service.internal.post('/api/users', { username, password, role: 'viewer' })
    const loggers = () => new Set(linesOf(service.output()).map(({ logger }) => logger))
    await make('first')
    await service.printed(/"target":"first"/)
    expect([...loggers()].sort()).toEqual(['service', 'service.audit'])

    await changeConfig(service, { logger: { default: 'error', logs: { 'service.audit': 'warn' } } })
    await make('second')
    await changeConfig(service, { logger: { default: 'error', logs: { 'service.audit': 'info' } } })
    await make('third')
    await service.printed(/"target":"third"/)
    expect(service.output()).not.toContain('"second"')
    // The name of an unknown logger is harmless, an unknown level is not.
    expect((await changeConfig(service, { logger: { logs: { 'service.unknown': 'debug' } } })).status).toBe(200)
    expect((await changeConfig(service, { logger: { default: 'loud' } })).status).toBe(400)
    expect((await changeConfig(service, { logger: { logs: { 'service.audit': 'loud' } } })).status).toBe(400)
  })

  const loud = {
    ...plain,
    auth: { roles, trusted_proxies: ['127.0.0.1'], failed_login_rate_limit: null },
    logger: { default: 'debug' },
  }

  const script = spawnSync('script', ['--version']).status === 0

  test.skipIf(!script)('on a terminal it is human-readable, and moves no cursor', async () => {
    const service = await startService({ config: loud })
    await service.internal.post('/api/users', { username: 'gus', password, role: 'guard' })
    await service.stop()
    const main = resolve(import.meta.dirname, '../start.mjs')
    const cheapHashing = resolve(import.meta.dirname, 'support/cheap-hashing.mjs')
    const env = {
      PATH: process.env['PATH'],
      HOME: service.dir,
      CONFIG_DIR: service.configDir,
      MEDIA_DIR: service.mediaDir,
    }
    const child = spawn('script', ['-qec', `exec ${process.execPath} --import ${cheapHashing} ${main}`, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    await expect.poll(() => printed).toMatch(/ready/)
    await sendHostileRequests(service)
    await expect.poll(() => printed).toMatch(/FORGED/)
    expect(printed).not.toMatch(/^\s*\{"level"/m)
    // The colors are from the log format itself.
    // oxlint-disable-next-line no-control-regex
    const text = printed.replace(/\x1b\[\d*m/g, '').replaceAll('\r\n', '\n')
    expect(text).toMatch(/^\[.*\] INFO.*: service ready/m)
    expect(text).not.toMatch(controlCharacters)
    // Every line that begins at the margin is the service's own.
    for (const line of text.split('\n').filter((each) => each !== '' && !/^ {2,}/.test(each))) {
      expect(line).toMatch(/^\[[\d:.TZ +-]+\] (DEBUG|INFO|WARN)/)
    }
  })

  test('[USER-3] [CONF-3] it never contains a password, token, cookie, secret or camera credential', async () => {
    const secrets = {
      first: 'a first long password',
      second: 'a second long password',
      guessed: 'a guessed long password',
      mistyped: 'a mistyped long password',
      proxy: 'proxy-secret-of-ours',
      camera: 'cam-era-pass',
      tried: 'tried-pass',
      jwt: 'jwt-secret-0123456789-0123456789-0123456789-0123456789-0123456789-0123',
      bearer: 'bearer-nonsense-of-mine',
      query: 'token-in-a-query',
    }
    const cameras = {
      ...quietCameras,
      lane: { source: `rtsp://viewer:${secrets.camera}@127.0.0.1:1/stream`, enabled: true },
    }
    const config = { ...plain, auth: { roles }, cameras, logger: { default: 'debug' } }
    const service = await startService({
      config,
      env: { SERVICE_JWT_SECRET: secrets.jwt, SERVICE_CAM: secrets.camera },
    })
    const { gate, internal } = service
    const tokens: string[] = []
    const [, printed = ''] = await service.printed(/password:\s+(\S+)/)
    const admin = await signIn(gate, 'admin', printed)
    tokens.push(admin.token)
    const make = (username: string, role: string) =>
      admin.post('/api/users', { username, password: secrets.first, role })
    expect((await make('ann', 'viewer')).status).toBe(201)
    await make('ann', 'viewer')
    await make('gus', 'unknown')
    await admin.post('/api/users', `{"username":"x","password":"${secrets.first}"`, {
      'content-type': 'application/json',
    })
    await admin.post('/api/users', `password=${secrets.first}`, { 'content-type': 'application/x-www-form-urlencoded' })
    await admin.post('/api/users', { username: secrets.first, password: { deep: secrets.first }, role: 1 })
    const ann = await signIn(gate, 'ann', secrets.first)
    tokens.push(ann.token)
    await gate.post('/api/login', { user: 'ann', password: secrets.guessed })
    await gate.post('/api/login', { user: 'ann', password: [secrets.guessed] })
    await gate.post(`/api/login?password=${encodeURIComponent(secrets.guessed)}`, { user: 'ann' })
    await ann.put('/api/users/ann/password', { password: secrets.second, old_password: secrets.mistyped })
    const changed = await ann.put('/api/users/ann/password', { password: secrets.second, old_password: secrets.first })
    expect(changed.status).toBe(200)
    tokens.push(tokenIn(changed))
    await gate
      .get('/api/auth', { cookie: `gatehouse_token=${tokenIn(changed)}` })
      .then((response) => tokens.push(tokenIn(response)))
    await gate.get('/api/users', { authorization: `Bearer ${secrets.bearer}` })
    await gate.get(`/api/users?access_token=${secrets.query}`, { cookie: `gatehouse_token=${tokenIn(changed)}` })
    await gate.get('/api/users', { authorization: `Basic ${secrets.bearer}`, 'x-proxy-secret': secrets.proxy })
    await admin.post('/api/cameras/test', { source: `rtsp://viewer:${secrets.tried}@127.0.0.1:1/x` })
    await admin.post('/api/access/try', { headers: { 'x-proxy-secret': secrets.proxy } })
    const broken = {
      proxy: { auth_secret: secrets.proxy, separator: '' },
      cameras: { bad: { source: `exec:${secrets.camera}` } },
    }
    expect((await changeConfig(service, broken)).status).toBe(400)
    expect((await changeConfig(service, { proxy: { auth_secret: secrets.proxy } })).status).toBe(200)
    await gate.get('/api/profile', { cookie: `gatehouse_token=${tokenIn(changed)}`, 'x-proxy-secret': secrets.proxy })
    await gate.get('/api/profile', { 'x-proxy-secret': `${secrets.proxy}x` })
    await gate.post('/api/logout', undefined, {
      cookie: `gatehouse_token=${tokenIn(changed)}`,
      'x-proxy-secret': secrets.proxy,
    })
    await service.printed(/"logger":"service\.cameras?.*lane/)
    // The entry is written with a delay.
    await expect.poll(async () => (await auditOf(service.internal)).map(({ action }) => action)).toContain('logout')

    const shown = {
      output: withoutBanner(service.output()),
      logs: (await internal.get('/api/logs')).text,
      audit: (await internal.get('/api/audit?limit=500')).text,
      config: (await internal.get('/api/config')).text,
      cameras: (await internal.get('/api/cameras')).text,
    }
    expect(shown.logs).toContain('"action":"login"')
    const hidden = [
      ...Object.values(secrets),
      printed,
      ...tokens.flatMap((token) => [token, token.split('.')[2] ?? token]),
      'pbkdf2_sha256$',
    ]
    for (const [where, text] of Object.entries(shown)) {
      for (const secret of hidden) {
        expect(secret.length).toBeGreaterThan(8)
        for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
          if (text.includes(spelling))
            throw new Error(
              `${where} holds ${spelling}: ${text.slice(Math.max(0, text.indexOf(spelling) - 200), text.indexOf(spelling) + 100)}`,
            )
        }
      }
    }
    // The printed password occurs once, in the banner.
    expect(service.output().split(printed)).toHaveLength(2)
  })

  test('[ROLE-1] [ROLE-2] only admins can read it and the audit log, by logger and level', async () => {
    const service = await startService({ config: { ...plain, auth: { roles } } })
    const [viewer, guard, admin] = [
      await service.user('vic'),
      await service.user('gus', 'guard'),
      await service.admin(),
    ]
    for (const path of ['/api/logs', '/api/audit']) {
      expect((await service.gate.get(path)).status).toBe(401)
      expect((await viewer.get(path)).status).toBe(403)
      expect((await guard.get(path)).status).toBe(403)
      expect((await admin.get(path)).status).toBe(200)
    }
    const { lines } = (await admin.get('/api/logs?logger=service.audit&level=info')).json as {
      lines: { logger: string }[]
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines.map(({ logger }) => logger))).toEqual(new Set(['service.audit']))
    expect((await admin.get('/api/logs?level=loud')).status).toBe(400)
  })
})

describe('the audit log', () => {
  test('[ERR-2] [ROLE-4] contains who did what, from where, to what, and the result', async () => {
    const auth = { roles, trusted_proxies: ['127.0.0.1'], failed_login_rate_limit: '3/hour' }
    const service = await startService({ config: { ...plain, auth } })
    const admin = (await service.admin()).with({ 'x-forwarded-for': '192.0.2.1' })
    const steps: [Partial<Entry>, () => Promise<{ status: number }>, number][] = []
    const expected = (entry: Partial<Entry>, act: () => Promise<{ status: number }>, status: number) =>
      steps.push([entry, act, status])
    const byAdmin = { user: 'admin', auth_method: 'password', address: '192.0.2.1', result: 'success' }
    const gate = service.gate.with({ 'x-forwarded-for': '192.0.2.7' })
    const byGus = { user: 'gus', auth_method: 'password', address: '192.0.2.7' }
    const refused = { ...byGus, action: 'request.denied', result: 'denied' }
    let gus = gate
    let session = ''

    expected(
      { ...byAdmin, action: 'user.create', target: 'gus', detail: 'viewer' },
      () => admin.post('/api/users', { username: 'gus', password, role: 'viewer' }),
      201,
    )
    expected(
      { ...byAdmin, action: 'user.role', target: 'gus' },
      () => admin.put('/api/users/gus/role', { role: 'guard' }),
      200,
    )
    expected(
      { ...byGus, action: 'login', result: 'failure' },
      () => gate.post('/api/login', { user: 'gus', password: 'wrong' }),
      401,
    )
    expected(
      { action: 'login', result: 'failure', user: null, detail: 'no-such-user' },
      () => gate.post('/api/login', { user: 'unknown user', password: 'wrong' }),
      401,
    )
    expected(
      { ...byGus, action: 'login', result: 'success' },
      async () => {
        const response = await gate.post('/api/login', { user: 'GUS', password })
        gus = gate.with({ cookie: `gatehouse_token=${tokenIn(response)}` })
        return response
      },
      200,
    )
    expected({ ...refused, target: 'GET /api/users' }, () => gus.get('/api/users'), 403)
    expected({ ...refused, target: 'GET /api/cameras/yard' }, () => gus.get('/api/cameras/yard?x=1'), 403)
    expected({ ...refused, target: 'PUT /api/config/raw' }, () => gus.put('/api/config/raw', 'x'), 403)
    expected(
      { ...refused, target: 'POST /api/logout', user: null, auth_method: null, detail: 'cross-origin' },
      () => gus.post('/api/logout', undefined, { origin: 'https://evil.example' }),
      403,
    )
    expected(
      { ...refused, target: 'GET /api/cameras/yard/live' },
      async () => {
        const [error] = (await once(gus.socket('/api/cameras/yard/live'), 'error')) as [Error]
        return { status: Number(/\d{3}/.exec(error.message)?.[0]) }
      },
      403,
    )
    expected(
      { ...byGus, action: 'user.password', result: 'failure', target: 'gus' },
      () => gus.put('/api/users/gus/password', { password: 'another long one', old_password: 'wrong password' }),
      403,
    )
    expected(
      { action: 'login', result: 'denied', address: '192.0.2.7', detail: 'too-many-attempts' },
      () => gate.post('/api/login', { user: 'gus', password }),
      429,
    )
    expected(
      { ...byGus, action: 'logout', result: 'success' },
      async () => {
        ;[{ id: session = '' } = {}] = (await gus.get('/api/sessions')).json as { id?: string }[]
        return gus.post('/api/logout')
      },
      204,
    )
    expected(
      { ...byAdmin, action: 'user.password', target: 'gus' },
      () => admin.put('/api/users/gus/password', { password: 'another long one' }),
      200,
    )
    expected(
      { ...byAdmin, action: 'role.set', target: 'night', detail: 'yard, door' },
      () => admin.put('/api/roles/night', { cameras: ['yard', 'door'] }),
      201,
    )
    expected(
      { ...byAdmin, action: 'user.role', target: 'gus' },
      () => admin.put('/api/users/gus/role', { role: 'night' }),
      200,
    )
    expected({ ...byAdmin, action: 'role.delete', target: 'night' }, () => admin.delete('/api/roles/night'), 200)
    expected(
      {
        ...byAdmin,
        action: 'user.reassign',
        target: 'gus',
        detail: 'night → viewer',
      },
      () => admin.get('/api/users'),
      200,
    )
    expected(
      { ...byAdmin, action: 'session.revoke', target: 'admin', detail: 'other-sessions' },
      async () => {
        // Without another session, there is nothing to end.
        const [, printed = ''] = await service.printed(/password:?\s+(\S+)/i)
        await signIn(service.gate, 'admin', printed)
        return admin.delete('/api/sessions?others=true')
      },
      204,
    )
    expected(
      { ...byAdmin, action: 'config.save' },
      async () =>
        admin.request('PUT', '/api/config/raw', {
          headers: { 'if-match': '*', 'content-type': 'text/yaml' },
          body: `${readFileSync(service.configFile, 'utf8')}audit: { retain_days: 30 }\n`,
        }),
      200,
    )
    expected(
      { user: null, action: 'config.apply', result: 'success', detail: 'audit.retain_days' },
      () => admin.get('/api/users'),
      200,
    )
    expected({ ...byAdmin, action: 'user.delete', target: 'gus' }, () => admin.delete('/api/users/gus'), 204)

    for (const [entry, act, status] of steps) {
      const response = await act()
      expect([entry.action, entry.target, response.status]).toEqual([entry.action, entry.target, status])
    }
    // A 401 has no user, and makes no entry.
    await gate.get('/api/users')
    // Refusals are written after the response. Read at the gate: each read at the internal port is itself an entry, so the
    // list would keep changing.
    let record: Entry[] = []
    const missing = async () => {
      record = await auditOf(admin)
      return steps.map(([entry]) => entry).filter((entry) => !record.some(isLike(entry)))
    }
    await expect.poll(missing).toEqual([])
    expect(record.find(({ action }) => action === 'logout')?.target).toBe(session)
    expect(
      record.filter(({ action, target }) => action === 'request.denied' && target === 'GET /api/users'),
    ).toHaveLength(1)
    expect(record.map(({ at }) => at)).toEqual(record.map(({ at }) => at).toSorted())
    expect((await auditOf(admin, '&user=gus')).every(({ user }) => user?.toLowerCase() === 'gus')).toBe(true)
    expect((await auditOf(admin, '&result=failure')).every(({ result }) => result === 'failure')).toBe(true)
    // It survives a restart.
    await service.restart()
    expect((await auditOf(admin)).slice(0, record.length)).toEqual(record)
  })

  test('[AUD-4] the username of a failed login is in the audit log only if the user exists, and never in the log', async () => {
    const service = await startService({
      config: { ...plain, auth: { failed_login_rate_limit: '4/hour' }, logger: { default: 'debug' } },
    })
    await service.user('gus')
    const typed = ['my-Secret-Passphrase', 'gus hunter2-hunter2', 'x'.repeat(300), 'gus\u0000']
    for (const user of typed) {
      expect((await service.gate.post('/api/login', { user, password: 'wrong' })).status).toBe(401)
    }
    for (const user of ['my-Secret-Passphrase', 'GUS']) {
      expect((await service.gate.post('/api/login', { user, password: 'wrong' })).status).toBe(429)
    }
    await changeConfig(service, { auth: { failed_login_rate_limit: null } })
    expect((await service.gate.post('/api/login', { user: 'GUS', password: 'wrong' })).status).toBe(401)

    const logins = async () => {
      const response = await service.internal.get('/api/audit?action=login')
      return (response.json as { entries: Entry[] }).entries.filter(({ result }) => result !== 'success')
    }
    const noUser = { user: null, result: 'failure', detail: 'no-such-user' }
    await expect.poll(logins).toMatchObject([
      { user: 'gus', result: 'failure' },
      { user: null, result: 'denied', detail: 'too-many-attempts' },
      { ...noUser, count: typed.length },
    ])
    const everything = `${service.output()} ${(await service.internal.get('/api/audit')).text} ${(await service.internal.get('/api/logs')).text}`
    for (const part of ['Secret-Pass', 'hunter2', 'xxxxxx']) expect(everything).not.toContain(part)
  })

  test('is kept for 90 days, or as long as configured', async () => {
    let service = await startService({ config: plain })
    await service.stop()
    const insert = (days: readonly number[]) => {
      const db = openDatabase(service)
      const add = db.prepare("insert into audit (at, action, result, target) values (?, 'login', 'success', ?)")
      for (const age of days) add.run(Date.now() - age * 86_400_000, `${age} days ago`)
      db.close()
    }
    const ages = async () =>
      (await auditOf(service.internal)).map(({ target }) => target).filter((target) => target?.endsWith('ago'))
    insert([400, 91, 89, 31, 1])
    service = await service.restart()
    await advanceUntil(service.clock, async () =>
      expect(await ages()).toEqual(['89 days ago', '31 days ago', '1 days ago']),
    )
    service = await service.restart({ config: { ...plain, audit: { retain_days: 30 } } })
    await advanceUntil(service.clock, async () => expect(await ages()).toEqual(['1 days ago']))
    expect((await changeConfig(service, { audit: { retain_days: 0 } })).status).toBe(400)
  })
})
