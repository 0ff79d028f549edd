import type { Authenticated, Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import type { ProxyConfig } from './config/proxy.config.ts'
import { firstOf, gateAuthenticators, type GateAuthenticatorsDeps } from './authenticators.ts'
import { noAuthentication } from './no-authentication.ts'
import type { ProxyHeaders } from './proxy/proxy-headers.ts'
import type { ProxySecretCheck } from './proxy/proxy-secret-check.ts'
import type { AuthReasons } from './reasons.ts'

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

export interface GateAuthenticationDeps extends Omit<GateAuthenticatorsDeps, 'proxy'> {
  /** `auth.enabled` at startup. */
  readonly passwordSignIn: boolean
  readonly proxy: () => ProxyConfig
  readonly proxyHeaders: ProxyHeaders
  readonly secretCheck: ProxySecretCheck
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

  const byProxy = (meta: RequestMeta): Authentication => {
    const authentication = proxyHeaders.authenticate(meta)
    return passwordSignIn ? whileEnabled(authentication) : authentication
  }

  return {
    isProxied,
    authenticate: firstOf(
      gateAuthenticators({ ...deps, proxy: (meta) => (isProxied(meta) ? byProxy(meta) : undefined) }),
    ),
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
