/** Changes that another site's page makes with the credentials of a signed-in user's browser. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import {
  converse,
  rawBytes,
  rawRequest,
  webSocketHandshake,
  type Conversation,
} from '../server/test/support/raw-request.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const panel = 'https://panel.example:8443'
let service: InProcessService
let vera: TestClient
let port: number
/** One connection for all requests: a TLS handshake for each would take most of the time. */
let connection: Conversation
beforeAll(async () => {
  service = await startService({
    config: {
      auth: { failed_login_rate_limit: null, trusted_proxies: ['127.0.0.2/32'], roles: { guard: ['yard'] } },
      http: { allowed_origins: [panel] },
    },
  })
  vera = await service.user('vera', 'admin')
  port = service.gatePort
  connection = await converse(service.gate)
})
afterAll(() => {
  connection.end()
  return stopAll()
})

const cookieOf = (client: TestClient): string => `Cookie: ${String(client.headers['cookie'])}`

/** Sends a request with these header lines. */
async function send(method: string, target: string, headers: readonly string[], body = '') {
  return connection.ask(
    [
      `${method} ${target} HTTP/1.1`,
      ...(headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`]),
      ...headers.map((line) => line.replace('PORT', String(port))),
      `Content-Length: ${Buffer.byteLength(body)}`,
    ],
    body,
  )
}

/** Header lines, and whether they come from the site itself or from no browser. `PORT` stands for the gate's. */
const origins: readonly (readonly [source: string, headers: readonly string[], own: boolean])[] = [
  ['ASVS 3.5.3', [], true],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: same-origin'], true],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: none'], true],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: cross-site'], false],
  ['ASVS 3.5.4', ['Sec-Fetch-Site: same-site'], false],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: '], false],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: Same-Origin'], false],
  ['RFC 9110 5.3', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], false],
  ['RFC 9110 5.3', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-origin'], false],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: same-origin', 'Origin: https://evil.example'], true],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: cross-site', 'Origin: https://evil.example'], false],
  ['ASVS 3.5.3', ['Sec-Fetch-Site: cross-site', `Origin: ${panel}`], true],
  ['RFC 6454 5', ['Origin: https://127.0.0.1:PORT'], true],
  ['RFC 6454 5', ['Origin: HTTPS://127.0.0.1:PORT'], true],
  // The gate uses TLS: a plain HTTP origin is cross-site.
  ['RFC 6454 5', ['Origin: http://127.0.0.1:PORT'], false],
  ['RFC 6454 5', ['Sec-Fetch-Site: same-origin', 'Origin: http://127.0.0.1:PORT'], true],
  ['RFC 6454 5', ['Origin: https://127.0.0.1'], false],
  ['RFC 6454 5', ['Origin: https://127.0.0.1:1'], false],
  ['RFC 6454 5', ['Origin: https://localhost:PORT'], false],
  ['GHSA-4mf2-f3wh-gvf2', ['Origin: https://127.0.0.1:PORT.evil.example'], false],
  ['GHSA-4mf2-f3wh-gvf2', ['Origin: https://127.0.0.1:PORT@evil.example'], false],
  ['GHSL-2023-198', ['Origin: https://evil.example'], false],
  ['RFC 6454 7.1', ['Origin: null'], false],
  ['RFC 6454 7.1', ['Origin: '], false],
  ['RFC 6454 7.1', ['Origin: nonsense'], false],
  ['RFC 6454 7.1', ['Origin: file://'], false],
  ['RFC 6454 7.1', ['Origin: chrome-extension://127.0.0.1:PORT'], false],
  ['RFC 9110 5.3', ['Origin: https://127.0.0.1:PORT', 'Origin: https://evil.example'], false],
  ['RFC 9110 5.3', ['Origin: https://evil.example', 'Origin: https://127.0.0.1:PORT'], false],
  ['RFC 6454 7.3', ['Origin: https://evil.example https://127.0.0.1:PORT'], false],
  ['RFC 6454 5', [`Origin: ${panel}`], true],
  ['RFC 6454 5', ['Origin: http://panel.example:8443'], false],
  ['RFC 6454 5', ['Origin: https://panel.example'], false],
  ['GHSA-4mf2-f3wh-gvf2', ['Origin: https://panel.example:8443.evil.example'], false],
  ['RFC 6454 5', ['Origin: https://gate.example', 'Host: gate.example'], true],
  ['RFC 6454 5', ['Origin: https://gate.example:443', 'Host: gate.example'], true],
  ['RFC 6454 5', ['Origin: https://gate.example', 'Host: gate.example:443'], true],
  ['RFC 6454 5', ['Origin: http://gate.example', 'Host: gate.example:80'], false],
  ['RFC 6454 5', ['Origin: http://gate.example', 'Host: gate.example'], false],
  ['RFC 6454 5', ['Origin: https://gate.example:8443', 'Host: gate.example'], false],
  ['RFC 6454 5', ['Origin: https://gate.example', 'Host: gate.example:8443'], false],
  ['CVE-2026-48794', ['Origin: https://GATE.example', 'Host: gate.EXAMPLE'], true],
  ['ASVS 4.1.3', ['Origin: https://evil.example', 'Host: gate.example', 'X-Forwarded-Host: evil.example'], false],
]

describe('[TOK-13] with a cookie', () => {
  test.each(origins)('%s: %j makes a change: %s', async (_source, headers, own) => {
    for (const [method, target, status] of [
      ['POST', '/api/users', 400],
      ['PUT', '/api/users/unknown/role', 404],
      ['DELETE', '/api/users/unknown', 404],
      ['PUT', '/api/config/raw', 428],
      ['POST', '/api/auth', 202],
      ['POST', '/api/nothing', 404],
    ] as const) {
      const body = method !== 'PUT' ? '' : target.endsWith('raw') ? '# x' : '{"role":"viewer"}'
      const type = target.endsWith('raw') ? 'text/yaml' : 'application/json'
      const more = body === '' ? [] : [`Content-Type: ${type}`]
      const response = await send(method, target, [cookieOf(vera), ...headers, ...more], body)
      expect([method, target, response.status]).toEqual([method, target, own ? status : 403])
      if (!own) expect(JSON.parse(response.body)).toMatchObject({ code: 'cross-origin' })
    }
    // Any page can read nothing of it, but the request itself is harmless.
    expect((await send('GET', '/api/version', [cookieOf(vera), ...headers])).status).toBe(200)
  })

  const changing = accessRows.filter(({ method, access }) => method !== 'GET' && !access.startsWith('open:'))

  test.each([
    ['GHSL-2023-198', 'Origin: https://evil.example', 'application/json'],
    ['ASVS 3.5.1', 'Origin: https://evil.example', 'text/plain'],
    ['ASVS 3.5.2', 'Origin: null', 'application/x-www-form-urlencoded'],
    ['ASVS 3.5.2', 'Sec-Fetch-Site: cross-site', 'multipart/form-data; boundary=x'],
  ])('%s: every route that changes something refuses %s with %s', async (_source, header, type) => {
    expect(changing.length).toBeGreaterThan(20)
    for (const { method, path } of changing) {
      const target = path.replace(':camera', 'yard').replaceAll(/:\w+/g, 'vera')
      const response = await send(method, target, [cookieOf(vera), header, `Content-Type: ${type}`], '{}')
      expect([method, path, response.status, response.body]).toEqual([
        method,
        path,
        403,
        expect.stringContaining('origin'),
      ])
    }
  })

  test.each([
    ['ASVS 4.1.4', 'X-HTTP-Method-Override: DELETE'],
    ['ASVS 4.1.4', 'X-HTTP-Method: DELETE'],
    ['ASVS 4.1.4', 'X-Method-Override: DELETE'],
  ])('%s: %s turns no GET into a change', async (_source, header) => {
    await service.user('otto')
    for (const target of ['/api/users/otto', '/api/users/otto?_method=DELETE']) {
      expect((await send('GET', target, [cookieOf(vera), header])).status).toBe(200)
      expect((await send('POST', target, [cookieOf(vera), header])).status).toBe(405)
    }
  })

  test('GHSL-2023-198: a refused request changes nothing, and is audited', async () => {
    const body = JSON.stringify({ username: 'mallory', password: 'correct horse battery', role: 'admin' })
    const headers = [cookieOf(vera), 'Origin: https://evil.example', 'Content-Type: text/plain']
    expect((await send('POST', '/api/users', headers, body)).status).toBe(403)
    expect((await vera.get('/api/users')).text).not.toContain('mallory')
    await expect
      .poll(async () => (await vera.get('/api/audit?result=denied&user=vera')).text)
      .toContain('"detail":"cross-origin"')
  })

  test('[ERR-2] an unauthenticated caller gets 401 first, from any origin', async () => {
    const headers = ['Origin: https://evil.example', 'Cookie: gatehouse_token=bad']
    expect((await send('POST', '/api/users', headers, '{}')).status).toBe(401)
  })
})

describe('[TOK-13] with a bearer token', () => {
  let bearer: string
  beforeAll(async () => {
    bearer = `Authorization: Bearer ${(await signIn(service.gate, 'vera')).token}`
  })

  test.each(origins)('%s: %j is ignored', async (_source, headers) => {
    for (const [method, target, status] of [
      ['DELETE', '/api/users/unknown', 404],
      ['POST', '/api/auth', 202],
    ] as const) {
      expect((await send(method, target, [bearer, ...headers])).status).toBe(status)
    }
  })

  test('signs out from any origin', async () => {
    for (const method of ['GET', 'POST']) {
      const { token } = await signIn(service.gate, 'vera')
      const headers = { authorization: `Bearer ${token}`, origin: 'https://evil.example' }
      expect((await service.gate.request(method, '/api/logout', { headers })).status).toBe(method === 'GET' ? 303 : 204)
      expect((await service.gate.get('/api/profile', { authorization: `Bearer ${token}` })).status).toBe(401)
    }
  })
})

describe('[TOK-6] [TOK-13] signing out', () => {
  const credentials = JSON.stringify({ user: 'vera', password })

  test.each(origins)('%s: with %j works: %s', async (_source, headers, own) => {
    const target = headers.length % 2 === 0 ? '/api/logout' : '/logout'
    const { head } = await send('POST', '/api/login', ['Content-Type: application/json'], credentials)
    const cookie = `Cookie: ${/^set-cookie: ([^;]+)/im.exec(head)?.[1]}`
    for (const method of ['GET', 'POST']) {
      const response = await send(method, target, [cookie, ...headers])
      expect(response.status).toBe(own ? (method === 'POST' ? 204 : 303) : 403)
      expect(/set-cookie: gatehouse_token=;/i.test(response.head)).toBe(own)
    }
    expect((await send('GET', '/api/profile', [cookie])).status).toBe(own ? 401 : 200)
  })
})

const open = async (client: TestClient, headers: readonly string[]) => {
  const lines = [
    'GET /api/cameras/yard/live HTTP/1.1',
    ...(headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`]),
    ...Object.entries(client.headers).map(([name, value]) => `${name}: ${String(value)}`),
    ...webSocketHandshake,
    ...headers.map((line) => line.replace('PORT', String(port))),
  ]
  return rawBytes(client, `${lines.join('\r\n')}\r\n\r\n`, undefined, true)
}

describe('[TOK-13] a WebSocket', () => {
  test.each(origins)('%s: with a cookie and %j opens: %s', async (_source, headers, own) => {
    expect((await open(vera, headers)).status).toBe(own ? 101 : 403)
  })

  test('with a bearer token opens from any origin', async () => {
    const { token } = await signIn(service.gate, 'vera')
    const client = service.gate.with({ authorization: `Bearer ${token}` })
    expect((await open(client, ['Origin: https://evil.example'])).status).toBe(101)
    expect((await open(service.gate, ['Origin: https://evil.example'])).status).toBe(401)
  })
})

const statusFrom = async (from: string, headers: readonly string[]) =>
  (await rawRequest(vera, { method: 'DELETE', target: '/api/users/unknown', headers, from })).status

describe('[TOK-13] behind a proxy', () => {
  test.each<[readonly string[], boolean]>([
    [['Origin: https://gate.example', 'X-Forwarded-Host: gate.example'], true],
    [['Origin: https://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Proto: https'], true],
    [['Origin: http://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Proto: https'], false],
    [['Origin: http://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Proto: http, wss'], false],
    [['Origin: http://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Proto: http'], true],
    [['Origin: http://gate.example', 'X-Forwarded-Host: gate.example'], true],
    [['Origin: https://gate.example:8443', 'X-Forwarded-Host: gate.example:8443'], true],
    [['Origin: https://gate.example:8443', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Port: 8443'], true],
    [['Origin: https://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Port: 443'], true],
    [['Origin: https://gate.example:8443', 'X-Forwarded-Host: gate.example'], false],
    [['Origin: https://gate.example', 'X-Forwarded-Host: gate.example', 'X-Forwarded-Port: 8443'], false],
    [['Origin: https://127.0.0.1', 'X-Forwarded-Host: gate.example'], false],
    [['Origin: https://evil.example', 'X-Forwarded-Host: gate.example'], false],
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example, gate.example'], false],
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Host: gate.example'], false],
    [['Origin: null', 'X-Forwarded-Host: null'], false],
    [['Origin: https://gate.example', 'Host: gate.example'], true],
    [['Origin: https://gate.example:9000', 'Host: gate.example', 'X-Forwarded-Port: 9000'], true],
  ])('CVE-2026-54764: that is trusted, %j is same-origin: %s', async (headers, own) => {
    expect(await statusFrom('127.0.0.2', headers)).toBe(own ? 404 : 403)
  })

  test.each<[readonly string[]]>([
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example']],
    [['Origin: https://127.0.0.1:8443', 'Host: 127.0.0.1', 'X-Forwarded-Port: 8443']],
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']],
  ])('CVE-2026-54764: that is not trusted, %j is cross-origin', async (headers) => {
    expect(await statusFrom('127.0.0.1', headers)).toBe(403)
    expect(await statusFrom('127.0.0.3', headers)).toBe(403)
  })

  test('that is not trusted, its headers do no harm either', async () => {
    const headers = [`Origin: https://127.0.0.1:${port}`, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Port: 1']
    expect(await statusFrom('127.0.0.1', headers)).toBe(404)
  })
})

test('[TOK-13] on a gate without TLS, a plain HTTP page is same-origin', async () => {
  const plain = await startService({ config: { tls: { enabled: false }, auth: { trusted_proxies: ['127.0.0.2'] } } })
  const otto = await plain.user('otto', 'admin')
  const origin = (scheme: string) => `Origin: ${scheme}://127.0.0.1:${plain.gatePort}`
  const posted = async (headers: readonly string[], from: string) =>
    (await rawRequest(otto, { method: 'POST', target: '/api/auth', headers, from })).status
  expect(await posted([origin('http')], '127.0.0.1')).toBe(202)
  expect(await posted([origin('http'), 'X-Forwarded-Proto: https'], '127.0.0.1')).toBe(202)
  // A proxy that terminates TLS sends this header.
  expect(await posted([origin('http'), 'X-Forwarded-Proto: https'], '127.0.0.2')).toBe(403)
  expect(await posted([origin('https'), 'X-Forwarded-Proto: https'], '127.0.0.2')).toBe(202)
})

test('[TOK-13] an identity in a proxy’s headers is also added by a browser’s proxy to cross-origin requests, so these are refused', async () => {
  const proxied = await startService({
    config: {
      tls: { enabled: false },
      auth: { enabled: false },
      proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
    },
  })
  const admin = proxied.gate.with({ 'remote-user': 'boss', 'remote-groups': 'admin' })
  const remove = async (headers: Record<string, string>) => (await admin.delete('/api/users/unknown', headers)).status
  expect(await remove({})).toBe(404)
  expect(await remove({ 'sec-fetch-site': 'same-origin' })).toBe(404)
  expect(await remove({ origin: proxied.gate.base })).toBe(404)
  expect(await remove({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await remove({ origin: 'https://evil.example' })).toBe(403)
  expect(await remove({ origin: 'null' })).toBe(403)
  // A bearer token is ignored here, and so does not lift the check.
  expect(await remove({ origin: 'https://evil.example', authorization: 'Bearer x' })).toBe(403)
  expect((await admin.get('/api/users', { origin: 'https://evil.example' })).status).toBe(200)
  const socket = admin.socket('/api/cameras/yard/live', { headers: { origin: 'https://evil.example' } })
  onTestFinished(() => socket.terminate())
  const [error] = (await once(socket, 'error')) as [Error]
  expect(error.message).toContain('403')
})
