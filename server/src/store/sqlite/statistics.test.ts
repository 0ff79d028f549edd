import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Log } from '../../shared/log.ts'
import { openStore } from '../open.ts'
import { analyzeDaily } from './daily-statistics.ts'
import { sqliteFile } from './file.ts'
import { analyzeSqlite } from './statistics.ts'
import type { Store } from '../store.ts'

const day = 86_400_000

let configDir: string
let path: string
let clock: TestClock
beforeEach(() => {
  configDir = temporaryFolder()
  path = join(configDir, 'gatehouse.db')
  clock = createTestClock()
})

async function open(more: { log?: Log; existing?: boolean } = {}): Promise<Store> {
  const store = await openStore({ url: 'sqlite', configDir, log: silent, clock, ...more })
  onTestFinished(() => store.close())
  return store
}

/** Without waiting for transactions: there are none. */
const alone = <T>(work: () => T): Promise<T> => Promise.resolve().then(work)

/** Does work on the file beside the service. */
function beside<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { timeout: 10_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Rows that the statistics count, by index. */
const statistics = (table: string): Record<string, number> =>
  beside((db) => {
    if (!db.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get()) return {}
    const rows = db.prepare('select idx, stat from sqlite_stat1 where tbl = ?').all(table)
    return Object.fromEntries(rows.map(({ idx, stat }) => [String(idx), Number.parseInt(String(stat), 10)]))
  })

const addEntries = (from: number, to: number, instance: string | null = null): void =>
  beside((db) => {
    const insert = db.prepare("insert into audit (at, action, result, instance) values (?, 'live', 'success', ?)")
    db.exec('begin immediate')
    for (let at = from; at < to; at += 1) insert.run(at, instance)
    db.exec('commit')
  })

describe('the statistics of a SQLite file', () => {
  beforeEach(async () => (await open()).close())

  test('are of tables with at least a thousand rows', () => {
    addEntries(0, 999)
    analyzeSqlite(path)
    expect(statistics('audit')).toEqual({})
    addEntries(999, 1_000)
    analyzeSqlite(path)
    expect(statistics('audit')).toMatchObject({ audit_by_time: 1_000, audit_by_user: 1_000 })
    expect(statistics('meta')).toEqual({})
  })

  test('count all rows, and take the rest from a sample of them', () => {
    addEntries(0, 5_000)
    analyzeSqlite(path)
    const stat = beside(
      (db) => db.prepare("select stat from sqlite_stat1 where idx = 'audit_by_action'").get()?.['stat'],
    )
    const [rows, ofOneAction] = String(stat).split(' ').map(Number)
    expect(rows).toBe(5_000)
    // All of them are of one action.
    expect(ofOneAction).toBeLessThan(2_000)
  })

  test('follow a partial index, though the table has as many rows as before', () => {
    addEntries(0, 2_000)
    analyzeSqlite(path)
    expect(statistics('audit')).toMatchObject({ audit_by_sequence: 0 })
    beside((db) => db.exec("update audit set instance = 'a', sequence = id where id <= 1500"))
    analyzeSqlite(path)
    expect(statistics('audit')).toMatchObject({ audit_by_sequence: 1_500, audit_by_time: 2_000 })
  })

  test('are dropped when the table becomes too small, or too large', () => {
    const limits = { min: 10, max: 100 }
    const found = [5, 10, 100, 101, 50, 9].map((rows) => {
      beside((db) => db.exec('delete from audit'))
      addEntries(0, rows)
      analyzeSqlite(path, limits)
      return statistics('audit')['audit_by_time']
    })
    expect(found).toEqual([undefined, 10, 100, undefined, 50, undefined])
  })

  test('need no lock if nothing is to be written', () => {
    addEntries(0, 999)
    beside((db) => db.exec('analyze audit; delete from sqlite_stat1'))
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    analyzeSqlite(path)
  })
})

describe('a service with a SQLite file', () => {
  const failed: unknown[] = []
  const log: Log = { ...silent, warn: (fields, event) => void failed.push([event, fields]) }

  test('refreshes the statistics after a day, in another thread, while it reads and writes', async () => {
    const store = await open({ log })
    addEntries(0, 5_000)
    await clock.advance(day - 1)
    expect(statistics('audit')).toEqual({})
    await clock.advance(1)
    await expect
      .poll(async () => {
        await store.db.insertInto('meta').values({ key: 'a', value: '' }).execute()
        await store.db.deleteFrom('meta').where('key', '=', 'a').execute()
        return statistics('audit')
      })
      .toMatchObject({ audit_by_time: 5_000, audit_by_camera: 5_000 })
    await store.close()
    expect([clock.pending(), failed]).toEqual([0, []])
  })

  test('leaves the statistics to the service: the command `gatehouse` does not refresh them', async () => {
    await (await open()).close()
    await open({ existing: true })
    expect(clock.pending()).toBe(0)
  })
})

/** Starts the daily refresh with a replacement for the thread. */
async function start(analyze: (path: string, signal: AbortSignal) => Promise<void>) {
  await (await open()).close()
  const lines: unknown[] = []
  const log: Log = { ...silent, warn: (_, event) => void lines.push(event) }
  const file = sqliteFile(path, () => undefined, silent)
  onTestFinished(() => file.drop())
  return { job: analyzeDaily({ path, file, alone, analyze, clock, log }), file, lines }
}

describe('the daily refresh', () => {
  test('opens new connections, which read the new statistics', async () => {
    const analyzed: string[] = []
    const { job, file } = await start(async (which) => void analyzed.push(which))
    const before = file.open()
    await clock.advance(day - 1)
    expect(file.open() === before).toBe(true)
    await clock.advance(1)
    expect(analyzed).toEqual([path])
    expect(file.open() === before).toBe(false)
    await job.stop()
  })

  test('that fails is logged once until it succeeds, and changes nothing', async () => {
    let failure: Error | undefined = new Error('database is locked')
    const { job, file, lines } = await start(() => (failure ? Promise.reject(failure) : Promise.resolve()))
    const before = file.open()
    await clock.advance(3 * day)
    const line = 'failed to refresh database statistics; retrying every day'
    expect([lines, file.open() === before]).toEqual([[line], true])
    failure = undefined
    await clock.advance(day)
    failure = new Error('database is locked')
    await clock.advance(2 * day)
    expect(lines).toEqual([line, line])
    await job.stop()
  })

  test('ends with the service, which waits for the thread', async () => {
    const ended = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    const { job, file, lines } = await start((_, signal) => {
      signals.push(signal)
      return ended.promise
    })
    const before = file.open()
    await clock.advance(day)
    let isStopped = false
    const stopped = job.stop().then(() => (isStopped = true))
    await clock.advance(1)
    expect([signals.map(({ aborted }) => aborted), isStopped]).toEqual([[true], false])
    ended.resolve()
    await stopped
    expect([lines, file.open() === before, clock.pending()]).toEqual([[], true, 0])
  })

  test('reports what fails in the thread', async () => {
    const store = await open({ existing: true }).catch(() => undefined)
    expect(store).toBeUndefined()
    const lines: unknown[] = []
    const log: Log = { ...silent, warn: (fields) => void lines.push(fields) }
    const file = sqliteFile(path, () => undefined, silent)
    const job = analyzeDaily({ path, file, alone, clock, log })
    await clock.advance(day)
    await expect.poll(() => lines).toMatchObject([{ err: { message: 'unable to open database file' } }])
    await job.stop()
  })
})
