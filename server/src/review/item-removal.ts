import type { AuditEntry } from '../shared/audit/audit.ts'
import { everyPart } from '../shared/every-part.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { ItemWriter } from './item-writer.ts'
import type { ReviewItem, ReviewStore } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'

export interface ItemRemovalDeps extends Runtime {
  readonly store: Pick<ReviewStore, 'cameras' | 'olderThan' | 'remove'>
  readonly thumbnails: Pick<Thumbnails, 'remove' | 'removeBefore'>
  readonly itemWriter: Pick<ItemWriter, 'forget' | 'remember'>
  /** undefined: no other instance deletes items of the own volume. */
  readonly deletedFiles: Pick<DeletedFiles, 'own' | 'done' | 'subscribe'> | undefined
  /** Days that a camera's items are kept. */
  readonly retentionDays: (camera: string) => number
  /** Whether the clock can be trusted enough to remove items by age. */
  readonly isClockTrusted: () => boolean
}

/** Removes items: old ones every minute, and others on request. */
export interface ItemRemoval {
  /** @param entry audit entry of a removal by a user */
  remove(items: readonly ReviewItem[], entry?: AuditEntry): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds between two removals of old items. */
const interval = 60_000

/** Items removed per batch. */
const batch = 200

const day = 24 * 60 * 60_000

/** Begins to remove old items. */
export function createItemRemoval(deps: ItemRemovalDeps): ItemRemoval {
  const { store, thumbnails, itemWriter, deletedFiles, retentionDays, isClockTrusted, clock, log } = deps
  const ending = new AbortController()
  const { signal } = ending
  /** Ends the wait for the next sweep. */
  let nextSweep = new AbortController()

  const remove = async (items: readonly ReviewItem[], entry?: AuditEntry): Promise<void> => {
    for (const { id } of items) await itemWriter.forget(id)
    try {
      // The thumbnail first: a crash leaves an item without a thumbnail, which is removed the next time.
      await thumbnails.remove(items)
      await store.remove(
        items.map(({ id }) => id),
        entry,
      )
    } catch (error) {
      for (const { id } of items) itemWriter.remember(id)
      throw error
    }
  }

  /** Deletes what was deleted through other instances. */
  const deleteNoted = async (): Promise<void> => {
    for (;;) {
      const noted = (await deletedFiles?.own('review')) ?? []
      if (noted.length === 0) return
      for (const { file } of noted) await itemWriter.forget(file)
      await thumbnails.remove(noted.map(({ file, start }) => ({ id: file, start })))
      await deletedFiles?.done(
        'review',
        noted.map(({ file }) => file),
      )
    }
  }

  const removeOld = async (camera: string): Promise<void> => {
    const before = clock.now() - retentionDays(camera) * day
    for (;;) {
      const old = await store.olderThan(camera, before, batch)
      await remove(old)
      if (old.length < batch || signal.aborted) return
    }
  }
  /** A file that can't be removed delays nothing of another camera. */
  const sweep = async (): Promise<void> => {
    if (!isClockTrusted()) return deleteNoted()
    const cameras = await store.cameras()
    const longest = Math.max(0, ...cameras.map(retentionDays))
    await everyPart([
      deleteNoted,
      ...cameras.map((camera) => () => removeOld(camera)),
      () => thumbnails.removeBefore(clock.now() - (longest + 1) * day),
    ])
  }

  const cleanUp = async (): Promise<void> => {
    while (!signal.aborted) {
      await sweep().catch((err: unknown) => log.warn({ err }, 'failed to remove old review items'))
      nextSweep = new AbortController()
      await clock.sleep(interval, AbortSignal.any([signal, nextSweep.signal]))
    }
  }
  const stopHearing = deletedFiles?.subscribe(() => nextSweep.abort())
  const working = cleanUp()

  return {
    remove,
    async stop() {
      stopHearing?.()
      ending.abort()
      await working
    },
  }
}
