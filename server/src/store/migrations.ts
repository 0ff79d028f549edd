import { sql, type Kysely, type Transaction } from 'kysely'
import { StartError } from '../shared/errors.ts'
import { version } from '../shared/package.ts'
import { credentials } from './migrations/credentials.ts'
import { firstTables } from './migrations/first-tables.ts'
import { instancesAndCameras } from './migrations/instances-and-cameras.ts'
import { linksAndAudit } from './migrations/links-and-audit.ts'
import { standardNames } from './migrations/standard-names.ts'
import { providerLogouts } from './migrations/provider-logouts.ts'
import { tokenParents } from './migrations/token-parents.ts'
import { severalInstances } from './migrations/several-instances.ts'
import { objectStorage } from './migrations/object-storage.ts'
import { exportsOnDisk } from './migrations/exports-on-disk.ts'
import { deletedByAge } from './migrations/deleted-by-age.ts'
import { usageByDay } from './migrations/usage-by-day.ts'
import { instanceRuns } from './migrations/instance-runs.ts'
import { screenTokens } from './migrations/screen-tokens.ts'
import type { Migration } from './migrations/migration.ts'
import type { Engine, Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Migrations in the order in which they run. A new one comes last. */
export const migrations: readonly Migration[] = [
  ...firstTables,
  ...instancesAndCameras,
  ...standardNames,
  ...credentials,
  ...linksAndAudit,
  ...severalInstances,
  ...objectStorage,
  ...exportsOnDisk,
  ...providerLogouts,
  ...tokenParents,
  ...deletedByAge,
  ...usageByDay,
  ...instanceRuns,
  ...screenTokens,
]

export const migrationNames: readonly string[] = migrations.map(({ name }) => name)

/** Key of the PostgreSQL advisory lock for migrations. */
const migrating = 4_715_001

/**
 * Migrates the tables to the current version, in one transaction by one instance, while other instances wait.
 *
 * @throws StartError if a newer version of the service migrated the database
 */
export async function migrate({ engine, transaction }: Pick<Store, 'engine' | 'transaction'>, now: number) {
  await transaction(async (within) => {
    if (engine === 'postgres') await lockMigrations(within)
    await migrateTables(within, engine, now)
  })
}

/** Of several instances that migrate one PostgreSQL database, each waits for the one before. */
export const lockMigrations = async (within: Transaction<Tables>): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${sql.lit(migrating)})`.execute(within))

/**
 * Runs the migrations that the database lacks.
 *
 * @param only the names of those to run; default: all
 * @throws StartError if a newer version of the service migrated the database
 */
export async function migrateTables(
  within: Transaction<Tables>,
  engine: Engine,
  now: number,
  only?: ReadonlySet<string>,
): Promise<void> {
  await within.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('done_at', 'bigint', (column) => column.notNull())
    .execute()
  const done = new Set((await within.selectFrom('migration').select('name').execute()).map(({ name }) => name))
  await requireKnown(done, within)
  const missing = migrations.filter(({ name }) => !done.has(name) && (only?.has(name) ?? true))
  for (const { name, up } of missing) {
    await up(within, engine)
    await within.insertInto('migration').values({ name, done_at: now }).execute()
  }
  if (missing.length > 0 && !only) await noteVersion(within)
}

/** Key of the row of `meta` with the version of the service that migrated the tables last. */
export const migratedBy = 'migrated_by'

const noteVersion = async (within: Transaction<Tables>): Promise<void> =>
  void (await within
    .insertInto('meta')
    .values({ key: migratedBy, value: version })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: version }))
    .execute())

async function requireKnown(done: ReadonlySet<string>, db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<void> {
  await requireKnownNames([...done], async () => {
    const row = await db.selectFrom('meta').select('value').where('key', '=', migratedBy).executeTakeFirst()
    return row?.value
  })
}

/**
 * @param readVersion the value of {@link migratedBy}, if there is one; only read for a newer database
 * @throws StartError that says which version is needed (OPS-2)
 */
export async function requireKnownNames(
  done: readonly string[],
  readVersion: () => string | undefined | Promise<string | undefined>,
): Promise<void> {
  const newer = done.filter((name) => !migrationNames.includes(name))
  if (newer.length === 0) return
  const by = await readVersion()
  const needed = by === undefined ? 'a newer version' : `version ${by}`
  throw new StartError(
    `The database was migrated by ${needed} of Gatehouse (it has ${newer.join(', ')}); this is version ${version}. Install that version or a later one, or restore a backup made by this version.`,
  )
}

/**
 * Changes nothing: another version may be using the tables.
 *
 * @throws StartError if the tables aren't those of this version
 */
export async function requireMigrated({ db }: Pick<Store, 'db'>): Promise<void> {
  const done = new Set((await db.selectFrom('migration').select('name').execute()).map(({ name }) => name))
  await requireKnown(done, db)
  if (migrationNames.some((name) => !done.has(name)))
    throw new StartError('The database is from an earlier version. Start the service first to migrate it.')
}
