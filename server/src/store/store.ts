import type { Kysely, Transaction } from 'kysely'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * The one database of the service.
 *
 * While the database is locked, full, missing or unresponsive, every query of `db` throws ServiceError `unavailable`
 * within about three seconds; on PostgreSQL, within half a minute until startup is over. Each query tries again, so the
 * store recovers automatically.
 */
export interface Store {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  readonly changes: Changes
  readonly audit: AuditRows
  /** Commits all changes or none. `work` runs again after a deadlock, so it must only change the database. */
  readonly transaction: <T>(work: (within: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** Whether the database is writable, as of at most a second ago and after the last failure. */
  readonly healthy: () => Promise<boolean>
  /** Startup is over: no query waits longer than a request can. */
  readonly ready: () => void
  readonly close: () => Promise<void>
}

/** An audit entry, its time in Unix milliseconds. */
export interface DatedEntry extends AuditEntry {
  readonly at: number
}

/** An entry to add or to change. */
export interface AuditRow extends DatedEntry {
  readonly id: number | undefined
  /** Whether the entry changes no more, so that the outputs can write it. */
  readonly complete: boolean
}

/** Audit entries, committed together with their changes (AUD-1). */
export interface AuditRows {
  /** Adds an entry with the current time in the transaction of the change: both are committed, or neither is. */
  insert(entry: AuditEntry, within: Transaction<Tables>): Promise<void>
  /**
   * Adds entries in their own transaction, and changes existing ones.
   *
   * @returns the ids, in order
   */
  write(rows: readonly AuditRow[], within: Transaction<Tables>): Promise<number[]>
  /** Calls the listener with each entry of {@link insert} after its transaction has committed. */
  subscribe(listener: (entry: AuditEntry) => void): void
  /** Begins to number complete entries, as those of this instance. Until then, those of {@link insert} are left to {@link claim}. */
  start(instance: string, within: Transaction<Tables>): Promise<void>
  /** Numbers entries that the command `gatehouse` added, as those of this instance, unless another instance does. */
  claim(within: Transaction<Tables>): Promise<void>
  /** The instance of {@link start}; null before. */
  instance(): string | null
  /**
   * Every entry of this instance with a number up to this one is committed, or never will be. After a minute, a commit
   * without an acknowledgment counts as failed.
   */
  settled(): number
  /** Calls the listener when a transaction with numbered entries has ended. @returns a function that ends the subscription. */
  onNumbered(listener: () => void): () => void
}

/** Any JSON value. */
export type Message = string | number | boolean | null | readonly Message[] | { readonly [key: string]: Message }

/**
 * Announcements between the instances that share a database. With SQLite there is only one: it receives `resync` after
 * another process, such as the command `gatehouse user`, changed the file.
 */
export interface Changes {
  /** Announces a message when, and only if, the transaction commits. */
  announce(message: Message, within: Transaction<Tables>): Promise<void>
  /**
   * Receives announcements of other instances, and this instance's own only if their commit wasn't acknowledged: its
   * caller got an error, or will get the response late. Receives `resync` after a lost LISTEN connection is restored, and
   * for an unreadable announcement, because any change may have been missed.
   *
   * @returns a function that ends the subscription
   */
  subscribe(receive: (received: ChangeMessage) => void): () => void
  /** Whether every announcement of other instances is received within a second. Otherwise caches can't be trusted. */
  isListening(): boolean
}

export type ChangeMessage = { readonly message: Message } | 'resync'
