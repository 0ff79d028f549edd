/** Back-channel logout: tokens that aren't logout tokens, replays, requests of other kinds, and floods of logouts and sign-ins. */
import { createHmac } from 'node:crypto'
import { exportSPKI, generateKeyPair, importJWK, type CryptoKey, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { outcomeOf, startFakeOidcService, type FakeOidcService } from '../server/test/support/fake-oidc-service.ts'
import { fakePaths } from '../server/test/support/fake-provider.ts'
import { logoutEvent } from '../server/test/support/oidc-service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { statusOf, type TestClient } from '../server/test/support/test-client.ts'

let at: FakeOidcService
beforeAll(async () => {
  at = await startFakeOidcService()
})
beforeEach(() => at.provider.reset())
afterAll(stopAll)

const path = '/api/oidc/backchannel-logout'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
let tokens = 0
const claimsOf = (claims: JWTPayload = {}): JWTPayload => {
  tokens += 1
  const iat = Math.floor(at.service.clock.now() / 1000)
  const usual = { iss: at.provider.issuer, aud: at.provider.clientId, iat, exp: iat + 120, jti: `t${tokens}` }
  return { ...usual, events: { [logoutEvent]: {} }, ...claims }
}
const made = (claims: JWTPayload, header: object = {}, key?: CryptoKey) =>
  at.provider.sign(claimsOf(claims), { typ: 'logout+jwt', ...header }, key)
const send = (token: string, headers: object = {}) =>
  at.service.gate.post(path, new URLSearchParams({ logout_token: token }).toString(), { ...form, ...headers })
const as = (sub: string, sid?: string): Promise<TestClient> => {
  at.provider.claims = { sub, ...(sid !== undefined && { sid }) }
  at.provider.userinfo = { sub }
  return at.signedIn()
}
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (key: string) => {
  const text = `${base64({ alg: 'HS256', kid: 'one', typ: 'logout+jwt' })}.${base64(claimsOf({ sub: 'ann' }))}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
const failures = async () => {
  const { json } = await at.service.internal.get('/api/audit?action=logout&limit=500')
  return (json as { entries: { result: string; count?: number }[] }).entries.filter(
    ({ result }) => result === 'failure',
  )
}

describe('[OIDC-4] a logout token', () => {
  let pem: string
  let otherKey: CryptoKey
  beforeAll(async () => {
    pem = await exportSPKI((await importJWK(at.provider.keys[0]!, 'RS256', { extractable: true })) as CryptoKey)
    otherKey = (await generateKeyPair('RS256')).privateKey
  })

  test.each<[source: string, what: string, token: () => string | Promise<string>]>([
    [
      'ASVS 10.5.5',
      'that is an ID token',
      () => at.provider.sign({ ...claimsOf(), sub: 'ann', events: undefined, nonce: 'n' }),
    ],
    ['ASVS 10.5.5', 'with a nonce', () => made({ sub: 'ann', nonce: 'n' })],
    ['ASVS 10.5.5', 'with an empty nonce', () => made({ sub: 'ann', nonce: '' })],
    ['ASVS 10.5.5', 'of another type', () => made({ sub: 'ann' }, { typ: 'at+jwt' })],
    ['ASVS 10.5.5', 'without an event', () => made({ sub: 'ann', events: undefined })],
    ['ASVS 10.5.5', 'with another event', () => made({ sub: 'ann', events: { 'http://schemas.example/x': {} } })],
    ['CWE-843', 'with a list of events', () => made({ sub: 'ann', events: [logoutEvent] })],
    ['CWE-843', 'with an event that isn’t an object', () => made({ sub: 'ann', events: { [logoutEvent]: true } })],
    [
      'CWE-1321',
      'with events of a prototype',
      () => made({ sub: 'ann', events: JSON.parse(`{"__proto__":{"${logoutEvent}":{}}}`) as object }),
    ],
    ['ASVS 9.2.1', 'that is too old', () => made({ sub: 'ann', iat: Math.floor(Date.now() / 1000) - 200 })],
    ['ASVS 9.2.1', 'of the future', () => made({ sub: 'ann', iat: Math.floor(Date.now() / 1000) + 200 })],
    ['ASVS 9.2.1', 'that has expired', () => made({ sub: 'ann', exp: Math.floor(Date.now() / 1000) - 70 })],
    ['ASVS 10.5.3', 'of another issuer', () => made({ sub: 'ann', iss: 'https://other.example' })],
    ['ASVS 9.2.3', 'for another client', () => made({ sub: 'ann', aud: 'other' })],
    ['ASVS 9.2.3', 'for no client', () => made({ sub: 'ann', aud: undefined as unknown as string })],
    [
      'RFC 8725 3.1',
      'without a signature',
      () => `${base64({ alg: 'none', typ: 'logout+jwt' })}.${base64(claimsOf({ sub: 'ann' }))}.`,
    ],
    ['RFC 8725 2.1', "signed with the client's secret", () => hmac(at.provider.clientSecret)],
    ['RFC 8725 2.1', 'signed with the public key as a secret', () => hmac(pem)],
    ['RFC 8725 3.10', "with another one's key", () => made({ sub: 'ann' }, {}, otherKey)],
    [
      'RFC 7515 4.1.11',
      'with an unknown critical header',
      async () =>
        (await made({ sub: 'ann' })).replace(/^[^.]+/, base64({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })),
    ],
    ['OIDC Back-Channel Logout 2.4', 'for no one', () => made({})],
    ['CWE-843', 'for a list of users', () => made({ sub: ['ann'] as unknown as string })],
    ['CWE-843', 'for a session that isn’t text', () => made({ sub: 'ann', sid: { $ne: '' } })],
    ['CWE-158', 'for a user with a NUL', () => made({ sub: 'ann\0' })],
    ['CWE-176', 'for half a character', () => made({ sub: 'ann\ud800' })],
    ['OIDC Back-Channel Logout 2.4', 'without an id', () => made({ sub: 'ann', jti: undefined as unknown as string })],
    ['CWE-843', 'whose id is a number', () => made({ sub: 'ann', jti: 7 as unknown as string })],
  ])('%s: %s is 400 and ends nothing', async (_source, _what, token) => {
    const ann = await as('ann')
    const { status, headers } = await send(await token())
    expect([status, await statusOf(ann)]).toEqual([400, 200])
    expect(headers['cache-control']).toContain('no-store')
  })

  test.each<[source: string, what: string, claims: JWTPayload, ends: boolean]>([
    ['OIDC Back-Channel Logout 2.6', 'the user', { sub: 'ann' }, true],
    ['OIDC Back-Channel Logout 2.6', 'the session', { sid: 's1' }, true],
    ['OIDC Back-Channel Logout 2.6', 'the user and the session', { sub: 'ann', sid: 's1' }, true],
    ['OIDC Back-Channel Logout 2.6', 'the session and another user', { sub: 'bob', sid: 's1' }, false],
    ['OIDC Back-Channel Logout 2.6', 'the user and another session', { sub: 'ann', sid: 's2' }, false],
    ['CWE-178', 'the user in capitals', { sub: 'ANN' }, false],
    ['CWE-89', 'all users', { sub: '%' }, false],
    ['CWE-89', 'all sessions', { sid: "' or 1=1 --" }, false],
    ['OIDC-2', 'the key of the user', { sub: 'oidc:ann' }, false],
  ])('%s: that names %s', async (_source, _what, claims, ends) => {
    const local = await at.service.user('ann', 'admin')
    const ann = await as('ann', 's1')
    expect((await send(await made(claims))).status).toBe(200)
    expect([await statusOf(ann), await statusOf(local)]).toEqual([ends ? 401 : 200, 200])
  })

  test('CWE-294: two requests at the same time use it once', async () => {
    const token = await made({ sub: 'someone' })
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => send(token)))).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
  })

  test.each<[source: string, what: string, headers: Record<string, string>]>([
    ['CWE-352', "with another user's cookie", {}],
    ['CWE-352', 'from a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ])('ASVS 10.5.5: %s: %s ends only what it names', async (_source, _what, headers) => {
    const [bob, ann] = [await as('bob'), await as('ann')]
    await send(await made({ sub: 'ann' }), { ...headers, cookie: bob.headers['cookie'] as string })
    expect(await statusOf(bob)).toBe(200)
    await send(await made({ sub: 'ann' }))
    expect(await statusOf(ann)).toBe(401)
  })

  test.each<
    [source: string, what: string, method: string, body: (token: string) => string, headers: object, status: number]
  >([
    ['ASVS 4.1.4', 'by GET', 'GET', () => '', {}, 401],
    ['ASVS 4.1.4', 'by PUT', 'PUT', (token) => `logout_token=${token}`, form, 401],
    [
      'ASVS 4.1.1',
      'as JSON',
      'POST',
      (token) => JSON.stringify({ logout_token: token }),
      { 'content-type': 'application/json' },
      415,
    ],
    ['ASVS 4.1.1', 'as text', 'POST', (token) => `logout_token=${token}`, { 'content-type': 'text/plain' }, 415],
    ['ASVS 15.3.7', 'twice', 'POST', (token) => `logout_token=${token}&logout_token=${token}`, form, 400],
    ['CWE-178', 'under another name', 'POST', (token) => `Logout_Token=${token}`, form, 400],
    [
      'CWE-400',
      'after 20,000 characters',
      'POST',
      (token) => `a=${'b'.repeat(20_000)}&logout_token=${token}`,
      form,
      400,
    ],
    [
      'CWE-400',
      'after two megabytes',
      'POST',
      (token) => `a=${'b'.repeat(2_000_000)}&logout_token=${token}`,
      form,
      413,
    ],
  ])('%s: %s ends nothing', async (_source, _what, method, body, headers, status) => {
    const ann = await as('ann')
    const token = await made({ sub: 'ann' })
    const sent = method === 'GET' ? { headers: { ...headers } } : { headers: { ...headers }, body: body(token) }
    const reply = await at.service.gate.request(method, method === 'GET' ? `${path}?logout_token=${token}` : path, sent)
    expect([reply.status, await statusOf(ann)]).toEqual([status, 200])
  })

  test('ASVS 3.4.2: no other site can read the response', async () => {
    const { headers } = await send('a.b.c', { origin: 'https://evil.example' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

/** Requests that the provider got at a path. */
const countOf = (path: string) => at.provider.requests.filter((request) => request.path === path).length

describe('[OIDC-4] [OIDC-5] a flood', () => {
  test('ASVS 2.4.1: of wrong logout tokens is one audit entry a minute, and the keys are not fetched for each', async () => {
    await at.service.clock.advance(61_000)
    const before = (await failures()).length
    await send(await made({ sub: 'x' }, { kid: 'unknown' }))
    const keys = countOf(fakePaths.keys)
    const flood = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => send(await made({ sub: 'x' }, { kid: `k${at}` }))),
    )
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([400]))
    expect(countOf(fakePaths.keys)).toBe(keys)
    await at.service.clock.advance(5_000)
    await expect.poll(async () => (await failures()).length - before).toBeLessThanOrEqual(2)
  })

  test.each(['discovery', 'keys'] as const)(
    'ASVS 2.4.1: of logout tokens while the provider fails (%s) does not become one at the provider',
    async (which) => {
      const there = await startFakeOidcService()
      there.provider.instead.set(fakePaths[which], (_request, response) => void response.writeHead(503).end())
      await there.service.clock.skip(3_601_000)
      const count = () => there.provider.requests.filter((request) => request.path === fakePaths[which]).length
      const before = count()
      const token = await there.provider.sign(claimsOf({ iss: there.provider.issuer, sub: 'x' }), { typ: 'logout+jwt' })
      const body = `logout_token=${token}`
      for (let each = 0; each < 50; each++) {
        expect((await there.service.gate.post(path, body, form)).status).toBe(503)
      }
      // Each of the two seconds that the requests can take.
      expect(count() - before).toBeLessThanOrEqual(3)
    },
  )

  test('CWE-779: of wrong logout tokens, and of sign-ins while the provider is unavailable, doesn’t fill the log', async () => {
    const there = await startFakeOidcService()
    const body = new URLSearchParams({ logout_token: await made({ sub: 'x' }, { kid: 'unknown' }) }).toString()
    for (let each = 0; each < 50; each += 1)
      expect((await there.service.gate.post(path, body, form)).status).toBeGreaterThanOrEqual(400)
    there.provider.instead.set(fakePaths.discovery, (_request, response) => void response.writeHead(503).end())
    await there.service.clock.skip(3_601_000)
    for (let each = 0; each < 50; each += 1)
      expect(outcomeOf(await there.service.gate.get('/api/oidc/login'))).toBe('provider-unavailable')
    const { lines } = (await there.service.internal.get('/api/logs?limit=1000')).json as {
      lines: { message: string }[]
    }
    for (const message of ['back-channel logout failed', 'identity provider unavailable']) {
      const count = lines.filter((line) => line.message === message).length
      expect([message, count >= 1 && count <= 12]).toEqual([message, true])
    }
  })

  test('ASVS 2.4.1: of sign-ins reads the discovery document once, and failures are one audit entry', async () => {
    await at.service.clock.skip(3_601_000)
    const before = countOf(fakePaths.discovery)
    const begun = await Promise.all(Array.from({ length: 200 }, () => at.service.gate.get('/api/oidc/login')))
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([303]))
    expect(countOf(fakePaths.discovery) - before).toBeLessThanOrEqual(1)
    const failed = await Promise.all(Array.from({ length: 200 }, () => at.callback({ code: 'x', state: 'y' }, '')))
    expect(new Set(failed.map(outcomeOf))).toEqual(new Set(['sign-in-expired']))
    await at.service.clock.advance(5_000)
    const entries = async () =>
      (
        (await at.service.internal.get('/api/audit?action=login&limit=500')).json as { entries: { detail?: string }[] }
      ).entries.filter(({ detail }) => detail === 'sign-in-expired').length
    await expect.poll(entries).toBeGreaterThan(0)
    expect(await entries()).toBeLessThanOrEqual(2)
  })

  test.each([
    ['one cookie', {}],
    ['one cookie and an empty error', { error: '' }],
  ])('ASVS 2.4.1: of callbacks with %s asks the provider once', async (_what, more) => {
    const { state, nonce, cookie } = await at.begin()
    const before = countOf(fakePaths.token)
    const query = { code: nonce, state, iss: at.provider.issuer, ...more }
    const all = await Promise.all(Array.from({ length: 20 }, () => at.callback(query, cookie)))
    const outcomes = all.map(outcomeOf).toSorted()
    expect(outcomes).toEqual(['in', ...Array.from({ length: 19 }, () => 'sign-in-expired')])
    expect(countOf(fakePaths.token) - before).toBe(1)
  })

  test('ASVS 2.4.1: [RATE-3] of callbacks with new cookies asks the provider as often as the address can fail', async () => {
    const there = await startFakeOidcService({ auth: { failed_login_rate_limit: '5/minute' } })
    const { issuer } = there.provider
    const rejected = '{"error":"invalid_grant"}'
    there.provider.instead.set(
      fakePaths.token,
      (_request, response) => void response.writeHead(400, json).end(rejected),
    )
    const begun = await Promise.all(Array.from({ length: 20 }, () => there.begin()))
    const all = await Promise.all(
      begun.map(({ state, cookie }) => there.callback({ code: 'x', state, iss: issuer }, cookie)),
    )
    const denied = all.filter(({ status }) => status === 429)
    expect([denied.length, all.filter((done) => outcomeOf(done) === 'provider-denied').length]).toEqual([15, 5])
    expect(denied.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true)
    expect(there.provider.requests.filter(({ path }) => path === fakePaths.token)).toHaveLength(5)
    there.provider.instead.clear()
    await there.service.clock.advance(61_000)
    // Their requests were not used.
    const { state, nonce, cookie } = begun.find((_, nth) => all[nth]!.status === 429)!
    expect(outcomeOf(await there.callback({ code: nonce, state, iss: issuer }, cookie))).toBe('in')
    for (let each = 0; each < 8; each += 1) expect(outcomeOf(await there.signIn())).toBe('in')
  })

  test('CWE-645: [RATE-2] of responses that a page elsewhere makes up in a browser isn’t a failed login of its address', async () => {
    const there = await startFakeOidcService({ auth: { failed_login_rate_limit: '5/minute' } })
    await there.service.user('kim')
    const right = { user: 'kim', password }
    for (let each = 0; each < 10; each += 1) {
      const { state, cookie } = await there.begin()
      // As the page guesses them; and the user presses Cancel.
      for (const query of [{ state: 'x', error: 'access_denied' }, { code: 'x', state: 'x' }, { code: 'x' }, {}]) {
        expect(outcomeOf(await there.callback(query, cookie))).toBe('provider-denied')
      }
      const canceled = { state, error: 'access_denied', iss: there.provider.issuer }
      expect(outcomeOf(await there.callback(canceled, cookie))).toBe('provider-denied')
    }
    expect((await there.service.gate.post('/api/login', right)).status).toBe(200)
    expect(there.provider.requests.filter(({ path }) => path === fakePaths.token)).toEqual([])
  })

  test.each<[reason: string, status: number]>([
    ['invalid_client', 401],
    ['unauthorized_client', 400],
    ['slow_down', 429],
    ['incorrect_client_credentials', 200],
  ])(
    'CWE-645: [OIDC-5] of codes at a provider that responds %s isn’t a failed login, and does not become one there',
    async (reason, status) => {
      const there = await startFakeOidcService({ auth: { failed_login_rate_limit: '5/minute' } })
      await there.service.user('kim')
      there.provider.instead.set(fakePaths.token, (_request, response) => {
        response.writeHead(status, json).end(JSON.stringify({ error: reason }))
      })
      const exchanges = () => there.provider.requests.filter(({ path }) => path === fakePaths.token).length
      const flood = async () => {
        const begun = await Promise.all(Array.from({ length: 20 }, () => there.begin()))
        const { issuer: iss } = there.provider
        const all = begun.map(({ state, cookie }) => there.callback({ code: 'x', state, iss }, cookie))
        return new Set((await Promise.all(all)).map(outcomeOf))
      }
      expect(await flood()).toEqual(new Set(['provider-unavailable']))
      expect(exchanges()).toBeLessThanOrEqual(5)
      expect((await there.service.gate.post('/api/login', { user: 'kim', password })).status).toBe(200)
      await there.service.clock.advance(2_001)
      const before = exchanges()
      await flood()
      expect(exchanges() - before).toSatisfy((more: number) => more >= 1 && more <= 5)
      there.provider.instead.clear()
      await there.service.clock.advance(2_001)
      expect(outcomeOf(await there.signIn())).toBe('in')
    },
  )
})
