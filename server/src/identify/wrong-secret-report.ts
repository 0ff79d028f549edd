import { LRUCache } from 'lru-cache'
import type { Audit } from '../shared/audit.ts'
import type { Log } from '../shared/log.ts'

/** Milliseconds in which one address is reported once. */
const quiet = 60_000
/** Addresses remembered. */
const max = 1000

/** Says in the log and the audit log who sent a wrong `X-Proxy-Secret`, and never what was sent (PROXY-19). */
export function reportWrongSecrets(audit: Audit, log: Pick<Log, 'warn'>): (address: string) => void {
  const reported = new LRUCache<string, true>({ max, ttl: quiet })
  return (address) => {
    if (reported.has(address)) return
    reported.set(address, true)
    log.warn({ address }, 'wrong X-Proxy-Secret')
    const who = { user: null, source: null, address } as const
    audit.record({ action: 'request', result: 'refused', ...who, target: 'X-Proxy-Secret', detail: 'proxy-only' })
  }
}
