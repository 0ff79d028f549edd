import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { CameraLimits } from './camera-limits.ts'
import type { RecordingStore, Segment, SegmentPlace } from '../index/recording-store.ts'
import { removeSegments, type RemoveSegments, type RemoveSegmentsDeps } from './remove-segments.ts'
import type { Usage } from './usage.ts'

export interface RetentionDeps extends Pick<RemoveSegmentsDeps, 'requireDisk'> {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'oldest' | 'remove'>
  readonly usage: Usage
  readonly limits: Pick<CameraLimits, 'whole' | 'of' | 'stored'>
  /** Bytes on the disk for recordings, without the share of exports; null if the disk doesn't respond. */
  readonly room: () => Promise<number | null>
  /** Whether the clock can be trusted enough to remove recordings by age. */
  readonly isClockTrusted: () => boolean
  readonly clock: Clock
  readonly log: Log
}

/** Segments removed per batch. */
const batch = 100

/** Share of the available space above which the next sweep runs early. */
const tolerance = 1.02

const day = 24 * 60 * 60_000
const gigabyte = 1_000_000_000

/** Keeps recordings within their limits of age and space. The oldest are removed first. */
export function createRetention(deps: RetentionDeps): {
  /** Checks all cameras once. */
  sweep(signal: AbortSignal): Promise<void>
  readonly remove: RemoveSegments
  /** Whether recordings exceed the available space so far that the next sweep should run early. */
  exceedsSpace(): boolean
} {
  const { store, usage, limits, room, isClockTrusted, clock, log } = deps
  const remove = removeSegments(deps)
  let spaceBytes: number | null = null

  /** Removes the oldest segments while `tooMuch` says so. @returns the number removed. */
  const removeWhile = async (
    { camera, place }: { readonly camera?: string; readonly place?: SegmentPlace },
    tooMuch: (segment: Segment, removedBefore: number) => boolean,
    signal: AbortSignal,
  ): Promise<number> => {
    let removed = 0
    while (!signal.aborted) {
      const oldest = await store.oldest(camera, batch, place)
      let bytes = 0
      const last = oldest.findIndex((segment) => {
        if (!tooMuch(segment, bytes)) return true
        bytes += segment.bytes
        return false
      })
      const going = last < 0 ? oldest : oldest.slice(0, last)
      if (going.length > 0) await remove(going)
      removed += going.length
      if (going.length < batch) return removed
    }
    return removed
  }

  return {
    remove,
    exceedsSpace: () => spaceBytes !== null && usage.counted && usage.bytesIn('disk') > spaceBytes * tolerance,
    async sweep(signal) {
      const all = limits.whole()
      const aged = isClockTrusted()
      let removed = 0
      for (const camera of usage.cameras()) {
        const { days, gigabytes } = limits.of(camera)
        const retentionDays = days ?? all.days
        if (aged && retentionDays !== null) {
          const oldest = clock.now() - retentionDays * day
          removed += await removeWhile({ camera }, ({ end }) => end < oldest, signal)
        }
        if (gigabytes !== null) {
          const max = gigabytes * gigabyte
          removed += await removeWhile({ camera }, (_, gone) => usage.bytesOf(camera) - gone > max, signal)
        }
      }
      spaceBytes = await room()
      const max = Math.min(all.gigabytes === null ? Infinity : all.gigabytes * gigabyte, spaceBytes ?? Infinity)
      if (max < Infinity) {
        removed += await removeWhile({ place: 'disk' }, (_, gone) => usage.bytesIn('disk') - gone > max, signal)
      }
      const maxStored = limits.stored()
      if (maxStored !== null) {
        const maxBytes = maxStored * gigabyte
        removed += await removeWhile(
          { place: 'object' },
          (_, gone) => usage.bytesIn('object') - gone > maxBytes,
          signal,
        )
      }
      if (removed > 0) log.debug({ count: removed }, 'recordings removed by retention')
    },
  }
}
