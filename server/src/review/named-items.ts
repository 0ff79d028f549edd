import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { ReviewStore } from './review-store.ts'

/** The item methods that requests use. */
export type ItemsByNames = Pick<ReviewStore, 'byId' | 'starts' | 'isSeen' | 'items' | 'counts' | 'markIds' | 'markAll'>

/** The items by camera name: a name stands for the camera that has it now, and finds only that camera's items (CAM-4). */
export function itemsByNames(store: ReviewStore, { keyOf, nameOf }: CameraKeys): ItemsByNames {
  const named = <T extends { readonly camera: string }>(item: T): T => ({ ...item, camera: nameOf(item.camera) })
  const keyed = <T extends { readonly cameras: readonly string[] }>(filter: T): T => ({
    ...filter,
    cameras: filter.cameras.map(keyOf),
  })
  return {
    async byId(id) {
      const item = await store.byId(id)
      return item && named(item)
    },
    starts: async (ids) => (await store.starts(ids)).map((item) => item && named(item)),
    isSeen: (owner, id) => store.isSeen(owner, id),
    items: async (owner, query) => (await store.items(owner, keyed(query))).map(named),
    counts: (owner, camera, edges) => store.counts(owner, keyOf(camera), edges),
    markIds: (owner, ids, cameras, seen) => store.markIds(owner, ids, cameras.map(keyOf), seen),
    markAll: (owner, filter, seen) => store.markAll(owner, keyed(filter), seen),
  }
}
