import { everyPart } from '../../shared/every-part.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { History } from '../index/recording-store.ts'
import type { DeletedFiles } from '../../store/deleted-files.ts'
import type { CameraLimits } from './camera-limits.ts'
import type { RemoveSegments } from './remove-segments.ts'
import { day } from '../../shared/time/durations.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface UnownedRetentionDeps extends Runtime {
  /** What is on volumes that no instance has. */
  readonly store: Pick<History, 'cameras' | 'oldest'>
  /** Finds these volumes again. */
  readonly read: () => Promise<void>
  readonly limits: Pick<CameraLimits, 'whole' | 'of' | 'longest' | 'stored'>
  /** Whether the clock can be trusted enough to remove recordings by age. */
  readonly isClockTrusted: () => boolean
  /** Bytes in the object storage that its limit is for, with those of these volumes; null: not counted, or not limited together. */
  readonly stored: () => Promise<number | null>
  /** Removes segments of other volumes. */
  readonly remove: RemoveSegments
  /** Ids of the volumes that no instance has, and on which files are to be deleted. */
  readonly noted: () => readonly string[]
  readonly deletedFiles: Pick<DeletedFiles, 'forgetOld'>
}

/** Deletes what is too old, or too much, of the recordings on volumes that no instance has. */
export interface UnownedRetention {
  start(): void
  stop(): Promise<void>
}

/** Segments of one transaction. */
const batch = 100

/** Milliseconds between two rounds, and between two batches, so that requests are served in between. */
const every = { round: 10 * 60_000, batch: 50 }

/**
 * Days after the longest limit of age until a file that was deleted by age is forgotten. On a disk that returns later still,
 * it's deleted by age once more. What a user deleted isn't forgotten.
 */
const remembered = 30
const gigabyte = 1_000_000_000

/**
 * Every instance does this for all of these volumes: what one has deleted, another doesn't find. The first round is some
 * minutes after the start, when instances that started with this one have reported.
 */
export function createUnownedRetention(deps: UnownedRetentionDeps): UnownedRetention {
  const { store, read, limits, isClockTrusted, stored, remove, noted, deletedFiles, clock, log } = deps
  const ending = new AbortController()
  const { signal } = ending
  let working: Promise<void> | undefined

  const sweepCamera = async (camera: CameraKey): Promise<void> => {
    while (!signal.aborted && isClockTrusted()) {
      const days = limits.of(camera).days ?? limits.whole().days
      if (days === null) return
      const limit = clock.now() - days * day
      const old = (await store.oldest(camera, batch)).filter(({ end }) => end < limit)
      await remove(old)
      if (old.length < batch) return
      await clock.sleep(every.batch, signal)
    }
  }
  const sweepObjects = async (): Promise<void> => {
    while (!signal.aborted) {
      const gigabytes = limits.stored()
      if (gigabytes === null) return
      let excess = ((await stored()) ?? 0) - gigabytes * gigabyte
      if (excess <= 0) return
      const going = (await store.oldest(undefined, batch, 'object')).filter(({ bytes }) => {
        const isTooMuch = excess > 0
        excess -= bytes
        return isTooMuch
      })
      if (going.length === 0) return
      await remove(going)
      await clock.sleep(every.batch, signal)
    }
  }
  const forgetOld = async (): Promise<void> => {
    if (!isClockTrusted()) return
    const before = clock.now() - (limits.longest() + remembered) * day
    for (const volume of noted()) await deletedFiles.forgetOld('recording', volume, before)
  }
  const sweep = async (): Promise<void> => {
    await read()
    const cameras = await store.cameras()
    await everyPart([...cameras.map((camera) => () => sweepCamera(camera)), sweepObjects, forgetOld])
  }
  const work = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(every.round, signal)
      if (signal.aborted) return
      await sweep().catch((err: unknown) => log.warn({ err }, 'failed to enforce retention of missing disks'))
    }
  }

  return {
    start: () => void (working ??= work()),
    async stop() {
      ending.abort()
      await working
    },
  }
}
