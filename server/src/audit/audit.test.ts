import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../test/engines.ts'
import { silent } from '../../test/silent.ts'
import type { Input } from '../http/route.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { DatedEntry, Store } from '../store/store.ts'
import { auditRecord, type AuditRecord } from './audit-record.ts'
import { auditStore, type AuditStore } from './audit-store.ts'
import { auditRoutes } from './audit.routes.ts'

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'login',
  result: 'ok',
  user: 'Ann',
  source: 'password',
  address: '192.0.2.7',
  target: null,
  ...more,
})

const encoded = (place: string) => Buffer.from(place).toString('base64url')

const start = 1_700_000_000_000
const day = 86_400_000

let now = start
const clock: Clock = { now: () => now, elapsed: () => now }

interface Page {
  readonly entries: readonly { readonly id: number; readonly at: string; readonly target: string | null }[]
  readonly cursor: string | null
}

/** What the route's handler answers to a checked query. */
async function asked(store: AuditStore, query: object = {}): Promise<Page> {
  // Who asks makes no difference to what is shown: the gate has decided before.
  const nobodyInParticular = undefined as never
  const input = { params: undefined, query, body: undefined, header: () => undefined } as unknown as Input<never>
  return (await auditRoutes(store)[0]?.handle?.(input, nobodyInParticular)) as Page
}

describe.each(engines)('the audit record on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let entries: AuditStore
  let record: AuditRecord
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    entries = auditStore(store)
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    now = start
    await emptied(store)
    record = auditRecord({ store: entries, healthy: store.healthy, clock, log: silent, retainDays: () => 90 })
  })
  afterEach(() => record.stop())

  const targets = async (query: object = {}) => (await asked(entries, query)).entries.map(({ target }) => target)

  test('shows what was recorded, newest first', async () => {
    record.record(entry({ target: 'first' }))
    now += 5
    record.record(entry({ target: 'second', user: null, source: null, address: null, detail: 'a few words' }))
    await record.flush()
    const { entries: lines, cursor } = await asked(entries)
    expect(cursor).toBeNull()
    expect(lines).toEqual([
      {
        id: expect.any(Number),
        at: '2023-11-14T22:13:20.005Z',
        ...entry({ target: 'second', user: null, source: null, address: null, detail: 'a few words' }),
      },
      { id: expect.any(Number), at: '2023-11-14T22:13:20.000Z', ...entry({ target: 'first' }) },
    ])
  })

  test('is written by itself, soon', async () => {
    record.record(entry())
    await expect.poll(async () => (await targets()).length, { timeout: 3_000 }).toBe(1)
  })

  test('pages through, though all came in the same moment', async () => {
    for (let nth = 0; nth < 25; nth += 1) record.record(entry({ target: String(nth) }))
    await record.flush()
    const found: (string | null)[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await asked(entries, { limit: 10, ...(cursor && { cursor }) })
      found.push(...page.entries.map(({ target }) => target))
      // What comes in meanwhile disturbs nobody.
      record.record(entry({ target: 'late' }))
      await record.flush()
      if (page.cursor === null) break
      cursor = page.cursor
    }
    expect(found.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, nth) => String(24 - nth)))
    expect(found).toHaveLength(25)
  })

  test('is filtered by user, action, result and time', async () => {
    const kinds = [
      entry({ target: 'a' }),
      entry({ target: 'b', user: 'ben' }),
      entry({ target: 'c', result: 'failed' }),
    ]
    for (const kind of kinds) {
      record.record(kind)
      now += 1_000
    }
    record.record(entry({ target: 'd', action: 'logout' }))
    await record.flush()
    expect(await targets({ user: 'ANN' })).toEqual(['d', 'c', 'a'])
    expect(await targets({ user: 'an%' })).toEqual([])
    expect(await targets({ action: 'logout' })).toEqual(['d'])
    expect(await targets({ result: 'failed' })).toEqual(['c'])
    const seconds = start / 1000
    expect(await targets({ after: seconds + 1 })).toEqual(['d', 'c', 'b'])
    expect(await targets({ after: seconds + 1.0005 })).toEqual(['d', 'c'])
    expect(await targets({ before: seconds + 2 })).toEqual(['b', 'a'])
    expect(await targets({ before: seconds + 2.001 })).toEqual(['c', 'b', 'a'])
    expect(await targets({ after: seconds + 1, before: seconds + 1 })).toEqual([])
    expect(await targets({ after: 8.64e12 })).toEqual([])
  })

  test.each([
    'x',
    '0',
    `${encoded('1.1')}=`,
    encoded('1'),
    encoded('1.-1'),
    encoded('01.1'),
    encoded('9999999999999999.9999999999999999'),
    encoded('1.1\n'),
    encoded("1.1' or 1=1"),
  ])('[ERR-3] refuses the cursor %s by its name', async (cursor) => {
    const asking = asked(entries, { cursor })
    await expect(asking).rejects.toBeInstanceOf(ServiceError)
    await expect(asking).rejects.toMatchObject({ code: 'invalid', problems: [{ field: 'cursor' }] })
  })

  test('keeps control characters as data, cuts what is long, and holds what no database can', async () => {
    const forged = 'eve\n{"user":"admin"}\r\u001b[2J\u2028'
    record.record(entry({ user: forged, target: 'x'.repeat(10_000) }))
    record.record(entry({ user: 'a\0b\ud800', detail: '\0'.repeat(5_000) }))
    await record.flush()
    const { entries: lines } = await asked(entries)
    expect(lines[1]).toMatchObject({ user: forged, target: `${'x'.repeat(511)}…` })
    expect(lines[0]).toMatchObject({ user: 'a\u2400b\ufffd' })
    expect(await targets({ user: 'a\0b\ufffd' })).toHaveLength(1)
  })

  test('forgets what is older than it is kept', async () => {
    const old: DatedEntry[] = Array.from({ length: 2_500 }, (_, nth) => ({
      ...entry({ target: 'old' }),
      at: start - 90 * day - 1 - nth,
    }))
    await entries.add(old.slice(0, 1_250))
    await entries.add(old.slice(1_250))
    await entries.add([{ ...entry({ target: 'kept' }), at: start - 90 * day }])
    await record.clean()
    expect(await targets({ limit: 500 })).toEqual(['kept'])
  })

  test('writes what waits before it stops', async () => {
    record.record(entry({ target: 'last' }))
    await record.stop()
    expect(await targets()).toEqual(['last'])
  })
})

describe('while the database is away', () => {
  const errors: object[] = []
  const lines: { fields: object; message: string }[] = []
  const log: Log = {
    ...silent,
    info: (fields, message) => void lines.push({ fields, message }),
    error: (fields) => void errors.push(fields),
  }
  let away: boolean
  let kept: DatedEntry[]
  const store: AuditStore = {
    add: (entries) => {
      if (away) return Promise.reject(new ServiceError('unavailable', 'away'))
      kept.push(...entries)
      return Promise.resolve()
    },
    commit: (entry) => store.add([{ ...entry, at: clock.now() }]),
    entries: () => Promise.resolve([]),
    deleteBefore: () => Promise.reject(new ServiceError('unavailable', 'away')),
  }
  let record: AuditRecord
  beforeEach(() => {
    vi.useFakeTimers()
    away = true
    kept = []
    errors.length = 0
    lines.length = 0
    record = auditRecord({ store, healthy: () => Promise.resolve(!away), clock, log, retainDays: () => 90 })
  })
  afterEach(async () => {
    await record.stop()
    vi.useRealTimers()
  })

  test('entries wait, in order, and are written when it is back', async () => {
    for (let nth = 0; nth < 1_200; nth += 1) record.record(entry({ target: String(nth) }))
    await vi.advanceTimersByTimeAsync(300)
    expect(errors).toMatchObject([{ waiting: 1_200, dropped: 0 }])
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept.map(({ target }) => target)).toEqual(Array.from({ length: 1_200 }, (_, nth) => String(nth)))
  })

  test('no more than some thousands are kept in memory, and how many are lost is logged', async () => {
    for (let nth = 0; nth < 7_000; nth += 1) record.record(entry({ target: String(nth) }))
    await vi.advanceTimersByTimeAsync(300)
    expect(errors).toMatchObject([{ waiting: 5_000, dropped: 2_000 }])
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept).toHaveLength(5_000)
    expect(kept.at(-1)?.target).toBe('6999')
  })

  test('every entry stands in the log at once, its texts as fields', () => {
    record.record(entry({ user: 'eve\nforged' }))
    expect(lines).toEqual([{ fields: entry({ user: 'eve\nforged' }), message: 'audit' }])
  })

  test('cleaning that fails is no failure', async () => {
    await expect(record.clean()).resolves.toBeUndefined()
  })
})
