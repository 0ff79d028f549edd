import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Log } from '../../shared/log.ts'
import { openLogFlush, type LogFlush } from './log-flush.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'

/** Name of the database's file in the configuration folder. */
export const sqliteName = 'gatehouse.db'

/** An open SQLite file with two connections, so that reads never wait for a lock. */
export interface SqliteFile {
  /**
   * The connections, reopened if the file was replaced. Without this check, SQLite would continue to write into a
   * deleted file.
   *
   * @throws if the file is missing or isn't the service's database
   */
  open(): SqliteConnections
  /**
   * A number that changes with every commit of another process, and with every new file or connection.
   *
   * @throws as {@link open}
   */
  foreignVersion(): number
  /** Drops the connections; the next {@link open} creates new ones. */
  drop(): void
}

export interface SqliteConnections {
  readonly reader: DatabaseSync
  /** Its commits are on disk only after {@link flush}. */
  readonly writer: DatabaseSync
  /** @throws the error of the system */
  readonly flush: LogFlush['flush']
}

/** The open connections and the inodes of their files. */
interface Opened extends SqliteConnections {
  readonly inodes: string
  readonly log: LogFlush
}

/**
 * @param check throws if the file isn't a complete database of the service; called at every opening
 */
export function sqliteFile(
  path: string,
  check: (reader: DatabaseSync) => void,
  log: Log,
  openLog = openLogFlush,
): SqliteFile {
  let opened: Opened | undefined
  // Versions are counted by each connection, so a new one continues above all earlier ones.
  let openings = 0

  const drop = () => {
    const { reader, writer, log: flushed } = opened ?? {}
    opened = undefined
    flushed?.close()
    if (reader) ignoreErrors(() => reader.close())
    if (!writer) return
    if (writer.isOpen && writer.isTransaction) ignoreErrors(() => writer.exec('rollback'))
    // Checkpoints the log into the file that it belongs to, wherever that was moved, so that the log is never replayed
    // over another file at the old path.
    ignoreErrors(() => writer.exec('pragma wal_checkpoint(truncate)'))
    ignoreErrors(() => writer.close())
  }

  const file: SqliteFile = {
    open() {
      if (opened) {
        if (opened.inodes === inodesOf(path)) return opened
        log.error({ file: path }, 'database file was moved, replaced or deleted while in use')
        drop()
      }
      if (!existsSync(path)) throw new Error(`the file ${path} does not exist`)
      const reader = connect(path)
      try {
        reader.exec('pragma query_only = on')
        check(reader)
        opened = { reader, ...connectWriter(path, openLog), inodes: inodesOf(path) }
        openings += 1
        return opened
      } catch (error) {
        reader.close()
        throw error
      }
    },
    foreignVersion() {
      // Writes of this process don't count: they are all made by this connection.
      const row = file.open().writer.prepare('pragma data_version').get()
      return openings * 2 ** 32 + Number(row?.['data_version'])
    },
    drop,
  }
  return file
}

/** Creates the file if missing. Only the owner can read it; SQLite gives its log and index the same mode. */
export function prepareSqliteFile(path: string): void {
  // An existing file isn't opened here: closing it would release the locks of other connections of this process.
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error
    }
  }
  for (const name of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(name)) chmodSync(name, 0o600)
}

/** Waiting for a lock would block the whole process; `dialect.ts` waits instead. */
const connect = (path: string): DatabaseSync => connectSqlite(path, 0)

function connectWriter(path: string, openLog: typeof openLogFlush): Pick<Opened, 'writer' | 'log' | 'flush'> {
  const writer = connect(path)
  try {
    // The file stays intact after a power failure, but without a flush the last commits may be lost.
    writer.exec('pragma synchronous = normal')
    writer.exec(`pragma wal_autocheckpoint = ${autoCheckpoint}`)
    const log = openLog(`${path}-wal`)
    return { writer, log, flush: log.flush }
  } catch (error) {
    writer.close()
    throw error
  }
}

/** Bytes to which the log is cut after a checkpoint, if one large transaction made it longer. It usually has 12 MB. */
const logLimit = 16 * 2 ** 20

/** Pages of the log at which a commit checkpoints it, if `regular-checkpoints.ts` doesn't get that far: 16 MB. */
const autoCheckpoint = 4_000

/**
 * Opens a connection to a file that exists.
 *
 * @param timeout milliseconds that a statement blocks the thread to wait for a lock
 * @throws the error of SQLite
 */
export function connectSqlite(path: string, timeout: number): DatabaseSync {
  const url = pathToFileURL(path)
  // Opening never creates the file: an empty database would be one without users.
  url.searchParams.set('mode', 'rw')
  const connection = new DatabaseSync(url, { timeout, enableForeignKeyConstraints: true })
  try {
    // Only a file without pages accepts this, so that it can shrink later. On others it would take the write lock.
    if (connection.prepare('pragma page_count').get()?.['page_count'] === 0) {
      connection.exec('pragma auto_vacuum = incremental')
    }
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off')
    connection.exec(`pragma journal_size_limit = ${logLimit}`)
    // SQLite's own `lower` changes only ASCII. `directOnly`: a statement can call it, and no view or index in the file.
    connection.function('unicode_lower', { deterministic: true, directOnly: true }, (text) =>
      String(text).toLowerCase(),
    )
    // Reads once, so that the log exists and its inode is known.
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

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The connection is dropped anyway.
  }
}
