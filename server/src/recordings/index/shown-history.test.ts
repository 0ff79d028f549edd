import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { createPlaces } from '../../shared/storage/places.ts'
import type { Store } from '../../store/store.ts'
import { recordingStore } from './recording-store.sql.ts'
import { openShownHistory } from './shown-history.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const yard = scopedKey('yard')

const at = Date.UTC(2026, 10, 21, 10)
const midnight = Date.UTC(2026, 10, 21)
const day = [midnight, midnight + 86_400_000] as const

const startsOf = (found: readonly { readonly start: number }[]) => found.map(({ start }) => (start - at) / 1000)

describe.each(engines)('what an instance that is alone shows, on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  /** Segments of ten seconds, by the seconds after `at` at which they start. */
  async function add(volume: string, camera: string, starts: readonly number[], object = false): Promise<void> {
    await recordingStore(store, volume).add(
      starts.map((from) => {
        const [start, file] = [at + from * 1000, `2026-11-21/${camera}/${from}.mp4`]
        return {
          camera: scopedKey(camera),
          start,
          end: start + 10_000,
          bytes: 1000,
          initBytes: 700,
          motion: from,
          streamId: at,
          file,
        }
      }),
    )
    if (!object) return
    await store.db
      .updateTable('recording')
      .set(({ ref }) => ({ object: ref('file') }))
      .where('volume', '=', volume)
      .execute()
  }
  const alone = (unowned: () => readonly string[]) =>
    openShownHistory({
      store,
      volume: 'own',
      places: createPlaces('own', undefined),
      isShared: false,
      unowned,
      onOutdated: undefined,
    })

  test('is one history with the volumes that no instance has, without those of others', async () => {
    await add('own', 'yard', [40, 50])
    await add('lost', 'yard', [20, 0, 10], true)
    await add('older', 'yard', [5, 35])
    await add('older', 'door', [0])
    await add('running', 'yard', [12])
    const { history, hasOthers } = alone(() => ['lost', 'older'])
    expect(hasOthers()).toBe(true)
    const entries = await history.entries(yard, ...day, 10)
    expect(entries.map(({ start, end, isAway }) => [(start - at) / 1000, (end - at) / 1000, isAway])).toEqual([
      [0, 10, undefined],
      [10, 20, undefined],
      [20, 30, undefined],
      [35, 40, true],
      [40, 50, undefined],
      [50, 60, undefined],
    ])
    // Of three, one is left out.
    expect(startsOf(await history.entries(yard, ...day, 3))).toEqual([0, 10])
    expect(startsOf(await history.spans(yard, ...day))).toEqual([0, 10, 20, 35, 40, 50])
    expect(startsOf(await history.between(yard, at, at + 30_000, 10))).toEqual([0, 10, 20])
    await expect(history.between(yard, ...day, 10)).rejects.toMatchObject({ reason: 'instance-unreachable' })
    expect(startsOf(await history.within(yard, ...day, 4))).toEqual([0, 5, 10, 20])
    expect(startsOf(await history.oldest(yard, 2))).toEqual([0, 5])
    expect(startsOf(await history.oldest(undefined, 10, 'object'))).toEqual([0, 10, 20])
    expect(await history.startingAt(yard, at + 10_000)).toMatchObject({ volume: 'lost' })
    expect(await history.startingAt(yard, at + 40_000)).toMatchObject({ volume: 'own' })
    expect(await history.startingAt(yard, at + 12_000)).toBeUndefined()
    // The door has a segment of the same start.
    expect(await history.startingAt(yard, at)).toMatchObject({ camera: 'yard', volume: 'lost' })
    expect(await history.ends(yard)).toEqual({ oldest: at, newest: at + 60_000 })
    expect(await history.ends(scopedKey('office'))).toBeUndefined()
    expect((await history.cameras()).toSorted()).toEqual(['door', 'yard'])
    expect(await history.quarters(yard, ...day)).toEqual([
      { quarter: at / 900_000, recorded: 70_000, motion: 50, away: 20_000 },
    ])
  })

  test('without any, is read from its own index alone', async () => {
    await add('own', 'yard', [0])
    await add('running', 'yard', [10])
    const { history, hasOthers } = alone(() => [])
    expect(hasOthers()).toBe(false)
    const read = vi.spyOn(store.db, 'selectFrom')
    expect(startsOf(await history.entries(yard, ...day, 10))).toEqual([0])
    expect(await history.quarters(yard, ...day)).toEqual([{ quarter: at / 900_000, recorded: 10_000, motion: 0 }])
    await history.quarters(yard, ...day)
    expect(read).toHaveBeenCalledTimes(2)
    expect(await history.cameras()).toEqual(['yard'])
    read.mockRestore()
  })

  test('a day is counted again once something of another volume was removed', async () => {
    await add('own', 'yard', [0])
    await add('lost', 'yard', [10, 20])
    const { history, forget } = alone(() => ['lost'])
    const recorded = async () => (await history.quarters(yard, ...day)).map((quarter) => quarter.recorded)
    expect(await recorded()).toEqual([30_000])
    const [, second] = await history.within(yard, ...day, 2)
    await recordingStore(store, 'lost').remove([second!.id])
    expect(await recorded()).toEqual([30_000])
    forget(second!)
    expect(await recorded()).toEqual([20_000])
  })
})
