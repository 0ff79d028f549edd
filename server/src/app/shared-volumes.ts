import type { InnerClient } from '../shared/cluster/inner-client.ts'
import { createPlaces, type Places } from '../shared/storage/places.ts'
import { deletedFiles, type DeletedFiles } from '../store/deleted-files.ts'
import type { Core } from './core.ts'

/** What recordings, review and exports need of the volumes of other instances. */
export interface SharedVolumes {
  /** Where files are read. */
  readonly places: Places
  /** undefined: this instance is alone, or the others can't reach it. */
  readonly others: { readonly inner: InnerClient; readonly deletedFiles: DeletedFiles } | undefined
}

/** @param inner undefined: this instance shows only what is on its own volume */
export const sharedVolumes = (
  { store, instances, volume: { id } }: Pick<Core, 'store' | 'instances' | 'volume'>,
  inner: InnerClient | undefined,
): SharedVolumes => ({
  places: createPlaces(id, inner && instances),
  others: inner && { inner, deletedFiles: deletedFiles(store, id) },
})
