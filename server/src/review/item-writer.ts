import type { Log } from '../shared/log.ts'
import type { ReviewItem, ReviewStore } from './review-store.ts'

/** What happened to an item, for those who may see its camera. */
export interface ReviewChange {
  readonly change: 'new' | 'update' | 'end' | 'deleted'
  readonly camera: string
  readonly id: string
  readonly severity: ReviewItem['severity']
}

/** Writes items down, in the order they came, and tells of it once it is true. */
export interface ItemWriter {
  /** @param change what is told; undefined: nothing that anybody waits for */
  save(item: ReviewItem, change: ReviewChange['change'] | undefined): void
  /** From now on it is not written any more. @returns once nothing of it is on its way. */
  forget(id: string): Promise<void>
  /** It is not deleted after all. */
  remember(id: string): void
  isForgotten(id: string): boolean
  /** Tries again what could not be written. */
  retry(): void
  /** @returns once all that can be written is. */
  settled(): Promise<void>
}

/** Items that wait for a database that is away. */
const max = 10_000

/** Ids of deleted items that something may still be said of. */
const remembered = 1000

export function createItemWriter(parts: {
  readonly store: Pick<ReviewStore, 'save'>
  readonly publish: (change: ReviewChange) => void
  readonly log: Log
}): ItemWriter {
  const { store, publish, log } = parts
  const waiting = new Map<string, { readonly item: ReviewItem; readonly change: ReviewChange['change'] | undefined }>()
  const forgotten = new Set<string>()
  let working: Promise<void> | undefined
  let failing = false

  const work = async (): Promise<void> => {
    for (const [id, entry] of waiting) {
      waiting.delete(id)
      try {
        await store.save(entry.item)
        failing = false
      } catch (err) {
        if (!failing) log.warn({ err }, 'what moved could not be written down, and is tried again')
        failing = true
        // What came meanwhile is newer.
        const newer = waiting.get(id)
        if (!forgotten.has(id)) waiting.set(id, newer ? { ...newer, change: both(entry.change, newer.change) } : entry)
        return
      }
      if (entry.change !== undefined && !forgotten.has(id)) {
        const { camera, severity } = entry.item
        publish({ change: entry.change, camera, id, severity })
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
      for (const oldest of forgotten) if (forgotten.size > remembered) forgotten.delete(oldest)
      waiting.delete(id)
      await working
    },
    remember: (id) => void forgotten.delete(id),
    isForgotten: (id) => forgotten.has(id),
    retry: () => (waiting.size > 0 ? start() : undefined),
    settled,
  }
}

/** One that nobody has heard of is new, whatever happened to it since. */
const both = (
  before: ReviewChange['change'] | undefined,
  after: ReviewChange['change'] | undefined,
): ReviewChange['change'] | undefined => (before === 'new' ? before : (after ?? before))
