import type { Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Store } from '../store/store.ts'
import { auditRecord } from './audit-record.ts'
import { auditStore } from './audit-store.ts'
import { auditRoutes } from './audit.routes.ts'

export interface AuditParts {
  readonly store: Store
  readonly clock: Clock
  /** `service.audit`. */
  readonly log: Log
  /** Days an entry is kept; asked before each cleaning. */
  readonly retainDays: () => number
}

/** Who did what: kept, shown to admins, forgotten in time. */
export function createAudit({ store, clock, log, retainDays }: AuditParts): Audit & {
  readonly routes: Route[]
  readonly stop: () => Promise<void>
} {
  const entries = auditStore(store)
  const { record, commit, ready, stop } = auditRecord({
    store: entries,
    healthy: store.healthy,
    clock,
    log,
    retainDays,
  })
  store.audit.subscribe((entry) => log.info({ ...entry }, 'audit'))
  return { record, commit, ready, stop, routes: auditRoutes(entries) }
}
