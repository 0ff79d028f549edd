import { ownerText } from '../../access/identity.ts'
import { andThen, unchanged, type Step } from '../../shared/with-web/step.ts'
import type { StoredExport } from '../export-store.ts'
import { nextJob } from './fair-order.ts'

/** Jobs that run concurrently: they share one disk, and live view has priority. */
const concurrency = 2
/** Milliseconds until an export that could not begin is tried again. */
export const retryAfter = 2000
/** Milliseconds until an export is tried again whose disk, recordings or database can't be reached. */
export const retryLater = 30_000
/** Milliseconds between two progress events of an export. */
const progressEvery = 500

interface RunningJob {
  readonly job: StoredExport
  /** Percent. */
  readonly progress: number
  /** When progress was published last, milliseconds of the steady clock. */
  readonly reportedAt: number
}

export interface JobQueueState {
  readonly state: 'active' | 'stopped'
  readonly running: ReadonlyMap<string, RunningJob>
  /** Exports that must not begin, because they are being canceled or deleted. */
  readonly canceled: ReadonlySet<string>
  /** When an export that could not begin is tried again, milliseconds of the steady clock. */
  readonly notBefore: ReadonlyMap<string, number>
  /** Exports whose jobs ended since the queue began to be read: what was read can say that they are unfinished. */
  readonly endedSinceRead: ReadonlySet<string>
  /** Expected bytes of queued and running exports. */
  readonly expected: ReadonlyMap<string, number>
  /** Order in which users were served last, by {@link ownerText}. */
  readonly lastServed: ReadonlyMap<string, number>
}

export type JobQueueEvent =
  /** Of a queued or running export; undefined if it has to be estimated again. */
  | { readonly kind: 'bytes-expected'; readonly id: string; readonly bytes: number | undefined }
  /** The queue begins to be read. */
  | { readonly kind: 'read-began' }
  /** The ids of all queued and running exports. */
  | { readonly kind: 'queue-read'; readonly ids: readonly string[] }
  /** Jobs can begin. `unfinished`: oldest first, queued and running, as they were when the queue was read */
  | { readonly kind: 'polled'; readonly unfinished: readonly StoredExport[] }
  | { readonly kind: 'progressed'; readonly id: string; readonly percent: number }
  /** @param retry milliseconds until the export, which is still queued, is tried again; undefined: it isn't */
  | { readonly kind: 'job-ended'; readonly id: string; readonly retry: number | undefined }
  /** An export is about to be canceled or deleted. */
  | { readonly kind: 'canceled'; readonly id: string }
  /** @param removed whether it was canceled or deleted; otherwise it can begin again */
  | { readonly kind: 'released'; readonly id: string; readonly removed: boolean }
  | { readonly kind: 'stopped' }

export type JobQueueEffect =
  | { readonly kind: 'begin'; readonly job: StoredExport }
  /** Ends a job without a failure. */
  | { readonly kind: 'interrupt'; readonly id: string }
  | { readonly kind: 'publish-progress'; readonly job: StoredExport; readonly percent: number }

export type JobQueueStep = Step<JobQueueState, JobQueueEffect>

export const emptyQueue: JobQueueState = {
  state: 'active',
  running: new Map(),
  canceled: new Set(),
  notBefore: new Map(),
  endedSinceRead: new Set(),
  expected: new Map(),
  lastServed: new Map(),
}

/** Progress of a running export, percent; 0 for any other. */
export const progressOf = ({ running }: JobQueueState, id: string): number => running.get(id)?.progress ?? 0

/** Bytes that all queued and running exports, or only the running ones, will still write. */
export function promisedBytes(state: JobQueueState, of: 'all' | 'running'): number {
  let sum = 0
  for (const [id, bytes] of state.expected) {
    if (of === 'all' || state.running.has(id)) sum += bytes * (1 - progressOf(state, id) / 100)
  }
  return sum
}

/**
 * One step of the queue: which exports run, and how much they will write.
 *
 * @param now milliseconds of the steady clock
 */
export function step(before: JobQueueState, event: JobQueueEvent, now: number): JobQueueStep {
  const { running, canceled, notBefore, endedSinceRead, expected } = before
  switch (event.kind) {
    case 'bytes-expected':
      return unchanged({ ...before, expected: changed(expected, event.id, event.bytes) })
    case 'read-began':
      return unchanged({ ...before, endedSinceRead: new Set() })
    case 'queue-read': {
      const ids = new Set(event.ids)
      return unchanged({ ...before, expected: new Map([...expected].filter(([id]) => ids.has(id))) })
    }
    case 'polled': {
      const current = { ...before, notBefore: new Map([...notBefore].filter(([, at]) => at > now)) }
      return fill(current, event.unfinished)
    }
    case 'progressed':
      return progressed(before, event.id, event.percent, now)
    case 'job-ended': {
      const later = event.retry === undefined ? notBefore : changed(notBefore, event.id, now + event.retry)
      const ended = new Set([...endedSinceRead, event.id])
      const left = changed(running, event.id, undefined)
      return unchanged({ ...before, running: left, notBefore: later, endedSinceRead: ended })
    }
    case 'canceled': {
      const state = { ...before, canceled: new Set([...canceled, event.id]) }
      return { state, effects: running.has(event.id) ? [{ kind: 'interrupt', id: event.id }] : [] }
    }
    case 'released': {
      const left = new Set([...canceled].filter((id) => id !== event.id))
      const still = event.removed ? changed(expected, event.id, undefined) : expected
      return unchanged({ ...before, canceled: left, expected: still })
    }
    case 'stopped':
      return {
        state: { ...before, state: 'stopped' },
        effects: [...running.keys()].map((id): JobQueueEffect => ({ kind: 'interrupt', id })),
      }
  }
}

/** A copy with another value; undefined removes it. */
function changed<V>(map: ReadonlyMap<string, V>, key: string, value: V | undefined): ReadonlyMap<string, V> {
  const copy = new Map(map)
  if (value === undefined) copy.delete(key)
  else copy.set(key, value)
  return copy
}

/** Begins jobs in a fair order, until enough run. */
function fill(before: JobQueueState, unfinished: readonly StoredExport[]): JobQueueStep {
  const { state, running, canceled, notBefore, endedSinceRead, lastServed } = before
  if (state === 'stopped' || running.size >= concurrency) return unchanged(before)
  const isHeld = (id: string): boolean => [running, canceled, notBefore, endedSinceRead].some((some) => some.has(id))
  const waiting = unfinished.filter(({ id }) => !isHeld(id))
  const busy = [...running.values()].map(({ job }) => job)
  const job = nextJob(waiting, busy, lastServed)
  if (!job) return unchanged(before)
  const served = 1 + Math.max(0, ...lastServed.values())
  const begun: JobQueueStep = {
    state: {
      ...before,
      running: changed(running, job.id, { job, progress: 0, reportedAt: 0 }),
      lastServed: changed(lastServed, ownerText(job.owner), served),
    },
    effects: [{ kind: 'begin', job }],
  }
  return andThen(begun, (next) => fill(next, unfinished))
}

function progressed(before: JobQueueState, id: string, percent: number, now: number): JobQueueStep {
  const one = before.running.get(id)
  if (!one || one.progress === percent) return unchanged(before)
  const isDue = now - one.reportedAt >= progressEvery
  const next = { ...one, progress: percent, reportedAt: isDue ? now : one.reportedAt }
  return {
    state: { ...before, running: changed(before.running, id, next) },
    effects: isDue ? [{ kind: 'publish-progress', job: one.job, percent }] : [],
  }
}
