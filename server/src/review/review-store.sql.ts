import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { itemRows, shownItems } from './item-rows.sql.ts'
import type { ReviewStore } from './review-store.ts'
import { seenItems } from './seen-items.sql.ts'
import { seenMarks } from './seen-marks.sql.ts'

/**
 * @param volume id of the own volume
 * @param deletedFiles undefined: only the own volume's rows are read and changed; otherwise users read and mark those of
 *   every volume
 */
export function reviewStore(store: Store, volume: string, deletedFiles?: DeletedFiles): ReviewStore {
  const shown = deletedFiles ? undefined : volume
  return {
    ...itemRows(store, volume, deletedFiles),
    ...shownItems(store, shown),
    ...seenItems(store, shown),
    ...seenMarks(store, shown),
  }
}
