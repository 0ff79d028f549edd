import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../test/support/engines.ts'
import { scopeOf } from '../access/grant.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { deletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { exportStore } from './export-store.sql.ts'
import type { ExportStore, NewExport, VisibleExports } from './export-store.ts'
import { exportProblem } from './problem.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { scopedKey } from '../../test/support/scoped.ts'

const at = Date.UTC(2026, 10, 21, 10)
const idOf = (number: number): string => number.toString(16).padStart(32, '0')
const made = (number: number, more: Partial<NewExport> = {}): NewExport => ({
  id: idOf(number),
  camera: cameraKey('yard'),
  name: '',
  start: at,
  end: at + 60_000,
  expected: 60_000,
  promised: 1000,
  createdAt: at + number,
  owner: { authMethod: 'password', key: 'gil', userId: 'id of gil' },
  createdBy: 'Gil',
  ...more,
})

const visible = (cameras: 'all' | readonly string[]): VisibleExports =>
  cameras === 'all'
    ? { scope: scopeOf({ actions: new Set(), cameras }), cameras: [] }
    : { scope: scopeOf({ actions: new Set(), cameras: new Set(cameras) }), cameras: cameras.map(scopedKey) }

describe.each(engines)('exports in $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let exports: ExportStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    exports = exportStore(store, 'ours')
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  test('an export is returned as it was added, and goes through its states', async () => {
    await exports.add(made(1), testEntry)
    expect(await exports.byId(idOf(1))).toEqual({
      ...made(1),
      state: 'queued',
      tries: 0,
      volume: 'ours',
    })
    expect(await exports.begin(idOf(1), 2000)).toBe(true)
    expect(await exports.byId(idOf(1))).toMatchObject({ state: 'running', tries: 1 })
    expect(await exports.putBack(idOf(1))).toBe(true)
    expect(await exports.byId(idOf(1))).toMatchObject({ state: 'queued', tries: 0 })
    expect(await exports.finish(idOf(1), { bytes: 5_000_000_000, duration: 60_040 }, at + 5)).toBe(true)
    expect(await exports.byId(idOf(1))).toMatchObject({
      state: 'done',
      bytes: 5_000_000_000,
      duration: 60_040,
      finishedAt: at + 5,
    })
  })

  test('a name that an earlier version stored is returned without what would disguise it', async () => {
    await exports.add(made(1, { name: 'Fox\u202egpj.\u2066 at\ndawn' }), testEntry)
    await exports.add(made(2, { name: '\u200b\u2800' }), testEntry)
    expect(await exports.byId(idOf(1))).toMatchObject({ name: 'Foxgpj. at dawn' })
    expect(await exports.byId(idOf(2))).toMatchObject({ name: '' })
    const found = await exports.page(visible('all'), undefined, 10)
    expect(found.map(({ name }) => name)).toEqual(['', 'Foxgpj. at dawn'])
  })

  test('[ROLE-11] finished and expected bytes are counted by owner, without those of another volume', async () => {
    const bob = { authMethod: 'password', key: 'gil', userId: 'another gil' } as const
    await exports.add(made(1), testEntry)
    await exports.add(made(2), testEntry)
    await exports.add(made(3), testEntry)
    await exports.add(made(4, { owner: bob }), testEntry)
    await exportStore(store, 'theirs').add(made(5), testEntry)
    await exports.finish(idOf(1), { bytes: 5_000_000_000, duration: 1 }, at)
    await exports.begin(idOf(2), 1500)
    await exports.fail(idOf(3), exportProblem('canceled'), at)
    expect(await exports.bytes()).toEqual({ done: 5_000_000_000, promised: 2500 })
    expect(await exports.bytes(bob)).toEqual({ done: 0, promised: 1000 })
    expect(await exports.bytes({ ...bob, userId: 'unknown' })).toEqual({ done: 0, promised: 0 })
  })

  test('an export that ended does not begin, end or fail again', async () => {
    await exports.add(made(1), testEntry)
    await exports.add(made(2), testEntry)
    await exports.fail(idOf(1), exportProblem('canceled'), at)
    await exports.finish(idOf(2), { bytes: 1, duration: 1 }, at)
    for (const id of [idOf(1), idOf(2), idOf(3)]) {
      expect(await exports.begin(id, 1000)).toBe(false)
      expect(await exports.putBack(id)).toBe(false)
      expect(await exports.finish(id, { bytes: 2, duration: 2 }, at)).toBe(false)
      expect(await exports.fail(id, exportProblem('disk-full'), at)).toBe(false)
    }
    expect(await exports.byId(idOf(1))).toMatchObject({ state: 'failed', problem: { code: 'canceled' } })
    expect(await exports.lose(idOf(1), exportProblem('file-missing'), at)).toBe(false)
    expect(await exports.lose(idOf(2), exportProblem('file-missing'), at)).toBe(true)
    expect(await exports.lost()).toMatchObject([{ id: idOf(2) }])
    expect(await exportStore(store, 'theirs').lost()).toEqual([])
  })

  test('the reason of a failure is stored with its values', async () => {
    await exports.add(made(1), testEntry)
    const changed = exportProblem('video-format-changed', { at: '2026-11-21T10:00:30.000Z' })
    await exports.fail(idOf(1), changed, at)
    expect(await exports.byId(idOf(1))).toMatchObject({ problem: changed })
  })

  const walk = async (cameras: 'all' | readonly string[], size: number): Promise<string[]> => {
    const ids: string[] = []
    for (;;) {
      const last = ids.length > 0 ? await exports.byId(ids.at(-1)!) : undefined
      const page = await exports.page(visible(cameras), last, size)
      if (page.length === 0) return ids
      ids.push(...page.map(({ id }) => id))
    }
  }

  test('[ROLE-5] pages contain the requested cameras, newest first, each export once', async () => {
    // Some exports were created in the same millisecond.
    for (let n = 0; n < 20; n++)
      await exports.add(
        made(n, { camera: cameraKey(n % 2 === 0 ? 'yard' : 'office'), createdAt: at + (n >> 2) }),
        testEntry,
      )
    const newest = Array.from({ length: 20 }, (_, n) => idOf(19 - n))
    expect(await walk('all', 3)).toEqual(newest)
    expect(await walk(['yard'], 4)).toEqual(newest.filter((_, n) => n % 2 === 1))
    expect(await walk(['yard', 'office'], 7)).toEqual(newest)
    expect(await walk(['nowhere'], 7)).toEqual([])
    expect(await walk([], 7)).toEqual([])
  })

  test('exports of another volume are not listed and not changed', async () => {
    const others = exportStore(store, 'theirs')
    await others.add(made(1), testEntry)
    expect(await exports.byId(idOf(1))).toBeUndefined()
    expect(await exports.page(visible('all'), undefined, 10)).toEqual([])
    expect(await exports.unfinished()).toEqual([])
    expect(await exports.begin(idOf(1), 2000)).toBe(false)
    expect(await exports.fail(idOf(1), exportProblem('canceled'), at)).toBe(false)
    await exports.rename(idOf(1), 'mine', testEntry)
    await exports.remove(idOf(1))
    expect(await others.byId(idOf(1))).toMatchObject({ name: '', state: 'queued' })
  })

  test('[NODE-3] exports of a shown volume are listed, changed and removed, and their files noted', async () => {
    const shown = exportStore(store, 'ours', {
      shown: () => ['ours', 'lost'],
      deletedFiles: deletedFiles(store, 'ours'),
    })
    await exports.add(made(1), testEntry)
    for (const n of [2, 3]) await exportStore(store, 'lost').add(made(n), testEntry)
    await exportStore(store, 'running').add(made(4), testEntry)
    const listed = async () => (await shown.page(visible('all'), undefined, 10)).map(({ id }) => id)
    expect(await listed()).toEqual([3, 2, 1].map(idOf))
    expect(await shown.byId(idOf(4))).toBeUndefined()
    expect((await shown.unfinished()).map(({ id }) => id)).toEqual([idOf(1)])
    expect(await shown.rename(idOf(2), 'theirs', testEntry)).toBe(true)
    expect(await shown.fail(idOf(2), exportProblem('canceled'), at)).toBe(true)
    expect(await shown.fail(idOf(4), exportProblem('canceled'), at)).toBe(false)
    for (const n of [3, 4]) await shown.remove(idOf(n))
    expect(await listed()).toEqual([idOf(2), idOf(1)])
    expect((await deletedFiles(store, 'lost').own('export')).map(({ file }) => file)).toEqual([idOf(2), idOf(3)])
    expect(await exportStore(store, 'running').byId(idOf(4))).toMatchObject({ state: 'queued' })
  })

  test('unfinished exports are listed oldest first; old failures are found', async () => {
    for (const n of [3, 1, 2, 4]) await exports.add(made(n), testEntry)
    await exports.begin(idOf(1), 2000)
    await exports.fail(idOf(2), exportProblem('canceled'), at + 100)
    await exports.finish(idOf(4), { bytes: 1, duration: 1 }, at)
    expect((await exports.unfinished()).map(({ id }) => id)).toEqual([idOf(1), idOf(3)])
    expect(await exports.failedBefore(at + 100, 10)).toEqual([])
    expect((await exports.failedBefore(at + 101, 10)).map(({ id }) => id)).toEqual([idOf(2)])
    expect((await exports.done()).map(({ id }) => id)).toEqual([idOf(4)])
  })
})
