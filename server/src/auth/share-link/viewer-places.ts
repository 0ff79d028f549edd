import { LRUCache } from 'lru-cache'
import type { Clock } from '../../shared/clock.ts'
import type { ShareLinkStore } from './share-link-store.ts'

/** Milliseconds after which an admitted viewer's place is renewed. */
const renewEvery = 15_000
/** Milliseconds that a place is kept for a viewer who does not renew it. */
const keptFor = 45_000
/** Max viewers remembered by this instance. */
const max = 20_000

/** The places of links with a limited number of viewers, across connections and instances. */
export interface ViewerPlaces {
  /** Takes or renews a place. @returns until when it needs no renewal, Unix milliseconds; `full` if there is none */
  hold(link: string, viewer: string, places: number): Promise<number | 'full'>
}

export function createViewerPlaces(store: Pick<ShareLinkStore, 'takePlace'>, clock: Pick<Clock, 'now'>): ViewerPlaces {
  const heldUntil = new LRUCache<string, number>({ max })
  return {
    async hold(link, viewer, places) {
      const at = clock.now()
      const key = `${link} ${viewer}`
      const until = heldUntil.get(key)
      // A clock that was set back could make it last too long.
      if (until !== undefined && until > at && until <= at + renewEvery) return until
      if (!(await store.takePlace({ link, viewer, at, keptSince: at - keptFor }, places))) return 'full'
      heldUntil.set(key, at + renewEvery)
      return at + renewEvery
    },
  }
}
