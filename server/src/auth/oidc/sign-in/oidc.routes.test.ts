import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../../test/support/null-log.ts'
import { requestMeta } from '../../../../test/support/request-meta.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Client } from '../../../shared/http/request-meta.ts'
import type { SignInClient } from '../../session/sign-in.ts'
import { systemRandom } from '../../../shared/random.ts'
import { createSecretBox } from '../../secret-box.ts'
import { oidcRoutes, type OidcRoutesDeps } from './oidc.routes.ts'
import { signInCookie, signInRequestIn, type SignInRequest } from './sign-in-request.ts'

const now = 1_700_000_000_000
const issuer = 'https://id.lan'
const client: Client = {
  address: '192.0.2.7',
  encrypted: true,
  knownEncrypted: true,
  host: 'cams.lan:8443',
  basePath: '/cams/',
}
let elapsed = 0
const clock = { now: () => now, elapsed: () => elapsed }
const box = createSecretBox('a'.repeat(64), 'purpose', systemRandom)
const facts = { issuer, subject: 'ann' }
const token = { token: 'abc', maxAge: 60 }
const request: SignInRequest = {
  issuer,
  redirectUri: 'https://cams.lan:8443/cams/api/oidc/callback',
  returnTo: '/live?x=1',
  state: 's',
  nonce: 'n',
  verifier: 'v',
  expiresAt: now + 1000,
}

let settings: { enabled: boolean; cookie_same_site: string; oidc: { issuer: string | null } }
/** What the provider, the note of the request, or the start of the session fails with. */
let failure: { provider?: Error; note?: Error; session?: Error }
/** The end of the session that the browser had. */
let earlier: (() => Promise<unknown>) | undefined
let calls: unknown[]
let entries: AuditEntry[]
/** Requests that were used. */
let used: Map<string, number>
/** What happened to the permits of the address; `full`: there is none. */
let permits: string[]
/** What the limit of the address refuses with. */
let full: ServiceError | undefined
let warnings: number
beforeEach(() => {
  warnings = 0
  settings = { enabled: true, cookie_same_site: 'lax', oidc: { issuer } }
  failure = {}
  earlier = undefined
  calls = []
  entries = []
  used = new Map()
  permits = []
  full = undefined
})

const deps = {
  signIn: { clientOf: async ({ client }: Caller) => ({ client, userAgent: 'a browser', earlier }) },
  provider: {
    async authorizationUrl({ state }: SignInRequest, redirectUri: string) {
      if (failure.provider) throw failure.provider
      return new URL(`https://id.lan/auth?${new URLSearchParams({ state, redirectUri }).toString()}`)
    },
    async signIn(url: URL, checks: object) {
      calls.push([url.href, checks])
      if (failure.provider) throw failure.provider
      return facts
    },
  },
  providerSignIn: {
    async lastLogout() {
      calls.push('last logout')
      return 5
    },
    async begin(of: unknown, from: SignInClient, lastLogout: number) {
      calls.push([of, from.userAgent, lastLogout, from.earlier])
      if (failure.session) throw failure.session
      return { token }
    },
  },
  limit: {
    async acquire(address: string) {
      if (full) throw full
      permits.push(address)
      return { fail: () => void permits.push('fail'), release: () => void permits.push('release') }
    },
  },
  factors: {
    async noteTicket(id: string, expiresAt: number) {
      if (failure.note) throw failure.note
      const isFirst = !used.has(id)
      used.set(id, expiresAt)
      return isFirst
    },
  },
  settings: () => settings,
  box,
  audit: { record: (entry: AuditEntry) => void entries.push(entry) },
  clock,
  random: systemRandom,
  log: { ...silent, warn: () => void (warnings += 1) },
} as unknown as OidcRoutesDeps

interface Parts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly session?: unknown
}
const metaWith = (cookie = '') => requestMeta({ cookie, 'user-agent': 'a browser' })
async function call(path: string, query: object, more: object = {}): Promise<Parts> {
  const { handle } = oidcRoutes(deps).find((route) => route.path === path)!
  const caller = { client, isProxied: false, meta: metaWith(), ...more } as unknown as Caller
  return ((await handle!({ query } as Input<never>, caller)) as { parts: Parts }).parts
}
const cleared = '__Secure-gatehouse_sign_in=; Max-Age=0; Path=/cams/api/oidc; HttpOnly; Secure; SameSite=Lax'
const failed = (query: object) => ({
  status: 303,
  headers: { location: `/cams/login?${new URLSearchParams({ ...query }).toString()}`, 'set-cookie': cleared },
})
const entry = (detail: string) => ({
  action: 'login',
  result: 'failure',
  user: null,
  auth_method: null,
  address: '192.0.2.7',
  target: null,
  detail,
})
const login = (query: object = {}, more: object = {}) => call('/api/oidc/login', query, more)
const begun = (more: Partial<SignInRequest> = {}) => {
  const [cookie] = signInCookie({ ...request, ...more }, client, box).split(';')
  return { meta: metaWith(cookie) }
}
const callback = (query: object = { code: 'c', state: 's' }, more: object = begun()) =>
  call('/api/oidc/callback', query, more)

describe('[OIDC-1] a sign-in with the provider', () => {
  test.each<[sent: string | undefined, returnTo: string]>([
    ['/live', '/live'],
    [undefined, '/'],
    ['//evil.example', '/'],
  ])('begins there, and returns from %s to %s', async (sent, returnTo) => {
    const { status, headers } = await login({ return_to: sent })
    const kept = signInRequestIn(metaWith(headers['set-cookie']!.split(';')[0]), client, { box, clock })
    expect(kept).toMatchObject({ issuer, redirectUri: request.redirectUri, returnTo })
    const requested = new URL(headers['location']!)
    expect([status, requested.origin, Object.fromEntries(requested.searchParams)]).toEqual([
      303,
      issuer,
      { state: kept!.state, redirectUri: request.redirectUri },
    ])
    expect(entries).toEqual([])
  })

  test.each<[sent: string | undefined, query: object]>([
    ['/live', { failure: 'provider-unavailable', return: '/cams/live' }],
    [undefined, { failure: 'provider-unavailable' }],
  ])('leads back to the login page while the provider is unavailable, and from there to %s', async (sent, query) => {
    failure = { provider: new TypeError('fetch failed') }
    expect(await login({ return_to: sent })).toEqual(failed(query))
    expect(entries).toEqual([entry('provider-unavailable')])
  })

  test.each<[what: string, settings: object, caller: object]>([
    ['without a provider', { oidc: { issuer: null } }, {}],
    ['without sign-in here', { enabled: false }, {}],
    ['where a proxy signs in', {}, { isProxied: true }],
  ])('is not found %s', async (_what, more, caller) => {
    Object.assign(settings, more)
    await expect(login({}, caller)).rejects.toMatchObject({ code: 'not-found' })
    await expect(callback({}, { ...begun(), ...caller })).rejects.toMatchObject({ code: 'not-found' })
  })
})

const tooMany = new ServiceError('too-many-attempts', { retryAfter: 60 })
const refused = new AuthorizationResponseError('x', { cause: new URLSearchParams({ error: 'access_denied' }) })
const answered = (error: string, status: number) =>
  new ResponseBodyError('x', { cause: { error }, response: new Response(null, { status }) })
const broken = answered('server_error', 500)
const challenge = new WWWAuthenticateChallengeError('x', {
  cause: [{ scheme: 'bearer', parameters: {} }],
  response: new Response(null, { status: 401 }),
})

describe('[OIDC-1] the response of the provider', () => {
  test('gives a session, and leads to the page', async () => {
    expect(await callback({ code: 'c', state: 's', iss: issuer })).toEqual({
      status: 303,
      headers: { location: '/cams/live?x=1', 'set-cookie': cleared },
      session: token,
    })
    const url = `${request.redirectUri}?${new URLSearchParams({ code: 'c', state: 's', iss: issuer }).toString()}`
    expect(calls).toEqual(['last logout', [url, request], [facts, 'a browser', 5, undefined]])
    expect(entries).toEqual([])
  })

  test('[TOK-12] begins the session that replaces the one that the browser had', async () => {
    earlier = async () => ({ id: 'old' })
    await callback()
    expect(calls.at(-1)).toEqual([facts, 'a browser', 5, earlier])
  })

  test('a second time has expired, and the provider is not asked', async () => {
    expect((await callback()).session).toBe(token)
    calls = []
    for (const _ of [1, 2]) {
      expect(await callback()).toEqual(failed({ failure: 'sign-in-expired', return: '/cams/live?x=1' }))
    }
    expect([calls, entries]).toEqual([[], [entry('sign-in-expired'), entry('sign-in-expired')]])
    expect([...used]).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/), request.expiresAt]])
  })

  test.each<[what: string, query: object]>([
    ['to the request of another tab', { code: 'c', state: 'other' }],
    ['to no request', { code: 'c' }],
    ['without a code', { state: 's' }],
    ['with an empty code', { code: '', state: 's' }],
    ['with an error', { code: 'c', state: 's', error: 'server_error' }],
    ['with an error that a page elsewhere made up', { state: 'other', error: 'access_denied' }],
    ['of another provider', { code: 'c', state: 's', iss: 'https://other.lan' }],
  ])('[RATE-2] %s isn’t a failed login and leaves the request unused: no code is exchanged', async (_what, query) => {
    failure = { provider: refused }
    expect(await callback(query)).toEqual(failed({ failure: 'provider-denied', return: '/cams/live?x=1' }))
    expect([permits, used.size]).toEqual([[], 0])
    full = tooMany
    expect(await callback(query)).toEqual(failed({ failure: 'provider-denied', return: '/cams/live?x=1' }))
    full = undefined
    failure = {}
    // Not even if the library accepted it.
    expect((await callback(query)).session).toBeUndefined()
    expect((await callback()).session).toBe(token)
  })

  test('[OIDC-5] with the error that the provider is unavailable says so', async () => {
    const error = 'temporarily_unavailable'
    failure = { provider: new AuthorizationResponseError('x', { cause: new URLSearchParams({ error }) }) }
    expect(await callback({ state: 's', error })).toEqual(
      failed({ failure: 'provider-unavailable', return: '/cams/live?x=1' }),
    )
  })

  test('that is made up is logged ten times a minute, one with a code always', async () => {
    const { handle } = oidcRoutes(deps).find(({ path }) => path === '/api/oidc/callback')!
    const send = (query: object) =>
      handle!({ query } as Input<never>, { client, isProxied: false, ...begun() } as unknown as Caller)
    failure = { provider: refused }
    for (let each = 0; each < 20; each += 1) await send({ state: 'other', error: 'access_denied' })
    expect(warnings).toBe(10)
    elapsed += 6_000
    for (let each = 0; each < 20; each += 1) await send({ state: 's', error: 'access_denied' })
    expect(warnings).toBe(11)
    await send({ code: 'c', state: 's' })
    expect([warnings, entries.length]).toEqual([12, 41])
  })

  test.each<[what: string, permit: readonly string[], failure: typeof failure]>([
    ['a sign-in', ['release'], {}],
    ['a code that the provider rejects', ['fail', 'release'], { provider: answered('invalid_grant', 400) }],
    ['a provider that rejects this client', ['release'], { provider: answered('invalid_client', 401) }],
    ['a provider that wants fewer requests', ['release'], { provider: answered('slow_down', 429) }],
    ['a provider that sends no issuer', ['release'], { provider: new Error('iss is missing') }],
    ['a user whom the provider refuses', ['release'], { provider: refused }],
    ['a provider that fails', ['release'], { provider: broken }],
    ['a database that fails', ['release'], { note: new ServiceError('unavailable') }],
    ['a user without a role', ['release'], { session: new ServiceError('forbidden') }],
  ])('[RATE-2] with %s has a permit of the address until: %j', async (_what, permit, what) => {
    failure = what
    await callback()
    expect(permits).toEqual(['192.0.2.7', ...permit])
  })

  test.each<[what: string, failure: Error, isPaused: boolean]>([
    ['wants fewer requests', answered('slow_down', 429), true],
    [
      'has a firewall that answers with a page',
      new ClientError('not JSON', { cause: new Response(null, { status: 403 }) }),
      true,
    ],
    ['asks for other credentials', challenge, true],
    ['has signed something else', new ClientError('other nonce', { cause: { body: {} } }), false],
    ['rejects the code', answered('invalid_grant', 400), false],
  ])('[OIDC-5] the next one of the address waits if the provider %s', async (_what, provider, isPaused) => {
    const { handle } = oidcRoutes(deps).find(({ path }) => path === '/api/oidc/callback')!
    const send = (state: string) =>
      handle!(
        { query: { code: 'c', state } } as Input<never>,
        { client, isProxied: false, ...begun({ state }) } as never,
      )
    failure = { provider }
    await send('s1')
    calls = []
    failure = {}
    await send('s2')
    expect(calls.length === 0).toBe(isPaused)
  })

  test('[OIDC-5] is not passed on to a provider that failed for the address a moment ago, and stays unused', async () => {
    const { handle } = oidcRoutes(deps).find(({ path }) => path === '/api/oidc/callback')!
    const send = async (state: string, address = '192.0.2.7') => {
      const caller = { client: { ...client, address }, isProxied: false, ...begun({ state }) } as unknown as Caller
      const { parts } = (await handle!({ query: { code: 'c', state } } as Input<never>, caller)) as { parts: Parts }
      return parts.session === token ? 'in' : new URL(parts.headers['location']!, issuer).searchParams.get('failure')
    }
    failure = { provider: answered('slow_down', 429) }
    expect(await send('s1')).toBe('provider-unavailable')
    failure = {}
    calls = []
    expect([await send('s2'), calls]).toEqual(['provider-unavailable', []])
    expect(await send('s3', '192.0.2.8')).toBe('in')
    elapsed += 2_000
    expect(await send('s2')).toBe('in')
    failure = { provider: answered('invalid_grant', 400) }
    expect(await send('s4')).toBe('provider-denied')
    failure = {}
    expect(await send('s5')).toBe('in')
  })

  test('[RATE-2] of an address with too many failures is not taken, and the request stays unused', async () => {
    full = tooMany
    await expect(callback()).rejects.toMatchObject({ code: 'too-many-attempts', retryAfter: 60 })
    expect([calls, used.size]).toEqual([[], 0])
    expect(entries).toEqual([{ ...entry('too-many-attempts'), result: 'denied' }])
  })

  test('[RATE-2] while the service is busy is no denied login', async () => {
    full = new ServiceError('busy')
    await expect(callback()).rejects.toBe(full)
    expect([calls, entries]).toEqual([[], []])
  })

  test.each<[what: string, caller: object]>([
    ['without a request', {}],
    ['to a request to another provider', begun({ issuer: 'https://other.lan' })],
    ['to a request that is too old', begun({ expiresAt: now })],
  ])('%s has expired', async (_what, caller) => {
    expect(await callback(undefined, caller)).toEqual(failed({ failure: 'sign-in-expired' }))
    expect([calls, entries]).toEqual([[], [entry('sign-in-expired')]])
  })

  test.each<[failure: string, what: typeof failure]>([
    ['provider-denied', { provider: refused }],
    ['provider-unavailable', { provider: broken }],
    ['no-role', { session: new ServiceError('forbidden') }],
    ['not-saved', { session: new ServiceError('unavailable') }],
    ['not-saved', { note: new ServiceError('unavailable') }],
  ])('%s', async (name, what) => {
    failure = what
    expect(await callback()).toEqual(failed({ failure: name, return: '/cams/live?x=1' }))
    expect(entries).toEqual([entry(name)])
  })

  test('that this service cannot take fails as any request', async () => {
    const session = new ServiceError('too-many-attempts', { retryAfter: 1 })
    failure = { session }
    await expect(callback()).rejects.toBe(session)
    expect(entries).toEqual([])
  })
})
