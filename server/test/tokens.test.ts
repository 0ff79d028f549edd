import { createHmac } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { bearer } from './support/create-token.ts'
import { converse, rawBytes, statusesIn } from './support/raw-request.ts'
import { openDatabase } from './support/service-database.ts'
import { password, signIn, tokenIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Headers, TestClient } from './support/test-client.ts'
import { createTestClock } from './support/test-clock.ts'

const secret = 'a secret known to the tests, and as long as a secret has to be: 64 characters or more'
let gatehouse: InProcessService
let gate: TestClient
beforeAll(async () => {
  gatehouse = await startService({
    env: { SERVICE_JWT_SECRET: secret },
    config: { auth: { failed_login_rate_limit: null } },
  })
  gate = gatehouse.gate
})
afterAll(() => stopAll())

/** Whole seconds of the service's clock. */
const now = () => Math.floor(gatehouse.clock.now() / 1000)
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (claims: object, header: object = { alg: 'HS256' }, key = secret) => {
  const signed = `${base64(header)}.${base64(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number | string>
const cookie = (token: string) => ({ cookie: `gatehouse_token=${token}` })
const statusOf = async (headers: Headers, path = '/api/profile') => (await gate.get(path, headers)).status
const login = async (name: string) => {
  await gatehouse.user(name)
  return signIn(gate, name)
}
const nextSecond = ({ clock } = gatehouse) => clock.advance(1010 - (clock.now() % 1000))

const clears = (cookies: readonly string[]) => cookies.some((each) => each.startsWith('gatehouse_token=; Max-Age=0;'))

/** What a request can carry to a route that takes no body. */
const oddBodies: readonly [what: string, headers: OutgoingHttpHeaders, body?: string][] = [
  ...['foo', '', 'a/b/c', ';', 'text/html', 'application/json'].map((type): [string, OutgoingHttpHeaders] => [
    `the content type "${type}"`,
    { 'content-type': type },
  ]),
  ['JSON that ends early', { 'content-length': 1, 'content-type': 'application/json' }, '{'],
  ['a text of no type', { 'content-length': 1 }, 'x'],
  ['2 MB', { 'content-length': 2_000_000, 'content-type': 'application/json' }, 'x'.repeat(2_000_000)],
  ['2 MB in chunks', { 'transfer-encoding': 'chunked' }, 'x'.repeat(2_000_000)],
]

describe('a token', () => {
  test('[TOK-1, TOK-2, TOK-11] is sent in the first cookie, and works as a bearer token', async () => {
    await gatehouse.user('ann')
    const response = await gate.post('/api/login', { user: 'ann', password })
    expect(response.cookies[0]).toMatch(/^gatehouse_token=[\w.-]+; /)
    for (const part of ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Max-Age=86400', 'Secure']) {
      expect(response.cookies[0]?.split('; ')).toContain(part)
    }
    const token = tokenIn(response)
    const { sub, role, iat, exp } = claimsOf(token)
    expect([sub, role, Number(exp) - Number(iat)]).toEqual(['ann', 'viewer', 86_400])
    expect(sign({ ...claimsOf(token) }, { alg: 'HS256', typ: 'JWT' })).toBe(token)
    expect(await statusOf(cookie(token))).toBe(200)
    expect(await statusOf(bearer(token))).toBe(200)
    expect(await statusOf({ authorization: `bEARER ${token}` })).toBe(200)
    expect((await gate.get(`/api/profile?token=${token}&gatehouse_token=${token}`)).status).toBe(401)
  })

  test('[TOK-3] is refused once expired', async () => {
    const { token } = await login('ann')
    const claims = claimsOf(token)
    expect(await statusOf(bearer(sign({ ...claims, exp: now() + 60 })))).toBe(200)
    const expired = await gate.get('/api/auth', cookie(sign({ ...claims, exp: now() })))
    expect([expired.status, expired.cookies]).toEqual([401, []])
  })

  test('[TOK-4] is refreshed by /api/auth, as a cookie and as a bearer token', async () => {
    const { token } = await login('ann')
    await nextSecond()
    for (const [path, headers] of [
      ['/api/auth', cookie(token)],
      ['/auth', bearer(token)],
    ] as const) {
      const response = await gate.get(path, headers)
      expect([
        response.status,
        response.text,
        response.headers['remote-user'],
        response.headers['remote-role'],
      ]).toEqual([202, '', 'ann', 'viewer'])
      const fresh = claimsOf(tokenIn(response))
      expect(Number(fresh['exp'])).toBeGreaterThan(Number(claimsOf(token)['exp']))
      expect(Number(fresh['exp']) - Number(fresh['iat'])).toBe(86_400)
      expect(await statusOf(cookie(tokenIn(response)))).toBe(200)
    }
  })

  test('[TOK-5] is renewed by any request with the cookie, after half of its life', async () => {
    const { token } = await login('ann')
    const claims = claimsOf(token)
    const late = sign({ ...claims, iat: now() - 60, exp: now() + 50 })
    const renewed = tokenIn(await gate.get('/api/profile', cookie(late)))
    expect(Number(claimsOf(renewed)['exp'])).toBeGreaterThan(now() + 86_000)
    expect((await gate.get('/api/profile', bearer(late))).cookies).toEqual([])
    expect((await gate.get('/api/profile', cookie(token))).cookies).toEqual([])
    expect((await gate.get('/api/profile', cookie(sign({ ...claims, exp: now() })))).cookies).toEqual([])
    await gate.post('/api/logout', undefined, cookie(token))
    const revoked = await gate.get('/api/profile', cookie(late))
    expect([revoked.status, revoked.cookies]).toEqual([401, []])
  })
})

test('[TOK-12] only two different cookies make the browser clear all of the site’s, not one that is no longer valid', async () => {
  const { token } = await login('bob')
  const revoked = (await login('bob')).token
  await gate.post('/api/logout', undefined, cookie(revoked))
  for (const one of [sign({ ...claimsOf(token), exp: now() - 10 }), revoked, 'bad']) {
    const { status, headers, cookies } = await gate.get('/api/profile', cookie(one))
    expect([status, headers['clear-site-data'], cookies]).toEqual([401, undefined, []])
  }
  const both = await gate.get('/api/profile', { cookie: `gatehouse_token=${token}; gatehouse_token=bad` })
  expect([both.status, both.headers['clear-site-data']]).toEqual([401, '"cookies"'])
})

describe('[TOK-6] signing out', () => {
  test('ends the session for every copy of its tokens', async () => {
    for (const path of ['/api/logout', '/logout'] as const) {
      const { token } = await login('bob')
      await nextSecond()
      const fresh = tokenIn(await gate.get('/api/auth', cookie(token)))
      const out = await gate.post(path, undefined, cookie(token))
      expect([out.status, clears(out.cookies)]).toEqual([204, true])
      for (const copy of [token, fresh]) {
        expect(await statusOf(cookie(copy))).toBe(401)
        expect(await statusOf(bearer(copy), '/api/auth')).toBe(401)
      }
    }
  })

  test('redirects a browser to the login page', async () => {
    const { token } = await login('bob')
    const out = await gate.get('/logout', cookie(token))
    expect([out.status, out.headers.location, clears(out.cookies)]).toEqual([303, '/login', true])
    expect(await statusOf(cookie(token))).toBe(401)
  })

  test('clears any cookie: expired, duplicate, invalid or missing', async () => {
    const one = await login('bob')
    const two = await login('bob')
    const expired = sign({ ...claimsOf(one.token), exp: now() - 10 })
    const none = await gate.post('/api/logout')
    const bad = await gate.post('/api/logout', undefined, cookie('bad'))
    const twice = `gatehouse_token=${expired}; gatehouse_token=${two.token}`
    const doubled = await gate.post('/api/logout', undefined, { cookie: twice })
    for (const out of [none, bad, doubled]) expect([out.status, clears(out.cookies)]).toEqual([204, true])
    expect(await statusOf(cookie(one.token))).toBe(401)
    expect(await statusOf(cookie(two.token))).toBe(401)
  })

  test.each(oddBodies)(
    'ends the session whatever is sent with it: %s',
    async (_what, headers: OutgoingHttpHeaders, body?: string) => {
      for (const path of ['/api/logout', '/logout'] as const) {
        const { token } = await login('bob')
        const out = await gate.request('POST', path, { headers: { ...headers, ...cookie(token) }, body })
        expect([out.status, clears(out.cookies)]).toEqual([204, true])
        expect(await statusOf(cookie(token))).toBe(401)
      }
    },
  )

  test.each(oddBodies)(
    '%s matters to no route without a body',
    async (_what, headers: OutgoingHttpHeaders, body?: string) => {
      const { token } = await login('bob')
      const ask = (method: string, path: string) =>
        gate.request(method, path, { headers: { ...headers, ...cookie(token) }, body })
      expect((await ask('POST', '/api/auth')).status).toBe(202)
      expect((await ask('DELETE', '/api/sessions?others=true')).status).toBe(204)
      expect((await ask('DELETE', '/api/sessions?others=maybe')).status).toBe(400)
    },
  )

  test('[PATH-1] a dropped body ends where its length says, also a long one on a connection that is then closed', async () => {
    const { token } = await login('bob')
    const lines = ['Host: x', `Cookie: gatehouse_token=${token}`, 'Content-Type: ;']
    const head = (...more: readonly string[]) => ['POST /api/logout HTTP/1.1', ...lines, ...more, '', ''].join('\r\n')
    const next = 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    for (const [bytes, statuses] of [
      [head(`Content-Length: ${next.length}`) + next + next, [204, 200]],
      [`${head('Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n${next}`, [204, 200]],
      [`${head('Transfer-Encoding: chunked')}3\r\nabcd\r\n0\r\n\r\n${next}`, [400]],
      [head('Content-Length: 3000000', 'Connection: close') + 'x'.repeat(3_000_000), [204]],
      [`${head('Content-Length: 3', 'Connection: Upgrade', 'Upgrade: websocket')}abc`, [204]],
    ] as const) {
      expect(statusesIn(await rawBytes(gate, bytes))).toEqual(statuses)
    }
  })

  test.each([
    ['stalls', false],
    ['ends early', true],
  ])('ends the session although the body %s', async (_what, isCut) => {
    for (const path of ['/api/logout', '/logout'] as const) {
      const { token } = await login('bob')
      const lines = ['Host: x', `Cookie: gatehouse_token=${token}`, 'Content-Length: 100']
      const connection = await converse(gate)
      const response = connection.ask([`POST ${path} HTTP/1.1`, ...lines], 'x')
      if (isCut) connection.end()
      else expect((await response).status).toBe(204)
      await expect.poll(() => statusOf(cookie(token))).toBe(401)
      connection.end()
    }
  })

  test('[TOK-13] is refused to another site before the body arrives', async () => {
    const { token } = await login('bob')
    const connection = await converse(gate)
    const lines = ['Host: x', `Cookie: gatehouse_token=${token}`, 'Sec-Fetch-Site: cross-site', 'Content-Length: 100']
    expect((await connection.ask(['POST /api/logout HTTP/1.1', ...lines], 'x')).status).toBe(403)
    connection.end()
    expect(await statusOf(cookie(token))).toBe(200)
  })

  test('makes the browser clear its cache', async () => {
    const { token } = await login('bob')
    for (const [method, path] of [
      ['GET', '/logout'],
      ['POST', '/api/logout'],
    ] as const) {
      const out = await gate.request(method, path, { headers: cookie(token) })
      expect(out.headers['clear-site-data']).toBe('"cache"')
    }
  })

  test('[TOK-13] cannot be triggered by an image on another site', async () => {
    const { token } = await login('bob')
    const foreign = { 'sec-fetch-site': 'cross-site', ...cookie(token) }
    expect(await statusOf(foreign, '/api/logout')).toBe(403)
    expect(await statusOf(cookie(token))).toBe(200)
  })
})

describe('[TOK-12] of several credentials,', () => {
  test('a bearer token decides alone, and other schemes are ignored', async () => {
    const { token } = await login('carol')
    expect(await statusOf({ ...bearer('bad'), ...cookie(token) })).toBe(401)
    expect(await statusOf({ authorization: 'Bearer', ...cookie(token) })).toBe(401)
    expect(await statusOf({ authorization: 'Basic YTpi', ...cookie(token) })).toBe(200)
    expect(await statusOf({ ...bearer(token), ...cookie('bad') })).toBe(200)
  })
})

const loginWith = (headers: Headers, secretWord = password) =>
  gate.request('POST', '/api/login', { headers, body: { user: 'greta', password: secretWord } })

describe('[TOK-12] a login', () => {
  test('ends the valid session that it carries, of any user, as a cookie or bearer token', async () => {
    await gatehouse.user('greta')
    for (const carried of [cookie, bearer]) {
      const before = await login('bob')
      const response = await loginWith(carried(before.token))
      expect([response.status, await statusOf(cookie(tokenIn(response)))]).toEqual([200, 200])
      expect(await statusOf(bearer(before.token))).toBe(401)
    }
  })

  test('that fails ends no session, and one with an expired or duplicate token, or another session, does not either', async () => {
    await gatehouse.user('greta')
    const [before, other] = [await login('bob'), await login('bob')]
    expect((await loginWith(cookie(before.token), 'wrong')).status).toBe(401)
    expect(await statusOf(bearer(before.token))).toBe(200)
    const expired = sign({ ...claimsOf(before.token), exp: now() - 10 })
    for (const sent of [cookie(expired), { cookie: `gatehouse_token=${before.token}; gatehouse_token=x` }]) {
      expect((await loginWith(sent)).status).toBe(200)
    }
    expect(await statusOf(bearer(before.token))).toBe(200)
    expect((await loginWith(cookie(before.token))).status).toBe(200)
    expect(await statusOf(bearer(other.token))).toBe(200)
  })
})

test('[TOK-9] a deleted user’s tokens stay invalid when a user with that name is created again', async () => {
  const { token } = await login('dora')
  await gatehouse.internal.put('/api/users/dora/role', { role: 'admin' })
  expect((await gate.get('/api/profile', cookie(token))).json).toMatchObject({ role: 'admin' })
  const external = sign({ sub: 'dora', iat: now(), exp: now() + 100 })
  await gatehouse.internal.delete('/api/users/dora')
  expect(await statusOf(cookie(token))).toBe(401)
  await gatehouse.internal.post('/api/users', { username: 'dora', password, role: 'admin' })
  expect(await statusOf(cookie(token))).toBe(401)
  expect(await statusOf(bearer(external))).toBe(401)
})

test('[TOK-14] another program can issue tokens, until the password changes', async () => {
  await gatehouse.user('eric')
  await nextSecond()
  const signed = (more: object = {}) => sign({ sub: 'eric', iat: now(), exp: now() + 100, ...more })
  const token = signed()
  expect(await statusOf(bearer(token))).toBe(200)
  expect(await statusOf(bearer(signed({ iat: now() + 55 })))).toBe(200)
  for (const bad of [
    { iat: now() + 65 },
    { iat: 1 },
    { sub: 'unknown' },
    { sid: '00' },
    { iat: undefined },
    { exp: undefined },
  ]) {
    expect(await statusOf(bearer(signed(bad))), JSON.stringify(bad)).toBe(401)
  }
  const refreshed = tokenIn(await gate.get('/api/auth', bearer(token)))
  expect(claimsOf(refreshed)).not.toHaveProperty('sid')
  expect(await statusOf(cookie(refreshed))).toBe(200)
  await gatehouse.internal.put('/api/users/eric/password', { password: 'another long one' })
  expect(await statusOf(bearer(token))).toBe(401)
  expect(await statusOf(cookie(refreshed))).toBe(401)
  await nextSecond()
  const database = openDatabase(gatehouse, { readOnly: true })
  const row = database.prepare('select password_set_at from "user" where key = ?').get('eric')
  database.close()
  const at = Math.floor(Number(row?.['password_set_at']) / 1000)
  expect(await statusOf(bearer(signed({ iat: at })))).toBe(401)
  expect(await statusOf(bearer(signed({ iat: at + 1 })))).toBe(200)
})

describe('other settings', () => {
  test('[TOK-10, TOK-11] a session without a length, and a strict cookie with another name', async () => {
    const auth = { session_length: 0, cookie_name: 'other', cookie_same_site: 'strict' }
    const other = await startService({ config: { tls: { enabled: false }, auth } })
    await other.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })
    const response = await other.gate.post('/api/login', { user: 'ann', password })
    expect(response.status).toBe(200)
    expect(response.cookies[0]).toMatch(/^other=[^;]+;.*Max-Age=0;.*SameSite=Strict/)
    expect(response.cookies[0]).not.toContain('Secure')
    const next = await other.gate.get('/api/profile', { cookie: `other=${tokenIn(response)}` })
    expect(next.status).toBe(401)
  })

  test('[TOK-11] a cookie for embedding in other sites is set over HTTPS only', async () => {
    const auth = { cookie_same_site: 'none' }
    const other = await startService({ config: { tls: { enabled: false }, auth } })
    await other.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })
    const response = await other.gate.post('/api/login', { user: 'ann', password })
    expect([response.status, response.cookies]).toEqual([400, []])
    expect(response.text).toContain('HTTPS')
  })

  test('[TOK-15] a session is not renewed past its maximum length', async () => {
    const auth = { session_length: 12, session_max_length: 14 }
    // A clock that stands still: the session and its token begin in the same second.
    const other = await startService({ config: { auth } }, createTestClock({ now: Date.now() }))
    await other.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })
    const first = await signIn(other.gate, 'ann')
    await other.clock.advance(3000)
    const renewed = tokenIn(await first.get('/api/auth'))
    expect(Number(claimsOf(renewed)['exp']) - Number(claimsOf(first.token)['iat'])).toBe(14)
  })

  test('[PROXY-1] where a proxy authenticates, there is no login, and tokens are ignored', async () => {
    const other = await startService({ env: { SERVICE_JWT_SECRET: secret }, config: { auth: { enabled: false } } })
    for (const client of [other.gate, other.internal]) {
      const response = await client.post('/api/login', { user: 'ann', password })
      expect([response.status, response.json]).toMatchObject([
        404,
        { detail: expect.stringContaining('proxy') as string },
      ])
    }
    for (const [type, body] of [
      [undefined, undefined],
      ['application/json', '{}'],
      ['application/json', '{'],
      ['text/plain', 'x'],
      ['a/b/c', 'x'],
      ['application/json', `"${'x'.repeat(2_000_000)}"`],
    ] as const) {
      for (const path of [
        '/api/login',
        '/api/login/second-factor',
        '/api/login/passkey',
        '/api/login/passkey/options',
        `/api/invitations/${'0'.repeat(32)}/open`,
        `/api/invitations/${'0'.repeat(32)}/accept`,
        `/api/password-resets/${'0'.repeat(32)}/accept`,
      ]) {
        const headers = type === undefined ? {} : { 'content-type': type }
        const response = await other.gate.request('POST', path, { headers, body })
        expect([response.status, response.json], `${path} ${type}`).toMatchObject([
          404,
          { reason: { code: 'proxy-auth-enabled' } },
        ])
      }
    }
    // The way back from a sign-on in front of the API (PROXY-12).
    expect((await other.gate.get('/api/login')).status).toBe(303)
    const two = { cookie: 'gatehouse_token=a; gatehouse_token=b', ...bearer('theirs') }
    expect((await other.gate.get('/api/profile', two)).cookies).toEqual([])
  })
})
