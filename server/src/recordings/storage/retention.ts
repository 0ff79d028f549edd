import { readdir } from '../../shared/storage/media-disk.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { CameraLimits } from './camera-limits.ts'
import type { RecordingStore, Segment, SegmentCursor, SegmentPlace } from '../index/recording-store.ts'
import { everyPart } from '../../shared/every-part.ts'
import type { FileRemoval } from '../../shared/storage/file-removal.ts'
import { isOnDisk, removeSegments, type RemoveSegments, type RemoveSegmentsDeps } from './remove-segments.ts'
import type { Usage } from './usage.ts'
import { day } from '../../shared/time/durations.ts'
import { isDate } from '../../shared/time/utc-date.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface RetentionDeps extends Pick<RemoveSegmentsDeps, 'requireDisk'> {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'oldest' | 'remove'>
  readonly files: FileRemoval
  readonly usage: Usage
  readonly limits: Pick<CameraLimits, 'whole' | 'of' | 'stored'>
  /** Bytes on the disk for recordings, without the share of exports; null if the disk doesn't respond. */
  readonly availableBytes: () => Promise<number | null>
  /**
   * Whether each segment of the volume is known to have a file. Until then, one without a file may be in the object
   * storage, and the limits of size leave it alone.
   */
  readonly isReconciled: () => boolean
  /** Whether the clock can be trusted enough to remove recordings by age. */
  readonly isClockTrusted: () => boolean
  readonly clock: Clock
  readonly log: Log
}

/** Segments removed per batch. */
const batch = 100

/** Files of one limit that can't be removed until a sweep gives up that limit: the disk is broken, and each attempt may take long. */
const maxFailures = 1000

/** Share of the available space above which the next sweep runs early. */
const tolerance = 1.02

const gigabyte = 1_000_000_000

/** Keeps recordings within their limits of age and space. The oldest are removed first. */
export function createRetention(deps: RetentionDeps): {
  /** Checks all cameras once. @throws the first error, after what doesn't depend on it */
  sweep(signal: AbortSignal): Promise<void>
  readonly remove: RemoveSegments
  /** Whether recordings exceed the available space so far that the next sweep should run early. */
  exceedsSpace(): boolean
} {
  const { folder, usage, limits, availableBytes, isReconciled, isClockTrusted, clock, log } = deps
  const remove = removeSegments(deps)
  const removeWhile = oldestRemoval(deps, remove)
  let spaceBytes: number | null = null

  const sweepCamera = async (camera: CameraKey, isAged: boolean, signal: AbortSignal): Promise<number> => {
    const { days, gigabytes } = limits.of(camera)
    const retentionDays = days ?? limits.whole().days
    let removed = 0
    if (isAged && retentionDays !== null) {
      const oldest = clock.now() - retentionDays * day
      removed += await removeWhile({ camera }, ({ end }) => end < oldest, signal)
    }
    if (gigabytes !== null) {
      const max = gigabytes * gigabyte
      const tooMuch: TooMuch = (_, gone) => usage.bytesOf(camera) - usage.missingOf(camera) - gone > max
      if (isReconciled()) return removed + (await removeWhile({ camera }, tooMuch, signal))
      for (const place of ['object', 'disk'] as const) removed += await removeFrom({ camera, place }, tooMuch, signal)
    }
    return removed
  }
  /** The same in one place. */
  const removeFrom = async (
    range: { readonly camera?: CameraKey; readonly place: SegmentPlace },
    tooMuch: TooMuch,
    signal: AbortSignal,
  ): Promise<number> => {
    if (range.place === 'object' || isReconciled()) return removeWhile(range, tooMuch, signal)
    // Nothing older has a file.
    const after = { start: await oldestDay(folder), id: 0 }
    return removeWhile({ ...range, after, isRemovable: (segment) => isOnDisk(folder, segment) }, tooMuch, signal)
  }
  const sweepPlace = (place: SegmentPlace, maxBytes: number, signal: AbortSignal): Promise<number> =>
    removeFrom({ place }, (_, gone) => usage.bytesIn(place) - gone > maxBytes, signal)
  const sweepDisk = async (signal: AbortSignal): Promise<number> => {
    spaceBytes = await availableBytes()
    const { gigabytes } = limits.whole()
    const max = Math.min(gigabytes === null ? Infinity : gigabytes * gigabyte, spaceBytes ?? Infinity)
    return max < Infinity ? sweepPlace('disk', max, signal) : 0
  }
  const sweepObjects = async (signal: AbortSignal): Promise<number> => {
    const gigabytes = limits.stored()
    return gigabytes === null ? 0 : sweepPlace('object', gigabytes * gigabyte, signal)
  }

  return {
    async remove(segments, gone) {
      const [error] = await remove(segments, gone)
      if (error) throw error
    },
    exceedsSpace: () => spaceBytes !== null && usage.counted && usage.bytesIn('disk') > spaceBytes * tolerance,
    async sweep(signal) {
      const isAged = isClockTrusted()
      const parts = [
        ...usage.cameras().map((camera) => () => sweepCamera(camera, isAged, signal)),
        () => sweepDisk(signal),
        () => sweepObjects(signal),
      ]
      let removed = 0
      try {
        await everyPart(parts.map((part) => async () => void (removed += await part())))
      } finally {
        if (removed > 0) log.debug({ count: removed }, 'recordings removed by retention')
      }
    },
  }
}

/** Whether a segment has to go, once this many bytes before it are gone. */
type TooMuch = (segment: Segment, removedBefore: number) => boolean

interface Removable {
  readonly camera?: CameraKey
  readonly place?: SegmentPlace
  /** The position after which they begin; default: with the first. */
  readonly after?: SegmentCursor
  /** Default: every segment. */
  readonly isRemovable?: (segment: Segment) => Promise<boolean>
}

/**
 * @returns removes the oldest segments while `tooMuch` says so, without those whose files can't be removed, and returns
 *   the number removed
 */
function oldestRemoval(
  { store, files }: Pick<RetentionDeps, 'store' | 'files'>,
  remove: ReturnType<typeof removeSegments>,
) {
  return async (
    { camera, place, isRemovable, ...from }: Removable,
    tooMuch: TooMuch,
    signal: AbortSignal,
  ): Promise<number> => {
    let removed = 0
    let failures = 0
    let { after } = from
    while (!signal.aborted) {
      const oldest = await store.oldest(camera, batch, place, after)
      const [first] = oldest
      if (!first || !tooMuch(first, 0)) return removed
      const removable: Segment[] = []
      for (const segment of oldest) {
        if (!files.isPostponed(segment.file) && (!isRemovable || (await isRemovable(segment)))) removable.push(segment)
      }
      let bytes = 0
      const last = removable.findIndex((segment) => {
        if (!tooMuch(segment, bytes)) return true
        bytes += segment.bytes
        return false
      })
      const going = last < 0 ? removable : removable.slice(0, last)
      const errors = going.length > 0 ? await remove(going) : []
      removed += going.length - errors.length
      failures += errors.length
      if (failures >= maxFailures) throw errors[0]
      // Others take the place of those that couldn't be removed.
      if (errors.length > 0) continue
      if (last >= 0 || oldest.length < batch) return removed
      after = oldest.at(-1)
    }
    return removed
  }
}

/** Start of the oldest day that has a folder, Unix milliseconds; 0 if the volume's folder can't be read. */
async function oldestDay(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const [first] = names.filter(isDate).sort()
  return first === undefined ? 0 : Date.parse(`${first}T00:00:00Z`)
}
