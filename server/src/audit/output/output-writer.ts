import { waitAfter } from '../../shared/rate/backoff.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { lineFrom } from '../audit-line.ts'
import { gapLine, type OutputLine } from './output-line.ts'
import type { OutputStore, Sequenced } from './output-store.ts'
import type { OutputTarget } from './output-target.ts'
import { messageOf } from '../../shared/caught-error.ts'

/** Milliseconds between attempts. */
const backoff = { first: 1_000, max: 60_000 }

/** Entries written together. */
const batch = 200

/** Entries that wait for an output; more leave out the oldest. */
const maxWaiting = 100_000

export interface OutputStatus {
  readonly name: string
  /** Why nothing is written; undefined while the output works. */
  readonly problem?: { readonly detail: string; readonly since: number }
  /** Entries not written yet. */
  readonly waiting: number
  /** Entries left out since the service started. */
  readonly missed: number
}

export interface OutputWriter {
  /** Writes the entries that wait, unless the next attempt has its time. */
  wake(): void
  status(): OutputStatus
  /** Resolves when the batch that is being written is done. */
  stop(): Promise<void>
}

export interface OutputWriterDeps extends Runtime {
  readonly name: string
  readonly target: OutputTarget
  readonly store: OutputStore
  readonly random: Random
}

/** Writes the entries of this instance to one output, in order, and tries again what fails. */
export function createOutputWriter({ name, target, store, clock, random, log }: OutputWriterDeps): OutputWriter {
  let position: number | undefined
  let missedSince = 0
  let running: Promise<void> | undefined
  let retry: StopTimer | undefined
  const state = { again: false, stopped: false, failures: 0, problem: undefined as OutputStatus['problem'] }

  /** Writes one batch. @returns whether more can wait */
  const writeSome = async (): Promise<boolean> => {
    const saved = await store.position(name, position)
    // A position that could not be saved is newer.
    const from = (position = Math.max(position ?? 0, saved.position))
    const entries = await store.entriesAfter(from, batch)
    const gap = saved.missed > 0 ? [gapLine(saved.missed, clock.now())] : []
    if (entries.length + gap.length === 0) return false
    await target.write([...gap, ...entries.map(outputLine)])
    position = entries.at(-1)?.sequence ?? from
    await store.save(name, position, saved.missed)
    return entries.length === batch
  }
  const leaveOut = async () => {
    try {
      const count = position === undefined ? 0 : await store.leaveOut(name, position, maxWaiting)
      if (count === 0) return
      missedSince += count
      log.error({ output: name, count }, 'audit entries left out: the output failed for too long')
    } catch (error) {
      log.debug({ output: name, err: error }, 'failed to limit the entries that wait')
    }
  }
  const failed = async (error: unknown) => {
    const detail = messageOf(error)
    if (detail !== state.problem?.detail) log.error({ output: name, err: error }, 'audit output failed; retrying')
    state.failures += 1
    state.problem = { detail, since: state.problem?.since ?? clock.now() }
    await leaveOut()
    if (state.stopped) return
    retry = clock.after(waitAfter(state.failures, backoff, random), () => {
      retry = undefined
      wake()
    })
  }
  const run = async () => {
    try {
      do {
        state.again = false
        while ((await writeSome()) && !state.stopped);
      } while (state.again && !state.stopped)
      if (state.problem) log.info({ output: name }, 'audit output resumed')
      state.problem = undefined
      state.failures = 0
    } catch (error) {
      await failed(error)
    }
  }
  const wake = () => {
    if (state.stopped || retry) return
    if (running) state.again = true
    else running = run().finally(() => (running = undefined))
  }

  return {
    wake,
    status: () => ({
      name,
      ...(state.problem && { problem: state.problem }),
      waiting: position === undefined ? 0 : store.waitingAfter(position),
      missed: missedSince,
    }),
    async stop() {
      state.stopped = true
      retry?.()
      await running
      // Once more, because entries are written until the very end of a stop.
      if (!state.problem) await writeSome().catch(() => undefined)
      await target.close()
    },
  }
}

const outputLine = ({ sequence: _sequence, ...entry }: Sequenced): OutputLine => lineFrom(entry)
