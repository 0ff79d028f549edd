import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { migratedBy, requireKnownNames } from '../store/migrations.ts'
import type { Tables } from '../store/tables.ts'
import { sqliteName } from '../store/sqlite/file.ts'
import { openClient } from './postgres-client.ts'
import type { RowsRecord } from './archive.ts'

/** The database at one moment, while the service goes on. */
export interface Snapshot {
  readonly engine: 'sqlite' | 'postgres'
  readonly migrations: readonly string[]
  /** The configuration that instances share; undefined if there is none in the database. */
  readonly document: string | undefined
  /** All rows of the tables that a backup has, in an order in which they can be inserted. */
  rows(): AsyncGenerator<RowsRecord>
  close(): Promise<void>
}

/**
 * Which tables a backup has, each after those that it references. Sessions and what belongs to them are left out: after a
 * restore everyone signs in again, so that no session lives that was revoked since the backup. So are invitations and
 * password resets: one that was used since could be used once more.
 */
const tables: Readonly<Record<keyof Tables, 'kept' | 'left out'>> = {
  migration: 'left out',
  meta: 'kept',
  user: 'kept',
  session: 'left out',
  new_totp: 'left out',
  remembered_device: 'left out',
  // What was used once stays used.
  used_ticket: 'kept',
  logout_token: 'kept',
  api_token: 'kept',
  totp: 'kept',
  recovery_code: 'kept',
  passkey: 'kept',
  screen: 'kept',
  pairing: 'left out',
  invitation: 'left out',
  share_link: 'kept',
  share_link_viewer: 'left out',
  deleted_role: 'kept',
  // The instances that run, and what each has written where.
  instance: 'left out',
  camera_lease: 'left out',
  failed_login: 'left out',
  config_version: 'kept',
  audit_output: 'left out',
  camera: 'kept',
  camera_listing: 'kept',
  audit: 'kept',
  deleted_file: 'kept',
  recording: 'kept',
  removed_object: 'kept',
  export: 'kept',
  review_item: 'kept',
  review_seen: 'kept',
}

/** Every table, each after those that it references. */
export const allTables = Object.keys(tables) as (keyof Tables)[]
const keptTables = allTables.filter((table) => tables[table] === 'kept')

/**
 * Whether a restore skips the rows of a table: a backup of an earlier version can have some. A table that this version
 * doesn't know isn't skipped: a migration may have renamed it since.
 */
export const isLeftOut = (table: string): boolean =>
  allTables.some((each) => each === table && tables[each] === 'left out')

/** What a record has at most; one that is a single row can have more characters. */
export interface RecordLimit {
  readonly rows: number
  readonly characters: number
}

/** Far below the longest string of V8, which a line has to fit into: JSON makes at most six characters of one. */
const recordLimit: RecordLimit = { rows: 500, characters: 8_000_000 }

/** Tables with rows of many megabytes: PostgreSQL sends as many rows at a time as are fetched, whatever their size. */
const isReadByRow = (table: keyof Tables): boolean => table === 'config_version'

export interface DatabasePlace {
  /** `sqlite`, or `postgres://…`. */
  readonly url: string
  readonly configDir: string
}

/**
 * @throws StartError if a newer version of the service migrated the database: its backup would lack what that version
 * added; Error if the database can't be read
 */
export const openSnapshot = ({ url, configDir }: DatabasePlace, limit = recordLimit): Promise<Snapshot> =>
  url === 'sqlite' ? sqliteSnapshot(join(configDir, sqliteName), limit) : postgresSnapshot(url, limit)

async function sqliteSnapshot(path: string, limit: RecordLimit): Promise<Snapshot> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    db.exec('begin')
    // The transaction sees the database as it is at its first read.
    const migrations = db
      .prepare('select name from migration order by name')
      .all()
      .map(({ name }) => String(name))
    await requireKnownNames(migrations, () => {
      const row = db.prepare('select value from meta where key = ?').get(migratedBy)
      return row && String(row['value'])
    })
    return {
      engine: 'sqlite',
      migrations,
      document: undefined,
      async *rows() {
        for (const table of keptTables) {
          yield* recordsOf(table, db.prepare(`select * from "${table}"`).iterate(), limit)
        }
      },
      close: () => Promise.resolve(db.close()),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

type Row = Readonly<Record<string, unknown>>

async function* recordsOf(
  table: keyof Tables,
  rows: Iterable<Row> | AsyncIterable<Row>,
  limit: RecordLimit,
): AsyncGenerator<RowsRecord> {
  let record: RowsRecord | undefined
  let characters = 0
  for await (const row of rows) {
    const columns = Object.keys(row)
    const values = columns.map((column) => row[column] as string | number | null)
    const more = values.reduce<number>((sum, value) => sum + String(value).length, 0)
    if (!record || record.rows.length === limit.rows || characters + more > limit.characters) {
      if (record) yield record
      record = { table, columns, rows: [] }
      characters = 0
    }
    record.rows.push(values)
    characters += more
  }
  if (record) yield record
}

async function postgresSnapshot(url: string, limit: RecordLimit): Promise<Snapshot> {
  const client = await openClient(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: done } = await client.query<{ name: string }>('select name from migration order by name')
    const migrations = done.map(({ name }) => name)
    await requireKnownNames(migrations, async () => {
      const { rows } = await client.query<{ value: string }>('select value from meta where key = $1', [migratedBy])
      return rows[0]?.value
    })
    const { rows: newest } = await client.query<{ document: string }>(
      'select document from config_version order by number desc limit 1',
    )
    return {
      engine: 'postgres',
      migrations,
      document: newest[0]?.document,
      async *rows() {
        for (const table of keptTables) {
          yield* recordsOf(table, postgresRows(client, table, isReadByRow(table) ? 1 : limit.rows), limit)
        }
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

async function* postgresRows(client: Client, table: keyof Tables, some: number): AsyncGenerator<Row> {
  await client.query(`declare each_row no scroll cursor for select * from "${table}"`)
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${some} from each_row`)
    if (rows.length === 0) break
    yield* rows
  }
  await client.query('close each_row')
}
