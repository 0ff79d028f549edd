import { beforeEach, describe, expect, test } from 'vitest'
import { testSession } from '../../../test/support/test-session.ts'
import { unauthenticated } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import { RouteResponse } from '../../http/response.ts'
import type { Input, Method } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { ServiceError, type ErrorCode } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import type { Session } from '../../users/accounts/session.ts'
import { fakeAccountStore } from '../../../test/support/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import type { ActiveSession, Beginning } from '../session/sessions.ts'
import { createSignIn, type SignInDeps } from '../session/sign-in.ts'
import { loginRoutes, type LoginRoutesDeps } from './login.routes.ts'

const made = (name: string) =>
  newUser({ name, role: 'viewer', hash: '', origin: 'own' }, { clock: systemClock, random: systemRandom })
const ann = made('Ann')
const ola = { ...made('ola'), provider: { issuer: 'https://id.example', subject: 'ola', recheckAt: 0 } }
const sessionOf = (id: string, userId: string) =>
  testSession(id, { id: userId, credentialVersion: 1 }, { createdAt: 0, lastSeenAt: 0, expiresAt: 1000 })
const active = (id: string, userId = ann.id): ActiveSession<Session> => ({
  session: sessionOf(id, userId),
  expiresAt: 2000,
  lastSeenAt: 0,
  writtenExpiry: 1000,
  writtenSeenAt: 0,
})
const token = { token: 'abc', maxAge: 60 }

let entries: AuditEntry[] = []
let ended: string[] = []
let published: unknown[] = []
let checked: [name: string, password: string, address: string][] = []
let begun: Beginning[] = []
/** What the next login gives. */
let failure: ErrorCode | undefined
type Deps = Omit<LoginRoutesDeps, 'signIn'> & SignInDeps
let deps: Deps
const routesOf = (given: Deps) => loginRoutes({ ...given, signIn: createSignIn(given) })

beforeEach(async () => {
  entries = []
  ended = []
  published = []
  checked = []
  begun = []
  failure = undefined
  const store = fakeAccountStore()
  for (const user of [ann, ola]) await store.addUser(user, testEntry, 0)
  for (const id of ['old', 'other']) store.rows.sessions.set(id, sessionOf(id, ann.id))
  store.rows.sessions.set('orphan', sessionOf('orphan', 'no one'))
  const provider = { sid: null, token: '', idToken: '', recheckAt: 0 }
  store.rows.sessions.set('theirs', { ...sessionOf('theirs', ola.id), provider })
  deps = {
    store,
    sessions: {
      async begin(_user, beginning) {
        begun.push(beginning)
        if (beginning.replaced) {
          ended.push(beginning.replaced.id)
          entries.push(beginning.replaced.entry)
        }
        return active('new')
      },
      async end(id, entry) {
        ended.push(id)
        entries.push(entry)
        return true
      },
    },
    secondFactor: async () => ({ isConfirmed: true }),
    passwords: {
      async userWith(...of) {
        checked.push(of)
        if (failure !== undefined) throw new ServiceError(failure)
        return ann
      },
    },
    issueToken: () => token,
    isAccepted: () => true,
    clock: systemClock,
    tokens: { sessionIdsFrom: () => [], validSession: async () => undefined },
    settings: () => ({
      enabled: true,
      cookie_same_site: 'lax',
      session_length: 60,
      session_max_length: null,
      mfa: { required_for: [], origins: [] },
      oidc: { issuer: null },
    }),
    logoutUrl: () => null,
    signOutUrl: async () => undefined,
    publish: (invalidation) => void published.push(invalidation),
    audit: {
      record: (entry) => void entries.push(entry),
      use: () => () => undefined,
      commit: async () => undefined,
      ready: async () => undefined,
    },
  }
})

const client = { address: '192.0.2.1', encrypted: false, knownEncrypted: false, host: '', basePath: '/base/' }
async function call(method: Method, path: string, more: Partial<Caller> = {}, body?: object, changed: object = {}) {
  const routes = routesOf({ ...deps, ...changed })
  const found = routes.find((each) => each.methods.includes(method) && each.path === path)!
  const input = { params: {}, query: {}, body, header: () => undefined } as unknown as Input<never>
  const meta = { values: (name: string) => (name === 'user-agent' ? ['a browser'] : []) }
  const caller = { identity: unauthenticated, client, isProxied: false, meta, scope: {}, actions: [], ...more }
  const result = await found.handle!(input, caller as unknown as Caller)
  return result instanceof RouteResponse ? result.parts : result
}

const login = (more: Partial<Caller> = {}, changed: object = {}) =>
  call('POST', '/api/login', more, credentials, changed)

const credentials = { user: 'ann', password: 'a password' }
const onlyProxy = { settings: () => ({ enabled: false, cookie_same_site: 'lax' }) }

describe('a login', () => {
  test('[TOK-1] sets the session of the user', async () => {
    expect(await login()).toEqual({
      status: 200,
      body: { username: 'Ann', role: 'viewer', expires_at: '1970-01-01T00:00:02.000Z' },
      session: token,
    })
    expect(checked).toEqual([['ann', 'a password', '192.0.2.1']])
    expect(begun).toMatchObject([{ isSignIn: true, address: '192.0.2.1', userAgent: 'a browser' }])
    expect([entries, ended]).toEqual([[], []])
  })

  test('takes a user and a password, and nothing else', () => {
    const { schema } = routesOf(deps).find(({ methods, path }) => methods.includes('POST') && path === '/api/login')!
    const validate = validatorFor(schema.body!, 'body')
    expect(validate(credentials)).toEqual(credentials)
    expect(() => validate({ ...credentials, role: 'admin' })).toThrow(
      expect.objectContaining({ code: 'invalid-request' }),
    )
  })

  test('[PROXY-17] has no effect where a proxy authenticates the request, and is refused', async () => {
    const refused = { code: 'not-found', reason: 'proxy-auth-enabled' }
    await expect(login({ isProxied: true })).rejects.toMatchObject(refused)
    await expect(login({}, onlyProxy)).rejects.toMatchObject(refused)
    expect(checked).toEqual([])
  })

  test('[TOK-11] with SameSite=None needs HTTPS', async () => {
    const embedded = { settings: () => ({ ...deps.settings(), cookie_same_site: 'none' }) }
    await expect(login({}, embedded)).rejects.toMatchObject({ code: 'invalid-request', reason: 'https-required' })
    expect(checked).toEqual([])
    await login({ client: { ...client, encrypted: true } }, embedded)
    expect(checked).toHaveLength(1)
  })

  test('[TOK-12] ends the valid session that the request carries, once it succeeds', async () => {
    const carried = { tokens: { ...deps.tokens, validSession: async () => active('old') } }
    failure = 'login-failed'
    await expect(login({}, carried)).rejects.toMatchObject({ code: 'login-failed' })
    expect(ended).toEqual([])
    failure = undefined
    await login({}, carried)
    expect(ended).toEqual(['old'])
    const logout = { action: 'logout', result: 'success', user: 'Ann', auth_method: 'password', target: 'old' }
    expect(entries.slice(1)).toMatchObject([logout])
  })

  test('[TOK-12] leaves the end of that session to the sign-in, which cannot succeed without it', async () => {
    const sessions = { ...deps.sessions, end: () => Promise.reject(new ServiceError('unavailable')) }
    const carried = { sessions, tokens: { ...deps.tokens, validSession: async () => active('old') } }
    expect(await login({}, carried)).toMatchObject({ status: 200 })
    expect(ended).toEqual(['old'])
  })

  const attempt = { action: 'login', address: '192.0.2.1', target: null }
  test.each<[ErrorCode, string, object[]]>([
    ['login-failed', 'ANN', [{ ...attempt, result: 'failure', user: 'Ann', auth_method: 'password' }]],
    [
      'login-failed',
      'eve',
      [{ ...attempt, result: 'failure', user: null, auth_method: 'password', detail: 'no-such-user' }],
    ],
    [
      'login-failed',
      'a:b',
      [{ ...attempt, result: 'failure', user: null, auth_method: 'password', detail: 'no-such-user' }],
    ],
    [
      'too-many-attempts',
      'ann',
      [{ ...attempt, result: 'denied', user: null, auth_method: null, detail: 'too-many-attempts' }],
    ],
    ['busy', 'ann', []],
  ])('[AUD-4] that ends with %s, as %s, is recorded as %j', async (code, user, recorded) => {
    failure = code
    await expect(call('POST', '/api/login', {}, { user, password: 'x' })).rejects.toMatchObject({ code })
    expect(entries).toEqual(recorded)
  })
})

const asks = () => Promise.reject(new ServiceError('second-factor-required'))

test('a login with a wrong name or password fails, without asking for more', async () => {
  const passwords = { userWith: async () => undefined }
  const refused = { code: 'login-failed', message: 'Login failed' }
  await expect(login({}, { passwords, secondFactor: asks })).rejects.toMatchObject(refused)
  expect([begun, entries.map(({ result }) => result)]).toEqual([[], ['failure']])
})

test('[MFA-3] a login whose second factor is still missing starts no session', async () => {
  await expect(login({}, { secondFactor: asks })).rejects.toMatchObject({ code: 'second-factor-required' })
  expect([begun, entries]).toEqual([[], []])
})

test.each<[string, object, object]>([
  ['no name', {}, { user: null, detail: 'no-such-user' }],
  ['another reason', { name: 'Ann', detail: 'wrong-factor' }, { user: 'Ann', detail: 'wrong-factor' }],
])('[AUD-4] a failed login in another way, with %s, is recorded', async (_what, failure, recorded) => {
  const caller = { client, isProxied: false, meta: { values: () => [] } } as unknown as Caller
  const run = createSignIn(deps).run(caller, failure, () => Promise.reject(new ServiceError('login-failed')))
  await expect(run).rejects.toMatchObject({ code: 'login-failed' })
  expect(entries).toMatchObject([{ action: 'login', result: 'failure', ...recorded }])
})

test('after single sign-on in front of the API, the login page is below the base path', async () => {
  expect(await call('GET', '/api/login')).toEqual({ status: 303, headers: { location: '/base/login' } })
})

const shown = () => ({ tokens: { ...deps.tokens, sessionIdsFrom: () => ['old', 'deleted', 'orphan'] } })

const logoutUrl = (isProxied: boolean) => (isProxied ? 'https://sso.example/logout' : null)

const signOutUrl = async ({ id }: Session) => `https://id.example/${id}`

describe('[TOK-6] a logout', () => {
  const cleared = { session: 'clear', headers: { 'clear-site-data': '"cache"' } }

  test.each(['/api/logout', '/logout'])('ends every session of the request, at %s', async (path) => {
    expect(await call('POST', path, {}, undefined, shown())).toEqual(cleared)
    expect(await call('GET', path, {}, undefined, shown())).toEqual({
      status: 303,
      ...cleared,
      headers: { ...cleared.headers, location: '/base/login' },
    })
    expect(ended).toEqual(['old', 'orphan', 'old', 'orphan'])
    // Its row is missing, but it can still be cached.
    expect(published).toEqual([1, 2].map(() => ({ kind: 'session', id: 'deleted' })))
    expect(entries.slice(0, 2)).toEqual([
      {
        action: 'logout',
        result: 'success',
        user: 'Ann',
        auth_method: 'password',
        address: '192.0.2.1',
        target: 'old',
      },
      {
        action: 'logout',
        result: 'success',
        user: null,
        auth_method: null,
        address: '192.0.2.1',
        target: 'orphan',
      },
    ])
  })

  test('[TOK-12] reads no token if the proxy is the only sign-in method', async () => {
    expect(await call('POST', '/logout', {}, undefined, { ...shown(), ...onlyProxy })).toMatchObject({
      session: 'clear',
    })
    expect(ended).toEqual([])
  })

  test('of a proxy user leads to the logout page of the proxy', async () => {
    for (const [isProxied, location] of [
      [true, 'https://sso.example/logout'],
      [false, '/base/login'],
    ]) {
      const parts = await call('GET', '/logout', { isProxied: isProxied === true }, undefined, { logoutUrl })
      expect(parts).toMatchObject({ headers: { location } })
    }
  })

  test('[OIDC-4] of a user of an identity provider leads to the provider', async () => {
    for (const [ids, location] of [
      [['old', 'theirs'], 'https://id.example/theirs'],
      [['old'], '/base/login'],
    ] as const) {
      const changed = { tokens: { ...deps.tokens, sessionIdsFrom: () => ids }, signOutUrl }
      expect(await call('GET', '/logout', {}, undefined, changed)).toMatchObject({ headers: { location } })
    }
  })

  test('waits for no body, which a slow connection could hold back', () => {
    const byPost = routesOf(deps).filter(({ methods, path }) => methods.includes('POST') && path.endsWith('logout'))
    expect(byPost.map(({ path, ignoresBody }) => [path, ignoresBody])).toEqual([
      ['/api/logout', true],
      ['/logout', true],
    ])
  })

  test('[TOK-13] by GET is rejected if another site causes it', () => {
    const byGet = routesOf(deps).filter(({ methods, path }) => methods.includes('GET') && path.endsWith('logout'))
    expect(byGet.map(({ path, sameOriginOnly }) => [path, sameOriginOnly])).toEqual([
      ['/api/logout', true],
      ['/logout', true],
    ])
  })
})
