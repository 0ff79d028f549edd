import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { testUser } from '../../../test/support/test-user.ts'
import type { Store } from '../../store/store.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { apiTokenStore } from '../api-token/api-token-store.sql.ts'
import { defaultLayout } from './screen-layout.ts'
import { screenStore } from './screen-store.sql.ts'
import type { Pairing, Screen, ScreenStore } from './screen-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const entry = { ...testEntry, target: 'changed' }
const pairing = (id: string, more: Partial<Pairing> = {}): Pairing => ({
  idHash: `hash of ${id}`,
  code: `CODE${id}`,
  address: '192.0.2.7',
  userAgent: 'a browser',
  createdAt: now,
  expiresAt: now + 10,
  ...more,
})
const screen = (id: string, more: Partial<Screen> = {}): Screen => ({
  id,
  name: `name of ${id}`,
  cameras: [cameraKey('key of yard'), cameraKey('key of door')],
  audio: false,
  layout: defaultLayout,
  secretHash: null,
  confirmedBy: 'boss',
  tokenId: null,
  createdAt: now,
  lastSeenAt: null,
  address: null,
  ...more,
})
const entryOf = ({ id, name }: Pick<Screen, 'id' | 'name'>) => ({ ...testEntry, target: id, detail: name })
const limits = { pickUpUntil: now + 5, max: 10 }
const pickUp = {
  secretHash: 'secret',
  address: '192.0.2.9',
  at: now,
  entry: ({ id, name }: Pick<Screen, 'id' | 'name'>) => ({ ...entry, target: id, detail: name }),
}

describe.each(engines)('[KEY-6] screens on $name', ({ create, engine }) => {
  let database: TestDatabase
  let store: Store
  let screens: ScreenStore
  let announced: unknown[]
  const announce: Store['changes']['announce'] = async (message) => void announced.push(message)
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    screens = screenStore({ ...store, changes: { ...store.changes, announce } })
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    for (const table of ['pairing', 'screen'] as const) await store.db.deleteFrom(table).execute()
    announced = []
  })
  const audited = async () =>
    (await store.db.selectFrom('audit').select('target').orderBy('id').execute()).map(({ target }) => target)
  const paired = async (...ids: string[]) => {
    for (const id of ids) {
      await screens.addPairing(pairing(id), 10)
      expect(await screens.confirm(`CODE${id}`, screen(id), entry, limits)).toBe('confirmed')
    }
    await store.db.deleteFrom('audit').execute()
  }

  test('[KEY-4] screens are removed with the API token that paired them, or with the one that created it', async () => {
    const owner = testUser('ann', { credentialVersion: 3 })
    await accountStore(store).addUser(owner, testEntry, 0)
    const tokens = apiTokenStore({ ...store, changes: { ...store.changes, announce } })
    const made = { one: null, two: 'one', other: null }
    for (const [id, parentId] of Object.entries(made)) {
      await tokens.add(testApiToken({ id, userId: owner.id, parentId }), 3, 10, testEntry)
    }
    const pair = async (id: string, tokenId: string | null) => {
      await screens.addPairing(pairing(id), 10)
      return screens.confirm(`CODE${id}`, screen(id, { tokenId }), entry, limits)
    }
    for (const id of ['one', 'two', 'other', null]) expect(await pair(`by ${id}`, id)).toBe('confirmed')
    const removed: unknown[] = []
    const revoked = await tokens.revoke('one', entryOf, (each) => {
      removed.push(each)
      return entryOf(each)
    })
    expect([...revoked].sort()).toEqual(['by one', 'by two', 'one', 'two'])
    // With its name, for the audit log.
    expect(removed).toHaveLength(2)
    expect(removed).toContainEqual({ id: 'by one', name: 'name of by one' })
    expect(announced).toEqual(revoked.map((id) => ({ kind: 'credential', id })))
    expect((await audited()).slice(-4)).toEqual(revoked)
    expect((await screens.screens()).map(({ id }) => id)).toEqual(['by null', 'by other'])
    // A request that was authorized just before.
    expect([await pair('late', 'one'), (await screens.screens()).length]).toEqual(['revoked', 2])
    expect(await screens.waitingPairing('CODElate', now)).toBeDefined()
  })

  // SQLite runs one write transaction at a time.
  test.runIf(engine === 'postgres')(
    '[KEY-4] screens are added one at a time, and not while the token that pairs them is revoked',
    async () => {
      const locks: number[] = []
      const watched = screenStore({
        ...store,
        transaction: (work) =>
          store.transaction(async (within) => {
            const result = await work(within)
            const held = sql<object>`select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
            locks.push((await held.execute(within)).rows.length)
            return result
          }),
      })
      await screens.addPairing(pairing('A'), 10)
      expect(await watched.confirm('CODEA', screen('A'), entry, limits)).toBe('confirmed')
      expect(locks).toEqual([1])
    },
  )

  test('a pairing waits with its code until it expires', async () => {
    expect(await screens.addPairing(pairing('A', { userAgent: 'a\0b' }), 10)).toBe('added')
    expect(await screens.waitingPairing('CODEA', now + 9)).toEqual(pairing('A', { userAgent: 'ab' }))
    expect(await screens.waitingPairing('CODEA', now + 10)).toBeUndefined()
    expect(await screens.waitingPairing('CODEB', now)).toBeUndefined()
  })

  test('a code is of one pairing, and only some can wait', async () => {
    expect(await screens.addPairing(pairing('A'), 2)).toBe('added')
    expect(await screens.addPairing(pairing('B', { code: 'CODEA' }), 2)).toBe('code-taken')
    expect(await screens.pickUp('hash of B', pickUp)).toBe('over')
    expect(await screens.addPairing(pairing('C'), 2)).toBe('added')
    expect(await screens.addPairing(pairing('D'), 2)).toBe('full')
    // Those that expired are removed.
    expect(await screens.addPairing(pairing('E', { createdAt: now + 9 }), 2)).toBe('full')
    expect(await screens.addPairing(pairing('E', { createdAt: now + 10 }), 2)).toBe('added')
  })

  test('a confirmed pairing becomes a screen, once', async () => {
    await screens.addPairing(pairing('A'), 10)
    expect(await screens.confirm('CODEB', screen('s1'), entry, limits)).toBe('absent')
    expect(await screens.confirm('CODEA', screen('s1', { createdAt: now + 10 }), entry, limits)).toBe('absent')
    expect(await screens.confirm('CODEA', screen('s1'), entry, { ...limits, max: 0 })).toBe('full')
    expect([await screens.screens(), await audited()]).toEqual([[], []])
    const layout = { ...defaultLayout, columns: 2, dim: { from: '22:00', until: '06:30' } }
    const whole = screen('s1', { audio: true, layout })
    expect(await screens.confirm('CODEA', whole, entry, limits)).toBe('confirmed')
    expect(await screens.confirm('CODEA', screen('s2'), entry, limits)).toBe('absent')
    expect(await screens.screensById(['s1', 's2'])).toEqual([whole])
    expect([await screens.waitingPairing('CODEA', now), await audited()]).toEqual([undefined, ['changed']])
    await screens.addPairing(pairing('B'), 10)
    expect(await screens.confirm('CODEB', screen('s2'), entry, { ...limits, max: 1 })).toBe('full')
  })

  test.each<[what: string, pickUpUntil: number, at: number, result: unknown]>([
    ['as long as it waits', now + 5, now + 9, { screen: 's1' }],
    ['not after that', now + 5, now + 10, 'over'],
    ['a little longer, if it was confirmed late', now + 15, now + 14, { screen: 's1' }],
    ['not later', now + 15, now + 15, 'over'],
  ])('a display gets its secret %s', async (_what, pickUpUntil, at, result) => {
    await screens.addPairing(pairing('A'), 10)
    await screens.confirm('CODEA', screen('s1'), entry, { ...limits, pickUpUntil })
    expect(await screens.pickUp('hash of A', { ...pickUp, at })).toEqual(result)
  })

  test('[AUD-1] a display gets its secret once, with an entry, after an admin confirmed it', async () => {
    expect(await screens.pickUp('hash of A', pickUp)).toBe('over')
    await screens.addPairing(pairing('A'), 10)
    expect(await screens.pickUp('hash of A', pickUp)).toBe('waiting')
    await screens.confirm('CODEA', screen('s1'), entry, limits)
    expect(announced).toEqual([])
    expect(await screens.pickUp('hash of A', pickUp)).toEqual({ screen: 's1' })
    expect(announced).toEqual([{ kind: 'credential', id: 's1' }])
    expect(await screens.pickUp('hash of A', { ...pickUp, secretHash: 'another' })).toBe('over')
    const audited = await store.db.selectFrom('audit').select(['target', 'detail']).orderBy('id').execute()
    expect(audited.slice(1)).toEqual([{ target: 's1', detail: screen('s1').name }])
    // It does not wait any longer.
    expect(await screens.addPairing(pairing('A'), 1)).toBe('added')
    const seen = { secretHash: 'secret', lastSeenAt: now, address: '192.0.2.9' }
    expect(await screens.screens()).toEqual([screen('s1', seen)])
  })

  test('the confirmation of one display, and its secret, are nothing for another', async () => {
    for (const id of ['A', 'B', 'C']) await screens.addPairing(pairing(id), 10)
    for (const id of ['A', 'B'])
      await screens.confirm(`CODE${id}`, screen(id), entry, { ...limits, pickUpUntil: now + 15 })
    expect(await screens.waitingPairing('CODEC', now)).toEqual(pairing('C'))
    expect(await screens.pickUp('hash of A', pickUp)).toEqual({ screen: 'A' })
    expect(await screens.screensById(['B'])).toEqual([screen('B')])
    expect(await screens.pickUp('hash of C', pickUp)).toBe('waiting')
    expect(await screens.pickUp('hash of B', { ...pickUp, at: now + 14 })).toEqual({ screen: 'B' })
  })

  test('of a screen that was removed before, no display gets the secret', async () => {
    await paired('A')
    expect(await screens.revoke('A', entry)).toBe(true)
    announced = []
    expect(await screens.pickUp('hash of A', pickUp)).toBe('over')
    expect(announced).toEqual([])
  })

  test('they are listed by name, and found by their ids', async () => {
    await paired('B', 'A', 'C')
    await screens.change('C', { name: 'a name before theirs' }, entry)
    for (const id of ['A', 'B']) await screens.change(id, { name: 'the same name' }, entry)
    expect((await screens.screens()).map(({ id }) => id)).toEqual(['C', 'A', 'B'])
    expect((await screens.screensById(['C', 'A', 'x'])).map(({ id }) => id).toSorted()).toEqual(['A', 'C'])
    expect(await screens.screensById([])).toEqual([])
  })

  test.each<[Partial<Screen>]>([
    [{}],
    [{ name: 'lobby' }],
    [{ cameras: [cameraKey('key of office')] }],
    [{ audio: true }],
    [{ layout: { ...defaultLayout, rotate_seconds: 30 } }],
  ])('%j is changed, and the rest stays', async (change) => {
    await paired('A', 'B')
    expect(await screens.change('x', change, entry)).toBeUndefined()
    expect([announced, await audited()]).toEqual([[], []])
    const changed = screen('A', change)
    expect(await screens.change('A', change, entry)).toEqual(changed)
    expect(await screens.screensById(['A', 'B'])).toEqual(expect.arrayContaining([changed, screen('B')]))
    expect([announced, await audited()]).toEqual([[{ kind: 'credential', id: 'A' }], ['changed']])
  })

  test('a screen is revoked once', async () => {
    await paired('A', 'B')
    expect(await screens.revoke('x', entry)).toBe(false)
    expect(await screens.revoke('A', entry)).toBe(true)
    expect(await screens.revoke('A', entry)).toBe(false)
    expect(await screens.screens()).toEqual([screen('B')])
    expect([announced, await audited()]).toEqual([[{ kind: 'credential', id: 'A' }], ['changed']])
  })

  test('when and where a screen was seen is written, unless it was seen later elsewhere', async () => {
    await paired('A', 'B')
    await screens.touch('A', now + 5, '192.0.2.1')
    await screens.touch('A', now + 4, '192.0.2.2')
    expect(await screens.screensById(['A'])).toEqual([screen('A', { lastSeenAt: now + 5, address: '192.0.2.1' })])
    await screens.touch('A', now + 6, '192.0.2.3')
    expect(await screens.screensById(['A'])).toMatchObject([{ lastSeenAt: now + 6, address: '192.0.2.3' }])
    expect(await screens.screensById(['B'])).toEqual([screen('B')])
  })

  test('when a screen was seen is set back after a clock that was hours ahead', async () => {
    await paired('A')
    await screens.touch('A', now + 3_600_000, '192.0.2.1')
    await screens.touch('A', now, '192.0.2.2')
    expect(await screens.screensById(['A'])).toMatchObject([{ lastSeenAt: now, address: '192.0.2.2' }])
  })
})
