import type { Audit } from '../../shared/audit/audit.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import { createAddressLogLimit } from './address-log-limit.ts'

/** Logs and audits the address that sent a wrong `X-Proxy-Secret`, never the value (PROXY-19). */
export function reportWrongSecrets(
  audit: Pick<Audit, 'record'>,
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'elapsed'>,
): (address: string) => void {
  const isToLog = createAddressLogLimit(clock)
  return (address) => {
    // The audit log counts every one.
    audit.record({
      action: 'request.denied',
      result: 'denied',
      user: null,
      auth_method: null,
      address,
      target: 'X-Proxy-Secret',
      detail: 'proxy-secret-required',
    })
    if (isToLog(address)) log.warn({ address }, 'wrong X-Proxy-Secret')
  }
}
