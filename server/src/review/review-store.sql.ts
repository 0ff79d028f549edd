import type { Store } from '../store/store.ts'
import { itemRows } from './item-rows.sql.ts'
import type { ReviewStore } from './review-store.ts'
import { seenItems } from './seen-items.sql.ts'
import { seenMarks } from './seen-marks.sql.ts'

/** @param volume id of the volume; only its rows are read and changed */
export const reviewStore = (store: Store, volume: string): ReviewStore => ({
  ...itemRows(store, volume),
  ...seenItems(store, volume),
  ...seenMarks(store, volume),
})
