import type { Runtime } from '../../shared/runtime.ts'
import type { CountedRecordings } from '../index/recording-store.ts'
import { createUsage, type Usage } from './usage.ts'

/** Size of the recordings that users see, by the key of their camera. */
export type ShownUsage = Pick<Usage, 'counted' | 'cameras' | 'bytesOf' | 'segmentsOf' | 'bytesIn'>

/** Size of the recordings of all volumes that users see. */
export interface EveryUsage {
  /** If the others' recordings weren't counted lately, a count begins. Only the first one is waited for, and not for long. */
  read(): Promise<ShownUsage>
  /** Notes that a segment of another volume was removed. */
  removed(segment: Parameters<Usage['removed']>[0]): void
}

/** Milliseconds to wait for the first count. */
const first = 1000

export interface OtherCounts {
  /** Milliseconds between two counts, for which the database reads all rows of the others. */
  readonly between: number
  /** Milliseconds of a camera that are counted at a time. */
  readonly piece: number
}

/**
 * @param own this instance's recordings, which it counts itself
 * @param others the recordings of all other volumes, in the database; called for each count
 */
export function usageOfEvery(
  own: ShownUsage,
  others: () => Promise<CountedRecordings>,
  { between, piece }: OtherCounts,
  { clock, log }: Runtime,
): EveryUsage {
  const usage = createUsage(others, piece)
  let countAt = 0
  let counting: Promise<void> | undefined

  const count = async (): Promise<void> => {
    try {
      await usage.count()
      countAt = clock.elapsed() + between
    } catch (err) {
      log.warn({ err }, 'failed to count recordings of other volumes')
    } finally {
      counting = undefined
    }
  }

  return {
    async read() {
      if (clock.elapsed() >= countAt) counting ??= count()
      if (!usage.counted) await Promise.race([counting, clock.sleep(first)])
      return {
        counted: own.counted && usage.counted,
        cameras: () => [...new Set([...own.cameras(), ...usage.cameras()])],
        bytesOf: (camera) => own.bytesOf(camera) + usage.bytesOf(camera),
        bytesIn: (place) => own.bytesIn(place) + usage.bytesIn(place),
        segmentsOf: (camera) => own.segmentsOf(camera) + usage.segmentsOf(camera),
      }
    },
    // A count that is still to come doesn't find it anymore.
    removed: (segment) => usage.counted && usage.removed(segment),
  }
}
