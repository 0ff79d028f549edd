import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, postgresEngines, type TestDatabase } from '../../../test/support/engines.ts'
import { createPlaces } from '../../shared/storage/places.ts'
import { deletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import { everyVolume, totalsOf } from './every-volume.sql.ts'
import { recordingStore } from './recording-store.sql.ts'
import type { NewSegment } from './recording-store.ts'
import { createRecordedRanges } from '../recorded-ranges.ts'
import { removeElsewhere } from '../storage/remove-elsewhere.sql.ts'
import { segmentRows } from './segment-rows.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const yard = scopedKey('yard')
const door = scopedKey('door')

const at = Date.UTC(2026, 10, 21, 10)
const day = [at, at + 86_400_000] as const
const made = (from: number, more: Partial<NewSegment> = {}): NewSegment => ({
  camera: yard,
  start: at + from * 1000,
  end: at + from * 1000 + 10_000,
  bytes: 1000,
  initBytes: 700,
  motion: 0,
  streamId: at,
  file: `2026-11-21/yard/${from}.mp4`,
  ...more,
})

/** The volume `away` belongs to an instance that is unavailable, and `lost` to none. */
const places = createPlaces(
  'own',
  {
    withVolume: (volume) =>
      volume === 'other' ? ({ id: 'other', address: 'https://192.0.2.5:7443', state: 'running' } as never) : undefined,
  },
  () => ['lost'],
)

const startsOf = (found: readonly { readonly start: number }[]) => found.map(({ start }) => (start - at) / 1000)

describe.each(postgresEngines)('recordings of all volumes on $name', (engine) => {
  let database: TestDatabase
  let store: Store
  const history = () => everyVolume(store, places)
  const add = async (volume: string, epoch: number, ...starts: number[]) => {
    await recordingStore(store, volume).add(starts.map((from) => made(from)))
    await store.db.updateTable('recording').set({ epoch }).where('volume', '=', volume).where('epoch', '=', 0).execute()
  }
  beforeAll(async () => {
    database = await engine.create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  test('the totals of other volumes are the sums of theirs', async () => {
    const open = () => totalsOf(store, ['other', 'third'])
    let others = await open()
    const none = { segments: 0, bytes: 0, stored: 0 }
    expect([await others.cameras(), await others.usage(yard, 0, 8e14)]).toEqual([[], none])
    await add('own', 1, 0, 10, 20)
    others = await open()
    expect([await others.cameras(), await others.usage(yard, 0, 8e14)]).toEqual([[], none])
    await add('other', 2, 17, 27)
    await add('third', 3, 5)
    await recordingStore(store, 'third').add([made(90, { camera: door, file: 'door' })])
    await store.db.updateTable('recording').set({ object: 'an-object' }).where('volume', '=', 'third').execute()
    others = await open()
    expect((await others.cameras()).toSorted()).toEqual(['door', 'yard'])
    expect(await others.usage(yard, 0, 8e14)).toEqual({ segments: 3, bytes: 3000, stored: 1000 })
    expect([await others.firstStart(yard, 0), await others.firstStart(yard, at + 6000)]).toEqual([
      at + 5000,
      at + 17_000,
    ])
    expect(await others.firstStart(yard, at + 60_000)).toBeUndefined()
    expect(await others.usage(door, 0, 8e14)).toMatchObject({ segments: 1, stored: 1000 })
    expect(await others.usage(scopedKey('office'), 0, 8e14)).toEqual(none)
  })

  test('the totals of a camera are read only from the volumes that have it', async () => {
    await add('other', 1, 0)
    await recordingStore(store, 'third').add([made(90, { camera: door, file: 'door' })])
    const read: unknown[] = []
    const db = store.db.withPlugin({
      transformQuery({ node }) {
        read.push(JSON.stringify(node).match(/other|third/g))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const others = await totalsOf({ db }, ['other', 'third', 'fourth'])
    read.length = 0
    expect(await others.firstStart(yard, 0)).toBe(at)
    expect(await others.usage(yard, 0, 8e14)).toMatchObject({ segments: 1 })
    expect(read).toEqual([['other'], ['other'], ['other']])
  })

  test('a camera that moved is one history, in which nothing plays twice', async () => {
    await add('own', 1, 0, 10)
    await add('other', 2, 17, 27)
    await add('own', 3, 34)
    const found = await history().entries(yard, ...day, 10)
    expect(
      found.map(({ start, end, fileEnd }) => [start, end, fileEnd].map((time) => time && (time - at) / 1000)),
    ).toEqual([
      [0, 10, undefined],
      [10, 17, 20],
      [17, 27, undefined],
      [27, 34, 37],
      [34, 44, undefined],
    ])
    expect((await history().between(yard, ...day, 10)).map(({ volume }) => volume)).toEqual([
      'own',
      'own',
      'other',
      'other',
      'own',
    ])
    expect(await history().ends(yard)).toEqual({ oldest: at, newest: at + 44_000 })
  })

  test('of two segments with one start, the newer is found', async () => {
    await add('own', 1, 0)
    await add('other', 2, 0)
    expect(await history().startingAt(yard, at)).toMatchObject({ volume: 'other', epoch: 2 })
    expect(await history().startingAt(yard, at + 1)).toBeUndefined()
  })

  test('what is on an instance that is unavailable is counted and marked, and no clip leaves it out', async () => {
    await add('own', 1, 0)
    await add('away', 2, 10)
    const entries = await history().entries(yard, ...day, 10)
    expect(entries.map(({ isAway }) => isAway)).toEqual([undefined, true])
    expect((await history().spans(yard, ...day)).map(({ isAway }) => isAway)).toEqual([undefined, true])
    expect(await history().quarters(yard, ...day)).toEqual([
      { quarter: at / 900_000, recorded: 20_000, motion: 0, away: 10_000 },
    ])
    await expect(history().between(yard, ...day, 10)).rejects.toMatchObject({ reason: 'instance-unreachable' })
    // In the object storage, it plays.
    await store.db.updateTable('recording').set({ object: 'key' }).where('volume', '=', 'away').execute()
    expect(await history().between(yard, ...day, 10)).toHaveLength(2)
    expect(await history().quarters(yard, ...day)).toMatchObject([{ recorded: 20_000, away: 0 }])
  })

  test('what no instance has is marked, and clips and exports are made without it', async () => {
    await add('own', 1, 0)
    await add('lost', 2, 10, 17)
    await add('other', 3, 24)
    expect(startsOf(await history().spans(yard, ...day))).toEqual([0, 10, 17, 24])
    expect((await history().entries(yard, ...day, 10)).map(({ isAway }) => isAway)).toEqual([
      undefined,
      true,
      true,
      undefined,
    ])
    expect(startsOf(await history().between(yard, ...day, 10))).toEqual([0, 24])
    const ranges = createRecordedRanges({
      bytes: {} as never,
      store: history(),
      isUnindexed: () => false,
      now: () => day[1],
    })
    const survey = (from: number, to: number) => ranges.survey(yard, at + from * 1000, at + to * 1000)
    expect(await survey(0, 60)).toEqual({ bytes: 2000, recorded: 20_000, settled: 20_000, growing: false })
    expect(await survey(12, 20)).toMatchObject({ bytes: 0, recorded: 0 })
    await expect(ranges.clip(yard, at + 12_000, at + 20_000)).rejects.toMatchObject({
      reason: 'recordings-disk-missing',
    })
    // One that is unavailable may come back.
    await add('away', 4, 40)
    expect(await survey(0, 60)).toMatchObject({ recorded: 30_000 })
    await expect(ranges.clip(yard, ...day)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a segment that was deleted through another instance isn’t added again until its file is deleted', async () => {
    const files = deletedFiles(store, 'other')
    const owner = recordingStore(store, 'other', () => {})
    await add('own', 1, 0)
    await add('other', 2, 10, 20)
    const gone: number[] = []
    const [, second] = await history().within(yard, ...day, 10)
    await removeElsewhere(store, deletedFiles(store, 'own'), 'all')([second!], ({ start }) => gone.push(start - at))
    expect(gone).toEqual([10_000])
    expect(await files.own('recording')).toMatchObject([{ file: made(10).file, volume: 'other' }])
    expect(await deletedFiles(store, 'own').own('recording')).toEqual([])
    await owner.add([made(10), made(30)])
    expect((await owner.between(yard, ...day, 10)).map(({ start }) => (start - at) / 1000)).toEqual([20, 30])
    await files.done('recording', [made(10).file])
    expect(await files.own('recording')).toEqual([])
  })

  test('a day is read from an index, of one volume and of all', async () => {
    await store.db
      .insertInto('recording')
      .columns([
        'volume',
        'camera',
        'start',
        'end',
        'bytes',
        'init_bytes',
        'motion',
        'stream_id',
        'file',
        'epoch',
        'object',
      ])
      .expression(
        sql<never>`select 'v' || n % 3, 'c' || n % 20, n * 1000, n * 1000 + 10000, 1, 1, 0, 1, 'f' || n, 0, null from generate_series(1, 20000) n`,
      )
      .execute()
    await sql`analyze recording`.execute(store.db)
    const planOf = async (query: { compile: () => { sql: string; parameters: readonly unknown[] } }) => {
      const { sql: text, parameters } = query.compile()
      const { rows } = await store.db.executeQuery<Record<string, string>>({
        ...sql`select 1`.compile(store.db),
        sql: `explain ${text}`,
        parameters,
      })
      return rows.map((row) => Object.values(row)[0]).join('\n')
    }
    const columns = ['start', 'end', 'motion'] as const
    const range = [scopedKey('c3'), 5_000_000, 5_100_000] as const
    expect(
      await planOf(
        segmentRows(store, 'v1')
          .overlapping(...range)
          .select(columns)
          .orderBy('start'),
      ),
    ).toMatch(/Index.* recording_/)
    expect(
      await planOf(
        segmentRows(store)
          .overlapping(...range)
          .select([...columns, 'volume'])
          .orderBy('start'),
      ),
    ).toMatch(/Index.* recording_on_any_volume/)
  })
})
