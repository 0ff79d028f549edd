import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { segmentChanges } from './segment-changes.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentRows } from './segment-rows.ts'
import { storedSegments } from './stored-segments.sql.ts'

/**
 * @param volume id of the volume; only its rows are read and changed
 * @param deletedFiles undefined: no other instance deletes recordings of the volume
 * @param onOutdated called with segments that weren't added, because their camera has another owner since; undefined:
 *   cameras have no leases
 */
export function recordingStore(
  store: Pick<Store, 'db' | 'transaction'>,
  volume: string,
  deletedFiles?: Pick<DeletedFiles, 'among'>,
  onOutdated?: (segments: readonly NewSegment[]) => void,
): RecordingStore {
  const rows = segmentRows(store, volume)
  const deleted = async (files: readonly string[]) =>
    (await deletedFiles?.among('recording', files)) ?? new Set<string>()
  const changes = segmentChanges({ store, volume, rows, deleted, onOutdated })
  return { ...segmentQueries(rows), ...recordingTotals(rows), ...storedSegments(store, rows), ...changes }
}
