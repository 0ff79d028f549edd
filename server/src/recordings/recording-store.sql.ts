import type { Store } from '../store/store.ts'
import type { RecordingStore } from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { segmentChanges } from './segment-changes.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentRows } from './segment-rows.ts'

/** @param volume id of the volume; only its rows are read and changed */
export function recordingStore(store: Pick<Store, 'db'>, volume: string): RecordingStore {
  const rows = segmentRows(store, volume)
  return { ...segmentQueries(rows), ...recordingTotals(rows), ...segmentChanges(rows) }
}
