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
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { withOutages } from './outage.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { createMutex, type Mutex } from './mutex.ts'

/** Milliseconds a lock is waited for, the turn behind other writers included. */
const timeout = 2_000

/**
 * `node:sqlite` for Kysely.
 *
 * Kysely's own driver has one connection and an endless queue before it. Here a lone `select` reads beside a writer
 * that waits, and writers wait no longer than {@link timeout} for each other and for locks of other processes, without
 * holding up the process.
 */
export const sqliteDialect = (file: SqliteFile): Dialect =>
  withOutages(
    {
      createAdapter: () => new ManyConnections(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => sqliteDriver(file),
    },
    isSqliteOutage,
  )

class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function sqliteDriver(file: SqliteFile): Driver {
  const turns = createMutex()
  const connections = new WeakMap<DatabaseConnection, SqliteConnection>()
  const of = (connection: DatabaseConnection): SqliteConnection => {
    const found = connections.get(connection)
    if (!found) throw new Error('a connection of another driver')
    return found
  }
  return {
    init: () => Promise.resolve(),
    acquireConnection() {
      const connection = new SqliteConnection(file, turns)
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

/** What one query or one transaction uses. */
class SqliteConnection implements DatabaseConnection {
  private readonly file: SqliteFile
  private readonly turns: Mutex
  /** The connection that a transaction began on: it ends there or nowhere, though the file were opened anew. */
  private held: DatabaseSync | undefined
  private endTurn: (() => void) | undefined

  constructor(file: SqliteFile, turns: Mutex) {
    this.file = file
    this.turns = turns
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { held } = this
    if (held) return this.guarded(() => run<R>(held, query))
    const until = performance.now() + timeout
    if (SelectQueryNode.is(query.query)) return this.unlocked(until, () => run<R>(this.file.open().reader, query))
    const endTurn = await this.turns.take(timeout)
    try {
      return await this.unlocked(until, () => run<R>(this.file.open().writer, query))
    } finally {
      endTurn()
    }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }

  async begin(): Promise<void> {
    const until = performance.now() + timeout
    this.endTurn = await this.turns.take(timeout)
    // The lock for writing at once: one who reads first and is then overtaken could not go on.
    this.held = await this.unlocked(until, () => {
      const { writer } = this.file.open()
      writer.exec('begin immediate')
      return writer
    })
  }

  async commit(): Promise<void> {
    const { held } = this
    this.guarded(() => {
      if (this.file.open().writer !== held) throw new Error('the database file changed during the transaction')
      held.exec('commit')
    })
    this.held = undefined
  }

  async rollback(): Promise<void> {
    const { held } = this
    this.held = undefined
    // A full disk has rolled back already; a dropped connection too.
    if (held?.isOpen && held.isTransaction) this.guarded(() => held.exec('rollback'))
  }

  async release(): Promise<void> {
    this.held = undefined
    this.endTurn?.()
    this.endTurn = undefined
  }

  /** Tries again while somebody else holds the lock. */
  private async unlocked<T>(until: number, attempt: () => T): Promise<T> {
    for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
      try {
        return this.guarded(attempt)
      } catch (error) {
        if (!isLocked(error) || performance.now() + wait > until) throw error
      }
      await pause(wait)
    }
  }

  /** A broken file may be replaced by a good one: nothing of it is kept open. */
  private guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isBroken(error)) this.file.drop()
      throw error
    }
  }
}

function run<R>(db: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = db.prepare(sql)
  const values = parameters as readonly SQLInputValue[]
  const names = statement.columns().map(({ name }) => name)
  if (names.length === 0) {
    const { changes } = statement.run(...values)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }
  // As arrays they cross over in half the time, and what is made of them here is read faster than SQLite's own objects.
  statement.setReturnArrays(true)
  const rows = statement.all(...values) as unknown as readonly unknown[][]
  return { rows: rows.map((row) => rowOf(names, row) as R) }
}

function rowOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at += 1) row[names[at]!] = values[at]
  return row
}

/** The primary result code, https://www.sqlite.org/rescode.html; undefined where it is no error of SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

const locked = new Set([5, 6]) // BUSY LOCKED
const broken = new Set([10, 11, 14, 26]) // IOERR CORRUPT CANTOPEN NOTADB

const isLocked = (error: unknown): boolean => locked.has(resultCode(error) ?? 0)
const isBroken = (error: unknown): boolean => broken.has(resultCode(error) ?? 0)

/** Everything but what the statement itself did wrong. */
function isSqliteOutage(error: unknown): boolean {
  const code = resultCode(error)
  // A wrong statement is ERROR; so is a table that is not there, when the file was emptied.
  if (code === 1) return error instanceof Error && error.message.includes('no such table')
  // TOOBIG CONSTRAINT MISMATCH MISUSE RANGE
  if (code !== undefined) return ![18, 19, 20, 21, 25].includes(code)
  // What cannot be bound is ours; the file, the queue, a closed connection are the database's.
  return !(error instanceof TypeError)
}
