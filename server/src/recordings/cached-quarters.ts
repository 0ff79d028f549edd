import { LRUCache } from 'lru-cache'
import type { RecordedQuarter, RecordingStore, SegmentPlace } from './recording-store.ts'

const day = 86_400_000

/** Days kept, of all cameras, some kilobytes each; and milliseconds, for a database that is put back from a backup. */
const limits = { max: 2000, ttl: 10 * 60_000 }

/**
 * A store that counts a day once, and again only after something of it came, went or moved: what a month comes to is
 * asked for by every page of recordings. Only what is changed by way of this store is noticed; a library has one.
 */
export function cacheQuarters(store: RecordingStore): RecordingStore {
  const known = new LRUCache<string, Promise<RecordedQuarter[]>>(limits)

  /** Forgets when it is done, so that nothing stays that was counted before; all, where nobody can say what was done. */
  const change = async <T>(work: Promise<T>, places: (result: T) => Iterable<SegmentPlace>): Promise<T> => {
    try {
      const result = await work
      for (const { camera, start } of places(result)) known.delete(keyOf(camera, start))
      return result
    } catch (error) {
      known.clear()
      throw error
    }
  }

  const wholeDay = (camera: string, first: number): Promise<RecordedQuarter[]> => {
    const key = keyOf(camera, first)
    const found = known.get(key)
    if (found) return found
    const counted = store.quarters(camera, first, first + day)
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
          : store.quarters(camera, Math.max(first, after), Math.min(first + day, before))
        for (const quarter of await counting) quarters.push(quarter)
        // SQLite counts on the thread that answers everybody: nobody waits for more than a day of it.
        if (fresh) await new Promise((resolve) => void setImmediate(resolve))
      }
      return quarters
    },
    add: (segments) => change(store.add(segments), () => segments),
    remove: (ids) => change(store.remove(ids), (places) => places),
    removeFiles: (files) => change(store.removeFiles(files), (places) => places),
    raiseMotion: (camera, after, before, motion) =>
      change(store.raiseMotion(camera, after, before, motion), (places) => places),
  }
}

const keyOf = (camera: string, start: number): string => `${Math.floor(start / day)} ${camera}`
