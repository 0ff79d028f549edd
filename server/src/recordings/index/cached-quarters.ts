import type { ScopedKey } from '../../access/grant.ts'
import { LRUCache } from 'lru-cache'
import type { RecordedQuarter, RecordingStore, SegmentKey } from './recording-store.ts'
import { day } from '../../shared/time/durations.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** `max`: days kept for all cameras, a few kilobytes each. `ttl`: milliseconds, because a database can be restored from a backup. */
const limits = { max: 2000, ttl: 10 * 60_000 }

export interface CachedQuarters extends RecordingStore {
  /** Counts the day of a segment again, which was removed from another volume. */
  forget(segment: SegmentKey): void
}

/**
 * Wraps a store and caches the quarters of whole days: every recordings page requests a month of them. A day is counted
 * again after a segment of it was added or removed or its motion was raised. Only changes made through this store are
 * noticed, so a volume must have exactly one.
 *
 * @param count counts the quarters; default: those of the store, without what other volumes have
 */
export function cacheQuarters(
  store: RecordingStore,
  count: RecordingStore['quarters'] = (...range) => store.quarters(...range),
): CachedQuarters {
  const known = new LRUCache<string, Promise<RecordedQuarter[]>>(limits)

  /** Invalidates after the work, so that no earlier count stays cached. After an error, the whole cache is cleared: the work may be half done. */
  const change = async <T>(work: Promise<T>, places: (result: T) => Iterable<SegmentKey>): Promise<T> => {
    try {
      const result = await work
      for (const { camera, start } of places(result)) known.delete(keyOf(camera, start))
      return result
    } catch (error) {
      known.clear()
      throw error
    }
  }

  const wholeDay = (camera: ScopedKey<CameraKey>, first: number): Promise<RecordedQuarter[]> => {
    const key = keyOf(camera, first)
    const found = known.get(key)
    if (found) return found
    const counted = count(camera, first, first + day)
    known.set(key, counted)
    counted.catch(() => {
      if (known.get(key) === counted) known.delete(key)
    })
    return counted
  }

  return {
    ...store,
    async quarters(camera, after, before) {
      const quarters: RecordedQuarter[] = []
      for (let first = Math.floor(after / day) * day; first < before; first += day) {
        const whole = first >= after && first + day <= before
        const fresh = !whole || !known.has(keyOf(camera, first))
        const counting = whole
          ? wholeDay(camera, first)
          : count(camera, Math.max(first, after), Math.min(first + day, before))
        for (const quarter of await counting) quarters.push(quarter)
        // SQLite counts on the thread that serves all requests, so other requests wait for at most one day's count.
        if (fresh) await yieldToEventLoop()
      }
      return quarters
    },
    forget: ({ camera, start }) => void known.delete(keyOf(camera, start)),
    add: (segments) => change(store.add(segments), () => segments),
    remove: (ids) => change(store.remove(ids), (places) => places),
    removeFiles: (files) => change(store.removeFiles(files), (places) => places),
    removeMissing: (ids) => change(store.removeMissing(ids), (places) => places),
    raiseMotion: (camera, after, before, motion) =>
      change(store.raiseMotion(camera, after, before, motion), (places) => places),
  }
}

const keyOf = (camera: CameraKey, start: number): string => `${Math.floor(start / day)} ${camera}`
