import { openUnownedVolumes, type UnownedVolumes } from '../recordings/storage/unowned-volumes.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import { createPlaces, type Places } from '../shared/storage/places.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import { deletedFiles, type DeletedFiles } from '../store/deleted-files.ts'
import type { Core } from './core.ts'

/** What recordings, review and exports need of volumes that aren't this instance's. */
export interface SharedVolumes {
  /** Where files are read. */
  readonly places: Places
  readonly unowned: UnownedVolumes
  /** The volumes whose rows of a table users see. */
  readonly shownIn: (table: 'review_item' | 'export') => ShownVolumes
  readonly deletedFiles: DeletedFiles
  /** undefined: this instance is alone, or the others can't reach it. */
  readonly others: { readonly inner: InnerClient } | undefined
}

/** @param inner undefined: this instance shows only what is on its own volume, or on one that no instance has */
export async function sharedVolumes(
  { store, cluster, instances, volume: { id } }: Pick<Core, 'store' | 'cluster' | 'instances' | 'volume'>,
  inner: InnerClient | undefined,
): Promise<SharedVolumes> {
  const unowned = await openUnownedVolumes(store, id, cluster && instances)
  return {
    places: createPlaces(id, inner && instances, () => unowned.lasting('any')),
    unowned,
    shownIn: (table) => () => (inner ? undefined : [id, ...unowned.lasting(table)]),
    deletedFiles: deletedFiles(store, id),
    others: inner && { inner },
  }
}
