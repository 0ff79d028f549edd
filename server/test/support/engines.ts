import type { PGlite } from '@electric-sql/pglite'
import { PGliteDialect, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Client } from 'pg'
import { systemClock } from '../../src/shared/time/clock.ts'
import type { Log } from '../../src/shared/log.ts'
import { openStore } from '../../src/store/open.ts'
import { withOutages } from '../../src/store/outage.ts'
import type { OpenListenConnection } from '../../src/store/postgres/changes.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { isPostgresOutage } from '../../src/store/sql-state.ts'
import type { Engine, Store } from '../../src/store/store.ts'
import { postgresUrl } from './programs.ts'
import { silent } from './null-log.ts'
import { startPglite } from './started-pglite.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A fresh database, and as many stores on it as a test opens. */
export interface TestDatabase {
  /** Opens another instance of the service on this database. */
  readonly open: (log?: Log) => Promise<Store>
  /** Closes every store and removes the database. */
  remove(): Promise<void>
}

export interface TestEngine {
  readonly name: string
  readonly engine: Engine
  /** Whether several stores work on one database concurrently; otherwise they share one connection. */
  readonly concurrent: boolean
  readonly create: () => Promise<TestDatabase>
}

const postgresServer = postgresUrl()

const sqlite: TestEngine = { name: 'SQLite', engine: 'sqlite', concurrent: true, create: createSqlite }

/**
 * For a test of what only PostgreSQL has: the real server that `POSTGRES_URL` names, where databases can be created.
 * Without it, one in the process of the test, which proves less and takes more CPU time.
 */
export const postgresEngines: readonly TestEngine[] = [
  postgresServer === undefined
    ? { name: 'PostgreSQL in-process', engine: 'postgres', concurrent: false, create: createPglite }
    : realPostgres(postgresServer),
]

/** Every engine that a store test runs on: in `npm run test:quick` only SQLite. */
export const engines: readonly TestEngine[] = [
  sqlite,
  ...(process.env['TEST_ENGINES'] === 'sqlite' ? [] : postgresEngines),
]

/** The open stores, so that they are closed however the test ends. */
function opening(open: (log: Log) => Promise<Store>) {
  const stores: Store[] = []
  return {
    open: async (log = silent): Promise<Store> => {
      const store = await open(log)
      store.ready()
      stores.push(store)
      return store
    },
    closeAll: () => Promise.allSettled(stores.map((store) => store.close())),
  }
}

async function createSqlite(): Promise<TestDatabase> {
  const configDir = temporaryFolder()
  const { open, closeAll } = opening((log) => openStore({ url: 'sqlite', configDir, log }))
  return {
    open,
    async remove() {
      await closeAll()
      rmSync(configDir, { recursive: true, force: true })
    },
  }
}

/** A started PostgreSQL without tables. Starting it takes a second, so the databases of a process use it in turn. */
let idlePglite: PGlite | undefined

async function createPglite(): Promise<TestDatabase> {
  const idle = idlePglite
  idlePglite = undefined
  const pglite = idle ?? (await startPglite())
  const openListenConnection: OpenListenConnection = async (channel, onMessage) => {
    const close = await pglite.listen(channel, onMessage)
    return { check: () => Promise.resolve(), close: () => close() }
  }
  // Kysely would close the database with the first of several stores.
  const shared = new Proxy(pglite, {
    get(target, name) {
      if (name === 'close') return () => Promise.resolve()
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const { open, closeAll } = opening((log) =>
    openPostgres({
      dialect: withOutages(new PGliteDialect({ pglite: shared }), isPostgresOutage),
      openListenConnection,
      log,
      clock: systemClock,
    }),
  )
  return {
    open,
    async remove() {
      await closeAll()
      for (const statement of ['rollback', 'discard all', 'drop schema public cascade', 'create schema public'])
        await pglite.exec(statement)
      idlePglite = pglite
    },
  }
}

function realPostgres(server: string): TestEngine {
  const requested = async (query: string) => {
    const client = new Client(server)
    await client.connect()
    await client.query(query)
    await client.end()
  }
  return {
    name: 'PostgreSQL',
    engine: 'postgres',
    concurrent: true,
    async create() {
      const database = `gatehouse_${randomUUID().replaceAll('-', '')}`
      await requested(`create database ${database}`)
      const url = new URL(server)
      url.pathname = `/${database}`
      const { open, closeAll } = opening((log) => openStore({ url: url.href, configDir: '/nowhere', log }))
      return {
        open,
        async remove() {
          await closeAll()
          await requested(`drop database if exists ${database} with (force)`)
        },
      }
    },
  }
}

/** Empties every table that a feature writes to. */
export async function emptied({ db, engine }: Store): Promise<void> {
  await db.deleteFrom('meta').where('key', 'like', 'role_generation:%').execute()
  if (engine === 'postgres')
    await sql`truncate "user", session, api_token, audit, audit_output, deleted_role, removed_object, instance, camera_lease, config_version, failed_login, deleted_file, recording, export, review_item, review_seen restart identity cascade`.execute(
      db,
    )
  else
    for (const table of [
      'session',
      'user',
      'audit',
      'audit_output',
      'deleted_role',
      'recording',
      'export',
      'review_item',
    ] as const)
      await db.deleteFrom(table).execute()
}
