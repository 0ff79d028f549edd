import { sql, type QueryExecutorProvider } from 'kysely'
import { distinctValues } from '../distinct-values.ts'
import type { CameraKey } from '../camera/camera-keys.ts'

/** Tables whose rows belong to a camera on a volume, and that have an index of the two. */
export type CameraTable = 'recording' | 'review_item' | 'export'

/**
 * Keys of the cameras that a table has rows of, with one index lookup for each.
 *
 * @param volume whose rows are read; undefined: those of every volume
 */
export const cameraKeysIn = (
  db: QueryExecutorProvider,
  table: CameraTable,
  volume: string | undefined,
): Promise<CameraKey[]> =>
  distinctValues(async (after) => {
    const ofVolume = volume === undefined ? sql`` : sql`volume = ${volume} and`
    const { rows } = await sql<{ camera: CameraKey }>`
      select camera from ${sql.table(table)} where ${ofVolume} camera > ${after} order by camera limit 1`.execute(db)
    return rows[0]?.camera
  })
