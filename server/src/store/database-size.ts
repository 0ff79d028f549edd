import { sql } from 'kysely'
import type { Store } from './store.ts'

/** Bytes. */
export interface DatabaseSize {
  /** On the disk; with SQLite, of the file without the log. */
  readonly size: number
  /** How much of the size deleted rows left for new ones; undefined with PostgreSQL, which doesn't count it. */
  readonly free: number | undefined
}

/** Returns the size of the database; undefined if the database can't be read now. */
export async function databaseSize({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<DatabaseSize | undefined> {
  const query =
    engine === 'sqlite'
      ? sql<DatabaseRow>`select page_count * page_size as size, freelist_count * page_size as free
          from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
      : sql<DatabaseRow>`select pg_database_size(current_database()) as size`
  try {
    const [row] = (await query.execute(db)).rows
    return row && { size: Number(row.size), free: row.free }
  } catch {
    return undefined
  }
}

interface DatabaseRow {
  readonly size: number | string
  readonly free?: number
}
