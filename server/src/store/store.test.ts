import { sql } from 'kysely'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stopwatch } from '../../test/support/own-time.ts'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { wait } from '../../test/support/wait.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { databaseSize } from './database-size.ts'
import { migrationNames } from './migrations.ts'
import { openStore } from './open.ts'
import type { Store } from './store.ts'

const note = (store: Store, key: string, value = '') => store.db.insertInto('meta').values({ key, value }).execute()
const noted = async (store: Store) =>
  (
    await store.db
      .selectFrom('meta')
      .select('key')
      .where('key', 'not in', ['health', 'migrated_by'])
      .orderBy('key')
      .execute()
  ).map(({ key }) => key)
const makeForeign = (name: string) => {
  const foreign = new DatabaseSync(name)
  foreign.exec('create table meta (key text, value text)')
  foreign.close()
}

const unavailable = { name: 'ServiceError', code: 'unavailable' }

describe.each(engines)('a store on $name', ({ engine, concurrent, create }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.remove())

  test('makes its tables once, though several instances start at the same time', async () => {
    const stores = await Promise.all([database.open(), database.open(), database.open()])
    // Each writes to know it.
    expect(await Promise.all(stores.map((store) => store.healthy()))).toEqual([true, true, true])
    for (const store of stores) {
      expect(await store.db.selectFrom('migration').select('name').execute()).toHaveLength(migrationNames.length)
    }
  })

  test('knows its size, until it is closed', async () => {
    const store = await database.open()
    const { size, free } = (await databaseSize(store))!
    expect(size).toBeGreaterThan(100_000)
    expect(free).toBe(engine === 'sqlite' ? 0 : undefined)
    await note(store, 'large', 'x'.repeat(5_000_000))
    if (engine === 'sqlite') {
      expect((await databaseSize(store))!.size).toBeGreaterThan(size + 4_900_000)
      await store.db.deleteFrom('meta').where('key', '=', 'large').execute()
      expect((await databaseSize(store))!.free).toBeGreaterThan(4_900_000)
    }
    await store.close()
    expect(await databaseSize(store)).toBeUndefined()
  })

  test('keeps its content when the service restarts', async () => {
    const first = await database.open()
    await note(first, 'kept')
    await first.close()
    expect(await noted(await database.open())).toEqual(['kept'])
  })

  test('[OPS-2] does not start on the database of a newer version', async () => {
    const store = await database.open()
    await store.db.insertInto('migration').values({ name: '9999-later', done_at: 0 }).execute()
    await expect(database.open()).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('9999-later'),
    })
  })

  test('a transaction happens as a whole or not at all', async () => {
    const store = await database.open()
    const failing = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'half', value: '' }).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await noted(store)).toEqual([])
  })

  test('a violated constraint, or invalid SQL, isn’t an outage', async () => {
    const store = await database.open()
    await note(store, 'a')
    await expect(note(store, 'a')).rejects.not.toMatchObject(unavailable)
    await expect(sql`selec 1`.execute(store.db)).rejects.not.toMatchObject(unavailable)
    const within = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'b', value: '' }).execute()
      await within.insertInto('meta').values({ key: 'a', value: '' }).execute()
    })
    await expect(within).rejects.not.toMatchObject(unavailable)
    expect(await noted(store)).toEqual(['a'])
  })

  test('writers wait for each other, and readers see only committed data', async () => {
    const store = await database.open()
    const seen: string[][] = []
    const writers = Array.from({ length: 20 }, (_, nth) =>
      store.transaction(async (within) => {
        await within
          .insertInto('meta')
          .values({ key: `a${nth}`, value: '' })
          .execute()
        await wait(1, 'lets the other writers continue')
        await within
          .insertInto('meta')
          .values({ key: `b${nth}`, value: '' })
          .execute()
      }),
    )
    const done = Promise.all(writers)
    for (let nth = 0; nth < 10; nth += 1) seen.push(await noted(store))
    await done
    for (const keys of seen) expect(keys.length % 2).toBe(0)
    expect(await noted(store)).toHaveLength(40)
  })

  test.runIf(engine === 'postgres')('an announcement reaches only the other instances', async () => {
    const [one, two] = [await database.open(), await database.open()]
    const received: unknown[] = []
    one.changes.subscribe((message) => received.push(['one', message]))
    two.changes.subscribe((message) => received.push(['two', message]))
    await one.transaction((within) => one.changes.announce({ send: 'line\nbreak "quoted" \u2028' }, within))
    await expect.poll(() => received).toEqual([['two', { message: { send: 'line\nbreak "quoted" \u2028' } }]])
    expect(one.changes.isListening()).toBe(true)
  })

  test.runIf(concurrent && engine === 'postgres')('reports that its LISTEN connection was lost', async () => {
    const [one, two] = [await database.open(), await database.open()]
    const received: unknown[] = []
    one.changes.subscribe((message) => received.push(message))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'unlisten%'`.execute(two.db)
    await expect.poll(() => one.changes.isListening()).toBe(false)
    await expect.poll(() => one.changes.isListening()).toBe(true)
    expect(received).toEqual(['resync'])
  })
})

/** Bytes of the write-ahead log. */
const logSize = (path: string): number => statSync(`${path}-wal`).size

describe('a SQLite file', () => {
  let configDir: string
  let path: string
  let store: Store
  beforeEach(async () => {
    configDir = temporaryFolder()
    path = join(configDir, 'gatehouse.db')
    store = await openStore({ url: 'sqlite', configDir, log: silent })
  })
  afterEach(() => store.close())

  test('is read and written by its owner alone', async () => {
    await note(store, 'a')
    for (const name of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
  })

  test('has a log that is cut after a large transaction', async () => {
    await note(store, 'large', 'x'.repeat(24 * 2 ** 20))
    expect(logSize(path)).toBeGreaterThan(24 * 2 ** 20)
    await note(store, 'next')
    await note(store, 'after')
    expect(logSize(path)).toBeLessThanOrEqual(16 * 2 ** 20)
  })

  test('has a write-ahead log, whose flushes are waited for outside of SQLite', async () => {
    const settings = await store.db
      .transaction()
      .execute(async (within) => [
        await sql`pragma journal_mode`.execute(within),
        await sql`pragma synchronous`.execute(within),
        await sql`pragma foreign_keys`.execute(within),
      ])
    expect(settings.flatMap(({ rows }) => rows)).toEqual([
      { journal_mode: 'wal' },
      { synchronous: 1 },
      { foreign_keys: 1 },
    ])
  })

  test('locked by another process: reading continues; writing waits without blocking the process, then fails as unavailable', async () => {
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 10)
    const elapsed = stopwatch()
    const writes = Promise.allSettled(Array.from({ length: 5 }, (_, nth) => note(store, `a${nth}`)))
    expect(await noted(store)).toEqual([])
    expect(elapsed()).toBeLessThan(500)
    for (const write of await writes) expect(write).toMatchObject({ status: 'rejected', reason: unavailable })
    expect(elapsed()).toBeLessThan(4_000)
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(10)
    expect(await store.healthy()).toBe(false)
    other.exec('rollback')
    other.close()
    await note(store, 'after')
    expect(await noted(store)).toEqual(['after'])
    await expect.poll(() => store.healthy()).toBe(true)
  })

  test.each([
    ['a query', () => noted(store)],
    ['a select', async () => (await sql<{ key: string }>`select key from meta where key = 'a'`.execute(store.db)).rows],
    ['a with', async () => (await sql`with the(key) as (values ('a')) select key from the`.execute(store.db)).rows],
    ['the size', async () => [await databaseSize(store)].filter((size) => size !== undefined)],
  ])('%s that only reads waits for no transaction, not even of this process', async (_what, read) => {
    await note(store, 'a')
    const { promise: held, resolve: end } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const writing = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'b', value: '' }).execute()
      begin()
      await held
    })
    await begun
    // A read that waits for its turn fails after two seconds.
    expect(await read()).toHaveLength(1)
    end()
    await writing
  })

  test('SQL that begins as a read and writes has its turn, and is on disk', async () => {
    await sql`with the(key) as (values ('a')) insert into meta (key, value) select key, '' from the`.execute(store.db)
    expect(await noted(store)).toEqual(['a'])
  })

  test('locked for a moment: writes succeed after a short wait', async () => {
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    setTimeout(() => other.exec('rollback'), 300)
    await note(store, 'a')
    expect(await noted(store)).toEqual(['a'])
    other.close()
  })

  test('a transaction that has read is not overtaken by another process', async () => {
    const other = new DatabaseSync(path)
    await store.transaction(async (within) => {
      await within.selectFrom('meta').selectAll().execute()
      expect(() => other.exec("insert into meta values ('other', '')")).toThrow('locked')
      await within.insertInto('meta').values({ key: 'a', value: '' }).execute()
    })
    other.close()
    expect(await noted(store)).toEqual(['a'])
  })

  test('full: unavailable, nothing half-written, well again when there is room', async () => {
    const room = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(store.db)
    await room(1)
    const write = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'small', value: '' }).execute()
      await within
        .insertInto('meta')
        .values({ key: 'large', value: 'x'.repeat(1_000_000) })
        .execute()
    })
    await expect(write).rejects.toMatchObject(unavailable)
    expect(await noted(store)).toEqual([])
    expect(await store.healthy()).toBe(false)
    await room(1_000_000)
    await note(store, 'large', 'x'.repeat(1_000_000))
    expect(await noted(store)).toEqual(['large'])
    await expect.poll(() => store.healthy()).toBe(true)
  })

  test('moved away: unavailable, never an empty one in its place; moved back: all is there', async () => {
    await note(store, 'before')
    renameSync(path, `${path}.away`)
    await expect(note(store, 'lost')).rejects.toMatchObject(unavailable)
    await expect(noted(store)).rejects.toMatchObject(unavailable)
    expect(await store.healthy()).toBe(false)
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.away`, path)
    await note(store, 'after')
    expect(await noted(store)).toEqual(['after', 'before'])
    await expect.poll(() => store.healthy()).toBe(true)
  })

  test('moved away in the middle of a transaction: nothing of it holds', async () => {
    const write = store.transaction(async (within) => {
      await within.insertInto('meta').values({ key: 'half', value: '' }).execute()
      renameSync(path, `${path}.away`)
    })
    await expect(write).rejects.toMatchObject(unavailable)
    renameSync(`${path}.away`, path)
    expect(await noted(store)).toEqual([])
  })

  test('changed by another process: a query made before and after gets the columns it names, and `*` all there are', async () => {
    await note(store, 'a', 'text')
    const named = () => store.db.selectFrom('meta').select(['key', 'value']).where('key', '=', 'a').execute()
    const all = () => store.db.selectFrom('meta').selectAll().where('key', '=', 'a').execute()
    expect([await named(), await all()]).toEqual([[{ key: 'a', value: 'text' }], [{ key: 'a', value: 'text' }]])
    const other = new DatabaseSync(path)
    other.exec(`create table made (value text, more text, key text primary key);
      insert into made select value, 'more', key from meta; drop table meta; alter table made rename to meta`)
    other.close()
    expect(await named()).toEqual([{ key: 'a', value: 'text' }])
    expect(await all()).toEqual([{ value: 'text', more: 'more', key: 'a' }])
  })

  test('replaced by a backup: continues with the backup, undamaged by later writes', async () => {
    await note(store, 'old')
    await store.close()
    copyFileSync(path, `${path}.backup`)
    store = await openStore({ url: 'sqlite', configDir, log: silent })
    for (let nth = 0; nth < 50; nth += 1) await note(store, `new${nth}`, 'x'.repeat(5_000))
    renameSync(`${path}.backup`, path)
    expect(await noted(store)).toEqual(['old'])
    await note(store, 'next')
    expect((await sql`pragma integrity_check`.execute(store.db)).rows).toEqual([{ integrity_check: 'ok' }])
    expect(await noted(store)).toEqual(['next', 'old'])
  })

  test('its log deleted: nothing is lost', async () => {
    await note(store, 'a')
    rmSync(`${path}-wal`)
    await note(store, 'b')
    expect(await noted(store)).toEqual(['a', 'b'])
    await store.close()
    store = await openStore({ url: 'sqlite', configDir, log: silent })
    expect(await noted(store)).toEqual(['a', 'b'])
  })

  test('replaced by an empty one, by rubbish, or by another program’s: unavailable until it is back', async () => {
    await note(store, 'a')
    await store.close()
    copyFileSync(path, `${path}.good`)
    store = await openStore({ url: 'sqlite', configDir, log: silent })
    const makers = [
      (name: string) => writeFileSync(name, ''),
      (name: string) => writeFileSync(name, 'rubbish'.repeat(10_000)),
      makeForeign,
    ]
    for (const make of makers) {
      make(`${path}.other`)
      renameSync(`${path}.other`, path)
      await expect(noted(store)).rejects.toMatchObject(unavailable)
      await expect(note(store, 'lost')).rejects.toMatchObject(unavailable)
    }
    renameSync(`${path}.good`, path)
    await note(store, 'b')
    expect(await noted(store)).toEqual(['a', 'b'])
  })

  test('two processes that start at the same time on a new file both run, and make the tables once', async () => {
    const fresh = join(configDir, 'fresh')
    const program = `
      import { mkdirSync } from 'node:fs'
      import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'open.ts'))}
      const log = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
      mkdirSync(${JSON.stringify(fresh)}, { recursive: true })
      process.stdout.write('ready')
      process.stdin.once('data', async () => {
        const store = await openStore({ url: 'sqlite', configDir: ${JSON.stringify(fresh)}, log })
        for (let nth = 0; nth < 20; nth += 1)
          await store.db.insertInto('meta').values({ key: process.pid + '.' + nth, value: '' }).execute()
        await store.close()
        process.exit(0)
      })`
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    const ends = Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown))
    for (const { stdin } of children) stdin.write('go')
    expect(await ends).toEqual([0, 0, 0])
    const found = await openStore({ url: 'sqlite', configDir: fresh, log: silent })
    expect(await noted(found)).toHaveLength(60)
    expect(await found.db.selectFrom('migration').select('name').execute()).toHaveLength(migrationNames.length)
    await found.close()
  })
})

describe('a start', () => {
  let configDir: string
  beforeEach(() => void (configDir = temporaryFolder()))
  const start = (url: string, dir = configDir) => openStore({ url, configDir: dir, log: silent })

  test.each(['mysql://host/db', 'postgres//host', 'SQLITE', '', 'postgres://host:port:port/db'])(
    'with the url %o is a configuration error, and does not show it',
    async (url) => {
      await expect(start(url)).rejects.toMatchObject({ name: 'StartError', status: 78 })
      if (url) await expect(start(url)).rejects.not.toThrow(url)
    },
  )

  test('without a server fails within three seconds, and says so without the password', async () => {
    const elapsed = stopwatch()
    const starting = start('postgres://me:geheim@127.0.0.1:9/db')
    await expect(starting).rejects.toMatchObject({ name: 'StartError', status: 1 })
    await expect(starting).rejects.not.toThrow('geheim')
    expect(elapsed()).toBeLessThan(3_000)
  })

  test('without a folder, or with a file that isn’t a database, says so', async () => {
    await expect(start('sqlite', join(configDir, 'nowhere'))).rejects.toMatchObject({ name: 'StartError', status: 1 })
    writeFileSync(join(configDir, 'gatehouse.db'), 'rubbish'.repeat(10_000))
    await expect(start('sqlite')).rejects.toMatchObject({ name: 'StartError', status: 1 })
  })
})
