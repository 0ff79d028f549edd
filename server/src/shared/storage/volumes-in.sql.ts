import { sql, type QueryExecutorProvider } from 'kysely'
import { distinctValues } from '../distinct-values.ts'

/** Tables whose rows belong to a volume, and that have an index that begins with it. */
type Table = 'recording' | 'review_item' | 'export' | 'deleted_file' | 'camera' | 'camera_listing'

/** Ids of the volumes that a table has rows of, with one index lookup for each. */
export const volumesIn = (db: QueryExecutorProvider, table: Table): Promise<string[]> =>
  distinctValues(async (after) => {
    const { rows } = await sql<{
      volume: string
    }>`select volume from ${sql.table(table)} where volume > ${after} order by volume limit 1`.execute(db)
    return rows[0]?.volume
  })
