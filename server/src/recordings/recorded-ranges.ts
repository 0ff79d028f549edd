import type { ScopedKey } from '../access/grant.ts'
import type { RecordedRange } from '../shared/audit/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Coverage } from '../shared/storage/coverage.ts'
import { createClip, type Clip } from './clip.ts'
import type { History } from './index/recording-store.ts'
import type { RecordingReasons } from './reasons.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Recorded time ranges, for exports, without what is on disks that no instance has. Times are Unix milliseconds. Throws the errors of {@link createClip}. */
export interface RecordedRanges {
  /** Start of what is left of a range without the segments that begin before `since`: they are too old by a part (GRANT-3). */
  startSince(camera: ScopedKey<CameraKey>, range: RecordedRange, since: number): Promise<number>
  survey(camera: ScopedKey<CameraKey>, start: number, end: number): Promise<Coverage>
  clip(camera: ScopedKey<CameraKey>, start: number, end: number): Promise<Clip>
}

/** Milliseconds after which a segment of a camera in motion mode is no longer thinned out. */
const settledAfter = 60_000

/** Milliseconds until a frame is on disk and in the index: the length of a segment plus the time to the next key frame. */
const indexedAfter = 30_000

/** Segments in one range. */
const max = 200_000

export function createRecordedRanges(deps: {
  readonly bytes: SegmentBytes
  readonly store: Pick<History, 'between' | 'entries'>
  /** Whether video of a camera from before a time isn't in the index yet. */
  readonly isUnindexed: (camera: CameraKey, before: number) => boolean
  readonly now: () => number
}): RecordedRanges {
  const { bytes, store, isUnindexed, now } = deps
  return {
    async startSince(camera, { start, end }, since) {
      const tooOld = (await store.entries(camera, start, start + 1, max)).filter((each) => each.start < since)
      const left = Math.max(start, ...tooOld.map((each) => each.end))
      if (left >= end) throw new ServiceError<RecordingReasons>('not-found', { reason: 'nothing-recorded' })
      return left
    },
    async survey(camera, start, end) {
      // Before the index is read: what is added to it since then isn't missing. An older segment that contains the end,
      // from before the clock was set back, says nothing about the newest.
      const growing = end > now() - indexedAfter && isUnindexed(camera, end)
      const segments = (await store.entries(camera, start, end, max)).filter(({ isLost }) => !isLost)
      const within = (all: typeof segments): number =>
        all.reduce((sum, each) => sum + Math.min(each.end, end) - Math.max(each.start, start), 0)
      return {
        bytes: segments.reduce((sum, each) => sum + each.bytes, 0),
        recorded: within(segments),
        settled: within(segments.filter((each) => each.end < now() - settledAfter)),
        growing,
      }
    },
    clip: async (camera, start, end) =>
      createClip(bytes, await store.between(camera, start, end, max), { start, end, audio: true }),
  }
}
