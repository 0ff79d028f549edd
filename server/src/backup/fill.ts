import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { messageOf } from '../shared/caught-error.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { lockMigrations, migrateTables, migrationNames } from '../store/migrations.ts'
import { withOutages } from '../store/outage.ts'
import { announceResync } from '../store/postgres/changes.ts'
import { prepareSqliteFile, sqliteFile } from '../store/sqlite/file.ts'
import { isPostgresOutage, isPrivilegeMissing } from '../store/sql-state.ts'
import { isSqliteOutage, sqliteDialect } from '../store/sqlite/dialect.ts'
import type { Engine } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { ArchiveError, type Head, type RowsRecord } from './archive.ts'
import { poolFor } from './postgres-client.ts'
import { allTables, isLeftOut } from './snapshot.ts'

/** Key of the row of `meta` that names the restore which filled the database. */
const restoredKey = 'restored'

export interface Filling {
  readonly head: Head
  readonly rows: AsyncIterable<RowsRecord>
  /** Names this restore. */
  readonly id: string
  /** Unix milliseconds. */
  readonly now: number
  /** The configuration that instances share, for a database that is to have one; used if the backup has no version of it. */
  readonly document: string | undefined
}

/** A database of the service that is opened for a restore only. */
export interface RestoredDatabase {
  /** Replaces all tables, in one transaction. */
  load(filling: Filling): Promise<void>
  close(): Promise<void>
}

/** Creates the file. */
export function newSqliteDatabase(path: string, log: Log): RestoredDatabase {
  prepareSqliteFile(path)
  const file = sqliteFile(path, () => undefined, log)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  return {
    load: (filling) => db.transaction().execute((within) => replaceTables(within, 'sqlite', filling)),
    async close() {
      await db.destroy()
      file.drop()
    },
  }
}

export async function postgresDatabase(url: string): Promise<RestoredDatabase> {
  const dialect = withOutages(new PostgresDialect({ pool: await poolFor(url) }), isPostgresOutage)
  const db = new Kysely<Tables>({ dialect })
  const load = (filling: Filling) =>
    db.transaction().execute(async (within) => {
      await lockMigrations(within)
      // Also tells if a newer version made them.
      await migrateTables(within, 'postgres', filling.now)
      for (const table of allTables.toReversed()) await within.schema.dropTable(table).cascade().execute()
      await replaceTables(within, 'postgres', filling)
      // An instance that should have been stopped drops what it has cached, and ends the streams of its sessions.
      await announceResync(within)
    })
  return { load: (filling) => load(filling).catch(throwMissingPrivilege), close: () => db.destroy() }
}

/** @throws StartError if it was a privilege that is missing, else the error itself */
function throwMissingPrivilege(cause: unknown): never {
  if (!isPrivilegeMissing(cause)) throw cause
  throw new StartError(
    `The PostgreSQL role of database.url lacks a privilege (${messageOf(cause)}). Use the role that owns the database and its tables.`,
    { status: 69, cause },
  )
}

/** Whether the restore with this id has filled the database. */
export async function isFilledBy(url: string, id: string): Promise<boolean> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: await poolFor(url) }) })
  try {
    const found = await sql<{ exists: boolean }>`select to_regclass('meta') is not null as exists`.execute(db)
    if (found.rows[0]?.exists !== true) return false
    const row = await db.selectFrom('meta').select('value').where('key', '=', restoredKey).executeTakeFirst()
    return row?.value === id
  } finally {
    await db.destroy()
  }
}

/** Creates the tables as the backup has them, fills them, and then migrates them. */
async function replaceTables(within: Transaction<Tables>, engine: Engine, { head, rows, id, now, document }: Filling) {
  const newer = head.migrations.filter((name) => !migrationNames.includes(name))
  if (newer.length > 0) {
    throw new ArchiveError(
      `It was made by version ${head.version} of Gatehouse. Restore it with that version or a newer one.`,
    )
  }
  await migrateTables(within, engine, now, new Set(head.migrations))
  const columns = await columnsIn(within)
  for await (const record of rows) {
    if (isLeftOut(record.table)) continue
    if (!record.columns.every((name) => columns.get(record.table)?.has(name)))
      throw new ArchiveError(`It has values that a backup of its version doesn't have, in the table ${record.table}.`)
    await insert(record, within, engine)
  }
  if (engine === 'postgres') await continueNumbers(within)
  await migrateTables(within, engine, now)
  await restoreDocument(within, document, now)
  await within
    .insertInto('meta')
    .values({ key: restoredKey, value: id })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: id }))
    .execute()
}

/** The columns of each table, which a backup can fill: it fills no other, such as those of the engine itself. */
async function columnsIn(within: Transaction<Tables>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  // PostgreSQL can have a table with the same name in another schema.
  for (const { name, columns } of await within.introspection.getTables())
    found.set(name, new Set([...(found.get(name) ?? []), ...columns.map((column) => column.name)]))
  return found
}

/** With SQLite, all of the configuration is in config.yml. */
async function restoreDocument(within: Transaction<Tables>, document: string | undefined, now: number) {
  if (document === undefined) {
    await within.deleteFrom('config_version').execute()
    return
  }
  const version = await within.selectFrom('config_version').select('number').limit(1).executeTakeFirst()
  if (version) return
  await within
    .insertInto('config_version')
    .values({ number: 1, document, author: 'gatehouse restore', at: now })
    .execute()
}

/** Whether an error is of the database, not of the values. */
const isOutage = { sqlite: isSqliteOutage, postgres: isPostgresOutage } as const

/** Values of one statement: both engines allow at least this many. */
const maxValues = 30_000

async function insert({ table, columns, rows }: RowsRecord, within: Transaction<Tables>, engine: Engine) {
  const some = Math.max(1, Math.floor(maxValues / columns.length))
  // The ids of the backup, instead of new ones.
  const ids = engine === 'postgres' ? sql`overriding system value` : sql``
  for (let at = 0; at < rows.length; at += some) {
    const values = rows.slice(at, at + some).map((row) => sql`(${sql.join(row)})`)
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) ${ids}
      values ${sql.join(values)}`
      .execute(within)
      .catch((cause: unknown) => {
        if (isOutage[engine](cause) || isPrivilegeMissing(cause)) throw cause
        // The database's own message can repeat values.
        throw new ArchiveError(`It has values that the database doesn't accept, in the table ${table}.`, { cause })
      })
  }
}

/** New rows get ids after the restored ones. SQLite does this itself. */
async function continueNumbers(within: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where is_identity = 'YES' and table_schema = current_schema()`.execute(within)
  for (const { table, column } of rows) {
    await sql`select setval(
      pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}),
      false
    )`.execute(within)
  }
}
