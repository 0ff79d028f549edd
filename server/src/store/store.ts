import type { Kysely, Transaction } from 'kysely'
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
  /** All of it happens, or nothing. `work` runs again after a deadlock, so it touches nothing but the database. */
  readonly transaction: <T>(work: (within: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** Whether it can be written; as found at most a second ago. */
  readonly healthy: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Anything that JSON can hold. */
export type Message = string | number | boolean | null | readonly Message[] | { readonly [key: string]: Message }

/** What one instance tells the others that share its database. SQLite has no others. */
export interface Changes {
  /** Told when, and only if, the transaction holds. */
  announce(message: Message, within: Transaction<Tables>): Promise<void>
  /**
   * Hears what other instances announced, never what this one did; and `missed` once the ear is back after it was
   * away: anything may have been said meanwhile.
   *
   * @returns a function that ends the subscription.
   */
  subscribe(receive: (heard: Heard) => void): () => void
  /** Whether every announcement of another instance is heard. While not, only the database knows. */
  live(): boolean
}

export type Heard = { readonly message: Message } | 'missed'
