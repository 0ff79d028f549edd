import type { Clock, StopTimer, Timers } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { NewSegment, SegmentChanges } from './recording-store.ts'

/**
 * Milliseconds for which segments wait to be indexed together if instances share the cameras, and so a database: one
 * statement in that time, whatever the number of cameras.
 */
export const batchDelay = 1500

export interface SegmentBatchDeps {
  readonly write: SegmentChanges['add']
  /** Milliseconds for which a segment waits for segments of other cameras; 0: not at all. */
  readonly delay: number
  readonly clock: Clock & Timers
}

/** Adds the segments of all cameras to the index together, with few statements. */
export interface SegmentBatch {
  /**
   * Adds a segment with the next batch.
   *
   * @param read called when the segment is written, so that it has the motion reported until then
   * @returns the segment as it was written; rejects if it couldn't be
   */
  add(read: () => NewSegment): Promise<NewSegment>
  /** Writes the waiting segments immediately, and so each one that is added until the work ends. */
  urgently<T>(work: () => Promise<T>): Promise<T>
}

interface Pending {
  readonly read: () => NewSegment
  readonly resolve: (written: NewSegment) => void
  readonly reject: (error: unknown) => void
}

interface Writing extends Pick<Pending, 'resolve' | 'reject'> {
  readonly segment: NewSegment
}

export function createSegmentBatch({ write, delay, clock }: SegmentBatchDeps): SegmentBatch {
  let waiting: Pending[] = []
  let stopTimer: StopTimer | undefined
  /** Number of callers that can't wait. */
  let urgent = 0

  const writeAll = async (all: readonly Writing[]): Promise<void> => {
    try {
      await write(all.map(({ segment }) => segment))
      for (const { segment, resolve } of all) resolve(segment)
    } catch (error) {
      const cameras = Object.values(Object.groupBy(all, ({ segment }) => segment.camera))
      // Without a database, the error is `unavailable`. A segment that it rejects must not keep those of other cameras out.
      if (cameras.length > 1 && !(error instanceof ServiceError)) for (const some of cameras) await writeAll(some ?? [])
      else for (const { reject } of all) reject(error)
    }
  }
  const writeWaiting = (): void => {
    stopTimer?.()
    stopTimer = undefined
    const all = waiting.map(({ read, ...rest }) => ({ ...rest, segment: read() }))
    waiting = []
    if (all.length > 0) void writeAll(all)
  }

  return {
    add(read) {
      const added = new Promise<NewSegment>((resolve, reject) => void waiting.push({ read, resolve, reject }))
      // Those that are added in the same turn are still written together.
      if (delay === 0 || urgent > 0) queueMicrotask(writeWaiting)
      else stopTimer ??= clock.after(delay, writeWaiting)
      return added
    },
    async urgently(work) {
      urgent += 1
      writeWaiting()
      try {
        return await work()
      } finally {
        urgent -= 1
      }
    },
  }
}
