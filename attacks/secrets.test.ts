/** Secrets in responses, to any caller and in any failure. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { rawBytes } from '../server/test/support/raw-request.ts'
import { openDatabase } from '../server/test/support/service-database.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const known = {
  jwt: 'jwt-secret-0123456789-0123456789-0123456789-0123456789-0123456789-0123',
  proxy: 'proxy-secret-of-ours-which-is-long-enough',
  camera: 'cam-era-pass/word',
  query: 'query-word-of-a-camera',
  motion: 'word-of-another-stream',
  placeholder: 'word-from-the-environment',
  oidc: 'secret-of-ours-at-the-identity-provider',
}

let service: InProcessService
let clients: Readonly<Record<string, TestClient>>
/** Everything that must be in no response. */
let secrets: readonly string[]
beforeAll(async () => {
  const inUrl = encodeURIComponent(known.camera)
  service = await startService({
    env: { SERVICE_JWT_SECRET: known.jwt, SERVICE_CAM_WORD: known.placeholder },
    config: {
      tls: { enabled: false },
      auth: {
        failed_login_rate_limit: null,
        roles: { guard: ['yard'] },
        oidc: { issuer: 'http://127.0.0.1:1', client_id: 'gatehouse', client_secret: known.oidc },
      },
      logger: { default: 'debug' },
      cameras: {
        ...quietCameras,
        yard: {
          source: `rtsp://viewer:${inUrl}@127.0.0.1:1/stream?key=${known.query}`,
          motion: { detect_source: `http://viewer:${known.motion}@127.0.0.1:1/small` },
        },
        lane: { source: 'http://viewer:{SERVICE_CAM_WORD}@127.0.0.1:1/x', enabled: false },
      },
      proxy: { auth_secret: known.proxy, enabled: true, header_map: { user: 'remote-user' } },
    },
  })
  const [viewer, guard, admin] = [
    await service.user('vera'),
    await service.user('gill', 'guard'),
    await service.user('boss', 'admin'),
  ]
  clients = { viewer, guard, admin, 'the internal port': service.internal, 'no one': service.gate }
  const tokens = [viewer, guard, admin].map((client) => String(client.headers['cookie']).split('=')[1] ?? '')
  const database = openDatabase(service, { readOnly: true })
  const rows = database.prepare('select password_hash from "user"').all()
  database.close()
  const hashes = rows.map((row) => String(row['password_hash']).split('$').at(-1) ?? '')
  const signatures = tokens.map((token) => token.split('.')[2] ?? '')
  const plain = [...Object.values(known), ...tokens, ...signatures, ...hashes, 'pbkdf2_sha256$']
  secrets = plain.flatMap((text) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')])
  expect(secrets.every((text) => text.length >= 12)).toBe(true)
})
afterAll(stopAll)

/** The secrets in a text. */
const found = (text: string): string[] => secrets.filter((secret) => text.includes(secret))

const targetOf = (path: string): string =>
  path.replace(':camera', 'yard').replace(':username', 'boss').replaceAll(/:\w+/g, '1')

describe('[CONF-3] [USER-3] no response has a secret in it', () => {
  test.each<[source: string, who: string]>([
    ['CVE-2026-33469', 'viewer'],
    ['CVE-2026-33469', 'guard'],
    ['CVE-2026-40166', 'admin'],
    ['CVE-2026-75608', 'the internal port'],
    ['CVE-2022-25568', 'no one'],
  ])('%s: of any route, to %s', async (_source, who) => {
    const shown: string[] = []
    for (const { method, path } of accessRows) {
      if (method !== 'GET' || /logout$|\/auth$/.test(path)) continue
      const { text, headers, status } = await clients[who]!.request('GET', targetOf(path), { headOnly: true })
      // The only place where an admin reads what the file contains.
      const isRaw = path === '/api/config/raw' && status === 200
      if (!isRaw && found(text).length > 0) shown.push(`${path}: ${found(text).join()}`)
      const { 'set-cookie': _renewed, ...others } = headers
      if (found(JSON.stringify(others)).length > 0) shown.push(`${path}: its headers`)
    }
    expect(shown).toEqual([])
  })

  test('CVE-2026-33469: the raw file has no resolved placeholder, and only admins get it', async () => {
    const { text } = await clients['admin']!.get('/api/config/raw')
    expect(text).toContain('{SERVICE_CAM_WORD}')
    expect(text).not.toContain(known.placeholder)
    expect(text).not.toContain(known.jwt)
    for (const who of ['viewer', 'guard']) expect((await clients[who]!.get('/api/config/raw')).status).toBe(403)
  })

  test.each<[source: string, method: string, path: string, body?: unknown]>([
    ['CVE-2026-75608', 'POST', '/api/cameras/yard/test'],
    ['CVE-2026-75608', 'POST', '/api/cameras/lane/test'],
    ['CVE-2026-75608', 'POST', '/api/cameras/test', { source: `rtsp://u:${known.query}@127.0.0.1:1/x` }],
    ['CVE-2026-75608', 'POST', '/api/cameras/test', { source: `rtsp://u:${known.query}@[::1/x` }],
    ['CVE-2026-75608', 'POST', '/api/cameras', { name: 'new', source: `nothing://u:${known.query}@h` }],
    ['CVE-2026-75608', 'PUT', '/api/cameras/yard', { source: `rtsp://u:${known.query}@` }],
    ['CVE-2022-31130', 'POST', '/api/access/try', { headers: { 'x-proxy-secret': 'x', cookie: 'y' } }],
    ['ASVS 16.2.5', 'POST', '/api/login', { user: known.query, password: known.motion }],
    ['ASVS 16.2.5', 'POST', '/api/users', { username: known.query, password: known.motion, role: known.proxy }],
    ['ASVS 16.2.5', 'PUT', '/api/users/boss/password', { password: known.motion, old_password: known.query }],
    ['ASVS 16.2.5', 'POST', '/api/config/check', `proxy: { auth_secret: [${known.proxy}], x: ${known.proxy} }`],
    ['ASVS 16.2.5', 'PUT', '/api/config/raw', `database: { url: "nothing://u:${known.query}@h" }`],
  ])('%s: nor has the response to %s %s when it fails', async (_source, method, path, body) => {
    for (const who of ['admin', 'viewer', 'no one']) {
      const headers = {
        'if-match': '*',
        'content-type': typeof body === 'string' ? 'text/yaml' : 'application/json',
      }
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const { text, status } = await clients[who]!.request(method, path, { headers, body: sent })
      expect([who, status, found(text)]).toEqual([who, expect.any(Number), []])
    }
  })

  test.each([
    ['ASVS 16.5.1', 'a malformed header', `GET / HTTP/1.1\r\nHost: x\r\nCookie gatehouse_token=TOKEN\r\n\r\n`],
    ['ASVS 16.5.1', 'a malformed path', `GET /%zz?TOKEN HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['ASVS 16.5.1', 'a path that does not exist', `GET /api/TOKEN HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    [
      'CVE-2004-2320',
      'TRACE',
      `TRACE /api/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n`,
    ],
  ])('%s: nor has the response to %s', async (_source, _what, bytes) => {
    const token = String(clients['viewer']!.headers['cookie']).split('=')[1] ?? ''
    const { head, body } = await rawBytes(service.gate, bytes.replace('TOKEN', token))
    expect(found(head + body)).toEqual([])
  })
})

test('[CONF-3] [USER-3] ASVS 16.2.5: after all of this, neither has the log, the audit log or the output', async () => {
  await signIn(service.gate, 'vera')
  expect((await changeConfig(service, { logger: { default: 'debug' }, logout_url: null })).status).toBe(200)
  for (const path of ['/api/logs', '/api/audit?limit=500'])
    expect(found((await service.internal.get(path)).text)).toEqual([])
  expect(found(service.output())).toEqual([])
})
