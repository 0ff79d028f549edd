import type { Transaction } from 'kysely'
import type { Engine } from '../store.ts'
import type { Tables } from '../tables.ts'

/** A change of the tables. A released migration is never changed; a new one is added instead. */
export interface Migration {
  readonly name: string
  readonly up: (within: Transaction<Tables>, engine: Engine) => Promise<void>
}
