import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import type { Store } from '../../store/store.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'
import { recordingStore } from './recording-store.sql.ts'
import { cacheQuarters } from './cached-quarters.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const hour = 3_600_000
const noon = Date.UTC(2026, 10, 20, 12)
const midnight = noon + 12 * hour
/** Four whole days, with half a day before and after them. */
const span = [midnight - 60 * hour, midnight + 60 * hour] as const
const made = (camera: string, start: number, motion = 0): NewSegment => ({
  camera: scopedKey(camera),
  start,
  end: start + 10_000,
  bytes: 1000,
  initBytes: 700,
  motion,
  streamId: noon,
  file: `${camera}/${start}.mp4`,
})

describe.each(engines)('cached days on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let plain: RecordingStore
  let requested: number
  let remembered: RecordingStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    plain = recordingStore(store, 'ours')
    requested = 0
    const quarters: RecordingStore['quarters'] = (...of) => {
      requested += 1
      return plain.quarters(...of)
    }
    remembered = cacheQuarters({ ...plain, quarters })
    await remembered.add([made('yard', noon), made('yard', midnight + hour, 5), made('door', noon)])
  })

  /** The cached result, which must equal the stored one. */
  const yard = async () => {
    const quarters = await remembered.quarters(scopedKey('yard'), ...span)
    expect(quarters).toEqual(await plain.quarters(scopedKey('yard'), ...span))
    return quarters
  }

  test('an unchanged day is counted once', async () => {
    await yard()
    requested = 0
    await yard()
    // Only the half days at both ends are counted again.
    expect(requested).toBe(2)
  })

  test('a change on another day of another camera invalidates nothing', async () => {
    await yard()
    await remembered.add([made('door', noon + hour)])
    requested = 0
    await yard()
    expect(requested).toBe(2)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a segment that comes late', () => remembered.add([made('yard', noon + hour)])],
    ['one that begins in the last moment of a day', () => remembered.add([made('yard', midnight - 1)])],
    ['one of a clock that was set back by a day', () => remembered.add([made('yard', noon - 24 * hour)])],
    ['motion found late', () => remembered.raiseMotion(scopedKey('yard'), noon + 1000, noon + 2000, 40)],
    [
      'motion over midnight',
      async () => {
        await remembered.add([made('yard', midnight - 5000)])
        await yard()
        await remembered.raiseMotion(scopedKey('yard'), midnight + 1000, midnight + 2000, 40)
      },
    ],
    ['one that is thinned out', () => remembered.removeFiles([`yard/${noon}.mp4`])],
    [
      'one that is deleted, or grew too old',
      async () => remembered.remove((await remembered.within(scopedKey('yard'), ...span, 1)).map(({ id }) => id)),
    ],
    [
      'one whose file is missing',
      async () =>
        remembered.removeMissing((await remembered.within(scopedKey('yard'), ...span, 1)).map(({ id }) => id)),
    ],
  ])('%s shows immediately', async (_what, change) => {
    const before = await yard()
    await change()
    expect(await yard()).not.toEqual(before)
  })

  test('a count that started before a change is not cached', async () => {
    const counted = Promise.withResolvers<void>()
    const reported = Promise.withResolvers<void>()
    const slow = cacheQuarters({
      ...plain,
      async quarters(...of) {
        const quarters = await plain.quarters(...of)
        counted.resolve()
        await reported.promise
        return quarters
      },
    })
    const day = [midnight - 24 * hour, midnight] as const
    const before = slow.quarters(scopedKey('yard'), ...day)
    await counted.promise
    await slow.add([made('yard', noon + hour)])
    reported.resolve()
    expect(await before).toHaveLength(1)
    expect(await slow.quarters(scopedKey('yard'), ...day)).toHaveLength(2)
  })

  test('the cache is cleared if a removal fails halfway', async () => {
    const lost = cacheQuarters({
      ...plain,
      remove: async (ids) => {
        await plain.remove(ids)
        throw new Error('the connection was lost')
      },
    })
    const before = await lost.quarters(scopedKey('yard'), ...span)
    const ids = (await plain.within(scopedKey('yard'), ...span, 1)).map(({ id }) => id)
    await expect(lost.remove(ids)).rejects.toThrow('the connection was lost')
    expect(await lost.quarters(scopedKey('yard'), ...span)).toHaveLength(before.length - 1)
  })

  test('a failed count is tried again on the next request', async () => {
    let down = true
    const shaky = cacheQuarters({
      ...plain,
      quarters: (...of) => (down ? Promise.reject(new Error('no database')) : plain.quarters(...of)),
    })
    await expect(shaky.quarters(scopedKey('yard'), ...span)).rejects.toThrow('no database')
    down = false
    expect(await shaky.quarters(scopedKey('yard'), ...span)).toHaveLength(2)
  })
})
