import { Kysely, type Dialect, type Transaction } from 'kysely'
import { join } from 'node:path'
import { systemClock } from '../shared/time/clock.ts'
import { ServiceError, StartError } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import { auditWriter } from './audit/rows.ts'
import { healthOf } from './health.ts'
import { migrate, migrationNames, requireMigrated } from './migrations.ts'
import { postgresChanges, type OpenListenConnection } from './postgres/changes.ts'
import { sqliteChanges } from './sqlite/changes.ts'
import { analyzeDaily } from './sqlite/daily-statistics.ts'
import { convertSqlite } from './sqlite/conversion.ts'
import { prepareSqliteFile, sqliteFile, sqliteName } from './sqlite/file.ts'
import { regularCheckpoints } from './sqlite/regular-checkpoints.ts'
import { shrinkHourly } from './sqlite/shrinking.ts'
import { createWriteMutex, sqliteDialect, writeAlone } from './sqlite/dialect.ts'
import { sqlState } from './sql-state.ts'
import type { Changes, Engine, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { transaction, type Outcome } from './transaction.ts'
import { messageOf } from '../shared/caught-error.ts'

export interface StoreDeps extends Pick<Runtime, 'log'>, Partial<Pick<Runtime, 'clock'>> {
  /** `sqlite`, or `postgres://…`. */
  readonly url: string
  /** Folder of `gatehouse.db`. */
  readonly configDir: string
  /** Only opens a database that exists and has the tables of this version. */
  readonly existing?: boolean
}

/**
 * Opens the database and migrates its tables.
 *
 * @throws StartError with status 78 if `url` is invalid, 1 if the database can't be reached or used
 */
export async function openStore({
  url,
  configDir,
  log,
  clock = systemClock,
  existing = false,
}: StoreDeps): Promise<Store> {
  if (url === 'sqlite') {
    const path = join(configDir, sqliteName)
    return openSqlite(path, { clock, log, existing })
  }
  if (isPostgresUrl(url)) {
    // Loaded on demand: most installations use SQLite and save the driver's memory.
    const { clientOptions, migrationLimits, postgresDialect, postgresListenConnection, serviceConnections } =
      await import('./postgres/dialect.ts')
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
  // The URL may contain a password, so it isn't shown.
  throw new StartError('database.url is neither `sqlite` nor a URL that begins with `postgres://`')
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

function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)
}

interface SqliteDeps extends Runtime, Required<Pick<StoreDeps, 'existing'>> {}

async function openSqlite(path: string, { clock, log, existing }: SqliteDeps): Promise<Store> {
  let migrated = false
  const file = sqliteFile(
    path,
    (reader) => {
      // The file may have been replaced by any other file, or another version may be migrating it.
      if (!migrated) return
      const done = reader.prepare('select name from migration order by name').all()
      if (done.map(({ name }) => name).join() !== [...migrationNames].sort().join()) {
        throw new Error('the database in the file has another version')
      }
    },
    log,
  )
  const toStartError = (cause: unknown) =>
    new StartError(`Couldn't use the database ${path}: ${messageOf(cause)}`, { status: 1, cause })
  try {
    if (!existing) prepareSqliteFile(path)
  } catch (cause) {
    throw toStartError(cause)
  }
  const mutex = createWriteMutex()
  const alone = <T>(work: () => T) => writeAlone(file, mutex, work)
  const changes = sqliteChanges(file, log)
  // What the service does to its file, and the command `gatehouse` doesn't.
  const checkpoints = existing ? undefined : regularCheckpoints({ path, log })
  const jobs = checkpoints
    ? [shrinkHourly({ file, alone, clock, log }), analyzeDaily({ path, file, alone, clock, log }), checkpoints]
    : []
  const stop = async () => {
    changes.stop()
    await Promise.all(jobs.map((job) => job.stop()))
  }
  const store = storeOver({
    dialect: sqliteDialect(file, mutex, checkpoints?.committed),
    engine: 'sqlite',
    changes,
    clock,
    log,
    stop,
  })
  const prepare = existing ? requireMigrated : (opened: Store) => migrate(opened, clock.now())
  await started(store, prepare, toStartError)
  if (!existing) await convertSqlite({ path, file, alone, log })
  // SQLite names the columns of a result before it notices that another connection has changed the tables.
  file.drop()
  migrated = true
  changes.start()
  return store
}

/** Migrates the tables, or checks that they are those of this version. */
type PrepareTables = (store: Store) => Promise<void>

interface PostgresDeps extends Runtime {
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
  const store = storeOver({
    dialect,
    engine: 'postgres',
    changes,
    ended: changes.ended,
    clock,
    log,
    ready,
    stop: () => changes.stop(),
  })
  await started(store, prepare, postgresStartError)
  await changes.start()
  return store
}

/** A wrong user or password or a missing database: waiting doesn't help. */
const misconfigured = new Set(['28P01', '28000', '3D000', '42501'])

function postgresStartError(cause: unknown): StartError {
  const code = sqlState(cause)
  if (code && misconfigured.has(code)) {
    return new StartError(`database.url: PostgreSQL rejected the connection: ${messageOf(cause)}`, { cause })
  }
  return new StartError(`Couldn't reach the PostgreSQL database: ${messageOf(cause)}`, { status: 1, cause })
}

async function started(
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

/** Milliseconds after which a commit without an acknowledgment counts as failed: until then, it may take effect. */
const commitTimeout = 60_000

/** Milliseconds that closing waits for the server. */
const closeTimeout = 1_500

interface EngineDeps extends Runtime {
  readonly dialect: Dialect
  readonly engine: Engine
  readonly changes: Changes
  /** Gets each transaction that has ended, and whether its commit was acknowledged. */
  readonly ended?: (within: Transaction<Tables>, isCommitted: boolean) => void
  readonly ready?: () => void
  readonly stop?: () => Promise<void>
}

function storeOver({
  dialect,
  engine,
  changes,
  ended = () => undefined,
  clock,
  log,
  ready = () => undefined,
  stop = () => Promise.resolve(),
}: EngineDeps): Store {
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
