import type { Route } from '../http/route.ts'
import type { Audit } from '../shared/audit/audit.ts'
import type { Store } from '../store/store.ts'
import { auditRecord, type AuditRecordDeps } from './audit-writer.ts'
import { auditStore } from './audit-store.ts'
import { auditRoutes } from './audit.routes.ts'
import { claimEntries } from './claim-entries.ts'
import { throttle } from '../shared/rate/throttle.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import { summaryRoutes } from './summary.routes.ts'
import { createOutputs, type AuditOutputsRunning } from './output/outputs.ts'

export interface AuditDeps extends Runtime {
  readonly store: Store
  readonly cameraKeys: CameraKeys
  readonly settings: AuditRecordDeps['settings']
  readonly isClockTrusted: AuditRecordDeps['isClockTrusted']
  readonly random: Random
  /** Folder of an output's relative path. */
  readonly configDir: string
}

/** Milliseconds between two searches for entries of the command. */
const betweenClaims = 1_000

/** The audit log: written, shown to admins, deleted after the retention time. */
export function createAudit({ store, random, configDir, cameraKeys, ...deps }: AuditDeps): Audit & {
  readonly routes: Route[]
  readonly outputs: Pick<AuditOutputsRunning, 'apply' | 'status'>
  readonly stop: () => Promise<void>
} {
  const entries = auditStore(store)
  const outputs = createOutputs({ store, random, configDir, clock: deps.clock, log: deps.log })
  const { countDeleted } = outputs
  const record = auditRecord({
    ...deps,
    cameraKeyOf: cameraKeys.keyOf,
    store: entries,
    healthy: store.healthy,
    countDeleted,
  })
  // Logs entries of changes, whose rows are written by their stores.
  store.audit.subscribe((entry) => deps.log.info({ ...entry }, 'audit'))
  // Each claim is a transaction, and anyone who can connect to the database can send any number of notifications.
  const claim = throttle(() => void claimEntries(store, deps.log), betweenClaims, deps.clock)
  const unsubscribe = store.changes.subscribe(claim)
  outputs.apply(deps.settings().outputs)
  return {
    ...record,
    outputs,
    routes: [
      ...auditRoutes({ store: entries, settings: deps.settings, cameraKeyOf: cameraKeys.keyOf }),
      ...summaryRoutes({ store, settings: deps.settings, cameraNameOf: cameraKeys.nameOf }),
    ],
    async stop() {
      unsubscribe()
      claim.stop()
      await record.stop()
      await outputs.stop()
    },
  }
}
