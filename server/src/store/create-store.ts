import { Kysely, type Dialect, type Transaction } from 'kysely'
import { ServiceError, StartError } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import { auditWriter } from './audit/rows.ts'
import { healthOf } from './health.ts'
import type { Changes, Engine, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { transaction, type Outcome } from './transaction.ts'

export interface CreateStoreDeps extends Runtime {
  readonly dialect: Dialect
  readonly engine: Engine
  readonly changes: Changes
  /** Gets each transaction that has ended, and whether its commit was acknowledged. */
  readonly ended?: (within: Transaction<Tables>, isCommitted: boolean) => void
  readonly ready?: () => void
  readonly stop?: () => Promise<void>
}

/** Milliseconds after which a commit without an acknowledgment counts as failed: until then, it may take effect. */
const commitTimeout = 60_000

/** Milliseconds that closing waits for the server. */
const closeTimeout = 1_500

/** A store on a database of either engine, whose tables aren't checked yet. */
export function createStore({
  dialect,
  engine,
  changes,
  ended = () => undefined,
  clock,
  log,
  ready = () => undefined,
  stop = () => Promise.resolve(),
}: CreateStoreDeps): Store {
  // The queries of the health check report their failures here too.
  const db = new Kysely<Tables>({ dialect, log: ({ level }) => void (level === 'error' && health.doubt()) })
  const health = healthOf(db)
  const audit = auditWriter(clock, log)
  const end = (within: Transaction<Tables>, outcome: Outcome) => {
    ended(within, outcome === 'committed')
    // SQLite commits while the service waits, or not at all.
    if (engine === 'postgres' && outcome === 'unknown') clock.after(commitTimeout, () => audit.ended(within))
    else audit.ended(within)
    if (outcome === 'committed') audit.committed(within)
  }
  return {
    db,
    engine,
    changes,
    audit,
    transaction: (work) =>
      transaction(db, work, end).catch((error: unknown) => {
        health.doubt()
        throw error
      }),
    healthy: health.healthy,
    ready,
    close: async () => {
      const closed = Promise.all([stop(), db.destroy()])
      // An unresponsive server doesn't confirm closing either.
      const { promise: isLate, resolve } = Promise.withResolvers<void>()
      const stopWaiting = clock.after(closeTimeout, resolve)
      await Promise.race([closed, isLate]).finally(stopWaiting)
    },
  }
}

/** Migrates the tables, or checks that they are those of this version. */
export type PrepareTables = (store: Store) => Promise<void>

/**
 * Prepares the tables of a new store, which is closed if that fails.
 *
 * @throws StartError
 */
export async function prepareOrClose(
  store: Store,
  prepare: PrepareTables,
  toStartError: (cause: unknown) => StartError,
): Promise<void> {
  try {
    await prepare(store)
  } catch (error) {
    await store.close().catch(() => undefined)
    if (error instanceof StartError) throw error
    throw toStartError(error instanceof ServiceError && error.cause !== undefined ? error.cause : error)
  }
}
