import { withoutCaller } from '../../access/grant.ts'
import type { StoredExport } from '../export-store.ts'
import {
  emptyQueue,
  progressOf,
  promisedBytes,
  retryAfter,
  retryLater,
  step,
  type JobQueueEffect,
  type JobQueueEvent,
} from './job-queue-state.ts'
import { interrupted, runExport, type RunDeps } from '../run-export.ts'

export interface JobQueueDeps extends Pick<
  RunDeps,
  'store' | 'folder' | 'recordedRanges' | 'requireDisks' | 'startMuxer' | 'free' | 'quota' | 'clock' | 'log'
> {
  /** Called when an export was added or its state or progress changed. */
  readonly onChange: (changed: StoredExport, progress: number) => void
}

export interface JobQueue {
  /** Progress of a running export, percent; 0 for any other. */
  progressOf(id: string): number
  /** Bytes that queued and running exports will still write. */
  promised(): number
  /** Announces a new export that will write `bytes`. */
  added(id: string, bytes: number): void
  /** Checks the queue soon. */
  wake(): void
  /** Stops an export if it runs, and keeps it from starting until `then` is done. */
  without(id: string, then: () => Promise<void>): Promise<void>
  /** Stops all jobs; running exports go back to the queue. */
  stop(): Promise<void>
}

/** Milliseconds until an export is tried again. */
const delays = { retry: retryAfter, unavailable: retryLater }

interface Running {
  readonly ending: AbortController
  readonly ended: Promise<void>
}

/**
 * Runs queued exports in a fair order, and continues after a restart of the service.
 *
 * The decisions are in `job-queue-state.ts`.
 */
export function createJobQueue(deps: JobQueueDeps): JobQueue {
  const { store, recordedRanges, onChange, clock, log } = deps
  let state = emptyQueue
  const running = new Map<string, Running>()
  /** Exports of which the log says that they are tried again. */
  const requeued = new Set<string>()
  let requested = false
  let work: Promise<void> | undefined

  const dispatch = (event: JobQueueEvent): void => {
    const { state: next, effects } = step(state, event, clock.elapsed())
    state = next
    for (const effect of effects) perform(effect)
  }
  const perform = (effect: JobQueueEffect): void => {
    switch (effect.kind) {
      case 'begin':
        return begin(effect.job)
      case 'interrupt':
        return running.get(effect.id)?.ending.abort(interrupted)
      case 'publish-progress':
        return onChange({ ...effect.job, state: 'running' }, effect.percent)
    }
  }

  const runDeps: RunDeps = {
    ...deps,
    promisedByRunning: () => promisedBytes(state, 'running'),
    onExpected: (id, bytes) => dispatch({ kind: 'bytes-expected', id, bytes }),
    onProgress: (id, percent) => dispatch({ kind: 'progressed', id, percent }),
    async onChange(id) {
      const now = await store.byId(id)
      if (now) onChange(now, now.state === 'done' ? 100 : progressOf(state, id))
    },
  }
  const run = async (job: StoredExport, ending: AbortController): Promise<void> => {
    const { id } = job
    const end = await runExport(runDeps, job, ending).catch((err: unknown): 'unavailable' => {
      if (!requeued.has(id)) log.warn({ export: id, err }, 'export requeued')
      requeued.add(id)
      return 'unavailable'
    })
    running.delete(id)
    dispatch({ kind: 'job-ended', id, retry: end === 'ended' ? undefined : delays[end] })
    if (end === 'unavailable') await runDeps.onChange(id).catch(() => undefined)
    else if (requeued.delete(id)) log.info({ export: id }, 'requeued export ended')
    clock.after(0, wake)
  }
  const begin = (job: StoredExport): void => {
    const ending = new AbortController()
    running.set(job.id, { ending, ended: run(job, ending) })
  }

  const poll = async (): Promise<void> => {
    dispatch({ kind: 'read-began' })
    const unfinished = await store.unfinished()
    dispatch({ kind: 'queue-read', ids: unfinished.map(({ id }) => id) })
    for (const { id, camera, start, end } of unfinished) {
      if (state.expected.has(id)) continue
      const { bytes } = await recordedRanges.survey(withoutCaller(camera), start, end)
      dispatch({ kind: 'bytes-expected', id, bytes })
    }
    dispatch({ kind: 'polled', unfinished })
  }
  const wake = (): void => {
    requested = true
    if (state.state === 'stopped') return
    work ??= (async () => {
      while (requested && state.state === 'active') {
        requested = false
        await poll().catch((err: unknown) => log.warn({ err }, 'failed to poll the export queue'))
      }
    })().finally(() => (work = undefined))
  }
  const stopPolling = clock.every(retryAfter, wake)

  return {
    progressOf: (id) => progressOf(state, id),
    promised: () => promisedBytes(state, 'all'),
    added(id, bytes) {
      dispatch({ kind: 'bytes-expected', id, bytes })
      wake()
    },
    wake,
    async without(id, then) {
      dispatch({ kind: 'canceled', id })
      let removed = false
      try {
        await running.get(id)?.ended
        await then()
        removed = true
        requeued.delete(id)
      } finally {
        dispatch({ kind: 'released', id, removed })
      }
    },
    async stop() {
      dispatch({ kind: 'stopped' })
      stopPolling()
      await work
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
