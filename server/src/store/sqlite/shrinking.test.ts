import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Log } from '../../shared/log.ts'
import { databaseSize } from '../database-size.ts'
import { openStore } from '../open.ts'
import { canConvert, convertSqlite } from './conversion.ts'
import { sqliteFile } from './file.ts'
import { shrinkHourly } from './shrinking.ts'
import { pagesOf } from './pages.ts'
import type { Store } from '../store.ts'

const hour = 3_600_000
/** Milliseconds between two steps, and most bytes that a step removes, with a page of SQLite's own. */
const step = { pause: 50, bytes: 129 * 4096 }

let configDir: string
let path: string
let clock: TestClock
/** Level, event and error message of each line. */
let lines: string[][]
let log: Log
beforeEach(() => {
  configDir = temporaryFolder()
  path = join(configDir, 'gatehouse.db')
  clock = createTestClock()
  lines = []
  const at =
    (level: string): Log['warn'] =>
    (fields, event) =>
      void lines.push([level, event, ...('err' in fields && fields.err instanceof Error ? [fields.err.message] : [])])
  log = { ...silent, info: at('info'), warn: at('warn'), error: at('error') }
})

async function open(more: { existing?: boolean } = {}): Promise<Store> {
  const store = await openStore({ url: 'sqlite', configDir, log, clock, ...more })
  onTestFinished(() => store.close())
  return store
}

const note = (store: Store, key: string, value = '') => store.db.insertInto('meta').values({ key, value }).execute()
const noted = (store: Store, key: string) =>
  store.db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
const sizeOf = async (store: Store) => (await databaseSize(store))!

/** Adds and deletes rows of this many megabytes. */
async function fillAndEmpty(store: Store, megabytes: number): Promise<void> {
  for (let nth = 0; nth < megabytes; nth += 1) await note(store, `large${nth}`, 'x'.repeat(1e6))
  await note(store, 'kept', 'kept')
  await store.db.deleteFrom('meta').where('key', 'like', 'large%').execute()
}

/** Reads the file beside the service. */
function read<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
/** The file as an earlier version made it. */
const makeEarlier = () => {
  const db = new DatabaseSync(path)
  db.exec('pragma auto_vacuum = none; vacuum')
  db.close()
}
const canShrink = (): boolean => read((db) => pagesOf(db).canShrink)

describe('a SQLite file that was filled and emptied', () => {
  test('shrinks within the hour, in small steps between which the database is read and written', async () => {
    const store = await open()
    await fillAndEmpty(store, 12)
    const full = await sizeOf(store)
    expect(full.size).toBeGreaterThan(12e6)
    expect(full.free).toBeGreaterThan(11e6)
    await clock.advance(hour - 1)
    expect(await sizeOf(store)).toEqual(full)

    await clock.advance(1)
    let { size } = await sizeOf(store)
    expect(full.size).toBeGreaterThan(size)
    expect(full.size - size).toBeLessThanOrEqual(step.bytes)
    for (let steps = 0; size > 3e6; steps += 1) {
      expect(steps).toBeLessThan(30)
      const value = `step ${steps}`
      await store.db.updateTable('meta').set({ value }).where('key', '=', 'kept').execute()
      expect(await noted(store, 'kept')).toEqual({ value })
      await clock.advance(step.pause)
      const { size: next } = await sizeOf(store)
      expect(size - next).toBeLessThanOrEqual(step.bytes)
      size = next
    }
    await clock.advance(1_000)
    expect(statSync(path).size).toBe((await sizeOf(store)).size)
    expect((await sizeOf(store)).free).toBeGreaterThan(1e6)
    expect((await noted(store, 'kept'))?.value).toMatch(/^step /)
    expect(read((db) => db.prepare('pragma integrity_check').all())).toEqual([{ integrity_check: 'ok' }])
    expect(lines).toEqual([['info', 'database file shrunk']])
  })

  test('does not shrink in the middle of a transaction', async () => {
    const store = await open()
    await fillAndEmpty(store, 12)
    const { before, after } = await store.transaction(async (within) => {
      const sizeWithin = () => databaseSize({ db: within, engine: 'sqlite' })
      const before = await sizeWithin()
      await clock.advance(hour)
      return { before, after: await sizeWithin() }
    })
    expect(after).toEqual(before)
    await clock.advance(100 * step.pause)
    expect((await sizeOf(store)).size).toBeLessThan(3e6)
  })

  test('keeps its size if little is free', async () => {
    const store = await open()
    await fillAndEmpty(store, 3)
    const before = await sizeOf(store)
    await clock.advance(hour + 1_000)
    expect((await sizeOf(store)).size).toBe(before.size)
    expect(lines).toEqual([])
  })

  test('has one round at a time, and is not opened by a step whose turn comes after the stop', async () => {
    const turn = Promise.withResolvers<void>()
    let opened = 0
    const file = sqliteFile(path, () => undefined, silent)
    const counting = { ...file, open: () => ((opened += 1), file.open()) }
    const store = await open()
    await fillAndEmpty(store, 12)
    await store.close()
    let steps = 0
    const alone = async <T>(work: () => T) => {
      steps += 1
      await turn.promise
      return work()
    }
    const shrinking = shrinkHourly({ file: counting, alone, clock, log })
    await clock.advance(3 * hour)
    expect(steps).toBe(1)
    const stopped = shrinking.stop()
    const before = opened
    turn.resolve()
    await stopped
    expect(opened).toBe(before)
    file.drop()
  })

  test('no longer shrinks when the service has stopped', async () => {
    const store = await open()
    await fillAndEmpty(store, 12)
    await clock.advance(hour)
    await store.close()
    expect(clock.pending()).toBe(0)
    const { size } = statSync(path)
    await clock.advance(2 * hour)
    expect(statSync(path).size).toBe(size)
    expect(size).toBeGreaterThan(10e6)
    expect(lines).toEqual([])
  })

  test('is left alone by the command `gatehouse`', async () => {
    await (await open()).close()
    const store = await open({ existing: true })
    await fillAndEmpty(store, 6)
    const before = await sizeOf(store)
    await clock.advance(25 * hour)
    expect(await sizeOf(store)).toEqual(before)
  })
})

describe('a SQLite file that another process has locked, and that should shrink', () => {
  test('changes nothing, and is logged once until it works again', async () => {
    const store = await open()
    await fillAndEmpty(store, 12)
    await store.close()
    const file = sqliteFile(path, () => undefined, silent)
    onTestFinished(() => file.drop())
    // Without waiting for the lock, which takes real time.
    const shrinking = shrinkHourly({ file, alone: (work) => Promise.resolve().then(work), clock, log })
    const { size } = statSync(path)
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    const failed = ['warn', 'failed to shrink database file; retrying every hour', 'database is locked']

    other.exec('begin immediate')
    for (let hours = 0; hours < 3; hours += 1) await clock.advance(hour)
    expect(lines).toEqual([failed])
    expect(statSync(path).size).toBe(size)

    other.exec('rollback')
    await clock.advance(hour + 60_000)
    expect(lines).toEqual([failed, ['info', 'database file shrunk']])
    expect(statSync(path).size).toBeLessThan(size / 2)

    const again = file.open().writer
    again.exec("insert into meta values ('large', hex(zeroblob(4000000))); delete from meta where key = 'large'")
    other.exec('begin immediate')
    await clock.advance(2 * hour)
    expect(lines.slice(2)).toEqual([failed])
    await shrinking.stop()
  })
})

const onFullDisk = () => Promise.reject(new Error('database or disk is full'))

const gb = 2 ** 30
const earlier = (count: number, free: number) => ({ count, free, size: 4096, canShrink: false })

describe('a SQLite file of an earlier version', () => {
  test('is rewritten once, at the first start, so that it can shrink', async () => {
    await (await open()).close()
    expect(canShrink()).toBe(true)
    expect(lines).toEqual([])
    makeEarlier()
    const command = await open({ existing: true })
    await note(command, 'before', 'kept')
    await command.close()
    expect(canShrink()).toBe(false)

    const store = await open()
    expect(await noted(store, 'before')).toEqual({ value: 'kept' })
    expect(canShrink()).toBe(true)
    const rewritten = ['info', 'database file rewritten; it shrinks from now on']
    expect(lines).toEqual([rewritten])
    await store.close()
    await (await open()).close()
    expect(lines).toEqual([rewritten])
  })

  test('that cannot be rewritten stays as it is, and the service starts', async () => {
    await (await open()).close()
    makeEarlier()
    const file = sqliteFile(path, () => undefined, silent)
    onTestFinished(() => file.drop())
    await convertSqlite({ path, file, alone: onFullDisk, log })
    expect(lines).toEqual([
      ['warn', 'failed to rewrite database file; retrying at the next start', 'database or disk is full'],
    ])
    expect(canShrink()).toBe(false)
  })

  test.each([
    ['small', earlier(1_000, 0), gb, true],
    ['with 128 MB in use', earlier(2 ** 15, 0), gb, true],
    ['with more than 128 MB in use', earlier(2 ** 15 + 1, 0), gb, false],
    ['large, but with 128 MB in use', earlier(2 ** 20, 2 ** 20 - 2 ** 15), gb, true],
    ['on a disk that has three times what is in use', earlier(1_000, 0), 3 * 4_096_000, true],
    ['on a disk that has less', earlier(1_000, 0), 3 * 4_096_000 - 1, false],
    ['that can shrink already', { ...earlier(1_000, 0), canShrink: true }, gb, false],
  ])('%s: whether it is rewritten', (_, found, diskFree, expected) => {
    expect(canConvert(found, diskFree)).toBe(expected)
  })
})
