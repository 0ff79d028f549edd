import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Log } from '../shared/log.ts'

/** A SQLite file in use, and two connections to it, so that reading never stands behind a lock. */
export interface SqliteFile {
  /**
   * The connections, opened anew where the file went away and came back. Without this look, SQLite would go on writing
   * into a file that has no name any more.
   *
   * @throws where there is no file, or not ours.
   */
  open(): SqliteConnections
  /** Drops the connections; the next {@link open} makes new ones. */
  drop(): void
}

export interface SqliteConnections {
  readonly reader: DatabaseSync
  readonly writer: DatabaseSync
}

/** What was opened, and the inodes which it lies in. */
interface Opened extends SqliteConnections {
  readonly inodes: string
}

/**
 * @param check throws where the database in the file is not a whole one of ours; asked at every opening.
 */
export function sqliteFile(path: string, check: (reader: DatabaseSync) => void, log: Log): SqliteFile {
  let opened: Opened | undefined

  const drop = () => {
    const { reader, writer } = opened ?? {}
    opened = undefined
    if (reader) quietly(() => reader.close())
    if (!writer) return
    if (writer.isOpen && writer.isTransaction) quietly(() => writer.exec('rollback'))
    // What still stands in the log goes into the very file it belongs to, wherever that was moved, and the log is left
    // empty: it must never be replayed over another file that comes in its place.
    quietly(() => writer.exec('pragma wal_checkpoint(truncate)'))
    quietly(() => writer.close())
  }

  return {
    open() {
      if (opened) {
        if (opened.inodes === inodesOf(path)) return opened
        log.error({ path }, 'the database file was moved, replaced or deleted while it was in use')
        drop()
      }
      if (!existsSync(path)) throw new Error(`there is no file ${path}`)
      const reader = connect(path)
      try {
        reader.exec('pragma query_only = on')
        check(reader)
        const writer = connect(path)
        opened = { reader, writer, inodes: inodesOf(path) }
        return opened
      } catch (error) {
        reader.close()
        throw error
      }
    },
    drop,
  }
}

/** Makes the file where there is none. Nobody but the owner reads it; SQLite gives its log and index the same mode. */
export function prepareSqliteFile(path: string): void {
  // An existing one is not opened here: closing it again would take away the locks of whoever has it open.
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  for (const name of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(name)) chmodSync(name, 0o600)
}

function connect(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  // Never made by opening it: an empty database would be one without users.
  url.searchParams.set('mode', 'rw')
  // Waiting for a lock would hold up the whole process; see sqlite.ts for how it is waited for.
  const connection = new DatabaseSync(url, { timeout: 0, enableForeignKeyConstraints: true })
  try {
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off')
    // Reads once, so that the log is there and its inode known.
    connection.prepare('select count(*) from sqlite_master').get()
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const inodesOf = (path: string): string => [path, `${path}-wal`].map(inodeOf).join()

function inodeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : 'none'
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The connection is given up anyhow.
  }
}
