import type { Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
import type { Store } from '../store/store.ts'
import { auditRecord, type AuditRecordDeps } from './audit-writer.ts'
import { auditStore } from './audit-store.ts'
import { auditRoutes } from './audit.routes.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface AuditDeps extends Runtime {
  readonly store: Store
  readonly cameraKeyOf: AuditRecordDeps['cameraKeyOf']
  readonly settings: AuditRecordDeps['settings']
  readonly isClockTrusted: AuditRecordDeps['isClockTrusted']
}

/** The audit log: written, shown to admins, deleted after the retention time. */
export function createAudit({ store, ...deps }: AuditDeps): Audit & {
  readonly routes: Route[]
  readonly stop: () => Promise<void>
} {
  const entries = auditStore(store)
  const record = auditRecord({ ...deps, store: entries, healthy: store.healthy })
  // Logs entries of changes, whose rows are written by their stores.
  store.audit.subscribe((entry) => deps.log.info({ ...entry }, 'audit'))
  return { ...record, routes: auditRoutes({ store: entries, settings: deps.settings, cameraKeyOf: deps.cameraKeyOf }) }
}
