import { describe, expect, test, vi } from 'vitest'
import { requestMeta } from '../../test/support/request-meta.ts'
import { internalAdmin, unauthenticated, type Identity } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { ProxyConfig } from './config/proxy.config.ts'
import { noAuthentication } from './no-authentication.ts'
import type { SecretResult } from './proxy/proxy-secret-check.ts'
import { createGateAuthentication, type GateAuthenticationDeps } from './gate-authentication.ts'

const named = (name: string, authMethod: 'password' | 'proxy'): Identity => ({
  kind: 'authenticated',
  authMethod,
  name,
  key: name,
  userId: null,
  role: 'viewer',
  session: undefined,
})
const byToken: Authentication = { identity: named('ann', 'password'), reauthenticate: () => byToken }
const byProxy: Authentication = { identity: named('bob', 'proxy'), reauthenticate: () => byProxy }

interface World {
  /** `auth.enabled` */
  readonly passwordSignIn: boolean
  /** `proxy.enabled` */
  enabled: boolean
  readonly secret: string | null
  /** Of the secret that the request has. */
  readonly found: SecretResult
  readonly namesUser: boolean
  readonly isTrusted: boolean
  readonly contradicts: boolean
  readonly authentication: Authentication
}

const usual: World = {
  passwordSignIn: true,
  enabled: true,
  secret: 'secret',
  found: 'right',
  namesUser: true,
  isTrusted: true,
  contradicts: false,
  authentication: byProxy,
}

const meta = requestMeta()

type Others = Pick<GateAuthenticationDeps, 'apiTokens' | 'sessionTokens' | 'screens'>

const others: Others = {
  apiTokens: { authenticate: () => undefined },
  sessionTokens: { authenticate: () => byToken },
  screens: { authenticate: () => noAuthentication },
}

const methods = (world: World, logRefused: () => void = () => undefined, by = others) =>
  createGateAuthentication({
    passwordSignIn: world.passwordSignIn,
    proxy: () => ({ enabled: world.enabled, auth_secret: world.secret }) as unknown as ProxyConfig,
    proxyHeaders: {
      authenticate: () => world.authentication,
      nameUser: () => world.namesUser,
      areTrusted: () => world.isTrusted,
      contradict: () => world.contradicts,
      logRefused,
    },
    secretCheck: { check: (_meta, secret) => (secret === 'secret' ? world.found : 'wrong') },
    ...by,
  })

const onlyProxy = { passwordSignIn: false, enabled: false }

test.each<[Partial<World>, 'token' | 'proxy']>([
  [{}, 'proxy'],
  [{ namesUser: false }, 'token'],
  [{ enabled: false }, 'token'],
  [onlyProxy, 'proxy'],
  [{ ...onlyProxy, namesUser: false }, 'proxy'],
])('[PROXY-17] a request with %j is authenticated by %s', async (more, by) => {
  const { isProxied, authenticate } = methods({ ...usual, ...more })
  expect(isProxied(meta)).toBe(by === 'proxy')
  expect((await authenticate(meta)).identity).toEqual(by === 'proxy' ? byProxy.identity : byToken.identity)
})

describe('[PROXY-17] an open stream of a proxy user', () => {
  const late: Authentication = { ...byProxy, reauthenticate: () => Promise.resolve(late) }

  test.each([
    ['at once', byProxy],
    ['later', late],
  ])(
    'that is reauthenticated %s loses its identity when proxy.enabled is set to false',
    async (_when, authentication) => {
      const world = { ...usual, authentication }
      const first = await methods(world).authenticate(meta)
      const second = await first.reauthenticate()
      expect(second.identity).toEqual(byProxy.identity)
      world.enabled = false
      for (const stream of [first, second]) {
        const ended = await stream.reauthenticate()
        expect(ended.identity).toEqual(unauthenticated)
        expect((await ended.reauthenticate()).identity).toEqual(unauthenticated)
      }
    },
  )

  test('continues without proxy.enabled if the proxy is the only sign-in method', async () => {
    const stream = await methods({ ...usual, ...onlyProxy }).authenticate(meta)
    expect((await stream.reauthenticate()).identity).toEqual(byProxy.identity)
  })
})

const wrong = { found: 'wrong' } as const
const noSecret = { secret: null }
const none = { namesUser: false }
const blocked = { found: { retryAfter: 7 } } as const
const unauthenticatedError = { code: 'unauthenticated', reason: 'proxy-secret-required' }
const tooMany = { code: 'too-many-attempts', retryAfter: 7 }

test.each<[string, Partial<World>, object | 'admitted']>([
  ['the proxy, with its secret', {}, 'admitted'],
  ['the proxy, without a secret in the configuration', noSecret, 'admitted'],
  ['a wrong secret', wrong, unauthenticatedError],
  ['no secret', { found: 'none' }, unauthenticatedError],
  ['headers that are not trusted', { isTrusted: false }, unauthenticatedError],
  ['too many wrong secrets', blocked, tooMany],
  ['no user header', { ...none, isTrusted: false }, 'admitted'],
  ['no user header, a wrong secret', { ...none, ...wrong }, 'admitted'],
  ['no user header, too many wrong secrets', { ...none, ...blocked }, 'admitted'],
  ['no user header, contradictory headers', { ...none, contradicts: true }, unauthenticatedError],
  ['proxy.enabled is false: the secret', { enabled: false }, 'admitted'],
  ['proxy.enabled is false: a wrong secret', { enabled: false, ...wrong }, unauthenticatedError],
  [
    'proxy.enabled is false: no user header, a wrong secret',
    { enabled: false, ...none, ...wrong },
    unauthenticatedError,
  ],
  ['proxy.enabled is false: headers that are not trusted', { enabled: false, isTrusted: false }, 'admitted'],
  ['only the proxy: the secret', { ...onlyProxy, ...none, isTrusted: false }, 'admitted'],
  ['only the proxy: a wrong secret', { ...onlyProxy, ...wrong }, unauthenticatedError],
  [
    'only the proxy, also enabled: no user header, a wrong secret',
    { passwordSignIn: false, ...none, ...wrong },
    unauthenticatedError,
  ],
  [
    'only the proxy, also enabled: headers that are not trusted',
    { passwordSignIn: false, isTrusted: false },
    'admitted',
  ],
])('[PROXY-2] [PROXY-17] %s', (_name, more, result) => {
  const logRefused = vi.fn()
  const { admit } = methods({ ...usual, ...more }, logRefused)
  if (result === 'admitted') admit(meta)
  else expect(() => admit(meta)).toThrow(expect.objectContaining(result))
  expect(logRefused).toHaveBeenCalledTimes(result === 'admitted' ? 0 : 1)
})

const valid = (name: string): Authentication => ({ ...noAuthentication, identity: { ...internalAdmin, name } })
const refused = (name: string): Authentication => ({
  ...noAuthentication,
  refusedToken: { reason: 'bad-token', user: { name, authMethod: 'password' }, ambient: true },
})

const order = ['proxy headers', 'API token', 'session token', 'screen'] as const
type Name = (typeof order)[number]
/** Without an entry: the request has no such credentials. */
type Sent = Partial<Record<Name, Authentication>>

const authenticate = (sent: Sent, { late = false, headers = {} } = {}) => {
  const either = (found: Authentication) => (late ? Promise.resolve(found) : found)
  const optional = (name: Name) => ({
    authenticate: () => (sent[name] === undefined ? undefined : either(sent[name])),
  })
  const always = (name: Name) => ({ authenticate: () => either(sent[name] ?? noAuthentication) })
  const proxy = sent['proxy headers']
  return methods({ ...usual, namesUser: proxy !== undefined, ...(proxy && { authentication: proxy }) }, undefined, {
    apiTokens: optional('API token'),
    sessionTokens: always('session token'),
    screens: always('screen'),
  }).authenticate(requestMeta(headers))
}

/** Without the function: that of a proxy user is another one. */
const shown = (authentication: Authentication | undefined) => ({ ...authentication, reauthenticate: undefined })

/** Every choice of credentials. */
const choices = Array.from({ length: 2 ** order.length }, (_, bits) => order.filter((_, at) => bits & (1 << at)))

test.each(choices.filter((sent) => sent.length > 0).map((sent) => [sent]))(
  '[TOK-12] [KEY-6] [PROXY-17] of valid credentials, the first decide: %j',
  async (sent) => {
    const all: Sent = Object.fromEntries(sent.map((name) => [name, valid(name)]))
    for (const late of [false, true]) expect(shown(await authenticate(all, { late }))).toEqual(shown(all[sent[0]!]))
  },
)

test('a request without credentials is authenticated without waiting', () => {
  expect(authenticate({})).toBe(noAuthentication)
})

describe.each([false, true])('credentials that are not valid (late: %s)', (late) => {
  test.each(['proxy headers', 'API token'] as const)('[TOK-12] [PROXY-17] %s decide alone', async (name) => {
    const rejected = refused(name)
    const after = order.slice(order.indexOf(name) + 1).map((next) => [next, valid(next)])
    const sent = { ...Object.fromEntries(after), [name]: rejected }
    expect(shown(await authenticate(sent, { late }))).toEqual(shown(rejected))
  })

  const over: Authentication = { ...noAuthentication, clearCookie: 'with-site' }
  const [session, screen] = [refused('session'), refused('screen')]
  const hall = valid('hall')
  const none = { ...noAuthentication }

  test.each<
    [what: string, session: Authentication | undefined, screen: Authentication | undefined, is: Authentication]
  >([
    ['none, and a screen', undefined, hall, hall],
    ['a rejected session, and a screen', session, hall, hall],
    ['a session that is over, and a screen', over, hall, hall],
    ['none, and a rejected screen', undefined, screen, screen],
    ['a rejected session, and a rejected screen', session, screen, session],
    ['a session that is over, and a rejected screen', over, screen, over],
    ['a rejected session, and no screen', session, undefined, session],
    ['no valid session, and no screen', none, { ...noAuthentication }, none],
  ])('[KEY-6] with %s', async (_what, ofSession, ofScreen, is) => {
    const sent = { ...(ofSession && { 'session token': ofSession }), ...(ofScreen && { screen: ofScreen }) }
    expect(await authenticate(sent, { late })).toBe(is)
  })

  test('[TOK-12] a program’s header is not replaced by the cookie of a screen', async () => {
    expect(await authenticate({ screen: hall }, { late, headers: { authorization: 'Basic x' } })).toBe(noAuthentication)
  })
})
