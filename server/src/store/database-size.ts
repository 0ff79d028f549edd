import { sql } from 'kysely'
import type { Store } from './store.ts'

/**
 * Returns the size of the database on its disk in bytes: with SQLite, of its file without the log; undefined if the
 * database can't be read now.
 */
export async function databaseSize({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<number | undefined> {
  const query =
    engine === 'sqlite'
      ? sql<{ size: number }>`select page_count * page_size as size from pragma_page_count(), pragma_page_size()`
      : sql<{ size: number | string }>`select pg_database_size(current_database()) as size`
  try {
    const { rows } = await query.execute(db)
    return rows[0] && Number(rows[0].size)
  } catch {
    return undefined
  }
}
