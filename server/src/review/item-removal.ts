import type { AuditEntry } from '../shared/audit/audit.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { ItemRetention } from './item-retention.ts'
import type { ItemWriter } from './item-writer.ts'
import type { ReviewItem, ReviewStore } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'
import { day } from '../shared/time/durations.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export interface ItemRemovalDeps extends Runtime {
  /** Id of the own volume. */
  readonly volume: string
  readonly store: Pick<ReviewStore, 'cameras' | 'olderThan' | 'remove' | 'volumeOf'>
  readonly thumbnails: Pick<Thumbnails, 'remove' | 'isPostponed' | 'removeBefore'>
  readonly itemWriter: Pick<ItemWriter, 'forget' | 'remember'>
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done' | 'subscribe'>
  readonly retention: Pick<ItemRetention, 'of'>
  /** Whether the clock can be trusted enough to remove items by age. */
  readonly isClockTrusted: () => boolean
}

/** What the removal of an item needs. */
type RemovableItem = Pick<ReviewItem, 'id' | 'start'>

/** Removes items: old ones every minute, and others on request. */
export interface ItemRemoval {
  /**
   * Removes items of any volume. The thumbnail of another volume is deleted where it is.
   *
   * @param entry audit entry of a removal by a user
   * @throws the error of a thumbnail that can't be removed; its item stays
   */
  remove(items: readonly RemovableItem[], entry?: AuditEntry): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds between two removals of old items. */
const interval = 60_000

/** Items removed per batch. */
const batch = 200

/** Begins to remove old items. */
export function createItemRemoval(deps: ItemRemovalDeps): ItemRemoval {
  const { volume, store, thumbnails, itemWriter, deletedFiles, retention, isClockTrusted, clock, log } = deps
  const ending = new AbortController()
  const { signal } = ending
  /** Ends the wait for the next round. */
  let nextRound = new AbortController()

  const remove = removal(deps)

  /** Deletes what was deleted elsewhere: through other instances, or while the disk was missing. */
  const deleteNoted = async (): Promise<void> => {
    let noted = await deletedFiles.own('review')
    while (noted.length > 0) {
      const due = noted.map(({ file, start }) => ({ id: file, start })).filter((item) => !thumbnails.isPostponed(item))
      for (const { id } of due) await itemWriter.forget(id)
      const errors = await thumbnails.remove(due)
      const removed = due.filter(({ id }) => !errors.has(id)).map(({ id }) => id)
      await deletedFiles.done('review', removed)
      noted = await deletedFiles.own('review', noted.at(-1)?.file)
    }
  }

  const removeOld = async (camera: CameraKey): Promise<void> => {
    const before = clock.now() - retention.of(camera) * day
    let after: ReviewItem | undefined
    while (!signal.aborted) {
      const old = await store.olderThan(camera, before, batch, after)
      await remove(old.filter((item) => !thumbnails.isPostponed(item)))
      if (old.length < batch) return
      after = old.at(-1)
    }
  }
  /** What fails for one camera delays nothing of another. */
  const sweep = async (): Promise<void> => {
    if (!isClockTrusted()) return deleteNoted()
    const cameras = await store.cameras()
    const longest = Math.max(0, ...cameras.map(retention.of))
    await everyPart([
      deleteNoted,
      ...cameras.map((camera) => () => removeOld(camera)),
      () => thumbnails.removeBefore(clock.now() - (longest + 1) * day),
    ])
  }

  const cleanUp = async (): Promise<void> => {
    let sweepAt = clock.elapsed()
    while (!signal.aborted) {
      nextRound = new AbortController()
      const isDue = clock.elapsed() >= sweepAt
      if (isDue) sweepAt = clock.elapsed() + interval
      // Noted items are deleted immediately. Once a minute is often enough for those that have become old.
      await (isDue ? sweep() : deleteNoted()).catch((err: unknown) =>
        log.warn({ err }, 'failed to remove old review items'),
      )
      await clock.sleep(sweepAt - clock.elapsed(), AbortSignal.any([signal, nextRound.signal]))
    }
  }
  const stopHearing = deletedFiles.subscribe(() => nextRound.abort())
  const working = cleanUp()

  const isElsewhere = async ({ id }: RemovableItem): Promise<boolean> => {
    const stored = await store.volumeOf(id)
    return stored !== undefined && stored.volume !== volume
  }

  return {
    async remove(items, entry) {
      const own: RemovableItem[] = []
      for (const item of items) if (!(await isElsewhere(item))) own.push(item)
      const [error] = (await remove(items, entry, own)).values()
      if (error) throw error
    },
    async stop() {
      stopHearing()
      ending.abort()
      await working
    },
  }
}

/** @returns removes items with the thumbnails of the own ones, and returns why thumbnails couldn't be removed, whose items stay, by item */
function removal({ store, thumbnails, itemWriter }: Pick<ItemRemovalDeps, 'store' | 'thumbnails' | 'itemWriter'>) {
  const stay = (items: readonly RemovableItem[]): void => items.forEach(({ id }) => itemWriter.remember(id))

  return async (
    items: readonly RemovableItem[],
    entry?: AuditEntry,
    own: readonly RemovableItem[] = items,
  ): Promise<ReadonlyMap<string, Error>> => {
    for (const { id } of items) await itemWriter.forget(id)
    try {
      // The thumbnail first: a crash leaves an item without a thumbnail, which is removed the next time.
      const errors = await thumbnails.remove(own)
      const gone = items.filter(({ id }) => !errors.has(id)).map(({ id }) => id)
      await store.remove(gone, entry)
      stay(items.filter(({ id }) => errors.has(id)))
      return errors
    } catch (error) {
      stay(items)
      throw error
    }
  }
}
