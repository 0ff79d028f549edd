import type { Store } from '../../store/store.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { renamedKeys } from './renamed-keys.sql.ts'
import { segmentChanges } from './segment-changes.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentRows } from './segment-rows.ts'
import { storedSegments } from './stored-segments.sql.ts'

/**
 * @param volume id of the volume; only its rows are read and changed
 * @param onOutdated called with segments that weren't added, because their camera has another owner since; undefined:
 *   cameras have no leases
 */
export function recordingStore(
  store: Pick<Store, 'db' | 'transaction'>,
  volume: string,
  onOutdated?: (segments: readonly NewSegment[]) => void,
): RecordingStore {
  const rows = segmentRows(store, volume)
  const changes = segmentChanges({ store, volume, rows, onOutdated })
  return {
    ...segmentQueries(rows),
    ...recordingTotals(rows),
    ...storedSegments(store, rows),
    ...changes,
    renamedKeys: () => renamedKeys(store, volume),
  }
}
