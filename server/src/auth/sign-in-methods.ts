import { unauthenticated } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RequestMeta } from '../shared/request-meta.ts'
import type { ProxyHeaders, ProxySection } from './proxy/proxy-headers.ts'
import type { ProxySecretCheck } from './proxy/proxy-secret-check.ts'

/** How users sign in at the gate, as the configuration says it. */
export interface SignInMethods {
  /** The gate's way from a request to an identity. */
  authenticate(meta: RequestMeta): Authentication | Promise<Authentication>
  /** Whether the proxy, and not this service, says who sends a request. */
  isProxied(meta: RequestMeta): boolean
  /**
   * What the gate asks of every request to the API before it asks who sends it (PROXY-2, PROXY-17).
   *
   * @throws ServiceError `sign-in`, `too-many-attempts`
   */
  admit(meta: RequestMeta): void
}

export interface SignInMethodsDeps {
  /** `auth.enabled`, as it was at the start. */
  readonly signInHere: boolean
  readonly proxy: () => ProxySection
  readonly proxyHeaders: ProxyHeaders
  readonly secretCheck: ProxySecretCheck
  readonly identifyByToken: (meta: RequestMeta) => Authentication | Promise<Authentication>
}

export function createSignInMethods(deps: SignInMethodsDeps): SignInMethods {
  const { signInHere, proxy, proxyHeaders, secretCheck, identifyByToken } = deps
  const isProxied = (meta: RequestMeta): boolean => !signInHere || (proxy().enabled && proxyHeaders.nameUser(meta))

  const isBelieved = (meta: RequestMeta): boolean => proxyHeaders.nameUser(meta) && proxyHeaders.areBelieved(meta)

  /** An open stream loses a proxy's identity when the configuration no longer has the proxy sign anyone in. */
  const whileEnabled = (authentication: Authentication): Authentication => ({
    ...authentication,
    reauthenticate() {
      if (!proxy().enabled) return nobody
      const next = authentication.reauthenticate()
      return next instanceof Promise ? next.then(whileEnabled) : whileEnabled(next)
    },
  })

  return {
    isProxied,
    authenticate(meta) {
      if (!isProxied(meta)) return identifyByToken(meta)
      const authentication = proxyHeaders.authenticate(meta)
      return signInHere ? whileEnabled(authentication) : authentication
    },
    admit(meta) {
      const { auth_secret: secret, enabled } = proxy()
      const isBeside = signInHere && enabled
      const found = typeof secret === 'string' ? secretCheck.check(meta, secret) : 'right'
      // Without a user header the secret decides nothing; what contradicts itself is refused all the same.
      if (isBeside && !proxyHeaders.nameUser(meta) && !proxyHeaders.contradict(meta)) return
      if (typeof found === 'object') throw new ServiceError('too-many-attempts', tooMany, found)
      if (found === 'right' && (!isBeside || isBelieved(meta))) return
      throw new ServiceError('sign-in', 'This service is reached through its proxy.', { reason: 'proxy-only' })
    },
  }
}

const tooMany = 'Too many wrong values of X-Proxy-Secret. Try again later.'

const nobody: Authentication = { identity: unauthenticated, reauthenticate: () => nobody }
