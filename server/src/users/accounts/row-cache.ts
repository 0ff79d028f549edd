import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import type { Timers } from '../../shared/time/clock.ts'
import { createBatchLoad } from './batch-load.ts'

/** A bounded cache of rows, never older than the last announced change. */
export interface RowCache<Value extends object> {
  /** Returns a cached value directly, otherwise a promise of the value from the database. */
  get(key: string): Value | undefined | Promise<Value | undefined>
  /** Returns only a cached value that is still current; loads nothing. */
  cached(key: string): Value | undefined
  /** The same, also while changes are not being received. Does not count as a use. */
  peek(key: string): Value | undefined
  /** Bypasses the cache, with a query that starts after this call. */
  load(key: string): Promise<Value | undefined>
  /** Drops a changed row; without a key, all rows. */
  invalidate(key?: string): void
}

export interface RowCacheDeps<Value> {
  /** Loads many rows with one query. Missing keys are left out. */
  readonly loadMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  readonly max: number
  /** Whether all changes are being received. If not, the cache is bypassed. */
  readonly isFresh: () => boolean
  readonly clock: Timers
}

export function createRowCache<Value extends object>({
  loadMany,
  max,
  isFresh,
  clock,
}: RowCacheDeps<Value>): RowCache<Value> {
  // While the cache is bypassed, every request queries the database; sharing queries keeps it from being flooded.
  const load = createBatchLoad(loadMany, { clock })
  const kept = new LRUCache<string, Value>(cacheLimit(max))
  const loading = new Map<string, Promise<Value | undefined>>()
  // Counts changes: a value requested before a change may be outdated when it arrives.
  let changes = 0

  const fetch = async (key: string): Promise<Value | undefined> => {
    const requested = changes
    const value = await load(key)
    // `isFresh` can notice a change, so it comes first.
    if (isFresh() && value && requested === changes) kept.set(key, value)
    return value
  }

  const invalidateAll = () => {
    changes += 1
    kept.clear()
    loading.clear()
  }

  return {
    get(key) {
      if (!isFresh()) {
        invalidateAll()
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
    cached: (key) => (isFresh() ? kept.get(key) : undefined),
    peek: (key) => kept.peek(key),
    load,
    invalidate(key) {
      if (key === undefined) return invalidateAll()
      changes += 1
      kept.delete(key)
      // Later callers must not get a value that was requested before the change.
      loading.delete(key)
      return undefined
    },
  }
}
