import type { Log } from '../shared/log.ts'
import type { ReviewItem, ReviewStore } from './review-store.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** A change of an item, for users who can see its camera. */
export interface ReviewChange<Camera extends string = string> {
  readonly change: 'created' | 'updated' | 'ended' | 'deleted'
  readonly camera: Camera
  readonly id: string
  /** Unix milliseconds. */
  readonly start: number
  readonly severity: ReviewItem['severity']
}

/** The same, with the key of the camera. */
export type StoredChange = ReviewChange<CameraKey>

export const changeOf = <Camera extends string>(
  { camera, id, start, severity }: Pick<ReviewItem, 'id' | 'start' | 'severity'> & { readonly camera: Camera },
  change: ReviewChange['change'],
): ReviewChange<Camera> => ({ change, camera, id, start, severity })

/** Saves items in order, and publishes each change after it is saved. */
export interface ItemWriter {
  /** @param change published after the save; undefined: nothing is published */
  save(item: ReviewItem, change: ReviewChange['change'] | undefined): void
  /** Stops saving an item. Resolves once no save of it is in progress. */
  forget(id: string): Promise<void>
  /** Undoes `forget`: the item was not deleted. */
  remember(id: string): void
  isForgotten(id: string): boolean
  /** Tries to save again after a failure. */
  retry(): void
  /** Resolves once everything is saved, or the database fails. */
  settled(): Promise<void>
}

/** Maximum number of items that wait while the database is unavailable. */
const max = 10_000

/** Number of ids of deleted items that are remembered, because they may still be updated. */
const maxDeletedIds = 1000

export function createItemWriter(deps: {
  readonly store: Pick<ReviewStore, 'save'>
  readonly publish: (change: StoredChange) => void
  readonly log: Log
}): ItemWriter {
  const { store, publish, log } = deps
  const waiting = new Map<string, { readonly item: ReviewItem; readonly change: ReviewChange['change'] | undefined }>()
  const forgotten = new Set<string>()
  let working: Promise<void> | undefined
  let failing = false

  const work = async (): Promise<void> => {
    for (const [id, entry] of waiting) {
      waiting.delete(id)
      let isSaved = false
      try {
        isSaved = await store.save(entry.item)
        failing = false
      } catch (err) {
        if (!failing) log.warn({ err }, 'failed to save review item; retrying')
        failing = true
        // An entry added in the meantime is newer.
        const newer = waiting.get(id)
        if (!forgotten.has(id)) waiting.set(id, newer ? { ...newer, change: both(entry.change, newer.change) } : entry)
        return
      }
      if (!isSaved) log.info({ camera: entry.item.camera, item: id }, 'review item of an earlier lease not saved')
      if (isSaved && entry.change !== undefined && !forgotten.has(id)) {
        publish(changeOf(entry.item, entry.change))
      }
    }
  }
  const start = (): void => {
    working ??= work().finally(() => {
      working = undefined
      if (waiting.size > 0 && !failing) start()
    })
  }

  const settled = async (): Promise<void> => {
    start()
    await working
    if (waiting.size > 0 && !failing) await settled()
  }

  return {
    save(item, change) {
      if (forgotten.has(item.id)) return
      const before = waiting.get(item.id)
      waiting.set(item.id, { item, change: both(before?.change, change) })
      for (const oldest of waiting.keys()) if (waiting.size > max) waiting.delete(oldest)
      start()
    },
    async forget(id) {
      forgotten.add(id)
      for (const oldest of forgotten) if (forgotten.size > maxDeletedIds) forgotten.delete(oldest)
      waiting.delete(id)
      await working
    },
    remember: (id) => void forgotten.delete(id),
    isForgotten: (id) => forgotten.has(id),
    retry: () => (waiting.size > 0 ? start() : undefined),
    settled,
  }
}

/** An item whose `created` was not published yet stays `created`, whatever happened to it since. */
const both = (
  before: ReviewChange['change'] | undefined,
  after: ReviewChange['change'] | undefined,
): ReviewChange['change'] | undefined => (before === 'created' ? before : (after ?? before))
