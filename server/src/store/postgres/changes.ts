import { sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { createBus } from '../../shared/bus.ts'
import { messageOf } from '../../shared/caught-error.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { Changes, ChangeMessage, Message } from '../store.ts'
import type { Tables } from '../tables.ts'
import { ownAnnouncements } from './own-announcements.ts'

const channel = 'gatehouse'

/** Tells every instance, when the transaction commits, that anything may have changed: each receives `resync`. */
export const announceResync = async (within: Transaction<Tables>): Promise<void> =>
  void (await sql`select pg_notify(${channel}, '')`.execute(within))

/** A connection that listens on the channel. */
export interface ListenConnection {
  /** Throws or rejects if the connection is dead. */
  check(): Promise<unknown>
  close(): Promise<void>
}

/** Opens a LISTEN connection: `hear` gets every payload, `lost` is called once when the connection ends. */
export type OpenListenConnection = (
  channel: string,
  onMessage: (payload: string) => void,
  lost: (cause: unknown) => void,
) => Promise<ListenConnection>

export interface PostgresChanges extends Changes {
  /** Resolves after the first attempt, whether or not it succeeded. */
  start(): Promise<void>
  /** Reports that a transaction has ended, and whether its commit was acknowledged. */
  ended(within: Transaction<Tables>, isCommitted: boolean): void
  stop(): Promise<void>
}

/** Milliseconds. */
const times = { betweenChecks: 400, trusted: 1_000, firstRetry: 100, longestRetry: 5_000 }

export interface PostgresChangesDeps extends Runtime {
  readonly openListenConnection: OpenListenConnection
}

/** Announces changes between the instances on one database, with LISTEN and NOTIFY. */
export function postgresChanges({ openListenConnection, clock, log }: PostgresChangesDeps): PostgresChanges {
  const self = randomUUID()
  const own = ownAnnouncements(clock)
  const bus = createBus<ChangeMessage>(log)
  let connection: ListenConnection | undefined
  /**
   * Start of the last check that succeeded. Notifications arrive in order, so every change before it is known. If the
   * connection is silent or this process was stopped, changes may be waiting, and no error shows it.
   */
  let checkedAt = -Infinity
  let away = false
  /** Messages of the causes since the last connection. The first one can hide the one that needs a change by the admin. */
  const loggedCauses = new Set<string>()
  let stopped = false
  let stopTimer: StopTimer | undefined

  const onMessage = (payload: string) => {
    const received = announcementIn(payload)
    // Anyone who can connect to the database can send anything; an unreadable payload may have been a change.
    if (received === undefined) return bus.publish('resync')
    const { from, message, transaction } = received
    const deliver = () => bus.publish({ message })
    if (from === self && transaction !== undefined) own.received(transaction, deliver)
    else deliver()
  }

  const lose = (cause: unknown) => {
    if (!connection && away) return
    const lost = connection
    connection = undefined
    away = true
    lost?.close().catch(() => undefined)
    if (stopped) return
    logCause(cause)
    retry(times.firstRetry)
  }

  const logCause = (cause: unknown) => {
    const message = messageOf(cause)
    if (loggedCauses.has(message)) return
    loggedCauses.add(message)
    log.warn({ err: cause }, 'LISTEN connection lost; caches bypassed')
  }

  const retry = (wait: number) => {
    stopTimer?.()
    stopTimer = clock.after(wait, () => void listen(wait))
  }

  const listen = async (wait: number): Promise<void> => {
    let gone: unknown
    const began = clock.elapsed()
    try {
      // The connection may end before openListenConnection returns it.
      let opened: ListenConnection | undefined
      const lost = (cause: unknown) => {
        gone = cause ?? new Error('the connection ended')
        if (opened && opened === connection) lose(gone)
      }
      opened = await openListenConnection(channel, onMessage, lost)
      if (gone !== undefined || stopped) {
        await opened.close().catch(() => undefined)
        throw gone
      }
      connection = opened
      checkedAt = began
    } catch (error) {
      if (stopped) return
      if (!away) return lose(error)
      logCause(error)
      return retry(Math.min(wait * 2, times.longestRetry))
    }
    if (away) {
      away = false
      loggedCauses.clear()
      log.info({}, 'LISTEN connection restored')
      bus.publish('resync')
    }
    checkLater()
  }

  /** A dead network reports no error, so the connection is checked regularly. */
  const checkLater = () => {
    stopTimer?.()
    stopTimer = clock.after(times.betweenChecks, () => void check())
  }

  const check = async () => {
    const checked = connection
    const began = clock.elapsed()
    try {
      await checked?.check()
      if (!checked || checked !== connection || stopped) return
      checkedAt = began
      checkLater()
    } catch (error) {
      if (checked === connection) lose(error)
    }
  }

  return {
    async announce(message, within) {
      const payload = JSON.stringify({ from: self, message, transaction: own.numberOf(within) })
      await sql`select pg_notify(${channel}, ${payload})`.execute(within)
    },
    subscribe: (receive) => bus.subscribe(receive),
    isListening: () => connection !== undefined && clock.elapsed() - checkedAt < times.trusted,
    start: () => listen(times.firstRetry),
    ended: own.ended,
    async stop() {
      stopped = true
      stopTimer?.()
      own.stop()
      await connection?.close().catch(() => undefined)
      connection = undefined
    },
  }
}

interface Announcement {
  /** The instance. */
  readonly from: string
  readonly message: Message
  /** The number of the transaction at that instance; undefined if the instance has an earlier version. */
  readonly transaction: number | undefined
}

function announcementIn(payload: string): Announcement | undefined {
  try {
    const found: unknown = JSON.parse(payload)
    if (typeof found !== 'object' || found === null || !('from' in found) || !('message' in found)) return undefined
    const { from, message } = found
    if (typeof from !== 'string') return undefined
    const transaction = 'transaction' in found && typeof found.transaction === 'number' ? found.transaction : undefined
    // Parsed from JSON, so the value is a valid Message.
    return { from, message: message as Message, transaction }
  } catch {
    return undefined
  }
}
