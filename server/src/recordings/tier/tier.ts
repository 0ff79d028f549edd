import pLimit from 'p-limit'
import { waitAfter } from '../../shared/rate/backoff.ts'
import { ServiceError } from '../../shared/errors.ts'
import { ObjectError, type Objects } from '../../shared/storage/objects.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { sweepObjects, type ObjectSweepDeps } from './object-sweep.ts'
import { foundObjects, type FoundObjectsDeps } from './found-objects.ts'
import type { RecordingSettings } from '../recording.config.ts'
import type { RecordingStore, Segment, SegmentCursor } from '../index/recording-store.ts'
import type { RemovalQueue } from '../index/removal-queue.sql.ts'
import { wholeVolume } from '../segments/volume-folders.ts'
import { segmentUpload, type SegmentUploadDeps } from './segment-upload.ts'
import { hour } from '../../shared/time/durations.ts'

export interface TierDeps
  extends
    SegmentUploadDeps,
    Omit<ObjectSweepDeps, 'store' | 'removals'>,
    Omit<FoundObjectsDeps, 'objects' | 'log'>,
    Runtime {
  readonly objects: Objects
  readonly store: Pick<RecordingStore, 'waiting' | 'stored' | 'knownObjects'>
  readonly removals: RemovalQueue
  readonly settings: () => Pick<RecordingSettings, 'storage'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  /** Whether the clock can be trusted enough to remove objects by age. */
  readonly isClockTrusted: () => boolean
  readonly random: Random
}

/** The work of the object storage (NODE-5): moves segments there, removes objects, and looks for objects without segments. */
export interface Tier {
  start(): void
  stop(): Promise<void>
}

/** Milliseconds after which motion no longer changes which segments are kept. */
const settled = 5 * 60_000

/** Milliseconds between two rounds, each of which ends when there is nothing to do. */
const every = { move: 60_000, remove: 60_000, find: 10 * 60_000, sweep: 12 * hour }

/** Milliseconds from a start to the first sweep, and until it's tried again while the index is incomplete. */
const firstSweep = 10 * 60_000

/** Milliseconds between two rounds while the storage fails. */
const retry = { first: 15_000, max: 2 * 60_000 }

/** Segments or objects of one query, and uploads in progress: each has one buffer of a file in memory. */
const batch = 50
const concurrent = 2

export function createTier(deps: TierDeps): Tier {
  const { objects, store, removals, settings, requireDisk, isClockTrusted, knowsObjectsIn, clock, log } = deps
  const upload = segmentUpload(deps)
  const find = foundObjects(deps)
  const ending = new AbortController()
  const { signal } = ending
  const forEach = untilFailure(signal)
  /** Ids of segments that couldn't be read, each logged once. */
  const unreadable = new Set<number>()
  let working: Promise<unknown> | undefined

  /** @throws ObjectError, ServiceError if the next segment can't be moved either */
  const move = async (segment: Segment): Promise<void> => {
    const { id, camera, file } = segment
    try {
      await upload.move(segment, signal)
    } catch (err) {
      const isOfFile = err instanceof ObjectError ? err.problem === 'damaged' : !(err instanceof ServiceError)
      if (!isOfFile) throw err
      if (!unreadable.has(id)) log.warn({ camera, file, err }, 'failed to move recording to object storage')
      unreadable.add(id)
    }
  }

  const moveAll = async (): Promise<void> => {
    await requireDisk()
    await upload.removeLeft()
    const before = clock.now() - Math.max(settled, settings().storage.tier.after_hours * hour)
    let cursor: SegmentCursor = { start: 0, id: 0 }
    while (!signal.aborted) {
      const some = await store.waiting(before, cursor, batch)
      await forEach(some, move)
      const last = some.at(-1)
      if (!last || some.length < batch) return
      cursor = last
    }
  }

  const removeAll = async (): Promise<void> => {
    while (!signal.aborted) {
      const keys = await removals.claim(batch, clock.now())
      const known = keys.length === 0 ? new Set() : await store.knownObjects(keys)
      await forEach(keys, async (key) => {
        // A restored backup can have a segment whose removal was queued.
        if (!known.has(key)) await objects.remove(key, signal)
        await removals.done(key)
      })
      if (keys.length < batch) return
    }
  }

  const sweep = (): Promise<void> => (isClockTrusted() ? sweepObjects(deps, clock.now(), signal) : Promise.resolve())

  const sweepRegularly = async (): Promise<void> => {
    do await clock.sleep(firstSweep, signal)
    while (!knowsObjectsIn(wholeVolume) && !signal.aborted)
    await repeat(deps, signal, sweep, every.sweep)
  }

  return {
    start() {
      working ??= Promise.all([
        repeat(deps, signal, moveAll, every.move),
        repeat(deps, signal, removeAll, every.remove),
        repeat(deps, signal, () => find(signal), every.find),
        sweepRegularly(),
      ])
    },
    async stop() {
      ending.abort()
      await working
    },
  }
}

/** Does one kind of work again and again until the service stops. @param pause milliseconds between two times */
async function repeat(
  { objects, clock, random, log }: Pick<TierDeps, 'objects' | 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
  work: () => Promise<void>,
  pause: number,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      if (objects.configured()) await work()
      failures = 0
    } catch (err) {
      failures++
      // The storage's own failures are logged where its state is known.
      if (!(err instanceof ObjectError)) log.warn({ err }, 'failed to work on object storage')
    }
    await clock.sleep(failures === 0 ? pause : waitAfter(failures, retry, random), signal)
  }
}

/** @returns does the work for each, a few at a time, until it fails for one */
function untilFailure(signal: AbortSignal) {
  const limit = pLimit(concurrent)
  return async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
    let failure: { readonly error: unknown } | undefined
    const unlessFailed = async (one: T): Promise<void> => {
      if (!failure && !signal.aborted) await work(one).catch((error: unknown) => void (failure ??= { error }))
    }
    await Promise.all(all.map((one) => limit(() => unlessFailed(one))))
    if (failure) throw failure.error
  }
}
