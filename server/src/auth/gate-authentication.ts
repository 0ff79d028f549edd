import type { Authenticated, Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import type { ApiTokens } from './api-token/api-tokens.ts'
import type { ProxyConfig } from './config/proxy.config.ts'
import { noAuthentication } from './no-authentication.ts'
import type { ProxyHeaders } from './proxy/proxy-headers.ts'
import type { ProxySecretCheck } from './proxy/proxy-secret-check.ts'
import type { AuthReasons } from './reasons.ts'
import type { Screens } from './screen/screens.ts'
import type { SessionTokens } from './session/session-token.ts'

/** Authenticates requests by one kind of credentials. */
interface Authenticator {
  /** @returns undefined if the request has no such credentials */
  readonly authenticate: (meta: RequestMeta) => Authenticated | undefined
  /** Whether the next ones are asked if these credentials aren't valid. Otherwise they decide alone. */
  readonly yields: boolean
}

interface Credentials extends Pick<GateAuthenticationDeps, 'apiTokens' | 'sessionTokens' | 'screens'> {
  /** Authenticates a request that the proxy, not this service, authenticates (PROXY-17). */
  readonly byProxy: Authenticator['authenticate']
}

/** The credentials that the gate accepts, in order: the first that answer win. */
const authenticators = ({ byProxy, apiTokens, sessionTokens, screens }: Credentials): readonly Authenticator[] => [
  { authenticate: byProxy, yields: false },
  { authenticate: apiTokens.authenticate, yields: false },
  { authenticate: sessionTokens.authenticate, yields: true },
  // Last: a screen's cookie never replaces a person's sign-in on the same display.
  { authenticate: (meta) => (hasHeader(meta) ? undefined : screens.authenticate(meta)), yields: true },
]

/** How requests to the gate are authenticated, according to the configuration. */
export interface GateAuthentication {
  /** Authenticates a request to the gate. */
  authenticate(meta: RequestMeta): Authenticated
  /** Whether the proxy, not this service, authenticates the request. */
  isProxied(meta: RequestMeta): boolean
  /**
   * Checks the proxy secret of every API request before it is authenticated (PROXY-2, PROXY-17).
   *
   * @throws ServiceError `unauthenticated`, `too-many-attempts`
   */
  admit(meta: RequestMeta): void
}

export interface GateAuthenticationDeps {
  /** `auth.enabled` at startup. */
  readonly passwordSignIn: boolean
  readonly proxy: () => ProxyConfig
  readonly proxyHeaders: ProxyHeaders
  readonly secretCheck: ProxySecretCheck
  readonly apiTokens: Pick<ApiTokens, 'authenticate'>
  readonly sessionTokens: Pick<SessionTokens, 'authenticate'>
  readonly screens: Pick<Screens, 'authenticate'>
}

export function createGateAuthentication(deps: GateAuthenticationDeps): GateAuthentication {
  const { passwordSignIn, proxy, proxyHeaders, secretCheck } = deps
  const isProxied = (meta: RequestMeta): boolean => !passwordSignIn || (proxy().enabled && proxyHeaders.nameUser(meta))

  const hasTrustedHeaders = (meta: RequestMeta): boolean => proxyHeaders.nameUser(meta) && proxyHeaders.areTrusted(meta)

  /** An open stream loses its identity when `proxy.enabled` is set to false. */
  const whileEnabled = (authentication: Authentication): Authentication => ({
    ...authentication,
    reauthenticate() {
      if (!proxy().enabled) return noAuthentication
      const next = authentication.reauthenticate()
      return next instanceof Promise ? next.then(whileEnabled) : whileEnabled(next)
    },
  })

  const byProxy = (meta: RequestMeta): Authentication | undefined => {
    if (!isProxied(meta)) return undefined
    const authentication = proxyHeaders.authenticate(meta)
    return passwordSignIn ? whileEnabled(authentication) : authentication
  }

  return {
    isProxied,
    authenticate: firstOf(authenticators({ ...deps, byProxy })),
    admit(meta) {
      const { auth_secret: secret, enabled } = proxy()
      const withProxy = passwordSignIn && enabled
      const found = typeof secret === 'string' ? secretCheck.check(meta, secret) : 'right'
      // Without a user header the secret doesn't matter, but contradictory headers are rejected anyway.
      if (withProxy && !proxyHeaders.nameUser(meta) && !proxyHeaders.contradict(meta)) return
      if (found === 'right' && (!withProxy || hasTrustedHeaders(meta))) return
      proxyHeaders.logRefused(meta)
      if (typeof found === 'object') throw new ServiceError('too-many-attempts', { ...found, note: tooMany })
      throw new ServiceError<AuthReasons>('unauthenticated', { reason: 'proxy-secret-required' })
    },
  }
}

const tooMany = 'X-Proxy-Secret was wrong too often.'

/** TOK-12: credentials that a program sends in a header decide, even if they are invalid. */
const hasHeader = (meta: RequestMeta): boolean => meta.values('authorization').length > 0

/** Authenticates by the first credentials that answer. Not an async function: most requests are authenticated synchronously. */
function firstOf(authenticators: readonly Authenticator[]): (meta: RequestMeta) => Authenticated {
  const from = (start: number, meta: RequestMeta, rejected: Authentication | undefined): Authenticated => {
    for (let at = start; at < authenticators.length; at += 1) {
      const { authenticate, yields } = authenticators[at]!
      const found = authenticate(meta)
      if (found === undefined) continue
      if (!yields) return found
      if (found instanceof Promise) {
        return found.then((late) => (isIdentified(late) ? late : from(at + 1, meta, toReport(rejected, late))))
      }
      if (isIdentified(found)) return found
      rejected = toReport(rejected, found)
    }
    return rejected ?? noAuthentication
  }
  return (meta) => from(0, meta, undefined)
}

const isIdentified = ({ identity }: Authentication): boolean => identity.kind === 'authenticated'

/** Of rejected credentials, the first about which the client or the audit log learns something. */
const toReport = (before: Authentication | undefined, next: Authentication): Authentication =>
  before && (before.refusedToken || before.clearCookie || !next.refusedToken) ? before : next
