import { scopedKey, type ScopedCamera } from '../access/grant.ts'
import type { Owner } from '../access/identity.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { ItemFilter, ItemQuery, PartCount, ReviewItem, ReviewStore, SeenItem } from './review-store.ts'

/** An item with the name of its camera instead of the key. */
export type Named<Item extends Pick<ReviewItem, 'camera'>> = Omit<Item, 'camera'> & { readonly camera: string }

/** A filter with the names of its cameras. */
type ByNames<Filter extends ItemFilter> = Omit<Filter, 'cameras'> & { readonly cameras: readonly ScopedCamera[] }

/** The item methods that requests use, by camera name. */
export interface ItemsByNames extends Pick<ReviewStore, 'isSeen'> {
  byId(id: string): Promise<Named<ReviewItem> | undefined>
  starts(ids: readonly string[]): Promise<(Named<Pick<ReviewItem, 'camera' | 'start'>> | undefined)[]>
  items(owner: Owner, query: ByNames<ItemQuery>): Promise<Named<SeenItem>[]>
  counts(owner: Owner, camera: ScopedCamera, edges: readonly number[]): Promise<PartCount[]>
  markIds(owner: Owner, ids: readonly string[], cameras: readonly ScopedCamera[], seen: boolean): Promise<void>
  markAll(owner: Owner, filter: ByNames<ItemFilter>, seen: boolean): Promise<void>
}

/** The items by camera name: a name stands for the camera that has it now, and finds only that camera's items (CAM-4). */
export function itemsByNames(store: ReviewStore, { keyOf, nameOf }: CameraKeys): ItemsByNames {
  const named = <Item extends Pick<ReviewItem, 'camera'>>(item: Item): Named<Item> => ({
    ...item,
    camera: nameOf(item.camera),
  })
  const keyed = (camera: ScopedCamera) => scopedKey(camera, keyOf)
  return {
    async byId(id) {
      const item = await store.byId(id)
      return item && named(item)
    },
    starts: async (ids) => (await store.starts(ids)).map((item) => item && named(item)),
    isSeen: (owner, id) => store.isSeen(owner, id),
    items: async (owner, { cameras, ...query }) =>
      (await store.items(owner, { ...query, cameras: cameras.map(keyed) })).map(named),
    counts: (owner, camera, edges) => store.counts(owner, keyed(camera), edges),
    markIds: (owner, ids, cameras, seen) => store.markIds(owner, ids, cameras.map(keyed), seen),
    markAll: (owner, { cameras, ...filter }, seen) =>
      store.markAll(owner, { ...filter, cameras: cameras.map(keyed) }, seen),
  }
}
