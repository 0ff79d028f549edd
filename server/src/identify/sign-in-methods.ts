import { stranger } from '../access/identity.ts'
import type { Standing } from '../access/standing.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Knock } from '../shared/knock.ts'
import type { ProxyHeaders, ProxySection } from './proxy-headers.ts'
import type { ProxySecretCheck } from './proxy-secret-check.ts'

/** How users sign in at the gate, as the configuration says it. */
export interface SignInMethods {
  /** The gate's way from a request to an identity. */
  identify(knock: Knock): Standing | Promise<Standing>
  /** Whether the proxy, and not this service, says who sends a request. */
  isProxied(knock: Knock): boolean
  /**
   * What the gate asks of every request to the API before it asks who sends it (PROXY-2, PROXY-17).
   *
   * @throws ServiceError `sign-in`, `too-many-attempts`
   */
  admit(knock: Knock): void
}

export interface SignInMethodsParts {
  /** `auth.enabled`, as it was at the start. */
  readonly signInHere: boolean
  readonly proxy: () => ProxySection
  readonly proxyHeaders: ProxyHeaders
  readonly secretCheck: ProxySecretCheck
  readonly identifyByToken: (knock: Knock) => Standing | Promise<Standing>
}

export function createSignInMethods(parts: SignInMethodsParts): SignInMethods {
  const { signInHere, proxy, proxyHeaders, secretCheck, identifyByToken } = parts
  const isProxied = (knock: Knock): boolean => !signInHere || (proxy().enabled && proxyHeaders.nameUser(knock))

  const isBelieved = (knock: Knock): boolean => proxyHeaders.nameUser(knock) && proxyHeaders.areBelieved(knock)

  /** An open stream loses a proxy's identity when the configuration no longer has the proxy sign anyone in. */
  const whileEnabled = (standing: Standing): Standing => ({
    ...standing,
    again() {
      if (!proxy().enabled) return nobody
      const next = standing.again()
      return next instanceof Promise ? next.then(whileEnabled) : whileEnabled(next)
    },
  })

  return {
    isProxied,
    identify(knock) {
      if (!isProxied(knock)) return identifyByToken(knock)
      const standing = proxyHeaders.identify(knock)
      return signInHere ? whileEnabled(standing) : standing
    },
    admit(knock) {
      const { auth_secret: secret, enabled } = proxy()
      const isBeside = signInHere && enabled
      const found = typeof secret === 'string' ? secretCheck.check(knock, secret) : 'right'
      // Without a user header the secret decides nothing; what contradicts itself is refused all the same.
      if (isBeside && !proxyHeaders.nameUser(knock) && !proxyHeaders.contradict(knock)) return
      if (typeof found === 'object') throw new ServiceError('too-many-attempts', tooMany, found)
      if (found === 'right' && (!isBeside || isBelieved(knock))) return
      throw new ServiceError('sign-in', 'This service is reached through its proxy.', { reason: 'proxy-only' })
    },
  }
}

const tooMany = 'Too many wrong values of X-Proxy-Secret. Try again later.'

const nobody: Standing = { identity: stranger, again: () => nobody }
