import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { ShareLinkStore } from './share-link-store.ts'

/** Milliseconds after which an admitted viewer's slot is renewed. */
const renewEvery = 15_000
/** Milliseconds that a slot is kept for a viewer who does not renew it. */
const keptFor = 45_000
/** Milliseconds by which another instance's clock can be ahead. A slot that was renewed even later keeps no one out. */
const skew = 60_000
/** Max viewers remembered by this instance. */
const max = 20_000

/** The viewers of links, across connections and instances. */
export interface ViewerSlots {
  /**
   * Takes or renews a slot. For a link without a limit, this neither waits for the database nor fails without it: its viewers
   * are only counted.
   *
   * @param slots null: no limit
   * @returns until when the slot needs no renewal, Unix milliseconds; `full` if there is none
   */
  hold(link: string, viewer: string, slots: number | null): Promise<number | 'full'>
  /** The number of viewers now, by link; a link without viewers is missing. */
  counts(): Promise<ReadonlyMap<string, number>>
}

export interface ViewerSlotsDeps extends Pick<Runtime, 'clock' | 'log'> {
  readonly store: Pick<ShareLinkStore, 'takeSlot' | 'viewerCounts'>
}

export function createViewerSlots({ store, clock, log }: ViewerSlotsDeps): ViewerSlots {
  const heldUntil = new LRUCache<string, number>(cacheLimit(max))
  return {
    async hold(link, viewer, slots) {
      const at = clock.now()
      const key = `${link} ${viewer}`
      const until = heldUntil.get(key)
      // A clock that was set back could make it last too long.
      if (until !== undefined && until > at && until <= at + renewEvery) return until
      const taken = store.takeSlot({ link, viewer, at, keptSince: at - keptFor, keptUntil: at + skew }, slots)
      if (slots === null) taken.catch((err: unknown) => log.debug({ err }, 'failed to count a viewer'))
      else if (!(await taken)) return 'full'
      heldUntil.set(key, at + renewEvery)
      return at + renewEvery
    },
    counts() {
      const now = clock.now()
      return store.viewerCounts(now - keptFor, now + skew)
    },
  }
}
