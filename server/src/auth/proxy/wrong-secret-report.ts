import { LRUCache } from 'lru-cache'
import { addressKey } from '../../shared/http/address-key.ts'
import type { Audit } from '../../shared/audit/audit.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'

/** Milliseconds in which an address is logged at most once. */
const quiet = 60_000
/** Max addresses logged in that time; the audit log counts the others. */
const max = 30

/** Logs and audits the address that sent a wrong `X-Proxy-Secret`, never the value (PROXY-19). */
export function reportWrongSecrets(
  audit: Pick<Audit, 'record'>,
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'elapsed'>,
): (address: string) => void {
  const reported = new LRUCache<string, true>({ max, ttl: quiet, ttlResolution: 0, perf: { now: clock.elapsed } })
  return (address) => {
    audit.record({
      action: 'request.denied',
      result: 'denied',
      user: null,
      auth_method: null,
      address,
      target: 'X-Proxy-Secret',
      detail: 'proxy-secret-required',
    })
    reported.purgeStale()
    if (reported.size >= max || reported.has(addressKey(address))) return
    reported.set(addressKey(address), true)
    log.warn({ address }, 'wrong X-Proxy-Secret')
  }
}
