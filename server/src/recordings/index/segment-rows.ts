import type { Selectable } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { RecordingTable } from '../../store/tables.ts'
import type { NewSegment, Segment } from './recording-store.ts'
import { cameraKeysIn } from '../../shared/storage/camera-keys-in.sql.ts'
import { longestSegment } from '../longest-segment.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** The rows of one volume, or of every volume. */
export type SegmentRows = ReturnType<typeof segmentRows>

/** @param volume id of the volume whose rows are read; default: every volume */
export function segmentRows({ db }: Pick<Store, 'db'>, volume?: string) {
  const all = () => {
    const rows = db.selectFrom('recording')
    return volume === undefined ? rows : rows.where('volume', '=', volume)
  }
  const of = (camera: CameraKey) => all().where('camera', '=', camera)
  return {
    all,
    of,
    /** Keys of the cameras that have segments. */
    cameras: () => cameraKeysIn(db, 'recording', volume),
    /** Rows of segments that overlap [after, before). */
    overlapping: (camera: CameraKey, after: number, before: number) =>
      of(camera)
        .where('start', '>', after - longestSegment)
        .where('start', '<', before)
        .where('end', '>', after),
  }
}

/** A row to add. */
export type SegmentRow = ReturnType<typeof rowFrom>

export const rowFrom = ({ initBytes, streamId, start, end, motion, ...rest }: NewSegment, volume: string) => ({
  ...rest,
  volume,
  start: Math.round(start),
  end: Math.round(end),
  motion: Math.round(motion),
  init_bytes: initBytes,
  stream_id: streamId,
})

export const segmentFrom = ({
  init_bytes: initBytes,
  stream_id: streamId,
  ...rest
}: Selectable<RecordingTable>): Segment => ({
  ...rest,
  initBytes,
  streamId,
})
