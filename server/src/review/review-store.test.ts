import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../test/support/engines.ts'
import type { Owner } from '../access/identity.ts'
import { deletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { pageOf } from './review-page.ts'
import type { ReviewItem, ItemPosition, ItemQuery, ReviewStore } from './review-store.ts'
import { reviewStore } from './review-store.sql.ts'
import { scopedKey } from '../../test/support/scoped.ts'

const yard = scopedKey('yard')
const door = scopedKey('door')

const at = Date.UTC(2026, 10, 21, 10)
const ann: Owner = { authMethod: 'proxy', key: 'ann', userId: null }
const always = { after: 0, before: 8e14 }

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
let count = 0
const item = (camera: string, minutes: number, more: Partial<ReviewItem> = {}): ReviewItem => {
  const start = at + minutes * 60_000
  return {
    id: start.toString(16).padStart(12, '0') + (++count).toString(16).padStart(20, '0'),
    camera: scopedKey(camera),
    severity: 'detection',
    start,
    end: start + 20_000,
    open: false,
    motion: 5,
    box: null,
    thumbnailAt: null,
    ...more,
  }
}

describe.each(engines)('review items on $name', ({ create, engine, concurrent }) => {
  let database: TestDatabase
  let store: Store
  let review: ReviewStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    review = reviewStore(store, 'ours')
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  const add = async (...items: readonly ReviewItem[]): Promise<void> => {
    for (const each of items) await review.save(each)
  }
  /** Number of transactions that wait for another. */
  const waiting = async () => {
    const locks = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return (await locks.execute(store.db)).rows[0]?.count
  }
  const listed = async (query: Partial<ItemQuery> & Pick<ItemQuery, 'cameras'>, owner = ann) =>
    (await review.items(owner, { ...always, limit: 50, ...query })).map(({ id, seen }) => ({ id, seen }))
  const user = async (name: string): Promise<Owner> => {
    const id = `id of ${name} ${++count}`
    await store.db
      .insertInto('user')
      .values({
        id,
        name,
        key: name,
        role: 'viewer',
        password_hash: '',
        credential_version: 1,
        password_set_at: at,
        password_origin: 0,
        created_at: at,
        last_login_at: null,
        disabled: 0,
        expires_at: null,
        has_factor: 0,
        factor_version: 0,
      })
      .execute()
    return { authMethod: 'password', key: name, userId: id }
  }

  test('an item is returned as it was last saved', async () => {
    const made = item('yard', 0, { open: true, box: { x: 0.1, y: 0.25, width: 0.5, height: 0.125 } })
    await add(made)
    expect(await review.byId(made.id)).toEqual(made)
    const grown: ReviewItem = {
      ...made,
      end: made.end + 60_000,
      motion: 40,
      severity: 'alert',
      thumbnailAt: at,
      open: false,
    }
    await add(grown)
    expect(await review.byId(made.id)).toEqual(grown)
    expect(await review.byId('0'.repeat(32))).toBeUndefined()
  })

  test('[ROLE-5] a list contains the requested cameras, newest first, and nothing of another volume', async () => {
    const [one, two, three, four] = [item('yard', 1), item('door', 2), item('office', 3), item('yard', 4)]
    await add(one, two, three, four, item('yard', 9, { severity: 'alert', start: at - 1 }))
    await reviewStore(store, 'theirs').save(item('yard', 2))
    expect(ids(await listed({ cameras: [yard, door], after: at }))).toEqual(ids([four, two, one]))
    expect(await listed({ cameras: [] })).toEqual([])
    expect(await review.cameras()).toEqual(['door', 'office', 'yard'])
  })

  test('a time filter selects items that begin in it, end exclusive', async () => {
    const [one, two, three] = [item('yard', 1), item('yard', 2), item('yard', 3)]
    await add(one, two, three)
    const span = { after: two.start, before: three.start }
    expect(ids(await listed({ cameras: [yard], ...span }))).toEqual([two.id])
  })

  test('a page continues where the last one ended, even if newer items are added and several began at the same time', async () => {
    const all = [0, 1, 1, 1, 2, 3, 3].map((minute, each) =>
      item(each % 2 === 0 ? 'yard' : 'door', minute, { severity: each % 3 === 0 ? 'alert' : 'detection' }),
    )
    await add(...all)
    const requested = ids(all.toSorted((one, other) => other.start - one.start || (one.id < other.id ? 1 : -1)))
    const found: string[] = []
    let from: ItemQuery['from']
    do {
      const page = await pageOf(review, ann, { cameras: [yard, door], ...always, from, limit: 2 }, undefined)
      found.push(...ids(page.items))
      from = page.next
      await add(item('yard', 60 + found.length))
    } while (from)
    expect(found).toEqual(requested)
  })

  test('[PROXY-1] seen is stored by sign-in method and name', async () => {
    const bob = await user('bob')
    const one = item('yard', 1)
    await add(one)
    await review.markIds(bob, [one.id], [yard], true)
    expect(await review.isSeen(bob, one.id)).toBe(true)
    for (const other of [
      { authMethod: 'proxy', key: 'bob', userId: null },
      { authMethod: 'internal', key: 'bob', userId: null },
      ann,
    ] as const) {
      expect(await review.isSeen(other, one.id)).toBe(false)
      expect(await listed({ cameras: [yard] }, other)).toEqual([{ id: one.id, seen: false }])
    }
    expect(await listed({ cameras: [yard] }, bob)).toEqual([{ id: one.id, seen: true }])
    await review.markIds(bob, [one.id], [yard], true)
    await review.markIds(bob, [one.id], [yard], false)
    expect(await review.isSeen(bob, one.id)).toBe(false)
  })

  test('a deleted user leaves no mark to the next user with the same name, and cannot make one', async () => {
    const bob = await user('bob')
    const one = item('yard', 1)
    await add(one)
    await review.markIds(bob, [one.id], [yard], true)
    await store.db.deleteFrom('user').where('key', '=', 'bob').execute()
    await review.markIds(bob, [one.id], [yard], true)
    await user('bob')
    expect(await review.isSeen(bob, one.id)).toBe(false)
    expect(await review.counts(bob, yard, [0, 8e14])).toMatchObject([{ total: 1, seen: 0 }])
  })

  test('[ROLE-5] marks and counts are limited to their cameras', async () => {
    const [one, two] = [item('yard', 1), item('door', 1)]
    await add(one, two)
    await review.markIds(ann, [one.id, two.id], [yard], true)
    await review.markAll(ann, { cameras: [door], ...always, severity: 'alert' }, true)
    expect(await listed({ cameras: [yard, door] })).toEqual([
      { id: two.id, seen: false },
      { id: one.id, seen: true },
    ])
    expect(await review.starts([two.id, 'nothing', one.id])).toEqual([
      { camera: 'door', start: two.start },
      undefined,
      { camera: 'yard', start: one.start },
    ])
  })

  test('all items of a filter are marked, however many there are, and no others', async () => {
    const many = Array.from({ length: 1100 }, (_, each) => item('yard', each))
    await store.transaction(async (within) => {
      for (const { id, start, end } of many) {
        const row = { id, start, end, volume: 'ours', camera: yard, severity: 'detection', open: 0, motion: 1 }
        await within
          .insertInto('review_item')
          .values({ ...row, box: null, thumbnail_at: null })
          .execute()
      }
    })
    await review.markAll(ann, { cameras: [yard], after: 0, before: at + 1050 * 60_000 }, true)
    const sum = async () =>
      (await review.counts(ann, yard, [0, 8e14])).reduce(
        (all, { total, seen }) => [all[0]! + total, all[1]! + seen],
        [0, 0],
      )
    expect(await sum()).toEqual([1100, 1050])
    const unseen = await pageOf(review, ann, { cameras: [yard], ...always, limit: 200 }, false)
    expect(unseen.items).toHaveLength(50)
    expect(unseen.next).toBeUndefined()
    const seen = await pageOf(review, ann, { cameras: [yard], ...always, limit: 7 }, true)
    expect(seen.items[0]?.start).toBe(at + 1049 * 60_000)
    await review.markAll(ann, { cameras: [yard], after: at + 20 * 60_000, before: 8e14 }, false)
    expect(await sum()).toEqual([1100, 20])
  })

  test('items are counted by part and severity, with the number of seen ones', async () => {
    await add(
      item('yard', 0),
      item('yard', 14),
      item('yard', 15),
      item('yard', 16, { severity: 'alert' }),
      item('door', 1),
    )
    const [first] = await review.items(ann, { ...always, cameras: [yard], severity: 'alert', limit: 1 })
    await review.markIds(ann, [first!.id], [yard], true)
    const counts = await review.counts(ann, yard, [at, at + 15 * 60_000, at + 30 * 60_000, at + 45 * 60_000])
    expect(counts).toHaveLength(3)
    expect(counts).toEqual(
      expect.arrayContaining([
        { severity: 'detection', part: 0, total: 2, seen: 0 },
        { severity: 'detection', part: 1, total: 1, seen: 0 },
        { severity: 'alert', part: 1, total: 1, seen: 1 },
      ]),
    )
    expect(await review.counts(ann, yard, [at])).toEqual([])
  })

  test('an item that becomes an alert is unseen again for every user, once', async () => {
    const one = item('yard', 1, { open: true })
    await add(one)
    await review.markIds(ann, [one.id], [yard], true)
    await add({ ...one, end: one.end + 1 })
    expect(await review.isSeen(ann, one.id)).toBe(true)
    await add({ ...one, severity: 'alert' })
    expect(await review.isSeen(ann, one.id)).toBe(false)
    await review.markIds(ann, [one.id], [yard], true)
    await add({ ...one, severity: 'alert', open: false })
    expect(await review.isSeen(ann, one.id)).toBe(true)
    expect(await review.counts(ann, yard, [0, 8e14])).toMatchObject([{ severity: 'alert', total: 1, seen: 1 }])
  })

  test('only open items of the own volume are closed, with their last known data', async () => {
    const others = reviewStore(store, 'theirs')
    const [mine, theirs] = [item('yard', 1, { open: true }), item('yard', 1, { open: true })]
    await add(mine)
    await others.save(theirs)
    expect(await review.closeOpen()).toBe(1)
    expect(await review.byId(mine.id)).toEqual({ ...mine, open: false })
    expect(await others.byId(theirs.id)).toEqual(theirs)
  })

  test('items of another volume are not read, marked or removed', async () => {
    const others = reviewStore(store, 'theirs')
    const theirs = item('yard', 1)
    await others.save(theirs)
    expect(await review.byId(theirs.id)).toBeUndefined()
    expect(await review.starts([theirs.id])).toEqual([undefined])
    await review.markIds(ann, [theirs.id], [yard], true)
    await review.markAll(ann, { cameras: [yard], ...always }, true)
    expect(await others.isSeen(ann, theirs.id)).toBe(false)
    await others.markIds(ann, [theirs.id], [yard], true)
    await review.markIds(ann, [theirs.id], [yard], false)
    expect(await others.isSeen(ann, theirs.id)).toBe(true)
    expect(await review.olderThan(yard, 8e14, 10)).toEqual([])
    await review.remove([theirs.id])
    expect(await others.byId(theirs.id)).toEqual(theirs)
  })

  test('[NODE-3] items of a shown volume are listed in order, counted, marked and removed, and their files noted', async () => {
    let shown: string[] | undefined = ['ours', 'lost']
    const files = deletedFiles(store, 'ours')
    const mine = reviewStore(store, 'ours', { shown: () => shown, deletedFiles: files })
    const [one, three] = [item('yard', 1), item('yard', 3)]
    const [two, alert, hidden] = [item('yard', 2), item('yard', 4, { severity: 'alert' }), item('yard', 5)]
    await add(one, three)
    for (const each of [two, alert]) await reviewStore(store, 'lost').save(each)
    await reviewStore(store, 'running').save(hidden)

    const page = async (from?: ItemPosition) => mine.items(ann, { ...always, cameras: [yard], limit: 2, from })
    const first = await page()
    expect(ids(first)).toEqual([alert.id, three.id])
    expect(ids(await page(first.at(-1)))).toEqual([two.id, one.id])
    expect(await mine.starts([two.id, hidden.id])).toMatchObject([{ camera: 'yard' }, undefined])
    const counted = async () => (await mine.counts(ann, yard, [0, 8e14])).toSorted((a, b) => a.total - b.total)
    expect(await counted()).toMatchObject([
      { severity: 'alert', total: 1, seen: 0 },
      { severity: 'detection', total: 3, seen: 0 },
    ])
    await mine.markAll(ann, { cameras: [yard], ...always }, true)
    expect(await counted()).toMatchObject([
      { total: 1, seen: 1 },
      { total: 3, seen: 3 },
    ])
    await mine.markIds(ann, [two.id], [yard], false)
    expect(await mine.isSeen(ann, two.id)).toBe(false)
    expect(await mine.isSeen(ann, hidden.id)).toBe(false)

    await mine.remove([one.id, two.id])
    expect(await mine.byId(two.id)).toBeUndefined()
    expect(await deletedFiles(store, 'lost').own('review')).toMatchObject([{ file: two.id }])
    expect(await files.own('review')).toEqual([])
    shown = undefined
    expect(ids(await page())).toEqual([hidden.id, alert.id])
  })

  test.skipIf(engine === 'sqlite' || !concurrent)(
    'an item that is deleted while it is marked gets no mark, and the others get theirs',
    async () => {
      const [going, staying] = [item('yard', 1), item('yard', 2)]
      await add(going, staying)
      let marking: Promise<void> | undefined
      await store.transaction(async (within) => {
        await within.deleteFrom('review_item').where('id', '=', going.id).execute()
        marking = review.markAll(ann, { cameras: [yard], ...always }, true)
        marking.catch(() => undefined)
        // It waits for the deletion, whose row it has read.
        await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(0)
      })
      await marking
      expect(await review.isSeen(ann, staying.id)).toBe(true)
      expect(await store.db.selectFrom('review_seen').select('item').execute()).toEqual([{ item: staying.id }])
    },
  )

  test('old items are found by camera, and removed with their marks', async () => {
    const [old, alert, open, young] = [
      item('yard', 0),
      item('yard', 1, { severity: 'alert' }),
      item('yard', 2, { open: true }),
      item('yard', 30),
    ]
    await add(old, alert, open, young, item('door', 0))
    await review.markIds(ann, [old.id, young.id], [yard], true)
    const found = await review.olderThan(yard, at + 10 * 60_000, 10)
    expect(ids(found).toSorted()).toEqual([old.id, alert.id].toSorted())
    const paged: ReviewItem[] = []
    for (let page = 0; page < 3; page++) {
      paged.push(...(await review.olderThan(yard, at + 10 * 60_000, 1, paged.at(-1))))
    }
    expect(paged).toEqual(found)
    await reviewStore(store, 'theirs').remove(ids(found))
    expect(await review.byId(old.id)).toBeDefined()
    await review.remove(ids(found))
    expect(ids(await listed({ cameras: [yard] }))).toEqual([young.id, open.id])
    const marks = await store.db.selectFrom('review_seen').select('item').execute()
    expect(marks).toEqual([{ item: young.id }])
  })
})
