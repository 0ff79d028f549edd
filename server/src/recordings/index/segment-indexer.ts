import { join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { rm } from '../../shared/storage/media-disk.ts'
import type { LateSegments } from './late-segments.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'
import type { SegmentBatch } from './segment-batch.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface SegmentIndexerDeps {
  readonly camera: CameraKey
  /** The volume's folder. */
  readonly folder: string
  readonly store: Pick<RecordingStore, 'removeFiles' | 'raiseMotion'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  /** Of all cameras. */
  readonly batch: Pick<SegmentBatch, 'add'>
  /** Files of this process that aren't in the index yet, of all cameras. */
  readonly own: Set<string>
  /** undefined: cameras have no leases. */
  readonly late?: Pick<LateSegments, 'forget' | 'has'> | undefined
  /** Whether a range (Unix milliseconds) without motion in it and in both neighbor segments can be removed. */
  readonly canThin: (from: number, to: number) => boolean
  readonly log: Log
  /** Called with a segment that is in the index now. */
  readonly onAdded: (segment: NewSegment) => void
  /** Called with a segment that is no longer in the index. */
  readonly onRemoved: (segment: NewSegment) => void
}

/** A segment that ended and is on disk or being written. Its motion may still be reported. */
interface Ended {
  readonly start: number
  readonly end: number
  /** Largest value so far, percent. */
  motion: number
  indexed: boolean
}

/** A segment on disk. */
interface Made {
  readonly made: NewSegment
  readonly ended: Ended
}

/** Indexes a camera's segments after they end, and thins them out in motion mode. */
export interface SegmentIndexer {
  ended(start: number, end: number, motion: number): Ended
  /** Indexes a segment that is on disk. In motion mode, removes the segment before it if nothing moved around it. */
  put(made: NewSegment, ended: Ended): Promise<void>
  /** Indexes segments that are on disk, but couldn't be indexed yet. */
  retry(): Promise<void>
  /**
   * Notes how much of the frame moved (percent) at a time, Unix milliseconds.
   *
   * @returns whether the time is in a segment that isn't in the index yet; for an older segment the caller updates the
   * index
   */
  moved(at: number, percent: number): boolean
  /** Whether a segment that ended and begins before a time, Unix milliseconds, isn't in the index yet. */
  isWaiting(before: number): boolean
}

export function createSegmentIndexer({
  camera,
  folder,
  store,
  requireDisk,
  batch,
  own,
  late,
  canThin,
  log,
  onAdded,
  onRemoved,
}: SegmentIndexerDeps): SegmentIndexer {
  /** On disk but not in the index yet, because the database doesn't respond. */
  let unindexed: Made[] = []
  /** The last three on disk. */
  let recent: NewSegment[] = []
  /** The last three that ended. */
  let recentEnded: Ended[] = []

  const index = async (more: readonly Made[]): Promise<void> => {
    const all = [...unindexed, ...more]
    unindexed = []
    const { failed, err, raised } = await addTo(batch, all)
    // The next segment tries again; after a crash, reconcile indexes the files.
    unindexed = failed
    const left = new Set(failed)
    for (const each of all) {
      if (left.has(each)) continue
      own.delete(each.made.file)
      if (!late?.has(each.made.file)) onAdded(each.made)
    }
    if (failed.length > 0) log.warn({ camera, count: failed.length, err }, 'failed to index segments; retrying')
    for (const { made, ended } of raised) {
      await store
        .raiseMotion(camera, made.start, made.end, ended.motion)
        .catch((error: unknown) => log.warn({ camera, err: error }, 'failed to save motion'))
    }
  }

  /** In motion mode, removes a segment once the next one exists, if neither it nor a neighbor has motion. */
  const thin = async (made: NewSegment): Promise<void> => {
    recent = [...recent.slice(-2), made]
    const [, before, last] = recent
    if (before === undefined || last === undefined || recent.some(({ motion }) => motion > 0)) return
    if (!canThin(before.start, before.end)) return
    // The new segment is indexed nevertheless, and the next draft pauses the recording.
    if (!(await isDone(requireDisk()))) return
    await rm(join(folder, before.file), { force: true })
    unindexed = unindexed.filter(({ made: { file } }) => file !== before.file)
    await late?.forget(before.file)
    own.delete(before.file)
    const removed = await store.removeFiles([before.file])
    // It may not have been indexed yet, or another process may have removed it already.
    if (removed.length > 0) onRemoved(before)
  }

  return {
    ended(start, end, motion) {
      const ended = { start, end, motion, indexed: false }
      recentEnded = [...recentEnded.slice(-2), ended]
      return ended
    },
    async put(made, ended) {
      await index([{ made, ended }])
      await thin({ ...made, motion: ended.motion })
    },
    retry: () => index([]),
    moved(at, percent) {
      const within = ({ start, end }: Pick<Ended, 'start' | 'end'>): boolean => start <= at && at < end
      recent = recent.map((each) => (within(each) ? { ...each, motion: Math.max(each.motion, percent) } : each))
      const ended = waitingIn(recentEnded, unindexed).find(within)
      if (ended) ended.motion = Math.max(ended.motion, percent)
      return ended !== undefined
    },
    isWaiting: (before) => waitingIn(recentEnded, unindexed).some(({ start }) => start < before),
  }
}

const waitingIn = (ended: readonly Ended[], unindexed: readonly Made[]): Ended[] =>
  [...ended, ...unindexed.map((each) => each.ended)].filter(({ indexed }) => !indexed)

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/**
 * Adds segments to the index, with all motion that is reported until they're written.
 *
 * @returns those that couldn't be added, with the error of one, and those for which more motion was reported since
 */
async function addTo(batch: Pick<SegmentBatch, 'add'>, all: readonly Made[]) {
  const results = await Promise.allSettled(
    all.map(({ made, ended }) => batch.add(() => ({ ...made, motion: ended.motion }))),
  )
  // Motion of one that failed is still added with it.
  for (const [nth, { ended }] of all.entries()) ended.indexed = results[nth]?.status === 'fulfilled'
  const error = results.find((result) => result.status === 'rejected')
  return {
    failed: all.filter((_, nth) => results[nth]?.status === 'rejected'),
    err: error?.reason as unknown,
    raised: all.filter(({ ended }, nth) => {
      const result = results[nth]
      return result?.status === 'fulfilled' && ended.motion > result.value.motion
    }),
  }
}
