import type { Runtime } from '../shared/runtime.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Reconciliation } from './reconciliation.ts'
import type { Usage } from './storage/usage.ts'
import { hour } from '../shared/time/durations.ts'

export interface CleanUpDeps extends Runtime {
  readonly reconciliation: Pick<Reconciliation, 'runIfDue'>
  readonly usage: Pick<Usage, 'recount'>
  /** Enforces the limits once. */
  readonly sweep: (signal: AbortSignal) => Promise<void>
  /** Deletes what was deleted through other instances. */
  readonly deleteNoted: (signal: AbortSignal) => Promise<void>
}

/** The background work on recordings: reconciles disk and index once, then counts usage and enforces retention. */
export interface CleanUp {
  start(): void
  /** Begins the next sweep now, or when the current one has ended. */
  sweepNow(): void
  stop(): Promise<void>
}

/** Milliseconds between two retention sweeps, and between two full counts of usage. */
const every = { sweep: 30_000, count: hour }

export function createCleanUp({ reconciliation, usage, sweep, deleteNoted, clock, log }: CleanUpDeps): CleanUp {
  const ending = new AbortController()
  const { signal } = ending
  /** Ends the wait for the next sweep. */
  let nextSweep = new AbortController()
  let working: Promise<void> | undefined
  let countAt = 0

  const reconcile = async (): Promise<void> => {
    const compared = await reconciliation.runIfDue(signal)
    if (!compared) return
    // What was found isn't in the usage yet.
    countAt = 0
    if (compared.error !== undefined) throw compared.error
  }
  const count = async (): Promise<void> => {
    if (clock.elapsed() < countAt) return
    try {
      await usage.recount()
      countAt = clock.elapsed() + every.count
    } catch (err) {
      // The limits are enforced with what is known: it includes every change since the last count.
      log.warn({ err }, 'failed to count recordings; retrying')
    }
  }
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      nextSweep = new AbortController()
      await everyPart([() => deleteNoted(signal), reconcile, count, () => sweep(signal)]).catch((err: unknown) =>
        log.warn({ err }, 'failed to enforce retention of recordings'),
      )
      await clock.sleep(every.sweep, AbortSignal.any([signal, nextSweep.signal]))
    }
  }

  return {
    start: () => void (working ??= work()),
    sweepNow: () => nextSweep.abort(),
    async stop() {
      ending.abort()
      await working
    },
  }
}
