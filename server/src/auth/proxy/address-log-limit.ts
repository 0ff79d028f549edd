import { LRUCache } from 'lru-cache'
import { addressKey } from '../../shared/http/address-key.ts'
import type { Clock } from '../../shared/time/clock.ts'

/** Milliseconds in which an address is logged at most once. */
const quiet = 60_000
/** Max addresses logged in that time. */
const max = 30

/** Limits the log lines that anyone can cause. @returns whether to log the address now; if so, it counts as logged */
export function createAddressLogLimit(clock: Pick<Clock, 'elapsed'>): (address: string) => boolean {
  const logged = new LRUCache<string, true>({ max, ttl: quiet, ttlResolution: 0, perf: { now: clock.elapsed } })
  return (address) => {
    logged.purgeStale()
    if (logged.size >= max || logged.has(addressKey(address))) return false
    logged.set(addressKey(address), true)
    return true
  }
}
