import type { AuditConfig } from './audit.config.ts'
import { trimmed } from '../shared/audit/audit-text.ts'
import { isRead, type Audit } from '../shared/audit/audit.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { StopTimer } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuditStore } from './audit-store.ts'
import type { OutputStore } from './output/output-store.ts'
import { createRepeated } from './repeated.ts'
import { createRowWriter } from './row-writer.ts'
import { createUses } from './uses.ts'
import type { Runtime } from '../shared/runtime.ts'
import { day } from '../shared/time/durations.ts'

/** Milliseconds. */
const times = { betweenSweeps: 10_000, beforeCleaning: 10_000, betweenCleanings: day }

export interface AuditRecord extends Audit {
  /** Writes the queued entries; resolves when the queue is empty or the database has failed. */
  readonly flush: () => Promise<void>
  /** Ends the entries whose time window has passed. */
  readonly sweep: () => void
  /** Deletes entries older than the retention time. */
  readonly clean: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface AuditRecordDeps extends Runtime {
  readonly store: AuditStore
  readonly healthy: Store['healthy']
  readonly settings: () => AuditConfig
  readonly cameraKeyOf: CameraKeys['keyOf']
  /** Whether entries can be deleted by age. */
  readonly isClockTrusted: () => boolean
  /** Counts, before they are deleted, the entries that an output has not written. */
  readonly countDeleted: OutputStore['countDeleted']
}

/** The audit log. Entries are logged immediately and written to the database soon after; entries of changes are written before the response. */
export function auditRecord(deps: AuditRecordDeps): AuditRecord {
  const { store, healthy, clock, log, settings, isClockTrusted, cameraKeyOf, countDeleted } = deps
  const writer = createRowWriter({ store, clock, log })
  const repeated = createRepeated({ writer, clock, log })
  const uses = createUses({ writer, clock, log })
  let stopCleaning: StopTimer | undefined
  let stopped = false

  const sweep = () => {
    repeated.sweep()
    uses.sweep()
  }
  const stopSweeps = clock.every(times.betweenSweeps, sweep)

  const clean = async (): Promise<void> => {
    if (!isClockTrusted()) return
    try {
      const { retain_days, reads_days } = settings()
      for (const [which, days] of [
        ['reads', reads_days],
        ['others', retain_days],
      ] as const) {
        const before = clock.now() - days * day
        await countDeleted(before, which)
        await store.deleteBefore(before, which)
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to delete old audit entries; retrying tomorrow')
    }
  }
  const cleanLater = (wait: number) => {
    if (stopped) return
    stopCleaning = clock.after(wait, () => void clean().then(() => cleanLater(times.betweenCleanings)))
  }
  cleanLater(times.beforeCleaning)

  return {
    record: (entry, like = entry.target ?? '') => repeated.add(trimmed(entry), like),
    use(entry, range) {
      if (!isRead(entry)) return uses.begin(trimmed(entry), range)
      if (!settings().reads) return nothing
      const { target } = entry
      return uses.begin(trimmed(target === null ? entry : { ...entry, camera: cameraKeyOf(target) }), range)
    },
    async commit(entry) {
      const stored = trimmed(entry)
      try {
        await store.commit(stored)
      } catch (error) {
        log.info({ ...stored }, 'audit')
        writer.open(stored).end()
        throw error
      }
    },
    async ready() {
      if (!(await healthy())) throw notReady()
    },
    flush: writer.flush,
    sweep,
    clean,
    async stop() {
      stopped = true
      stopCleaning?.()
      stopSweeps()
      repeated.stop()
      uses.stop()
      await writer.stop()
    },
  }
}

const nothing = () => undefined

const notReady = () =>
  new ServiceError('unavailable', {
    reason: 'database-unavailable',
    note: "Nothing was changed, because the change couldn't be audited.",
    retryAfter: 5,
  })
