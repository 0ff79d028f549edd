import type { Kysely, Transaction } from 'kysely'
import type { AuditEntry } from '../shared/audit.ts'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * The one database of the service.
 *
 * While it is locked, full, gone or silent, everything asked of `db` throws ServiceError `unavailable`, within some
 * three seconds; it is asked anew each time, so it recovers by itself.
 */
export interface Store {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  readonly changes: Changes
  readonly audit: AuditRows
  /** All of it happens, or nothing. `work` runs again after a deadlock, so it touches nothing but the database. */
  readonly transaction: <T>(work: (within: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** Whether it can be written; as found at most a second ago. */
  readonly healthy: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** An audit entry, its time in Unix milliseconds. */
export interface DatedEntry extends AuditEntry {
  readonly at: number
}

/** An entry that is not there yet, or is to be changed. */
export interface AuditRow extends DatedEntry {
  readonly id: number | undefined
}

/** Audit entries, written together with what they tell of (AUD-1). */
export interface AuditRows {
  /** Adds an entry of this moment in the transaction of the change: both are committed, or neither is. */
  insert(entry: AuditEntry, within: Transaction<Tables>): Promise<void>
  /**
   * Adds entries by themselves, and changes those that are there.
   *
   * @returns the ids, in order.
   */
  write(rows: readonly AuditRow[], within: Transaction<Tables>): Promise<number[]>
  /** Hears each entry of {@link insert} once its transaction has committed. */
  subscribe(listener: (entry: AuditEntry) => void): void
}

/** Anything that JSON can hold. */
export type Message = string | number | boolean | null | readonly Message[] | { readonly [key: string]: Message }

/** What one instance tells the others that share its database. SQLite has no others. */
export interface Changes {
  /** Told when, and only if, the transaction holds. */
  announce(message: Message, within: Transaction<Tables>): Promise<void>
  /**
   * Hears what other instances announced, never what this one did; and `missed` once the ear is back after it was
   * away, or where an announcement cannot be read: anything may have been said.
   *
   * @returns a function that ends the subscription.
   */
  subscribe(receive: (received: ChangeMessage) => void): () => void
  /** Whether every announcement of another instance is heard. While not, only the database knows. */
  live(): boolean
}

export type ChangeMessage = { readonly message: Message } | 'missed'
