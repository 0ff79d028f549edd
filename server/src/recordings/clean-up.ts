import type { Runtime } from '../shared/runtime.ts'
import { reconcile, type ReconcileDeps } from './segments/reconcile.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Usage } from './storage/usage.ts'

export interface CleanUpDeps extends Runtime, Omit<ReconcileDeps, 'startedAt' | 'signal'> {
  readonly usage: Pick<Usage, 'count'>
  /** Enforces the limits once. */
  readonly sweep: (signal: AbortSignal) => Promise<void>
  /** Deletes what was deleted through other instances. */
  readonly deleteNoted: () => Promise<void>
}

/** The background work on recordings: reconciles disk and index once, then counts usage and enforces retention. */
export interface CleanUp {
  start(): void
  /** Whether disk, index and object storage agree. */
  isReconciled(): boolean
  /** Begins the next sweep now. */
  sweepNow(): void
  stop(): Promise<void>
}

/**
 * Milliseconds between two retention sweeps, between two full counts of usage, and until disk and index are compared again
 * because the object storage failed.
 */
const every = { sweep: 30_000, count: 60 * 60_000, reconcile: 10 * 60_000 }

export function createCleanUp(deps: CleanUpDeps): CleanUp {
  const { usage, sweep, deleteNoted, clock, log } = deps
  const startedAt = clock.now()
  const ending = new AbortController()
  /** Ends the wait for the next sweep. */
  let nextSweep = new AbortController()
  let working: Promise<void> | undefined

  let countAt = 0
  let reconcileAt = 0
  let agreed = false

  const reconcileOnce = async (): Promise<void> => {
    if (agreed || clock.elapsed() < reconcileAt) return
    const reported = await reconcile({ ...deps, startedAt, signal: ending.signal })
    agreed = reported.undecided === 0
    reconcileAt = clock.elapsed() + every.reconcile
    // What was found isn't in the usage yet.
    countAt = 0
    if (Object.values(reported).some((number) => number > 0)) log.info({ ...reported }, 'recordings reconciled')
  }
  const count = async (): Promise<void> => {
    if (clock.elapsed() < countAt) return
    await usage.count()
    countAt = clock.elapsed() + every.count
  }
  const work = async (): Promise<void> => {
    const { signal } = ending
    while (!signal.aborted) {
      await everyPart([deleteNoted, reconcileOnce, count, () => sweep(signal)]).catch((err: unknown) =>
        log.warn({ err }, 'failed to enforce retention of recordings'),
      )
      nextSweep = new AbortController()
      await clock.sleep(every.sweep, AbortSignal.any([signal, nextSweep.signal]))
    }
  }

  return {
    start: () => void (working ??= work()),
    isReconciled: () => agreed,
    sweepNow: () => nextSweep.abort(),
    async stop() {
      ending.abort()
      await working
    },
  }
}
