import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { itemRows, shownItems } from './item-rows.sql.ts'
import type { ReviewStore } from './review-store.ts'
import { seenItems } from './seen-items.sql.ts'
import { seenMarks } from './seen-marks.sql.ts'

/** What users read, mark and delete of other volumes. */
export interface OtherVolumes {
  readonly shown: ShownVolumes
  readonly deletedFiles: DeletedFiles
}

/**
 * @param volume id of the own volume
 * @param others undefined: only the own volume's rows are read and changed
 */
export function reviewStore(store: Store, volume: string, others?: OtherVolumes): ReviewStore {
  const shown = others?.shown ?? (() => [volume])
  return {
    ...itemRows(store, volume, others?.deletedFiles),
    ...shownItems(store, shown),
    ...seenItems(store, shown),
    ...seenMarks(store, shown),
  }
}
