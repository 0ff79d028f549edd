import { generateKeyPair, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakePaths, startFakeProvider, type FakeProvider } from '../../../../test/support/fake-provider.ts'
import { createTestClock, type TestClock } from '../../../../test/support/test-clock.ts'
import type { OidcConfig } from '../../config/oidc.config.ts'
import { failureAge } from './discovery.ts'
import { NotConfirmedError, recheckFailure } from './provider-failure.ts'
import { createProvider, type Provider, type ProviderTokens } from './provider.ts'

let fake: FakeProvider
let clock: TestClock
let settings: OidcConfig
let provider: Provider
beforeAll(async () => {
  fake = await startFakeProvider()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.reset()
  fake.requests.length = 0
  clock = createTestClock({ now: Date.now() })
  settings = {
    issuer: fake.issuer,
    name: null,
    client_id: fake.clientId,
    client_secret: fake.clientSecret,
    scopes: ['profile'],
    groups_claim: 'groups',
    role_map: new Map(),
    default_role: null,
    name_claim: 'preferred_username',
    recheck_interval: 300,
    only: false,
    emergency_user: null,
  }
  provider = createProvider({ settings: () => settings, clock })
})

const checks = { state: 'the state', nonce: 'the nonce', verifier: 'v'.repeat(43) }
const redirectUri = 'https://cams.lan/api/oidc/callback'
/** The URL of the browser after a sign-in; the code is the nonce that the fake provider puts into the ID token. */
const signIn = () => {
  const query = new URLSearchParams({ code: checks.nonce, state: checks.state, iss: fake.issuer })
  return provider.signIn(new URL(`${redirectUri}?${query.toString()}`), checks)
}
const pathsOf = () => fake.requests.map(({ path }) => path)
const without = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

describe('[OIDC-1] a sign-in', () => {
  test('begins with PKCE, a state and a nonce', async () => {
    const url = await provider.authorizationUrl(checks, redirectUri)
    expect([url.origin, url.pathname]).toEqual([fake.issuer, '/authorize'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: redirectUri,
      scope: 'openid profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: checks.state,
      nonce: checks.nonce,
    })
  })

  test('gives what the provider says about the user; the ID token comes before the userinfo endpoint', async () => {
    fake.claims = { name: 'Ann', sid: 's1' }
    fake.userinfo = { name: 'other', email: 'ann@id.lan' }
    fake.tokens = { refresh_token: 'refresh' }
    expect(await signIn()).toMatchObject({
      issuer: fake.issuer,
      subject: 'ann',
      claims: { sub: 'ann', name: 'Ann', sid: 's1', email: 'ann@id.lan' },
      refreshToken: 'refresh',
      accessToken: 'an-access-token',
      idToken: expect.stringMatching(/^\w+\.\w+\./),
    })
    expect(pathsOf()).toEqual([fakePaths.discovery, fakePaths.token, fakePaths.keys, fakePaths.userinfo])
  })

  test('needs no userinfo endpoint and no refresh token', async () => {
    fake.metadata = without('userinfo_endpoint')
    expect(await signIn()).toMatchObject({ subject: 'ann', refreshToken: undefined })
    expect(pathsOf()).not.toContain(fakePaths.userinfo)
  })

  test.each<[what: string, change: () => void]>([
    ['without an ID token', () => (fake.idToken = () => undefined)],
    [
      'with a subject that cannot be kept',
      () => {
        fake.claims = { sub: 'a\nb' }
        fake.userinfo = { sub: 'a\nb' }
      },
    ],
    ['with a session id that cannot be kept', () => (fake.claims = { sid: 'a\nb' })],
    ['with a number as the session id', () => (fake.claims = { sid: 7 })],
    ['with a signature by another key', () => (fake.keys.length = 0)],
    ['with another subject at the userinfo endpoint', () => (fake.userinfo = { sub: 'bob' })],
  ])('%s is refused', async (_what, change) => {
    change()
    await expect(signIn()).rejects.toThrow()
  })
})

test('[OIDC-5] an error of the token endpoint is one with the status 200 too', async () => {
  const error = { error: 'bad_verification_code' }
  fake.instead.set(fakePaths.token, (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(error)),
  )
  await expect(signIn()).rejects.toMatchObject({ ...error, status: 400 })
})

const inHeader = (secret: string): string => `Basic ${Buffer.from(`gatehouse:${secret}`).toString('base64')}`

describe('[OIDC-1] the client', () => {
  test.each<[methods: string[] | undefined, secret: string | null, header: boolean, inBody: boolean]>([
    [undefined, 'secret', true, false],
    [['client_secret_basic', 'client_secret_post'], 'secret', true, false],
    [['client_secret_post'], 'secret', false, true],
    [['private_key_jwt'], 'secret', true, false],
    [undefined, null, false, false],
  ])(
    'of a provider that accepts %j, with the secret %j, shows it in a header: %s, in the body: %s',
    async (methods, secret, header, inBody) => {
      settings = { ...settings, client_secret: secret }
      fake.metadata = { token_endpoint_auth_methods_supported: methods }
      await signIn()
      const { authorization, body } = fake.requests.find(({ path }) => path === fakePaths.token)!
      expect([authorization, body.get('client_secret')]).toEqual([
        header ? inHeader('secret') : undefined,
        inBody ? 'secret' : null,
      ])
    },
  )
})

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const byClient = (claims: JWTPayload) =>
  fake.sign(claims, { alg: 'HS256' }, new TextEncoder().encode(fake.clientSecret))
const authorizationOf = (path: string) => fake.requests.find((request) => request.path === path)?.authorization

describe('[OIDC-3] asking again', () => {
  let kept: ProviderTokens[]
  beforeEach(() => {
    kept = []
  })
  const ask = (refreshToken: string | undefined, subject = 'ann') =>
    provider.askAgain(subject, { refreshToken, accessToken: 'old' }, async (tokens) => void kept.push(tokens))

  test.each<[sent: Readonly<Record<string, unknown>>, current: ProviderTokens]>([
    [{}, { refreshToken: 'first', accessToken: 'an-access-token' }],
    [
      { refresh_token: 'second', access_token: 'new' },
      { refreshToken: 'second', accessToken: 'new' },
    ],
  ])('uses the refresh token, and keeps the tokens of the response %j', async (sent, current) => {
    fake.tokens = sent
    fake.userinfo = { groups: ['new'] }
    expect(await ask('first')).toMatchObject({
      issuer: fake.issuer,
      subject: 'ann',
      claims: { groups: ['new'] },
      ...current,
      idToken: expect.any(String),
    })
    expect(kept).toEqual([current])
    expect(fake.requests.find(({ path }) => path === fakePaths.token)?.body.get('refresh_token')).toBe('first')
    expect(authorizationOf(fakePaths.userinfo)).toBe(`Bearer ${current.accessToken}`)
  })

  test('without a refresh token asks the userinfo endpoint', async () => {
    fake.userinfo = { groups: ['new'] }
    expect(await ask(undefined)).toEqual({
      issuer: fake.issuer,
      subject: 'ann',
      claims: { sub: 'ann', groups: ['new'] },
      refreshToken: undefined,
      accessToken: 'old',
      idToken: undefined,
    })
    expect([pathsOf(), kept]).toEqual([[fakePaths.discovery, fakePaths.userinfo], []])
    expect(authorizationOf(fakePaths.userinfo)).toBe('Bearer old')
  })

  test('needs no userinfo endpoint with a refresh token, and no ID token', async () => {
    fake.metadata = without('userinfo_endpoint')
    fake.idToken = () => undefined
    expect(await ask('first')).toMatchObject({ claims: {}, accessToken: 'an-access-token', idToken: undefined })
    expect(kept).toHaveLength(1)
  })

  test.each<[what: string, refreshToken: string | undefined, change: () => void]>([
    [
      'without a refresh token and a userinfo endpoint',
      undefined,
      () => (fake.metadata = without('userinfo_endpoint')),
    ],
    ['with an ID token of another user', 'first', () => (fake.claims = { sub: 'bob' })],
  ])('%s does not confirm the user', async (_what, refreshToken, change) => {
    change()
    await expect(ask(refreshToken)).rejects.toThrow(NotConfirmedError)
    expect(pathsOf()).not.toContain(fakePaths.userinfo)
  })

  /** @returns what the re-check fails with, and the tokens that were kept */
  const failed = async () => {
    kept = []
    fake.tokens = { refresh_token: 'second', access_token: 'new' }
    const error: unknown = await ask('first').then(
      () => 'confirmed',
      (cause: unknown) => cause,
    )
    return [error instanceof Error ? recheckFailure(error) : error, kept]
  }
  const unavailable = ['unavailable', [{ refreshToken: 'second', accessToken: 'new' }]]

  test.each<[what: string, fail: Parameters<FakeProvider['instead']['set']>[1]]>([
    ['an error', (_request, response) => response.writeHead(503).end()],
    ['a refusal', (_request, response) => response.writeHead(403).end()],
    ['no response', (request) => request.socket.destroy()],
  ])('[OIDC-5] keeps the new refresh token if the request for the keys has %s', async (_what, fail) => {
    fake.instead.set(fakePaths.keys, fail)
    expect(await failed()).toEqual(unavailable)
    expect(pathsOf()).not.toContain(fakePaths.userinfo)
    fake.instead.clear()
    await clock.advance(failureAge)
    expect(await ask('second')).toMatchObject({ subject: 'ann' })
  })

  test('[OIDC-5] keeps the new refresh token if the provider has just replaced its key', async () => {
    await ask('zeroth')
    fake.keys[0] = { ...fake.keys[0]!, kid: 'two' }
    fake.idToken = (claims) => fake.sign(claims, { kid: 'two' })
    expect(await failed()).toEqual(unavailable)
  })

  test.each<[what: string, make: (claims: JWTPayload) => Promise<string>]>([
    ['with another signature', async (claims) => `${(await fake.sign(claims)).slice(0, -8)}AAAAAAAA`],
    ['without its signature', async (claims) => (await fake.sign(claims)).replace(/[^.]+$/, '')],
    ["with another one's key", async (claims) => fake.sign(claims, {}, (await generateKeyPair('RS256')).privateKey)],
  ])('refuses an ID token %s, and uses none of its claims', async (_what, make) => {
    fake.idToken = (claims) => make({ ...claims, sub: 'bob' })
    expect(await failed()).toEqual(unavailable)
    expect(pathsOf()).not.toContain(fakePaths.userinfo)
  })

  test.each<[what: string, make: (claims: JWTPayload) => string | Promise<string>]>([
    ['that is unsigned', (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.`],
    ["signed with the client's secret", (claims) => byClient(claims)],
    ['for another client', (claims) => fake.sign({ ...claims, aud: 'other' })],
    ['issued to another client', (claims) => fake.sign({ ...claims, aud: ['gatehouse', 'other'], azp: 'other' })],
    ['of another issuer', (claims) => fake.sign({ ...claims, iss: 'https://other.lan' })],
    ['that has expired', (claims) => fake.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 })],
    ['that is not valid yet', (claims) => fake.sign({ ...claims, nbf: Math.floor(Date.now() / 1000) + 600 })],
  ])('refuses an ID token %s', async (_what, make) => {
    fake.idToken = make
    expect((await failed())[0]).toBe('unavailable')
    expect(pathsOf()).not.toContain(fakePaths.userinfo)
  })
})

test.each([undefined, '/end'])('[OIDC-4] a user signs out at the page of the provider: %s', async (path) => {
  fake.metadata = { end_session_endpoint: path && fake.issuer + path }
  const url = await provider.signOutUrl('the ID token', 'https://cams.lan/login')
  expect(url && [url.pathname, Object.fromEntries(url.searchParams)]).toEqual(
    path && [
      '/end',
      { client_id: 'gatehouse', id_token_hint: 'the ID token', post_logout_redirect_uri: 'https://cams.lan/login' },
    ],
  )
})

test('[OIDC-5] whether the provider is there shows without a sign-in', async () => {
  await provider.discover()
  expect(pathsOf()).toEqual([fakePaths.discovery])
  fake.instead.set(fakePaths.discovery, (_request, response) => response.writeHead(500).end())
  settings = { ...settings, client_id: 'other' }
  await expect(provider.discover()).rejects.toThrow('failed to read')
})

const fetched = () => pathsOf().filter((path) => path === fakePaths.keys || path === '/other').length

describe('[OIDC-4] the keys of logout tokens', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const read = async () => {
    const iat = Math.floor(clock.now() / 1000)
    const claims = { iss: fake.issuer, aud: 'gatehouse', sub: 'ann', jti: 'a', iat, exp: iat + 60 }
    return provider.readLogoutToken(await fake.sign({ ...claims, events: { [event]: {} } }))
  }

  test('are fetched once, until they are elsewhere', async () => {
    for (const _ of [1, 2]) expect(await read()).toMatchObject({ issuer: fake.issuer, subject: 'ann' })
    expect(fetched()).toBe(1)
    fake.metadata = { jwks_uri: `${fake.issuer}/other` }
    fake.instead.set('/other', (_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: fake.keys }))
    })
    await clock.advance(3_600_000)
    for (const _ of [1, 2]) await read()
    expect(pathsOf().filter((path) => path === '/other')).toHaveLength(1)
  })

  test('have to be somewhere', async () => {
    fake.metadata = without('jwks_uri')
    await expect(read()).rejects.toThrow('the provider has no keys')
  })

  test.each<[what: string, fail: Parameters<FakeProvider['instead']['set']>[1], error: string]>([
    ['an error', (_request, response) => response.writeHead(500).end(), 'has the status 500'],
    ['no response', (request) => request.socket.destroy(), 'fetch failed'],
  ])('[OIDC-5] after %s are fetched again in two seconds', async (_what, fail, error) => {
    fake.instead.set(fakePaths.keys, fail)
    await expect(read()).rejects.toThrow(error)
    expect(fetched()).toBe(1)
    fake.instead.clear()
    await clock.advance(failureAge - 1)
    await expect(read()).rejects.toThrow('a moment ago')
    expect(fetched()).toBe(1)
    await clock.advance(1)
    expect(await read()).toMatchObject({ subject: 'ann' })
    expect(fetched()).toBe(2)
  })
})
