import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import type { Input } from '../http/route.ts'
import { byTheService, type AuditEntry } from '../shared/audit/audit.ts'
import { systemClock, type Clock, type Timers } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { AuditRow, Store } from '../store/store.ts'
import { auditRecord, type AuditRecord } from './audit-writer.ts'
import { auditStore, type AuditStore } from './audit-store.ts'
import type { AuditLine } from './audit-line.ts'
import { auditRoutes } from './audit.routes.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'login',
  result: 'success',
  user: 'Ann',
  auth_method: 'password',
  address: '192.0.2.7',
  target: null,
  ...more,
})

const refusal = (more: Partial<AuditEntry> = {}): AuditEntry =>
  entry({ action: 'request.denied', result: 'denied', user: null, auth_method: null, detail: 'cross-origin', ...more })
const watching = (more: Partial<AuditEntry> = {}): AuditEntry => entry({ action: 'watch', target: 'yard', ...more })
const byToken = (id: string, name: string) => watching({ auth_method: 'token', credential: { id, name } })
const ofService = (nth: number) => entry({ ...byTheService, target: String(nth) })

const encoded = (place: string) => Buffer.from(place).toString('base64url')

const start = 1_700_000_000_000
const day = 86_400_000

let now = start
let settings = { retain_days: 90, reads: true, reads_days: 90, outputs: new Map<string, never>() }
let trusted = true
const counted: string[] = []
/** Writes come by themselves. Sweeps and cleanings, which come after ten seconds, do not: a test calls them. */
const clock: Clock & Timers = {
  ...systemClock,
  now: () => now,
  elapsed: () => now,
  after: (milliseconds, work) => (milliseconds < 10_000 ? systemClock.after(milliseconds, work) : () => undefined),
  every: () => () => undefined,
}

interface Page {
  readonly entries: readonly AuditLine[]
  readonly cursor: string | null
}

/** The response of the route's handler to a checked query. */
async function requested(store: AuditStore, query: object = {}): Promise<Page> {
  // Who asks makes no difference to what is shown: the gate has decided before.
  const noCaller = undefined as never
  const input = { params: undefined, query, body: undefined, header: () => undefined } as unknown as Input<never>
  return (await auditRoutes({ store, settings: () => settings, cameraKeyOf: cameraKey })[0]?.handle?.(
    input,
    noCaller,
  )) as Page
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
    record = auditRecord({
      store: entries,
      healthy: store.healthy,
      clock,
      log: silent,
      cameraKeyOf: cameraKey,
      settings: () => settings,
      isClockTrusted: () => trusted,
      countDeleted: (_at, which) => Promise.resolve(void counted.push(which)),
    })
  })
  afterEach(() => record.stop())

  const targets = async (query: object = {}) => (await requested(entries, query)).entries.map(({ target }) => target)

  test('shows what was recorded, newest first', async () => {
    record.record(entry({ target: 'first' }))
    now += 5
    record.record(entry({ target: 'second', user: null, auth_method: null, address: null, detail: 'a few words' }))
    await record.flush()
    const { entries: lines, cursor } = await requested(entries)
    expect(cursor).toBeNull()
    expect(lines).toEqual([
      {
        id: expect.any(Number),
        at: '2023-11-14T22:13:20.005Z',
        ...entry({ target: 'second', user: null, auth_method: null, address: null, detail: 'a few words' }),
      },
      { id: expect.any(Number), at: '2023-11-14T22:13:20.000Z', ...entry({ target: 'first' }) },
    ])
  })

  test('is written by itself, soon', async () => {
    record.record(entry())
    await expect.poll(async () => (await targets()).length).toBe(1)
  })

  test('pages through, though all came in the same moment', async () => {
    for (let nth = 0; nth < 25; nth += 1) record.record(entry({ target: String(nth) }))
    await record.flush()
    const found: (string | null)[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await requested(entries, { limit: 10, ...(cursor && { cursor }) })
      found.push(...page.entries.map(({ target }) => target))
      // Entries added between two pages do not move the next page.
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
      entry({ target: 'c', result: 'failure' }),
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
    expect(await targets({ result: 'failure' })).toEqual(['c'])
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
    const asking = requested(entries, { cursor })
    await expect(asking).rejects.toBeInstanceOf(ServiceError)
    await expect(asking).rejects.toMatchObject({ code: 'invalid-request', problems: [{ field: 'cursor' }] })
  })

  test('keeps control characters as data, cuts what is long, and holds what no database can', async () => {
    const forged = 'eve\n{"user":"admin"}\r\u001b[2J\u2028'
    record.record(entry({ user: forged, target: 'x'.repeat(10_000) }))
    record.record(entry({ user: 'a\0b\ud800', detail: '\0'.repeat(5_000) }))
    await record.flush()
    const { entries: lines } = await requested(entries)
    expect(lines[1]).toMatchObject({ user: forged, target: `${'x'.repeat(511)}…` })
    expect(lines[0]).toMatchObject({ user: 'a\u2400b\ufffd' })
    expect(await targets({ user: 'a\0b\ufffd' })).toHaveLength(1)
  })

  test('deletes entries older than their retention, unless the clock was just set', async () => {
    const old: AuditRow[] = Array.from({ length: 2_500 }, (_, nth) => ({
      ...entry({ target: 'old' }),
      id: undefined,
      complete: true,
      at: start - 90 * day - 1 - nth,
    }))
    await entries.write(old)
    await entries.write([{ ...entry({ target: 'kept' }), id: undefined, complete: true, at: start - 90 * day }])
    trusted = false
    await record.clean()
    expect(await targets({ limit: 500 })).toHaveLength(500)
    trusted = true
    counted.length = 0
    await record.clean()
    expect(await targets({ limit: 500 })).toEqual(['kept'])
    expect(counted).toEqual(['reads', 'others'])
  })

  const written = async (query: object = {}) => {
    await record.flush()
    return (await requested(entries, query)).entries
  }

  test('[AUD-2] a thousand refusals of one address are one entry a minute, with the true count', async () => {
    for (let nth = 0; nth < 1_000; nth += 1) {
      record.record(refusal({ target: `POST /${nth}`, address: `2001:db8::${nth.toString(16)}` }))
    }
    const [first, ...others] = await written()
    expect(others).toEqual([])
    expect(first).toMatchObject({ count: 1_000, target: 'POST /0', address: '2001:db8:0:0::/64' })
    now += 59_999
    record.record(refusal({ address: '2001:db8::1' }))
    record.record(refusal({ address: '2001:db8:0:1::1' }))
    record.record(refusal({ address: '2001:db8::1', detail: 'forbidden' }))
    now += 1
    record.record(refusal({ address: '2001:db8::1' }))
    expect((await written()).map(({ count = 1, address, detail }) => [count, address, detail])).toEqual([
      [1, '2001:db8::1', 'cross-origin'],
      [1, '2001:db8::1', 'forbidden'],
      [1, '2001:db8:0:1::1', 'cross-origin'],
      [1_001, '2001:db8:0:0::/64', 'cross-origin'],
    ])
  })

  test('[AUD-2] a day of refusals from addresses without end makes some 1,600 rows, and loses no other', async () => {
    record.record(entry({ target: 'before' }))
    let asking = 0
    const minute = 60_000
    for (let at = 0; at < day; at += minute / 2) {
      for (let nth = 0; nth < 5; nth += 1) {
        asking += 1
        record.record(
          refusal({ address: `2001:db8:${(asking >> 12).toString(16)}:${(asking & 0xfff).toString(16)}::1` }),
        )
      }
      record.sweep()
      now += minute / 2
      if (at % (60 * minute) === 0) await record.flush()
    }
    await record.flush()
    const rows = await store.db
      .selectFrom('audit')
      .select(['count', 'address'])
      .where('action', '=', 'request.denied')
      .execute()
    expect(rows.length).toBeLessThan(1_700)
    expect(rows.length).toBeGreaterThan(1_400)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(asking)
    expect(rows.filter(({ address }) => address === '::/0').length).toBeGreaterThan(20)
    expect(await targets({ action: 'login' })).toEqual(['before'])
  })

  test('[AUD-2] wrong secrets for hundreds of links end by naming neither link nor camera', async () => {
    const wrong = { action: 'link.open', result: 'failure', user: null, auth_method: null } as const
    for (let nth = 0; nth < 200; nth += 1)
      record.record(entry({ ...wrong, target: `${nth}`, camera: cameraKey('yard') }))
    await record.flush()
    const { entries: all } = await requested(entries, { action: 'link.open', limit: 500 })
    expect(all.filter(({ target }) => target === null)).toMatchObject([{ address: '::/0', count: 80 }])
    expect(await targets({ camera: 'yard', limit: 500 })).toHaveLength(120)
  })

  test('[AUD-2] denials of a user are counted per route, and cannot flood the audit log either', async () => {
    for (let nth = 0; nth < 500; nth += 1) {
      const target = `GET /api/cameras/${nth}`
      record.record(refusal({ user: 'Gus', auth_method: 'password', target }), nth % 2 === 0 ? 'one' : 'other')
    }
    expect((await written()).map(({ count, target }) => [count, target])).toEqual([
      [250, 'GET /api/cameras/1'],
      [250, 'GET /api/cameras/0'],
    ])
    for (let nth = 0; nth < 500; nth += 1) {
      record.record(refusal({ user: 'Gus', auth_method: 'password', target: 'x' }), String(nth))
      record.record(refusal({ user: 'Ann', auth_method: 'password', target: `${nth}` }), String(nth))
    }
    const rows = await written({ limit: 500 })
    expect(rows).toHaveLength(2 + 58 + 1 + 60 + 1)
    expect(rows.filter(({ target }) => target === null)).toMatchObject([{ user: 'Ann' }, { user: 'Gus' }])
    expect(rows.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1_500)
  })

  test('[AUD-3] a use is one entry, from its first part until nothing of it came for two minutes', async () => {
    const range = (from: number) => ({ start: start + from, end: start + from + 10_000 })
    for (let part = 0; part < 10; part += 1) {
      record.use(watching({ action: 'playback' }), range(part * 10_000))()
      now += 100_000
    }
    const open = record.use(watching())
    record.use(watching({ user: 'Ben' }))()
    record.use(watching({ target: 'door' }))()
    now += 600_000
    record.sweep()
    open()
    now += 100_000
    record.sweep()
    record.use(watching({ action: 'playback' }), range(0))()
    expect((await written()).toReversed()).toMatchObject([
      { action: 'playback', user: 'Ann', target: 'yard', duration: 900, start: start / 1000, end: start / 1000 + 100 },
      { action: 'watch', user: 'Ann', target: 'yard', duration: 600 },
      { action: 'watch', user: 'Ben', target: 'yard', duration: 0 },
      { action: 'watch', user: 'Ann', target: 'door', duration: 0 },
      { action: 'playback', user: 'Ann', target: 'yard', duration: 0, start: start / 1000, end: start / 1000 + 10 },
    ])
  })

  test('[AUD-3] a use that lasts for days has an entry per day, with the right end when the service stops', async () => {
    record.use(watching())
    for (let hour = 0; hour < 60; hour += 1) {
      now += 3_600_000
      record.sweep()
    }
    await record.stop()
    expect((await written()).map(({ duration = 0 }) => duration / 3600)).toEqual([10, 25, 25])
  })

  const watchAll = (user: string, from: number, to: number): void => {
    for (let nth = from; nth < to; nth += 1) record.use(watching({ user, target: `camera${nth}` }))()
  }
  /** As of half a minute later. @returns the entries of a user, and the uses counted in them */
  const usesOf = async (user: string) => {
    now += 30_000
    record.sweep()
    await record.flush()
    const rows = await store.db.selectFrom('audit').where('user', '=', user).select('count').execute()
    return [rows.length, rows.reduce((sum, { count }) => sum + count, 0)]
  }

  test('[AUD-3] a user who opens video very often does not fill the audit log, and every use is counted', async () => {
    watchAll('Gus', 0, 1_000)
    watchAll('Ann', 0, 10)
    expect(await usesOf('Gus')).toEqual([601, 1_000])
    expect(await usesOf('Ann')).toEqual([10, 10])
    expect((await written({ user: 'gus', limit: 1 })).at(0)).toMatchObject({ target: null, count: 400 })
    // Two more may begin by now.
    watchAll('Gus', 1_000, 1_003)
    expect(await usesOf('Gus')).toEqual([603, 1_003])
  })

  test('[AUD-6] reads of two users with one name are two uses', async () => {
    for (const owner of ['id 1', 'id 2', 'id 1']) record.use(watching({ auth_method: 'oidc', owner }))()
    now += 30_000
    record.sweep()
    await record.flush()
    const rows = await store.db.selectFrom('audit').select(['owner', 'count']).orderBy('owner').execute()
    expect(rows).toEqual([
      { owner: 'id 1', count: 2 },
      { owner: 'id 2', count: 1 },
    ])
  })

  test('[AUD-5] two tokens of one user are two uses, and each entry names its token', async () => {
    for (const entry of [byToken('1', 'Home'), byToken('2', 'Home'), byToken('1', 'Home')]) record.use(entry)()
    now += 30_000
    record.sweep()
    expect((await written()).map(({ credential, count = 1 }) => ({ ...credential, count }))).toEqual([
      { id: '2', name: 'Home', count: 1 },
      { id: '1', name: 'Home', count: 2 },
    ])
  })

  test('[AUD-5] refused requests of two tokens of one user are two entries', async () => {
    for (const id of ['1', '2', '1']) {
      record.record(refusal({ user: 'Ann', auth_method: 'token', credential: { id, name: 'x'.repeat(1_000) } }))
    }
    const entries = await written()
    expect(entries.map(({ credential, count = 1 }) => [credential?.id, count])).toEqual([
      ['2', 1],
      ['1', 2],
    ])
    expect(entries[0]?.credential?.name).toHaveLength(256)
  })

  test('[AUD-3] reads have their own retention time', async () => {
    const days = [5, 20, 100]
    const rows = days.flatMap((age) =>
      ['watch' as const, 'login' as const].map((action) => ({
        ...entry({ action, target: String(age) }),
        id: undefined,
        complete: true,
        at: start - age * day,
      })),
    )
    const keptAfter = async (changes: object) => {
      await emptied(store)
      await entries.write(rows)
      settings = { ...settings, ...changes }
      await record.clean()
      settings = { ...settings, retain_days: 90, reads_days: 90 }
      return (await requested(entries, {})).entries.map(({ action, target }) => `${action} ${target}`).sort()
    }
    expect(await keptAfter({ reads_days: 10 })).toEqual(['login 20', 'login 5', 'watch 5'])
    expect(await keptAfter({ reads_days: 365, retain_days: 10 })).toEqual([
      'login 5',
      'watch 100',
      'watch 20',
      'watch 5',
    ])
  })

  test('[AUD-3] without `audit.reads`, reads are not recorded, but other continuous uses are', async () => {
    settings = { ...settings, reads: false }
    record.use(watching())()
    record.use(watching({ action: 'config.read' }))()
    settings = { ...settings, reads: true }
    expect((await written()).map(({ action }) => action)).toEqual(['config.read'])
  })

  test('[AUD-3] several actions can be requested together, newest first', async () => {
    for (const action of ['watch', 'login', 'playback', 'watch', 'snapshot'] as const) {
      now += 200_000
      record.use(entry({ action, target: String(now - start) }))()
    }
    await record.flush()
    expect(await targets({ action: 'watch,playback' })).toEqual(['800000', '600000', '200000'])
    const { entries: page, cursor } = await requested(entries, { action: 'watch,playback', limit: 2 })
    expect(page).toHaveLength(2)
    expect(await targets({ action: 'playback,watch', cursor })).toEqual(['200000'])
  })

  test('writes waiting entries before it stops', async () => {
    record.record(entry({ target: 'last' }))
    await record.stop()
    expect(await targets()).toEqual(['last'])
  })
})

describe('while the database is unavailable', () => {
  const errors: object[] = []
  const lines: { fields: object; message: string }[] = []
  const log: Log = {
    ...silent,
    info: (fields, message) => void lines.push({ fields, message }),
    error: (fields) => void errors.push(fields),
  }
  let away: boolean
  let kept: AuditRow[]
  const store: AuditStore = {
    write: (rows) => {
      if (away) return Promise.reject(new ServiceError('unavailable', { note: 'away' }))
      kept.push(...rows)
      return Promise.resolve(rows.map((_, nth) => nth + 1))
    },
    commit: () => (away ? Promise.reject(new ServiceError('unavailable', { note: 'away' })) : Promise.resolve()),
    entries: () => Promise.resolve([]),
    deleteBefore: () => Promise.reject(new ServiceError('unavailable', { note: 'away' })),
  }
  let record: AuditRecord
  beforeEach(() => {
    vi.useFakeTimers()
    away = true
    kept = []
    errors.length = 0
    lines.length = 0
    record = auditRecord({
      store,
      healthy: () => Promise.resolve(!away),
      clock,
      log,
      cameraKeyOf: cameraKey,
      settings: () => settings,
      isClockTrusted: () => trusted,
      countDeleted: (_at, which) => Promise.resolve(void counted.push(which)),
    })
  })
  afterEach(async () => {
    await record.stop()
    vi.useRealTimers()
  })

  test('entries wait, in order, and are written when it is back', async () => {
    for (let nth = 0; nth < 1_200; nth += 1) record.record(ofService(nth))
    await vi.advanceTimersByTimeAsync(300)
    expect(errors).toMatchObject([{ waiting: 1_200, dropped: 0 }])
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept.map(({ target }) => target)).toEqual(Array.from({ length: 1_200 }, (_, nth) => String(nth)))
  })

  test.each([
    ['one entry', false],
    ['entries that keep coming', true],
  ])('with %s, the database is tried every two seconds', async (_what, more) => {
    for (let passed = 0; passed < 10_000; passed += 100) {
      if (more || passed === 0) record.record(ofService(passed))
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(errors).toHaveLength(5)
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept).toHaveLength(more ? 100 : 1)
    // Without a failure, soon.
    record.record(ofService(1))
    await vi.advanceTimersByTimeAsync(300)
    expect(kept).toHaveLength(more ? 101 : 2)
  })

  test('at most a few thousand are kept in memory, and the number of lost ones is logged', async () => {
    for (let nth = 0; nth < 7_000; nth += 1) record.record(ofService(nth))
    await vi.advanceTimersByTimeAsync(300)
    expect(errors).toMatchObject([{ waiting: 5_000, dropped: 2_000 }])
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept).toHaveLength(5_000)
    expect(kept.at(-1)?.target).toBe('6999')
  })

  test('[AUD-2] too many reads don’t push out a change that waits', async () => {
    await expect(record.commit(entry({ action: 'config.save' }))).rejects.toMatchObject({ code: 'unavailable' })
    for (let nth = 0; nth < 6_000; nth += 1) record.use(watching({ user: `viewer ${nth}` }))()
    await vi.advanceTimersByTimeAsync(60_000)
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept).toHaveLength(5_000)
    expect(kept[0]).toMatchObject({ action: 'config.save' })
  })

  test('every entry is in the log immediately, with its texts as fields', () => {
    record.record(entry({ user: 'eve\nforged' }))
    expect(lines).toEqual([{ fields: entry({ user: 'eve\nforged' }), message: 'audit' }])
  })

  test('a change that was made anyway waits, and earlier denials are written before it', async () => {
    await expect(record.commit(entry({ action: 'config.save', target: 'config.yml' }))).rejects.toMatchObject({
      code: 'unavailable',
    })
    await expect(record.ready()).rejects.toMatchObject({ code: 'unavailable' })
    for (let nth = 0; nth < 6_000; nth += 1) record.record({ ...ofService(nth), result: 'denied' })
    away = false
    await vi.advanceTimersByTimeAsync(2_500)
    expect(kept).toHaveLength(5_000)
    expect(kept[0]).toMatchObject({ action: 'config.save' })
    await record.ready()
  })

  test('cleaning that fails isn’t a failure', async () => {
    await expect(record.clean()).resolves.toBeUndefined()
  })
})
