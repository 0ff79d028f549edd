import { ServiceError } from '../shared/errors.ts'
import type { Timers } from '../shared/time/clock.ts'
import { innerBuffer, unreachable } from '../shared/cluster/inner-body.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import { DiskLost } from '../shared/storage/mounted-disk.ts'
import type { Places } from '../shared/storage/places.ts'
import type { ReviewStore } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'

const path = '/review/thumbnail'

/** Bytes. A typical thumbnail is a hundredth of that. */
const largest = 8 << 20

export interface SharedThumbnailsDeps {
  readonly thumbnails: Pick<Thumbnails, 'read'>
  /** Of every volume. */
  readonly store: Pick<ReviewStore, 'volumeOf'>
  readonly places: Places
  /** undefined: this instance is alone. */
  readonly inner: InnerClient | undefined
  readonly clock: Pick<Timers, 'after'>
}

/** Reads thumbnails on every instance's disk. @throws ServiceError `unavailable` if the disk can't be reached */
export const sharedThumbnails = (deps: SharedThumbnailsDeps): Pick<Thumbnails, 'read'> => ({
  async read(item) {
    const { thumbnails, store, places, inner, clock } = deps
    const stored = await store.volumeOf(item.id)
    if (!stored) return undefined
    const { volume, camera, start } = stored
    const place = places({ volume, object: null })
    if (place.kind === 'disk') return thumbnails.read(item)
    if (place.kind === 'away' && place.isLost) throw new DiskLost()
    if (place.kind !== 'instance' || !inner) throw unreachable()
    const response = await inner.request(place.instance, {
      path: `${path}?id=${item.id}`,
      ticket: { camera, action: 'review', range: { start, end: start } },
    })
    if (response.status === 200) return innerBuffer(response, largest, clock)
    response.body.destroy()
    if (response.status === 404) return undefined
    throw unreachable()
  },
})

/** Sends one thumbnail on the own disk: that of an item of the ticket's camera and time. */
export const thumbnailInnerRoute = (
  thumbnails: Pick<Thumbnails, 'read'>,
  store: Pick<ReviewStore, 'byId'>,
): InnerRoute => ({
  path,
  action: 'review',
  scope: 'range',
  async handle({ camera, range, query }) {
    const item = await store.byId(query.get('id') ?? '')
    const isNamed = item?.camera === camera && item.start >= range.start && item.start <= range.end
    const body = isNamed ? await thumbnails.read(item) : undefined
    if (!body) throw new ServiceError('not-found')
    return { body, headers: { 'content-type': 'image/jpeg' } }
  },
})
