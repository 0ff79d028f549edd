import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createCertificateAuthority } from '../src/tls/generate-certificate.ts'
import { stopAll } from './support/cleanups.ts'
import { failedRestart, startService, type InProcessService } from './support/start-service.ts'
import { advanceUntil } from './support/test-clock.ts'
import { isRoot, withUnreadable } from './support/unreadable.ts'

let service: InProcessService
let secrets: string
let config: string
/** A copy: the other user may not be allowed to enter the folder of the source. */
let trustedHeaders: string
beforeAll(async () => {
  service = await startService()
  await service.stop()
  secrets = join(service.dir, 'secrets')
  mkdirSync(secrets)
  config = readFileSync(service.configFile, 'utf8')
  trustedHeaders = join(service.dir, 'trusted_headers.conf')
  copyFileSync(resolve(import.meta.dirname, '../trusted_headers.conf'), trustedHeaders)
})
afterAll(stopAll)

/** As whom the service runs, and whom the file belongs to. */
const whose = /\(EACCES: the service runs as user \d+, and the file belongs to user \d+, with mode 0[06]00\)/

const long = 's'.repeat(64)

type Row = readonly [
  what: string,
  config: object,
  files: Record<string, string>,
  file: string,
  env: object,
  says: RegExp,
]

const secretFiles: readonly Row[] = [
  ['its own JWT secret', {}, {}, '../config/.jwt_secret', {}, whose],
  ['a JWT secret among the credentials', {}, { SERVICE_JWT_SECRET: long }, 'SERVICE_JWT_SECRET', {}, whose],
  [
    'the options of the add-on',
    {},
    { 'options.json': '{}' },
    'options.json',
    { APP_OPTIONS_FILE: 'options.json' },
    whose,
  ],
  [
    'the list of trusted headers',
    {},
    { 'trusted.conf': 'remote-user\n' },
    'trusted.conf',
    { TRUSTED_HEADERS_FILE: 'trusted.conf' },
    whose,
  ],
  ['the key of its certificate authority', {}, {}, '../config/tls/ca.key', {}, whose],
  ['the key of its certificate', {}, {}, '../config/tls/server.key', {}, whose],
  ['config.yml', {}, {}, '../config/config.yml', {}, whose],
  [
    'the credential of a placeholder',
    { proxy: { auth_secret: '{SERVICE_PROXY_SECRET}' } },
    { SERVICE_PROXY_SECRET: long },
    'SERVICE_PROXY_SECRET',
    {},
    /proxy\.auth_secret: Couldn't read .*\(EACCES\)\. It must be a file that the service's user can read\./,
  ],
]
// The service makes the keys of its own certificates readable again, unless they belong to another user.
const found = secretFiles.filter(([, , , file]) => isRoot || !file.includes('/tls/'))

test.each(found)(
  '[SEC-4] [CONF-3] with %s unreadable for the user it runs as, the service does not start, names the file, and says whose it is',
  async (_what, more, files, unreadable, env, says) => {
    onTestFinished(() => {
      for (const name of Object.keys(files)) rmSync(join(secrets, name))
    })
    for (const [name, content] of Object.entries(files)) writeFileSync(join(secrets, name), content)
    if (Object.keys(more).length > 0) {
      writeFileSync(service.configFile, stringify({ ...(parse(config) as object), ...more }))
    }
    const inSecrets = Object.fromEntries(Object.entries(env).map(([name, path]) => [name, join(secrets, String(path))]))
    const file = join(secrets, unreadable)
    const before = readFileSync(file, 'utf8')
    const { status, output } = await withUnreadable(service.dir, [file], () =>
      failedRestart(service, { env: { TRUSTED_HEADERS_FILE: trustedHeaders, ...inSecrets } }),
    )
    expect(status).toBe(78)
    expect(output).toContain(file)
    expect(output).toMatch(says)
    await expect(service.gate.get('/api/health')).rejects.toThrow(/ECONNREFUSED/)
    expect(readFileSync(file, 'utf8')).toBe(before)
  },
)

test('[PORT-1] [CONF-5] [CONF-3] what becomes unreadable while the service runs keeps its old content, with a line that names it, until it can be read', async () => {
  const pair = await createCertificateAuthority({ names: ['localhost'], addresses: ['127.0.0.1'] }, Date.now())
  const key = join(secrets, 'site.key')
  const cert = join(secrets, 'site.crt')
  const credential = join(secrets, 'SERVICE_PROXY_SECRET')
  writeFileSync(key, pair.key)
  writeFileSync(cert, pair.cert)
  writeFileSync(credential, long)
  const text = stringify({
    ...(parse(config) as object),
    tls: { cert_file: cert, key_file: key },
    proxy: {
      enabled: true,
      auth_secret: '{SERVICE_PROXY_SECRET}',
      header_map: { user: 'remote-user' },
      default_role: 'viewer',
    },
  })
  const running = await service.restart({ config: text })
  const { clock } = running
  const asProxy = (secret: string) =>
    running.gate.get('/api/profile', { 'remote-user': 'ann', 'x-proxy-secret': secret })
  const unchanged = async () => expect([(await asProxy(long)).status, (await asProxy('x')).status]).toEqual([200, 401])
  await unchanged()

  await withUnreadable(running.dir, [key, credential, running.configFile], async () => {
    for (const line of [
      /new certificate unusable; keeping the old one/,
      /failed to read config; keeping previous config/,
    ])
      await advanceUntil(clock, () => expect(running.output()).toMatch(line))
    expect(running.output()).toContain(`Couldn't read tls.key_file ${key}`)
    expect(running.output()).toMatch(whose)
    await unchanged()
  })
  await withUnreadable(running.dir, [credential], async () => {
    writeFileSync(running.configFile, `${text}audit: { retain_days: 9 }\n`)
    await advanceUntil(clock, () => expect(running.output()).toMatch(/config invalid; keeping previous config/))
    expect(running.output()).toContain(`Couldn't read ${credential} (EACCES)`)
    await unchanged()
  })
  writeFileSync(credential, 'n'.repeat(64))
  writeFileSync(running.configFile, `${text}audit: { retain_days: 8 }\n`)
  await advanceUntil(clock, () => expect(running.output()).toMatch(/config reloaded/))
  expect([(await asProxy(long)).status, (await asProxy('n'.repeat(64))).status]).toEqual([401, 200])
  expect(running.output()).not.toMatch(/s{64}|n{64}/)
})
