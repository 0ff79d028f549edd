import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import { createFailureCount } from '../password/failure-count.ts'
import { decideLogin } from '../password/login-limit.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { plainAddress } from '../../shared/http/networks.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import { retryAfterOf } from '../../shared/rate/retry-after.ts'
import { isGuessable } from '../config/proxy.config.ts'
import { isProxySecretValid } from './proxy-secret.ts'

/** `none`: no secret was sent, which doesn't count as a failure. `retryAfter`: whole seconds. */
export type SecretResult = 'right' | 'wrong' | 'none' | { readonly retryAfter: number }

/**
 * Checks `X-Proxy-Secret` and reports wrong values (PROXY-19).
 *
 * A secret that someone could guess has a limit: wrong values are counted by originating address, like failed logins,
 * and beyond it the secrets of an address are no longer checked. Guesses that come through the proxy, or from its
 * address, can't lock the proxy out: a peer that has sent the right secret since startup, or that the configuration
 * names, is always checked.
 */
export interface ProxySecretCheck {
  check(meta: RequestMeta, secret: string): SecretResult
}

export interface ProxySecretCheckDeps {
  readonly limits: () => readonly RateLimit[]
  readonly addressOf: (meta: RequestMeta) => string
  /** Whether the configuration names a peer as a proxy. */
  readonly isNamed: (peer: string) => boolean
  /** Called with the originating address of a wrong secret, or of a request beyond the limit. */
  readonly onWrong: (address: string) => void
  readonly clock: Pick<Clock, 'elapsed'>
}

/** Max peers kept that have sent the right secret. */
const max = 1000

export function createProxySecretCheck(deps: ProxySecretCheckDeps): ProxySecretCheck {
  const { limits, addressOf, isNamed, onWrong, clock } = deps
  const failures = createFailureCount({ limits, clock })
  const rightFrom = new LRUCache<string, true>(cacheLimit(max))

  return {
    check(meta, secret) {
      if (meta.values('x-proxy-secret').every((sent) => sent === '')) return 'none'
      if (!isGuessable(secret)) {
        if (isProxySecretValid(meta, secret)) return 'right'
        onWrong(addressOf(meta))
        return 'wrong'
      }
      const peer = plainAddress(meta.peer) ?? meta.peer
      const address = addressOf(meta)
      const key = addressKey(address)
      const now = clock.elapsed()
      const next = decideLogin(failures.of(key), 0, now, limits())
      const blocked = typeof next === 'object' ? { retryAfter: retryAfterOf(next.retryAt - now) } : undefined
      if (blocked && !rightFrom.has(peer) && !isNamed(peer)) {
        onWrong(address)
        return blocked
      }
      if (isProxySecretValid(meta, secret)) {
        rightFrom.set(peer, true)
        return 'right'
      }
      onWrong(address)
      if (blocked) return blocked
      failures.add(key)
      return 'wrong'
    },
  }
}
