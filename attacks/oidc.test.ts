/** Sign-in with an identity provider: responses that this browser didn't ask for, forged ID tokens, and cookies of a sign-in that are changed. */
import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type CryptoKey, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import {
  outcomeOf,
  startFakeOidcService,
  type Begun,
  type FakeOidcService,
} from '../server/test/support/fake-oidc-service.ts'
import { cookieOf, sessionOf } from '../server/test/support/oidc-service.ts'

let at: FakeOidcService
beforeAll(async () => {
  at = await startFakeOidcService()
})
beforeEach(() => at.provider.reset())
afterAll(stopAll)

type Parameters = Readonly<Record<string, string | undefined>>
const answered = ({ state, nonce }: Begun, changes: Parameters = {}): Parameters => ({
  code: nonce,
  state,
  iss: at.provider.issuer,
  ...changes,
})
const tokenRequests = () => at.provider.requests.filter(({ path }) => path === '/token').length

test('[OIDC-1] the usual response signs in', async () => {
  expect(outcomeOf(await at.signIn())).toBe('in')
})

describe('[OIDC-1] a response that this browser did not ask for', () => {
  test.each<[source: string, what: string, changes: (other: Begun) => Parameters, outcome: string]>([
    ['RFC 9207 2.4', 'the issuer of another provider', () => ({ iss: 'https://other.example' }), 'provider-denied'],
    ['RFC 9207 2.4', 'no issuer, though the provider always sends it', () => ({ iss: undefined }), 'provider-denied'],
    ['RFC 9207 2.4', 'the issuer with a slash', () => ({ iss: `${at.provider.issuer}/` }), 'provider-denied'],
    ['RFC 9700 4.7', 'no state', () => ({ state: undefined }), 'provider-denied'],
    ['RFC 9700 4.7', 'an empty state', () => ({ state: '' }), 'provider-denied'],
    ['RFC 9700 4.7', 'the state of another sign-in', ({ state }) => ({ state }), 'provider-denied'],
    ['CWE-178', 'the state in another case', () => ({ state: 'A'.repeat(43) }), 'provider-denied'],
    ['RFC 9700 4.5', 'the code of another sign-in', ({ nonce }) => ({ code: nonce }), 'provider-denied'],
    ['RFC 9700 4.5', 'no code', () => ({ code: undefined }), 'provider-denied'],
    [
      'OIDC Core 3.2',
      'an ID token instead of a code',
      () => ({ code: undefined, id_token: 'x.y.z' }),
      'provider-denied',
    ],
    ['RFC 6749 4.1.2.1', 'an error and a code', () => ({ error: 'access_denied' }), 'provider-denied'],
  ])('%s: %s', async (_source, _what, changes, outcome) => {
    const [mine, other] = [await at.begin(), await at.begin()]
    const done = await at.callback(answered(mine, changes(other)), mine.cookie)
    expect(outcomeOf(done)).toBe(outcome)
    expect(cookieOf(done, 'gatehouse_sign_in')).toBe('')
  })

  test.each<[source: string, what: string, query: (begun: Begun) => string]>([
    ['ASVS 15.3.7', 'two codes', ({ nonce, state }) => `code=${nonce}&code=other&state=${state}`],
    ['ASVS 15.3.7', 'two states', ({ nonce, state }) => `code=${nonce}&state=${state}&state=${state}`],
    ['CWE-400', 'a code of 9,000 characters', ({ state }) => `code=${'a'.repeat(9000)}&state=${state}`],
  ])('%s: %s is 400, and the provider is not asked', async (_source, _what, query) => {
    const before = tokenRequests()
    const mine = await at.begin()
    const { status } = await at.service.gate.get(`/api/oidc/callback?${query(mine)}`, { cookie: mine.cookie })
    expect([status, tokenRequests()]).toEqual([400, before])
  })

  test.each<[source: string, what: string, cookie: (mine: Begun, other: Begun) => string]>([
    ['ASVS 10.1.2', 'without the cookie: a login that an attacker began (login CSRF)', () => ''],
    ['ASVS 10.1.2', 'with the cookie of another sign-in', (_, other) => other.cookie],
    [
      'CWE-565',
      'with a changed cookie',
      ({ cookie }) => cookie.slice(0, -4) + (cookie.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
    ],
    ['CWE-565', 'with a shortened cookie', ({ cookie }) => cookie.slice(0, -20)],
    ['CWE-565', 'with an unsealed cookie', ({ state, nonce }) => unsealed(state, nonce)],
    ['ASVS 3.3.4', 'with two different cookies', (mine, other) => `${mine.cookie}; ${other.cookie}`],
    ['ASVS 3.3.5', 'with a cookie of 12,000 characters', () => `gatehouse_sign_in=1.${'A'.repeat(12_000)}`],
    ['CWE-565', 'with the cookie under a session’s name', ({ cookie }) => cookie.replace('sign_in', 'token')],
  ])('%s: %s is refused, and the provider is not asked', async (_source, _what, cookie) => {
    const [mine, other] = [await at.begin(), await at.begin()]
    const before = tokenRequests()
    const done = await at.callback(answered(mine), cookie(mine, other))
    expect(sessionOf(done)).toBe('')
    expect(outcomeOf(done)).toBe(cookie(mine, other) === other.cookie ? 'provider-denied' : 'sign-in-expired')
    expect(tokenRequests()).toBe(before)
  })

  test('ASVS 10.1.2: the same cookie twice is one cookie', async () => {
    const mine = await at.begin()
    expect(outcomeOf(await at.callback(answered(mine), `${mine.cookie}; ${mine.cookie}`))).toBe('in')
  })

  test('ASVS 10.1.2: a sealed cookie of another service with another secret is refused', async () => {
    const there = await startFakeOidcService({ oidc: { issuer: at.provider.issuer } })
    const theirs = await there.begin()
    expect(outcomeOf(await at.callback(answered(theirs), theirs.cookie))).toBe('sign-in-expired')
  })

  test('ASVS 10.1.2: ten minutes later, or with a clock that was set back, the sign-in has expired', async () => {
    const { clock } = at.service
    const mine = await at.begin()
    const began = clock.now()
    onTestFinished(() => clock.setWallTime(began))
    for (const time of [began - 3_600_000, began + 601_000]) {
      clock.setWallTime(time)
      expect(outcomeOf(await at.callback(answered(mine), mine.cookie))).toBe('sign-in-expired')
    }
  })

  test('ASVS 7.2.4: a session that was planted before the sign-in is not the new one, and ends', async () => {
    const planted = await at.signedIn()
    const mine = await at.begin()
    const done = await at.callback(answered(mine), `${mine.cookie}; ${planted.headers['cookie'] as string}`)
    expect(outcomeOf(done)).toBe('in')
    expect(sessionOf(done)).not.toBe(planted.headers['cookie'])
    expect((await planted.get('/api/profile')).status).toBe(401)
  })
})

const unsealed = (state: string, nonce: string) => {
  const { issuer } = at.provider
  const redirectUri = `${at.service.gate.base}/api/oidc/callback`
  const request = { issuer, redirectUri, returnTo: '/', state, nonce, verifier: 'v', expiresAt: 9e15 }
  return `gatehouse_sign_in=1.${Buffer.from(JSON.stringify(request)).toString('base64url')}`
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (claims: JWTPayload, key: string, alg = 'HS256') => {
  const text = `${base64({ alg, kid: 'one' })}.${base64(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
const now = () => Math.floor(Date.now() / 1000)

describe('[OIDC-1] an ID token', () => {
  let otherKey: CryptoKey
  let publicPem: string
  beforeAll(async () => {
    otherKey = (await generateKeyPair('RS256')).privateKey
    publicPem = await exportSPKI((await importJWK(at.provider.keys[0]!, 'RS256', { extractable: true })) as CryptoKey)
  })

  test.each<[source: string, what: string, make: (claims: JWTPayload) => string | undefined | Promise<string>]>([
    ['RFC 8725 3.1', 'that is unsigned', (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.`],
    ['RFC 8725 3.1', 'with alg None', (claims) => `${base64({ alg: 'None', kid: 'one' })}.${base64(claims)}.`],
    ['RFC 8725 2.1', "signed with the client's secret", (claims) => hmac(claims, at.provider.clientSecret)],
    ['RFC 8725 2.1', 'signed with the public key as a secret', (claims) => hmac(claims, publicPem)],
    [
      'RFC 8725 2.1',
      'with another signature',
      async (claims) => `${(await at.provider.sign(claims)).slice(0, -8)}AAAAAAAA`,
    ],
    ['RFC 8725 2.1', 'without its signature', async (claims) => (await at.provider.sign(claims)).replace(/[^.]+$/, '')],
    ['RFC 8725 3.10', "with another one's key", (claims) => at.provider.sign(claims, {}, otherKey)],
    ['RFC 7515 4.1.3', 'with its own key in the header', (claims) => withOwnKey(claims)],
    ['RFC 7515 4.1.11', 'with an unknown critical header', async (claims) => critical(await at.provider.sign(claims))],
    ['OIDC Core 3.1.3.3', 'that is missing', () => undefined],
    ['CWE-20', 'that isn’t a token', () => 'not a token'],
    ['ASVS 10.5.1', 'of another sign-in', (claims) => at.provider.sign({ ...claims, nonce: 'a'.repeat(43) })],
    ['ASVS 10.5.1', 'without a nonce', (claims) => at.provider.sign(without(claims, 'nonce'))],
    ['ASVS 10.5.1', 'with a list as nonce', (claims) => at.provider.sign({ ...claims, nonce: [claims['nonce']] })],
    ['ASVS 10.5.4', 'for another client', (claims) => at.provider.sign({ ...claims, aud: 'other' })],
    ['ASVS 10.5.4', 'for no client', (claims) => at.provider.sign(without(claims, 'aud'))],
    [
      'OIDC Core 3.1.3.7',
      'for two clients, without azp',
      (claims) => at.provider.sign({ ...claims, aud: ['gatehouse', 'other'] }),
    ],
    [
      'OIDC Core 3.1.3.7',
      'issued to another client',
      (claims) => at.provider.sign({ ...claims, aud: ['gatehouse', 'other'], azp: 'other' }),
    ],
    ['ASVS 10.5.3', 'of another issuer', (claims) => at.provider.sign({ ...claims, iss: 'https://other.example' })],
    ['ASVS 10.5.3', 'of the issuer with a slash', (claims) => at.provider.sign({ ...claims, iss: `${claims.iss}/` })],
    ['ASVS 9.2.1', 'that has expired', (claims) => at.provider.sign({ ...claims, iat: now() - 900, exp: now() - 600 })],
    ['ASVS 9.2.1', 'that never expires', (claims) => at.provider.sign(without(claims, 'exp'))],
    ['ASVS 9.2.1', 'that is not valid yet', (claims) => at.provider.sign({ ...claims, nbf: now() + 600 })],
    ['OIDC Core 2', 'without a subject', (claims) => at.provider.sign(without(claims, 'sub'))],
    ['OIDC Core 2', 'with an empty subject', (claims) => at.provider.sign({ ...claims, sub: '' })],
    [
      'OIDC Core 2',
      'with a number as subject',
      (claims) => at.provider.sign({ ...claims, sub: 7 as unknown as string }),
    ],
    ['OIDC Core 2', 'with a subject of 256 characters', (claims) => subject(claims, 's'.repeat(256))],
    ['CWE-158', 'with a NUL in the subject', (claims) => subject(claims, 'ann\0')],
    ['CWE-176', 'with half a character in the subject', (claims) => subject(claims, 'ann\ud800')],
    ['CWE-158', 'with a NUL in the session id', (claims) => signed({ ...claims, sid: 'a\0' })],
  ])('%s: %s signs no one in', async (_source, _what, make) => {
    at.provider.idToken = make
    expect(outcomeOf(await at.signIn())).toBe('provider-denied')
  })

  test.each<[source: string, what: string, userinfo: object]>([
    ['OIDC Core 5.3.2', 'another subject', { sub: 'bob' }],
    ['OIDC Core 5.3.2', 'no subject', { sub: undefined }],
    ['CWE-178', 'the subject in capitals', { sub: 'ANN' }],
  ])('%s: with %s from the userinfo endpoint signs no one in', async (_source, _what, userinfo) => {
    at.provider.userinfo = { groups: ['sysadmins'], ...userinfo }
    expect(outcomeOf(await at.signIn())).toBe('provider-denied')
  })
})

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const signed = (claims: JWTPayload) => at.provider.sign(claims)
const subject = (claims: JWTPayload, sub: string) => {
  at.provider.userinfo = { sub }
  return at.provider.sign({ ...claims, sub })
}
const critical = (token: string) => token.replace(/^[^.]+/, base64({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 }))
const withOwnKey = async (claims: JWTPayload) => {
  const own = await generateKeyPair('RS256', { extractable: true })
  return at.provider.sign(claims, { jwk: await exportJWK(own.publicKey) }, own.privateKey)
}
