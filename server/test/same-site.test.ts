import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, startService, stopAll, type InProcessService, type SignedIn, type TestClient } from './harness.ts'
import { rawBytes, rawRequest } from './raw.ts'

const panel = 'https://panel.example:8443'
let service: InProcessService
let vera: TestClient
let port: number
beforeAll(async () => {
  service = await startService({
    config: {
      auth: { failed_login_rate_limit: null, trusted_proxies: ['127.0.0.2/32'], roles: { guard: ['yard'] } },
      http: { allowed_origins: [panel] },
    },
  })
  vera = await service.user('vera', 'admin')
  port = service.gatePort
})
afterAll(stopAll)

/** Headers that come from the site itself, or from no browser. `PORT` stands for the gate's. */
const origins: readonly [readonly string[], boolean][] = [
  [[], true],
  [['Sec-Fetch-Site: same-origin'], true],
  [['Sec-Fetch-Site: none'], true],
  [['Sec-Fetch-Site: cross-site'], false],
  [['Sec-Fetch-Site: same-site'], false],
  [['Sec-Fetch-Site: '], false],
  [['Sec-Fetch-Site: Same-Origin'], false],
  [['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], false],
  [['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-origin'], false],
  [['Sec-Fetch-Site: same-origin', 'Origin: https://evil.example'], true],
  [['Sec-Fetch-Site: cross-site', 'Origin: https://evil.example'], false],
  [['Sec-Fetch-Site: cross-site', `Origin: ${panel}`], true],
  [['Origin: https://127.0.0.1:PORT'], true],
  [['Origin: HTTPS://127.0.0.1:PORT'], true],
  // The gate uses TLS: a plain HTTP origin is cross-site.
  [['Origin: http://127.0.0.1:PORT'], false],
  [['Sec-Fetch-Site: same-origin', 'Origin: http://127.0.0.1:PORT'], true],
  [['Origin: https://127.0.0.1'], false],
  [['Origin: https://127.0.0.1:1'], false],
  [['Origin: https://localhost:PORT'], false],
  [['Origin: https://127.0.0.1:PORT.evil.example'], false],
  [['Origin: https://127.0.0.1:PORT@evil.example'], false],
  [['Origin: https://evil.example'], false],
  [['Origin: null'], false],
  [['Origin: '], false],
  [['Origin: nonsense'], false],
  [['Origin: file://'], false],
  [['Origin: chrome-extension://127.0.0.1:PORT'], false],
  [['Origin: https://127.0.0.1:PORT', 'Origin: https://evil.example'], false],
  [['Origin: https://evil.example', 'Origin: https://127.0.0.1:PORT'], false],
  [['Origin: https://evil.example https://127.0.0.1:PORT'], false],
  [[`Origin: ${panel}`], true],
  [['Origin: http://panel.example:8443'], false],
  [['Origin: https://panel.example'], false],
  [['Origin: https://panel.example:8443.evil.example'], false],
  [['Origin: https://gate.example', 'Host: gate.example'], true],
  [['Origin: https://gate.example:443', 'Host: gate.example'], true],
  [['Origin: https://gate.example', 'Host: gate.example:443'], true],
  [['Origin: http://gate.example', 'Host: gate.example:80'], false],
  [['Origin: http://gate.example', 'Host: gate.example'], false],
  [['Origin: https://gate.example:8443', 'Host: gate.example'], false],
  [['Origin: https://gate.example', 'Host: gate.example:8443'], false],
  [['Origin: https://GATE.example', 'Host: gate.EXAMPLE'], true],
  [['Origin: https://evil.example', 'Host: gate.example', 'X-Forwarded-Host: evil.example'], false],
]
const withPort = (headers: readonly string[]) => headers.map((line) => line.replace('PORT', String(port)))

describe('[TOK-13] with a cookie', () => {
  test.each(origins)('%j makes a change: %s', async (headers, own) => {
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
      const more = [...withPort(headers), ...(body === '' ? [] : [`Content-Type: ${type}`])]
      const answer = await rawRequest(vera, { method, target, headers: more, body })
      expect([method, target, answer.status]).toEqual([method, target, own ? status : 403])
      if (!own) expect(JSON.parse(answer.body)).toMatchObject({ code: 'cross-origin' })
    }
  })

  test.each(origins)('%j reads, from any origin', async (headers) => {
    for (const method of ['GET', 'HEAD']) {
      expect((await rawRequest(vera, { method, target: '/api/users', headers: withPort(headers) })).status).toBe(200)
    }
  })

  test('a refused request changes nothing, and is audited', async () => {
    const body = JSON.stringify({ username: 'mallory', password: 'correct horse battery', role: 'admin' })
    const headers = ['Origin: https://evil.example', 'Content-Type: text/plain']
    expect((await rawRequest(vera, { method: 'POST', target: '/api/users', headers, body })).status).toBe(403)
    expect((await vera.get('/api/users')).text).not.toContain('mallory')
    await expect
      .poll(async () => (await vera.get('/api/audit?result=denied&user=vera')).text)
      .toContain('"detail":"cross-origin"')
  })

  test('an unauthenticated caller gets 401 first, from any origin', async () => {
    const headers = { origin: 'https://evil.example', cookie: 'gatehouse_token=bad' }
    expect((await service.gate.post('/api/users', {}, headers)).status).toBe(401)
  })
})

describe('[TOK-13] with a bearer token', () => {
  test.each(origins)('%j is ignored', async (headers) => {
    const { token } = await signInOnce()
    const client = service.gate.with({ authorization: `Bearer ${token}` })
    for (const [method, target, status] of [
      ['DELETE', '/api/users/unknown', 404],
      ['POST', '/api/auth', 202],
    ] as const) {
      expect((await rawRequest(client, { method, target, headers: withPort(headers) })).status).toBe(status)
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

  let once_: Promise<SignedIn> | undefined
  const signInOnce = () => (once_ ??= signIn(service.gate, 'vera'))
})

describe('[TOK-6] [TOK-13] signing out', () => {
  test.each(origins)('with %j works: %s', async (headers, own) => {
    const paths = headers.length % 2 === 0 ? ['/api/logout'] : ['/logout']
    for (const target of paths) {
      const session = await signIn(service.gate, 'vera')
      for (const method of ['GET', 'POST', 'HEAD']) {
        const { status, head } = await rawRequest(session, { method, target, headers: withPort(headers) })
        expect(status).toBe(own ? (method === 'POST' ? 204 : 303) : 403)
        expect(/set-cookie: gatehouse_token=;/i.test(head)).toBe(own)
      }
      expect((await session.get('/api/profile')).status).toBe(own ? 401 : 200)
    }
  })
})

describe('[TOK-13] a WebSocket', () => {
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const opening = async (client: TestClient, headers: readonly string[]) => {
    const lines = [
      'GET /api/cameras/yard/live HTTP/1.1',
      ...(headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`]),
      ...Object.entries(client.headers).map(([name, value]) => `${name}: ${String(value)}`),
      ...upgrade,
      ...headers,
    ]
    return rawBytes(client, `${lines.join('\r\n')}\r\n\r\n`, undefined, true)
  }

  test.each(origins)('with a cookie and %j opens: %s', async (headers, own) => {
    expect((await opening(vera, withPort(headers))).status).toBe(own ? 101 : 403)
  })

  test('with a bearer token opens from any origin', async () => {
    const { token } = await signIn(service.gate, 'vera')
    const client = service.gate.with({ authorization: `Bearer ${token}` })
    expect((await opening(client, ['Origin: https://evil.example'])).status).toBe(101)
    expect((await opening(service.gate, ['Origin: https://evil.example'])).status).toBe(401)
  })
})

const ask = async (from: string, headers: readonly string[]) =>
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
  ])('that is trusted, %j is same-origin: %s', async (headers, own) => {
    expect(await ask('127.0.0.2', headers)).toBe(own ? 404 : 403)
  })

  test.each<[readonly string[]]>([
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example']],
    [['Origin: https://127.0.0.1:8443', 'Host: 127.0.0.1', 'X-Forwarded-Port: 8443']],
    [['Origin: https://evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']],
  ])('that is not trusted, %j is cross-origin', async (headers) => {
    expect(await ask('127.0.0.1', headers)).toBe(403)
    expect(await ask('127.0.0.3', headers)).toBe(403)
  })

  test('that is not trusted, its headers do no harm either', async () => {
    const headers = [`Origin: https://127.0.0.1:${port}`, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Port: 1']
    expect(await ask('127.0.0.1', headers)).toBe(404)
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

describe('[TOK-13] an identity in a proxy’s headers', () => {
  test('is also added by a browser’s proxy to cross-origin requests, so these are refused', async () => {
    const proxied = await startService({
      config: {
        auth: { enabled: false },
        proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
      },
    })
    const boss = proxied.gate.with({ 'remote-user': 'boss', 'remote-groups': 'admin' })
    const remove = async (headers: Record<string, string>) => (await boss.delete('/api/users/unknown', headers)).status
    expect(await remove({})).toBe(404)
    expect(await remove({ 'sec-fetch-site': 'same-origin' })).toBe(404)
    expect(await remove({ origin: proxied.gate.base })).toBe(404)
    expect(await remove({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await remove({ origin: 'https://evil.example' })).toBe(403)
    expect(await remove({ origin: 'null' })).toBe(403)
    // A bearer token is ignored here, and so does not lift the check.
    expect(await remove({ origin: 'https://evil.example', authorization: 'Bearer x' })).toBe(403)
    expect((await boss.get('/api/users', { origin: 'https://evil.example' })).status).toBe(200)
    const socket = boss.socket('/api/cameras/yard/live', { headers: { origin: 'https://evil.example' } })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('403')
  })
})
