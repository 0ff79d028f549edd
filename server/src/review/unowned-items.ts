import { everyPart } from '../shared/every-part.ts'
import { day } from '../shared/time/durations.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { ItemRetention } from './item-retention.ts'
import type { ItemRows } from './review-store.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export interface UnownedItemsDeps extends Runtime {
  /** Ids of the volumes that no instance has, with rows in a table. */
  readonly volumes: (table: 'review_item' | 'deleted_file') => readonly string[]
  readonly itemsOf: (volume: string) => Pick<ItemRows, 'closeOpen' | 'cameras' | 'olderThan' | 'remove'>
  readonly deletedFiles: Pick<DeletedFiles, 'forgetOld'>
  readonly retention: ItemRetention
  /** Whether the clock can be trusted enough to remove items by age. */
  readonly isClockTrusted: () => boolean
}

/** Milliseconds between two rounds. The first is some minutes after the start, when other instances have reported. */
const interval = 10 * 60_000

/** Items removed per transaction. */
const batch = 200

/**
 * Begins to close and to remove by age the items of volumes that no instance has. Every instance does this for all of them:
 * what one has removed, another doesn't find.
 *
 * @returns stops it
 */
export function removeUnownedItems(deps: UnownedItemsDeps): () => Promise<void> {
  const { volumes, itemsOf, deletedFiles, retention, isClockTrusted, clock, log } = deps
  const ending = new AbortController()
  const { signal } = ending

  const removeOld = async (items: ReturnType<typeof itemsOf>, camera: CameraKey): Promise<void> => {
    const before = clock.now() - retention.of(camera) * day
    while (!signal.aborted && isClockTrusted()) {
      const old = await items.olderThan(camera, before, batch)
      await items.remove(
        old.map(({ id }) => id),
        undefined,
        'none',
      )
      if (old.length < batch) return
    }
  }
  const sweepVolume = async (volume: string): Promise<void> => {
    const items = itemsOf(volume)
    await items.closeOpen()
    await everyPart((await items.cameras()).map((camera) => () => removeOld(items, camera)))
  }
  const sweep = async (): Promise<void> => {
    // On a disk that returns, folders of days before that are removed.
    const before = clock.now() - (retention.longest() + 1) * day
    const forgetOld = (volume: string) => deletedFiles.forgetOld('review', volume, before)
    await everyPart([
      ...volumes('review_item').map((volume) => () => sweepVolume(volume)),
      ...(isClockTrusted() ? volumes('deleted_file') : []).map((volume) => () => forgetOld(volume)),
    ])
  }
  const work = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(interval, signal)
      if (signal.aborted) return
      await sweep().catch((err: unknown) => log.warn({ err }, 'failed to remove old review items of missing disks'))
    }
  }
  const working = work()

  return async () => {
    ending.abort()
    await working
  }
}
