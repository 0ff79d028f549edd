import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isLocked } from './dialect.ts'

/** Whether anyone has a database open, this process included. A file that isn't a database is not in use. */
export function isSqliteFileInUse(path: string): boolean {
  if (!existsSync(path)) return false
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(path, { timeout: 0 })
    // The first read then needs the whole file, of which every connection of the service holds a part.
    connection.exec('pragma locking_mode = exclusive')
    connection.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    return isLocked(error)
  } finally {
    connection?.close()
  }
}
