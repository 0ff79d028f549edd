import { Kysely, type Dialect } from 'kysely'
import { StartError } from '../../shared/errors.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { messageOf } from '../../shared/caught-error.ts'
import { createStore, prepareOrClose, type PrepareTables } from '../create-store.ts'
import { migrate, requireMigrated } from '../migrations.ts'
import { sqlState } from '../sql-state.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { transaction } from '../transaction.ts'
import { postgresChanges, type OpenListenConnection } from './changes.ts'

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)
}

export interface PostgresUrlDeps extends Runtime {
  readonly url: string
  /** Only opens a database that has the tables of this version. */
  readonly existing: boolean
}

/**
 * Opens the database of a PostgreSQL server.
 *
 * @throws StartError with status 78 if the server rejects the connection, 1 if it can't be reached
 */
export async function openPostgresUrl({ url, existing, clock, log }: PostgresUrlDeps): Promise<Store> {
  // Loaded on demand: most installations use SQLite and save the driver's memory.
  const { clientOptions, migrationLimits, postgresDialect, postgresListenConnection, serviceConnections } =
    await import('./dialect.ts')
  const { dialect, ready } = serviceConnections(url, log)
  if (existing) ready()
  const prepare = existing
    ? requireMigrated
    : () => migrateBy(postgresDialect(clientOptions(url, migrationLimits), log), clock.now())
  return openPostgres({
    dialect,
    ready,
    openListenConnection: postgresListenConnection(clientOptions(url)),
    log,
    clock,
    prepare,
  })
}

/** Migrates the tables with connections that only the migration uses. */
async function migrateBy(dialect: Dialect, now: number): Promise<void> {
  const db = new Kysely<Tables>({ dialect })
  try {
    await migrate({ engine: 'postgres', transaction: (work) => transaction(db, work) }, now)
  } finally {
    await db.destroy()
  }
}

export interface PostgresDeps extends Runtime {
  readonly dialect: Dialect
  readonly openListenConnection: OpenListenConnection
  readonly prepare?: PrepareTables
  readonly ready?: () => void
}

/** A store on PostgreSQL with any connection: the tests use one without a server. */
export async function openPostgres({
  dialect,
  openListenConnection,
  clock,
  log,
  prepare = (store) => migrate(store, clock.now()),
  ready = () => undefined,
}: PostgresDeps): Promise<Store> {
  const changes = postgresChanges({ openListenConnection, clock, log })
  const store = createStore({
    dialect,
    engine: 'postgres',
    changes,
    ended: changes.ended,
    clock,
    log,
    ready,
    stop: () => changes.stop(),
  })
  await prepareOrClose(store, prepare, toStartError)
  await changes.start()
  return store
}

/** A wrong user or password or a missing database: waiting doesn't help. */
const misconfigured = new Set(['28P01', '28000', '3D000', '42501'])

function toStartError(cause: unknown): StartError {
  const code = sqlState(cause)
  if (code && misconfigured.has(code)) {
    return new StartError(`database.url: PostgreSQL rejected the connection: ${messageOf(cause)}`, { cause })
  }
  if (code === '42P01') {
    const message =
      'The PostgreSQL database has no tables of Gatehouse yet. The service creates them at its first start.'
    return new StartError(message, { status: 1, cause })
  }
  return new StartError(`Couldn't reach the PostgreSQL database: ${messageOf(cause)}`, { status: 1, cause })
}
