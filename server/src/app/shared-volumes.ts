import { openUnownedVolumes, type UnownedVolumes } from '../recordings/storage/unowned-volumes.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import { createPlaces, type Places } from '../shared/storage/places.ts'
import { deletedFiles, type DeletedFiles } from '../store/deleted-files.ts'
import type { Core } from './core.ts'

/** What recordings, review and exports need of volumes that aren't this instance's. */
export interface SharedVolumes {
  /** Where files are read. */
  readonly places: Places
  readonly unowned: UnownedVolumes
  readonly deletedFiles: DeletedFiles
  /** undefined: this instance is alone, or the others can't reach it. */
  readonly others: { readonly inner: InnerClient; readonly deletedFiles: DeletedFiles } | undefined
}

/** @param inner undefined: this instance shows only what is on its own volume, or on one that no instance has */
export async function sharedVolumes(
  { store, cluster, instances, volume: { id } }: Pick<Core, 'store' | 'cluster' | 'instances' | 'volume'>,
  inner: InnerClient | undefined,
): Promise<SharedVolumes> {
  const files = deletedFiles(store, id)
  const unowned = await openUnownedVolumes(store, id, cluster && instances)
  return {
    places: createPlaces(id, inner && instances, unowned.lasting),
    unowned,
    deletedFiles: files,
    others: inner && { inner, deletedFiles: files },
  }
}
