import { isDeepStrictEqual } from 'node:util'
import type { Runtime } from '../shared/runtime.ts'
import { reconcile, type Comparison, type ReconcileDeps } from './segments/reconcile.ts'
import { isIn } from './segments/volume-folders.ts'
import type { Usage } from './storage/usage.ts'
import { hour } from '../shared/time/durations.ts'

export interface ReconciliationDeps extends Runtime, Omit<ReconcileDeps, 'logged' | 'signal'> {
  readonly usage: Pick<Usage, 'setMissing'>
}

/** Compares disk, index and object storage until they agree, and knows whether they do. */
export interface Reconciliation {
  /**
   * Compares them if they don't agree and it's time.
   *
   * @returns undefined if they weren't compared
   * @throws ServiceError `unavailable` without the disk or the database
   */
  runIfDue(signal: AbortSignal): Promise<Comparison | undefined>
  /** Whether disk, index and object storage agree. */
  isReconciled(): boolean
  /** Whether the index knows the objects of a folder's segments, by its path. */
  knowsObjectsIn(folder: string): boolean
}

/** Milliseconds until the next comparison: because the object storage or the index failed, or because folders couldn't be read. */
const wait = { failed: 10 * 60_000, unreadable: hour }

export function createReconciliation(deps: ReconciliationDeps): Reconciliation {
  const { usage, clock, log } = deps
  let nextAt = 0
  const logged = new Set<string>()
  let last: Comparison | undefined
  let agreed = false

  return {
    async runIfDue(signal) {
      if (agreed || clock.elapsed() < nextAt) return undefined
      const before = last?.counts
      const { counts, missing, error } = (last = await reconcile({ ...deps, logged, signal }))
      const failed = error !== undefined || counts.undecided > 0
      agreed = !failed && counts.unreadable === 0
      nextAt = clock.elapsed() + (failed ? wait.failed : wait.unreadable)
      usage.setMissing(missing)
      if (Object.values(counts).some((number) => number > 0) && !isDeepStrictEqual(counts, before))
        log.info({ ...counts }, 'recordings reconciled')
      return last
    },
    isReconciled: () => agreed,
    knowsObjectsIn: (folder) =>
      last !== undefined && last.error === undefined && last.counts.undecided === 0 && !isIn(last.unreadable, folder),
  }
}
