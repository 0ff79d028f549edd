import { Mutex, withTimeout, type MutexInterface } from 'async-mutex'
import {
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { withOutages } from '../outage.ts'
import type { SqliteFile } from './file.ts'

/** Milliseconds to wait for a lock, including the wait for other writers. */
const timeout = 2_000

/** The turn to write, which one caller in this process has at a time. */
export const createWriteMutex = (): MutexInterface =>
  withTimeout(new Mutex(), timeout, new Error(`waited ${timeout} ms for other writers`))

/**
 * `node:sqlite` for Kysely.
 *
 * Kysely's own driver has one connection with an unlimited queue. Here, a single `select` reads while a writer waits,
 * and writers wait at most {@link timeout} for each other and for locks of other processes, without blocking the
 * process. A commit waits for the disk without blocking the process, too.
 *
 * @param committed called after each commit
 */
export const sqliteDialect = (
  file: SqliteFile,
  mutex = createWriteMutex(),
  committed: () => void = () => undefined,
): Dialect =>
  withOutages(
    {
      createAdapter: () => new ManyConnections(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => sqliteDriver(file, mutex, committed),
    },
    isSqliteOutage,
  )

class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function sqliteDriver(file: SqliteFile, mutex: MutexInterface, committed: () => void): Driver {
  const connections = new WeakMap<DatabaseConnection, SqliteConnection>()
  const of = (connection: DatabaseConnection): SqliteConnection => {
    const found = connections.get(connection)
    if (!found) throw new Error('a connection of another driver')
    return found
  }
  return {
    init: () => Promise.resolve(),
    acquireConnection() {
      const connection = new SqliteConnection(file, mutex, committed)
      connections.set(connection, connection)
      return Promise.resolve(connection)
    },
    beginTransaction: (connection) => of(connection).begin(),
    commitTransaction: (connection) => of(connection).commit(),
    rollbackTransaction: (connection) => of(connection).rollback(),
    releaseConnection: (connection) => of(connection).release(),
    destroy: () => Promise.resolve(file.drop()),
  }
}

/** The connection of one query or one transaction. */
class SqliteConnection implements DatabaseConnection {
  private readonly file: SqliteFile
  private readonly mutex: MutexInterface
  private readonly committed: () => void
  /** The connection on which a transaction began. The transaction can only end there, even if the file was reopened. */
  private held: DatabaseSync | undefined
  private unlock: (() => void) | undefined

  constructor(file: SqliteFile, mutex: MutexInterface, committed: () => void) {
    this.file = file
    this.mutex = mutex
    this.committed = committed
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { held } = this
    const { file } = this
    if (held) return guarded(file, () => run<R>(held, query))
    if (isRead(query)) {
      return unlocked(file, systemClock.elapsed() + timeout, () => run<R>(file.open().reader, query))
    }
    const [result, flush] = await writeAlone(file, this.mutex, () => {
      const { writer, flush } = file.open()
      return [run<R>(writer, query), flush] as const
    })
    await untilOnDisk(file, flush)
    this.committed()
    return result
  }

  // Kysely's interface has a generator here.
  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }

  async begin(): Promise<void> {
    const until = systemClock.elapsed() + timeout
    this.unlock = await this.mutex.acquire()
    // Takes the write lock immediately: a transaction that reads first and is then overtaken by a writer could not continue.
    this.held = await unlocked(this.file, until, () => {
      const { writer } = this.file.open()
      writer.exec('begin immediate')
      return writer
    })
  }

  async commit(): Promise<void> {
    const { held } = this
    const flush = guarded(this.file, () => {
      const { writer, flush } = this.file.open()
      if (writer !== held) throw new Error('the database file changed during the transaction')
      held.exec('commit')
      return flush
    })
    // Other writers need not wait for the disk: their commits share the next flush.
    await this.release()
    await untilOnDisk(this.file, flush)
    this.committed()
  }

  async rollback(): Promise<void> {
    const { held } = this
    this.held = undefined
    // After a full disk or on a dropped connection, SQLite has already rolled back.
    if (held?.isOpen && held.isTransaction) guarded(this.file, () => held.exec('rollback'))
  }

  async release(): Promise<void> {
    this.held = undefined
    this.unlock?.()
    this.unlock = undefined
  }
}

/**
 * Does work on the writer while no transaction of this process is open. Waits as long as a query for its turn and for
 * locks of other processes.
 *
 * @param work may be called repeatedly, until the file isn't locked
 * @throws the error of SQLite or of `work`, or an Error if its turn doesn't come in time
 */
export async function writeAlone<T>(file: SqliteFile, mutex: MutexInterface, work: () => T): Promise<T> {
  const until = systemClock.elapsed() + timeout
  const unlock = await mutex.acquire()
  try {
    return await unlocked(file, until, work)
  } finally {
    unlock()
  }
}

/**
 * Whether a query only reads, so that it needs neither the turn to write nor the disk. SQL that isn't built by Kysely is
 * read as text: one that might write is taken for a write.
 */
const isRead = ({ query, sql }: CompiledQuery): boolean => SelectQueryNode.is(query) || readingSql.test(sql)
const readingSql = /^\s*(?:select|with)\b(?!.*\b(?:insert|update|delete|replace)\b)/is

/** Waits until a commit is on disk. After an error it may be there or not: the next connection reads it. */
async function untilOnDisk(file: SqliteFile, flush: () => Promise<void>): Promise<void> {
  try {
    await flush()
  } catch (error) {
    file.drop()
    throw error
  }
}

/** Tries again while another connection holds the lock. */
async function unlocked<T>(file: SqliteFile, until: number, attempt: () => T): Promise<T> {
  for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
    try {
      return guarded(file, attempt)
    } catch (error) {
      if (!isLocked(error) || systemClock.elapsed() + wait > until) throw error
    }
    await systemClock.sleep(wait)
  }
}

/** Drops the connections to a broken file, because a good file may replace it. */
function guarded<T>(file: SqliteFile, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isBroken(error)) file.drop()
    throw error
  }
}

function run<R>(db: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const { statement, names } = prepared(db, sql)
  const values = parameters as readonly SQLInputValue[]
  if (names.length === 0) {
    const { changes } = statement.run(...values)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }
  const rows = statement.all(...values) as unknown as readonly unknown[][]
  return { rows: rows.map((row) => rowOf(names, row) as R) }
}

interface Prepared {
  readonly statement: StatementSync
  /** Of the columns; empty for a statement that returns no rows. */
  readonly names: readonly string[]
}

/** Max prepared statements of a connection, some kB each, and max characters of each. */
const maxPrepared = 50
const maxLength = 2048

/** Statements that stay prepared: to prepare one and name its columns takes longer than to find a row. */
const kept = new WeakMap<DatabaseSync, LRUCache<string, Prepared>>()

function prepared(db: DatabaseSync, sql: string): Prepared {
  // A `*` can mean other columns once another process has changed the tables.
  if (sql.includes('*') || sql.length > maxLength) return prepare(db, sql)
  let statements = kept.get(db)
  if (!statements) kept.set(db, (statements = new LRUCache(cacheLimit(maxPrepared))))
  let found = statements.get(sql)
  if (!found) statements.set(sql, (found = prepare(db, sql)))
  return found
}

function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(sql)
  // Returning arrays takes half the time, and objects built here are faster to read than those from SQLite.
  statement.setReturnArrays(true)
  return { statement, names: statement.columns().map(({ name }) => name) }
}

function rowOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at += 1) row[names[at]!] = values[at]
  return row
}

/** The primary result code, https://www.sqlite.org/rescode.html; undefined if the error isn't from SQLite. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

const locked = new Set([5, 6]) // BUSY LOCKED
const broken = new Set([10, 11, 14, 26]) // IOERR CORRUPT CANTOPEN NOTADB

export const isLocked = (error: unknown): boolean => locked.has(resultCode(error) ?? 0)
const isBroken = (error: unknown): boolean => broken.has(resultCode(error) ?? 0)

/** Whether an error is anything but an error of the statement itself. */
export function isSqliteOutage(error: unknown): boolean {
  const code = resultCode(error)
  // ERROR means an invalid statement, but also a missing table after the file was emptied.
  if (code === 1) return error instanceof Error && error.message.includes('no such table')
  // TOOBIG CONSTRAINT MISMATCH MISUSE RANGE
  if (code !== undefined) return ![18, 19, 20, 21, 25].includes(code)
  // A TypeError from binding is an error of the service; errors of the file, the queue or a closed connection are outages.
  return !(error instanceof TypeError)
}
