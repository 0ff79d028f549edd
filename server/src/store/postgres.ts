import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, types as pgTypes, type ClientConfig } from 'pg'
import type { Log } from '../shared/log.ts'
import { withOutages } from './outage.ts'

/** Milliseconds. Together they let a server that says nothing fail a request within some three seconds. */
const limits = {
  connect: 1_000,
  /** The server's own limit for one statement. */
  statement: 2_000,
  /** Ours, for a server that does not even say that. */
  answer: 2_250,
  /** A transaction of ours never idles; one whose replica died must not hold its locks. */
  idleTransaction: 5_000,
}

const int8: number = pgTypes.builtins.INT8

/** `int8` as a number: counts and milliseconds both fit. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === int8 && format !== 'binary' ? Number : pgTypes.getTypeParser(oid, format),
}

export const clientOptions = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'gatehouse',
  connectionTimeoutMillis: limits.connect,
  statement_timeout: limits.statement,
  query_timeout: limits.answer,
  idle_in_transaction_session_timeout: limits.idleTransaction,
  keepAlive: true,
  types,
})

export function postgresDialect(url: string, log: Log): Dialect {
  const pool = new Pool({ ...clientOptions(url), max: 10 })
  // An idle connection that ends is no news for anybody who asks; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection ended'))
  return withOutages(new PostgresDialect({ pool: discardingBroken(pool) }), isPostgresOutage)
}

/** The pool, whose connections are never used again after an error that leaves them in doubt, not even to roll back. */
function discardingBroken(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let broken: unknown
      // While in use, nobody else listens for the end of the connection.
      const onError = (error: Error) => void (broken ??= error)
      client.on('error', onError)
      const query = async (text: string, parameters: readonly unknown[]) => {
        if (broken) throw broken
        try {
          return await client.query(text, [...parameters])
        } catch (error) {
          if (!(error instanceof DatabaseError)) broken = error
          throw error
        }
      }
      return {
        // Its other form takes a cursor, which only streams use, and nothing streams.
        query: query as unknown as PostgresPoolClient['query'],
        release() {
          client.off('error', onError)
          client.release(Boolean(broken))
        },
      }
    },
    end: () => pool.end(),
  }
}

/**
 * SQLSTATE classes that tell of the statement, not of the database: what is asked cannot be done, ever.
 * 21 cardinality, 22 data, 23 constraints, 25 transaction state, 42 syntax.
 */
const ownFault = /^(?:0[A-LZ]|2[0-7BDF]|3[48BD]|42|44)/
/** The database is read-only (a standby), or was emptied, or is not there any more. */
const outageAfterAll = new Set(['25006', '25P03', '42P01', '3D000', '3F000'])

/** Everything but what the statement itself did wrong. */
export function isPostgresOutage(error: unknown): boolean {
  const code = sqlState(error)
  if (code === undefined) return !(error instanceof TypeError)
  return outageAfterAll.has(code) || !ownFault.test(code)
}

export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}
