import { LRUCache } from 'lru-cache'
import { createBatchLoad } from './batch-load.ts'

/** Copies of rows in memory, bounded, and never older than the last change that was told. */
export interface RowCache<Value extends object> {
  /** The value itself where it is in memory; else a promise, from the database. */
  get(key: string): Value | undefined | Promise<Value | undefined>
  /** Only what is in memory. */
  peek(key: string): Value | undefined
  /** Past the memory, by a query that begins after this. */
  load(key: string): Promise<Value | undefined>
  /** A row has changed; without a key, any may have. */
  invalidate(key?: string): void
}

export interface RowCacheDeps<Value> {
  /** One query for many rows; a key that has none is left out. */
  readonly loadMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  readonly max: number
  /** Whether every change is being told. While it is not, only the database knows. */
  readonly trusted: () => boolean
}

export function createRowCache<Value extends object>({ loadMany, max, trusted }: RowCacheDeps<Value>): RowCache<Value> {
  // While nothing is remembered, every request asks: many share a query, and the database is not flooded.
  const load = createBatchLoad(loadMany)
  const kept = new LRUCache<string, Value>({ max })
  const loading = new Map<string, Promise<Value | undefined>>()
  // Counts changes: what was asked for before one may be old by the time it arrives.
  let changes = 0

  const fetch = async (key: string): Promise<Value | undefined> => {
    const requested = changes
    const value = await load(key)
    if (value && requested === changes && trusted()) kept.set(key, value)
    return value
  }

  const forgetAll = () => {
    changes += 1
    kept.clear()
    loading.clear()
  }

  return {
    get(key) {
      if (!trusted()) {
        forgetAll()
        return load(key)
      }
      const value = kept.get(key)
      if (value) return value
      const underway = loading.get(key)
      if (underway) return underway
      const fetching = fetch(key).finally(() => {
        if (loading.get(key) === fetching) loading.delete(key)
      })
      loading.set(key, fetching)
      return fetching
    },
    peek: (key) => kept.peek(key),
    load,
    invalidate(key) {
      if (key === undefined) return forgetAll()
      changes += 1
      kept.delete(key)
      // Whoever asks from now on must not be handed what was asked for before.
      loading.delete(key)
      return undefined
    },
  }
}
