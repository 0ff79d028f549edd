import { join } from 'node:path'
import type { Log } from '../shared/log.ts'
import { rm } from '../shared/media-disk.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'

export interface ShelfDeps {
  readonly camera: string
  /** The library's folder. */
  readonly folder: string
  readonly store: Pick<RecordingStore, 'add' | 'removeFiles' | 'raiseMotion'>
  /** Whether a time, Unix milliseconds, may go where nothing moved in it or right before and after. */
  readonly mayThin: (from: number, to: number) => boolean
  readonly log: Log
  readonly onAdded: (segment: NewSegment) => void
  readonly onRemoved: (segment: NewSegment) => void
}

/** A segment that is over, on disk or on its way there: what moved in it may be told late. */
interface Ended {
  readonly start: number
  readonly end: number
  /** Percent, the most so far. */
  motion: number
  indexed: boolean
}

/** What becomes of a camera's segments once they are over. */
export interface SegmentIndexer {
  ended(start: number, end: number, motion: number): Ended
  /** It is on disk: it goes into the index, and away where only what moves is kept. */
  put(made: NewSegment, ended: Ended): Promise<void>
  /**
   * So much of the picture moved (percent) at a moment, Unix milliseconds.
   *
   * @returns whether that was in a segment that is not in the index yet; of older ones the index is to be told
   */
  moved(at: number, percent: number): boolean
}

export function createSegmentIndexer({
  camera,
  folder,
  store,
  mayThin,
  log,
  onAdded,
  onRemoved,
}: ShelfDeps): SegmentIndexer {
  /** On disk, and not in the index yet, because the database does not answer. */
  let unindexed: NewSegment[] = []
  /** The last three on disk. */
  let recent: NewSegment[] = []
  /** The last three that are over. */
  let over: Ended[] = []

  const index = async (made: NewSegment): Promise<void> => {
    const all = [...unindexed, made]
    unindexed = []
    try {
      await store.add(all)
    } catch (err) {
      // The next segment tries again; after a crash the files speak for themselves.
      unindexed = [...all, ...unindexed]
      log.warn({ camera, segments: unindexed.length, err }, 'recorded, but not in the index yet')
    }
  }

  /** Where only what moves is kept: a segment goes once the next is there, if none of its neighbours moved either. */
  const thin = async (made: NewSegment): Promise<void> => {
    recent = [...recent.slice(-2), made]
    const [, before, last] = recent
    if (before === undefined || last === undefined || recent.some(({ motion }) => motion > 0)) return
    if (!mayThin(before.start, before.end)) return
    const waited = unindexed.some(({ file }) => file === before.file)
    unindexed = unindexed.filter(({ file }) => file !== before.file)
    await rm(join(folder, before.file), { force: true })
    const removed = await store.removeFiles([before.file])
    // Another process can have removed it already.
    if (waited || removed.length > 0) onRemoved(before)
  }

  return {
    ended(start, end, motion) {
      const ended = { start, end, motion, indexed: false }
      over = [...over.slice(-2), ended]
      return ended
    },
    async put(made, ended) {
      await index(made)
      onAdded(made)
      ended.indexed = true
      if (ended.motion > made.motion) await store.raiseMotion(camera, made.start, made.end, ended.motion)
      await thin({ ...made, motion: ended.motion })
    },
    moved(at, percent) {
      const within = ({ start, end }: Pick<Ended, 'start' | 'end'>): boolean => start <= at && at < end
      const late = over.find((each) => !each.indexed && within(each))
      if (late) {
        late.motion = Math.max(late.motion, percent)
        return true
      }
      recent = recent.map((each) => (within(each) ? { ...each, motion: Math.max(each.motion, percent) } : each))
      return false
    },
  }
}
