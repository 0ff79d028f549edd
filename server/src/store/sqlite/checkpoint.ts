import { connectSqlite } from './file.ts'

/** Milliseconds to wait for a lock. This blocks the thread. */
const timeout = 5_000

/**
 * Writes the commits of the log into the file, in the calling thread, without blocking readers or writers.
 *
 * @throws the error of SQLite
 */
export function checkpointSqlite(path: string): void {
  const db = connectSqlite(path, timeout)
  try {
    db.exec('pragma wal_checkpoint(passive)')
  } finally {
    db.close()
  }
}
