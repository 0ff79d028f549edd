import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { deletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import type { NewSegment, RecordingStore, Segment } from './recording-store.ts'
import { recordingStore } from './recording-store.sql.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const yard = scopedKey('yard')

const at = Date.UTC(2026, 10, 21, 10)
const made = (camera: string, from: number, more: Partial<NewSegment> = {}): NewSegment => ({
  camera: scopedKey(camera),
  start: at + from * 1000,
  end: at + from * 1000 + 10_000,
  bytes: 3_000_000_000,
  initBytes: 700,
  motion: 0,
  streamId: at,
  file: `${camera}/${from}.mp4`,
  ...more,
})

describe.each(engines)('the index of recordings on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let recordings: RecordingStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    recordings = recordingStore(store, 'ours')
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  test('a segment is returned as it was added, once', async () => {
    await recordings.add([made('yard', 0, { motion: 12 })])
    await recordings.add([made('yard', 0, { motion: 99 }), made('yard', 10)])
    const all = await recordings.between(yard, at, at + 60_000, 10)
    const stored = { id: expect.any(Number) as number, volume: 'ours', object: null, epoch: 0 }
    expect(all).toEqual([
      { ...made('yard', 0, { motion: 12 }), ...stored },
      { ...made('yard', 10), ...stored },
    ])
    expect(await recordings.startingAt(yard, at)).toEqual(all[0])
  })

  test('a segment whose file was deleted while its disk wasn’t here is not added', async () => {
    const deleted = { volume: 'ours', file: 'yard/0.mp4', start: at }
    await store.transaction((within) => deletedFiles(store, 'elsewhere').note('recording', [deleted], within))
    await recordings.add([made('yard', 0), made('yard', 10)])
    expect((await recordings.oldest(yard, 10)).map(({ file }) => file)).toEqual(['yard/10.mp4'])
    await deletedFiles(store, 'ours').done('recording', [deleted.file])
  })

  test('[ROLE-5] no two segments of a camera have the same start, and other cameras make no difference', async () => {
    await recordings.add([made('yard', 0), made('door', 0)])
    await Promise.all([
      recordings.add([made('yard', 0, { file: 'yard/0-1.mp4' })]),
      recordings.add([made('yard', 0, { file: 'yard/0-2.mp4' }), made('yard', 0, { file: 'yard/0-3.mp4' })]),
    ])
    const starts = async (camera: string): Promise<number[]> =>
      (await recordings.entries(scopedKey(camera), at - 1, at + 60_000, 10)).map(({ start }) => start - at)
    expect([await starts('yard'), await starts('door')]).toEqual([[0, 1, 2, 3], [0]])
    expect(await recordings.startingAt(yard, at + 3)).toMatchObject({ start: at + 3 })
  })

  test('[ROLE-4] a segment is found by its own camera only', async () => {
    await recordings.add([made('yard', 0)])
    expect(await recordings.startingAt(scopedKey('office'), at)).toBeUndefined()
    expect(await recordings.between(scopedKey('office'), at, at + 60_000, 10)).toEqual([])
  })

  test('segments of another volume are not listed, counted or removed', async () => {
    const others = recordingStore(store, 'theirs')
    await others.add([made('yard', 0)])
    await recordings.add([made('yard', 0), made('door', 0)])
    expect(await recordings.usage(yard, 0, 8e14)).toMatchObject({ segments: 1, bytes: 3_000_000_000 })
    expect(await others.cameras()).toEqual(['yard'])
    const ids = (await others.oldest(undefined, 10)).map(({ id }) => id)
    await recordings.remove(ids)
    await recordings.removeFiles(['yard/0.mp4'])
    expect(await others.usage(yard, 0, 8e14)).toMatchObject({ segments: 1 })
    expect(await recordings.usage(yard, 0, 8e14)).toEqual({ segments: 0, bytes: 0, stored: 0 })
  })

  test.each([
    ['all that overlaps', 5, 25, [0, 10, 20]],
    ['what only touches is not in it', 10, 20, [10]],
    ['what lies within one', 12, 13, [10]],
    ['nothing', 30, 90, []],
  ])('%s, from %i to %i s', async (_what, from, to, found) => {
    await recordings.add([made('yard', 0), made('yard', 10), made('yard', 20)])
    const span = [at + from * 1000, at + to * 1000] as const
    expect((await recordings.between(yard, ...span, 10)).map(({ start }) => (start - at) / 1000)).toEqual(found)
    expect((await recordings.spans(yard, ...span)).map(({ start }) => (start - at) / 1000)).toEqual(found)
    expect((await recordings.entries(yard, ...span, 10)).map(({ start }) => (start - at) / 1000)).toEqual(found)
  })

  test('motion is raised, and never lowered', async () => {
    await recordings.add([made('yard', 0, { motion: 5 }), made('yard', 10)])
    await recordings.raiseMotion(yard, at + 9000, at + 11_000, 3)
    expect((await recordings.spans(yard, at, at + 60_000)).map(({ motion }) => motion)).toEqual([5, 3])
  })

  test('totals of quarter hours are integers, however large they are', async () => {
    await recordings.add([made('yard', 0), made('yard', 10, { motion: 4 }), made('yard', 3600)])
    expect(await recordings.quarters(yard, at, at + 86_400_000)).toEqual([
      { quarter: at / 900_000, recorded: 20_000, motion: 4 },
      { quarter: at / 900_000 + 4, recorded: 10_000, motion: 0 },
    ])
  })

  test('the oldest segments after a position, each once', async () => {
    await recordings.add([made('yard', 10), made('yard', 0), made('door', 0), made('office', 0)])
    const files: string[] = []
    let position: Segment | undefined
    do {
      ;[position] = await recordings.oldest(undefined, 1, 'disk', position)
      files.push(position?.file ?? 'end')
    } while (position)
    expect(files.slice(0, 3).toSorted()).toEqual(['door/0.mp4', 'office/0.mp4', 'yard/0.mp4'])
    expect(files.slice(3)).toEqual(['yard/10.mp4', 'end'])
  })

  test('usage, the oldest segments and the days of a camera', async () => {
    await recordings.add([made('yard', 86_400), made('yard', 0), made('door', 50)])
    expect(await recordings.ends(yard)).toEqual({ oldest: at, newest: at + 86_410_000 })
    expect(await recordings.ends(scopedKey('nothing'))).toBeUndefined()
    expect(await recordings.usage(yard, 0, 8e14)).toEqual({ segments: 2, stored: 0, bytes: 6_000_000_000 })
    expect(await recordings.usage(yard, at, at + 86_400_000)).toMatchObject({ segments: 1, bytes: 3_000_000_000 })
    expect(await recordings.cameras()).toEqual(['door', 'yard'])
    expect((await recordings.oldest(undefined, 2)).map(({ file }) => file)).toEqual(['yard/0.mp4', 'door/50.mp4'])
    expect((await recordings.oldest(yard, 1)).map(({ file }) => file)).toEqual(['yard/0.mp4'])
    expect(await recordings.firstStart(yard, at + 1)).toBe(at + 86_400_000)
    expect(await recordings.firstStart(yard, at + 86_400_001)).toBeUndefined()
    expect((await recordings.filesFrom(yard, at, at + 3_600_000)).map(({ file }) => file)).toEqual(['yard/0.mp4'])
  })
})
