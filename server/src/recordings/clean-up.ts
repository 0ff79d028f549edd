import { isDeepStrictEqual } from 'node:util'
import type { Runtime } from '../shared/runtime.ts'
import { reconcile, type Comparison, type ReconcileDeps } from './segments/reconcile.ts'
import { isIn } from './segments/volume-folders.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Usage } from './storage/usage.ts'

export interface CleanUpDeps extends Runtime, Omit<ReconcileDeps, 'logged' | 'signal'> {
  readonly usage: Pick<Usage, 'count' | 'setMissing'>
  /** Enforces the limits once. */
  readonly sweep: (signal: AbortSignal) => Promise<void>
  /** Deletes what was deleted through other instances. */
  readonly deleteNoted: (signal: AbortSignal) => Promise<void>
}

/** The background work on recordings: reconciles disk and index once, then counts usage and enforces retention. */
export interface CleanUp {
  start(): void
  /** Whether disk, index and object storage agree. */
  isReconciled(): boolean
  /** Whether the index knows the objects of a folder's segments, by its path. */
  knowsObjectsIn(folder: string): boolean
  /** Begins the next sweep now. */
  sweepNow(): void
  stop(): Promise<void>
}

/**
 * Milliseconds between two retention sweeps, between two full counts of usage, and until disk and index are compared again
 * because the object storage or the index failed, or because folders couldn't be read.
 */
const every = { sweep: 30_000, count: 60 * 60_000, reconcile: 10 * 60_000, reread: 60 * 60_000 }

export function createCleanUp(deps: CleanUpDeps): CleanUp {
  const { usage, sweep, deleteNoted, clock, log } = deps
  const ending = new AbortController()
  /** Ends the wait for the next sweep. */
  let nextSweep = new AbortController()
  let working: Promise<void> | undefined

  let countAt = 0
  let reconcileAt = 0
  const logged = new Set<string>()
  let last: Comparison | undefined
  let agreed = false

  const reconcileOnce = async (): Promise<void> => {
    if (agreed || clock.elapsed() < reconcileAt) return
    const before = last?.counts
    const { counts, missing, error } = (last = await reconcile({ ...deps, logged, signal: ending.signal }))
    const failed = error !== undefined || counts.undecided > 0
    agreed = !failed && counts.unreadable === 0
    reconcileAt = clock.elapsed() + (failed ? every.reconcile : every.reread)
    usage.setMissing(missing)
    // What was found isn't in the usage yet.
    countAt = 0
    if (Object.values(counts).some((number) => number > 0) && !isDeepStrictEqual(counts, before))
      log.info({ ...counts }, 'recordings reconciled')
    if (error !== undefined) throw error
  }
  const count = async (): Promise<void> => {
    if (clock.elapsed() < countAt) return
    await usage.count()
    countAt = clock.elapsed() + every.count
  }
  const work = async (): Promise<void> => {
    const { signal } = ending
    while (!signal.aborted) {
      await everyPart([() => deleteNoted(signal), reconcileOnce, count, () => sweep(signal)]).catch((err: unknown) =>
        log.warn({ err }, 'failed to enforce retention of recordings'),
      )
      nextSweep = new AbortController()
      await clock.sleep(every.sweep, AbortSignal.any([signal, nextSweep.signal]))
    }
  }

  return {
    start: () => void (working ??= work()),
    isReconciled: () => agreed,
    knowsObjectsIn: (folder) =>
      last !== undefined && last.error === undefined && last.counts.undecided === 0 && !isIn(last.unreadable, folder),
    sweepNow: () => nextSweep.abort(),
    async stop() {
      ending.abort()
      await working
    },
  }
}
