import { randomUUID } from 'node:crypto'
import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import {
  Client,
  DatabaseError,
  Pool,
  types as pgTypes,
  type ClientBase,
  type ClientConfig,
  type Notification,
} from 'pg'
import { systemClock, type StopTimer } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import { withOutages } from '../outage.ts'
import type { OpenListenConnection } from './changes.ts'
import { isPostgresOutage, isReadOnly } from '../sql-state.ts'
import { untilAvailable } from './until-available.ts'

/** Milliseconds. */
interface Limits {
  readonly connect: number
  /** The server's limit for one statement. */
  readonly statement: number
  /** The client's limit, if the server doesn't enforce its own. */
  readonly answer: number
  /** The service's transactions never idle; a transaction whose instance died must not keep its locks. */
  readonly idleTransaction: number
}

/** Together they make a request fail within about three seconds if the server doesn't respond. */
const limits: Limits = { connect: 1_000, statement: 2_000, answer: 2_250, idleTransaction: 5_000 }

/**
 * While the service starts, on a server that may be busy with the starts of other instances: half a minute for an answer,
 * and about as long for a connection, which is tried ten times.
 */
const startLimits: Limits = { ...limits, connect: 2_000, statement: 30_000, answer: 30_250 }

/** A migration changes large tables, and waits for that of another instance, on a server that may be busy with it. */
export const migrationLimits: Limits = { ...limits, connect: 10_000, statement: 60_000, answer: 60_250 }

const int8: number = pgTypes.builtins.INT8

/** Reads `int8` as a number: counts and milliseconds both fit. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === int8 && format !== 'binary' ? Number : pgTypes.getTypeParser(oid, format),
}

export const clientOptions = (url: string, { connect, statement, answer, idleTransaction } = limits): ClientConfig => ({
  connectionString: url,
  application_name: 'gatehouse',
  connectionTimeoutMillis: connect,
  statement_timeout: statement,
  query_timeout: answer,
  idle_in_transaction_session_timeout: idleTransaction,
  keepAlive: true,
  types,
})

/** The connections of a service. Until it is ready, they wait longer for the server. */
export interface ServiceConnections {
  readonly dialect: Dialect
  readonly ready: () => void
}

export function serviceConnections(url: string, log: Log): ServiceConnections {
  const starting = createPool(clientOptions(url, startLimits), log)
  const serving = createPool(clientOptions(url), log)
  let hasEnded: Promise<void> | undefined
  const pool: PostgresPool = {
    options: serving.options,
    connect: () => (hasEnded ? serving.connect() : untilAvailable(() => starting.connect(), systemClock)),
    end: async () => void (await Promise.all([serving.end(), hasEnded ?? starting.end()])),
  }
  return {
    dialect: dialectOver(pool),
    // Connections that are in use end once they're released.
    ready: () => void (hasEnded ??= starting.end()),
  }
}

export const postgresDialect = (options: ClientConfig, log: Log): Dialect => dialectOver(createPool(options, log))

const dialectOver = (pool: PostgresPool): Dialect => withOutages(new PostgresDialect({ pool }), isPostgresOutage)

function createPool(options: ClientConfig, log: Log): PostgresPool {
  // The pool waits for the promise, which its type doesn't say.
  const onConnect = (client: ClientBase): unknown => requirePrimary(client, options)
  const pool = new Pool({ ...options, max: 10, onConnect })
  // The end of an idle connection affects no request; without a listener, the error would end the process.
  // The error itself has the client, and so the password.
  pool.on('error', ({ message }) => log.warn({ err: { message } }, 'idle database connection lost'))
  return discardBrokenConnections(pool)
}

/**
 * A standby lacks the latest changes. A connection to it would outlive the failover that led there, and what it reads
 * would be trusted as soon as LISTEN is on the primary again.
 *
 * @throws Error if the server is a standby
 */
async function requirePrimary(client: ClientBase, { connectionTimeoutMillis }: ClientConfig): Promise<void> {
  // The check is part of connecting, so it has no more time than that.
  const check = { text: 'select pg_is_in_recovery() as standby', query_timeout: connectionTimeoutMillis }
  const { rows } = await client.query<{ standby: boolean }>(check)
  if (rows[0]?.standby !== false) throw new Error('the database server is a standby')
}

/**
 * The pool. After an error that leaves a connection in an unknown state, the connection is never reused, not even to roll
 * back; nor is one that can only read.
 */
function discardBrokenConnections(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let broken: unknown
      // While a connection is in use, the pool doesn't listen for its errors.
      const onError = (error: Error) => void (broken ??= error)
      client.on('error', onError)
      const query = async (text: string, parameters: readonly unknown[]) => {
        if (broken) throw broken
        try {
          return await client.query(text, [...parameters])
        } catch (error) {
          if (!(error instanceof DatabaseError) || isReadOnly(error)) broken = error
          throw error
        }
      }
      return {
        // The overload with a cursor is only for streaming, which the service doesn't use.
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

export const postgresListenConnection =
  (options: ClientConfig): OpenListenConnection =>
  async (channel, onMessage, lost) => {
    const client = new Client(options)
    client.on('error', lost)
    client.on('end', () => lost(undefined))
    client.on('notification', (message) => void (message.channel === channel && onMessage(message.payload ?? 'null')))
    try {
      await client.connect()
      await requirePrimary(client, options)
      await client.query(`listen ${channel}`)
      await requireNotifications(client, options)
    } catch (error) {
      // Not awaited: a server that doesn't respond doesn't confirm it either.
      void client.end().catch(() => undefined)
      throw error
    }
    return { check: () => synchronized(client), close: () => client.end() }
  }

/**
 * Sends a notification over another connection, on a channel that no one else listens to. Behind a connection pooler that
 * lends a connection only for a transaction or a statement, LISTEN succeeds and every check does, but nothing arrives.
 *
 * @throws Error if it doesn't arrive in time
 */
async function requireNotifications(client: Client, options: ClientConfig): Promise<void> {
  const channel = `gatehouse_check_${randomUUID().replaceAll('-', '')}`
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>()
  const listener = (message: Notification): void => void (message.channel === channel && resolve())
  const ended = (): void => reject(new Error('the connection ended'))
  const sender = new Client(options)
  let stopTimer: StopTimer | undefined
  // It can fail before anything waits for it.
  arrived.catch(() => undefined)
  client.on('notification', listener)
  client.on('end', ended)
  sender.on('error', reject)
  try {
    await client.query(`listen ${channel}`)
    await sender.connect()
    await sender.query(`notify ${channel}`)
    // Only from now on: a server that is slow until here has errors of its own.
    stopTimer = systemClock.after(limits.answer, () =>
      reject(new Error('notifications do not arrive: a connection pooler must use session pooling')),
    )
    await arrived
    await client.query(`unlisten ${channel}`)
  } finally {
    stopTimer?.()
    client.off('notification', listener)
    client.off('end', ended)
    void sender.end().catch(() => undefined)
  }
}

/**
 * A round trip without a statement: the server answers `Sync` after it has sent every notification that was due.
 *
 * @throws Error if the server doesn't respond in time
 */
function synchronized({ connection }: Client): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stopTimer = systemClock.after(limits.answer, () => reject(new Error('no response to a check of LISTEN')))
  connection.once('readyForQuery', resolve)
  connection.sync()
  return promise.finally(() => {
    stopTimer()
    connection.off('readyForQuery', resolve)
  })
}
