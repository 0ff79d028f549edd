import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Client, DatabaseError, Pool, types as pgTypes, type ClientConfig } from 'pg'
import type { Log } from '../shared/log.ts'
import { withOutages } from './outage.ts'
import type { OpenEar } from './postgres-changes.ts'
import { isPostgresOutage } from './sql-state.ts'

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

export const postgresEar =
  (options: ClientConfig): OpenEar =>
  async (channel, hear, lost) => {
    const client = new Client(options)
    client.on('error', lost)
    client.on('end', () => lost(undefined))
    client.on('notification', ({ payload }) => hear(payload ?? 'null'))
    await client.connect()
    await client.query(`listen ${channel}`)
    return { check: () => client.query('select 1'), close: () => client.end() }
  }
