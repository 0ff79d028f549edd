import type { DatabaseSync } from 'node:sqlite'
import { connectSqlite } from './file.ts'

/**
 * Rows of a table with statistics. Smaller tables have none, because the query planner would read all of a table that
 * has grown since. Nor have larger ones: the lock of ANALYZE, which counts the rows of an index, would keep writers
 * waiting for too long.
 */
const rowsOf = { min: 1_000, max: 2_000_000 }

/** Milliseconds to wait for a lock. This blocks the thread. */
const timeout = 5_000

/**
 * Refreshes the statistics of the query planner, in the calling thread. Locks the file for one index at a time, some
 * 0.1 s for two million rows.
 *
 * `pragma optimize` would lock it for all of them. It also doesn't notice that a partial index has grown, and with its
 * old statistics the planner sorts what another index has in order.
 *
 * @param limits number of rows of a table with statistics
 * @throws the error of SQLite
 */
export function analyzeSqlite(path: string, limits = rowsOf): void {
  const db = connectSqlite(path, timeout)
  try {
    db.exec('pragma analysis_limit = 1000')
    for (const table of namesIn(db, `select name from pragma_table_list where schema = 'main' and type = 'table'`)) {
      if (!table.startsWith('sqlite_')) analyzeTable(db, table, limits)
    }
  } finally {
    db.close()
  }
}

function analyzeTable(db: DatabaseSync, table: string, { min, max }: typeof rowsOf): void {
  const rows = Number(db.prepare(`select count(*) as rows from "${table}"`).get()?.['rows'])
  if (rows < min || rows > max) return dropStatistics(db, table)
  for (const index of namesIn(db, 'select name from pragma_index_list(?)', table)) {
    // Reads the index into the system's cache before the lock is taken.
    db.prepare('select pgsize from dbstat where name = ? and aggregate = true').get(index)
    db.exec(`analyze "${index}"`)
  }
}

function dropStatistics(db: DatabaseSync, table: string): void {
  const hasStatistics = db.prepare("select 1 from pragma_table_list where name = 'sqlite_stat1'").get() !== undefined
  if (!hasStatistics || !db.prepare('select 1 from sqlite_stat1 where tbl = ?').get(table)) return
  db.prepare('delete from sqlite_stat1 where tbl = ?').run(table)
}

const namesIn = (db: DatabaseSync, query: string, ...values: string[]): string[] =>
  db
    .prepare(query)
    .all(...values)
    .map(({ name }) => String(name))
