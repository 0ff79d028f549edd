import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, postgresEngines, type TestDatabase } from '../../../test/support/engines.ts'
import type { Store } from '../../store/store.ts'
import type { NewSegment } from './recording-store.ts'
import { recordingStore } from './recording-store.sql.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

/** Unix milliseconds, more than a minute ago: all that others recorded then is in the index. */
const past = Date.now() - 600_000

const segment = (start: number, end: number, epoch?: number): NewSegment => ({
  camera: scopedKey('yard'),
  start,
  end,
  bytes: 1,
  initBytes: 1,
  motion: 0,
  streamId: start,
  file: `${start}.mp4`,
  ...(epoch !== undefined && { epoch }),
})

describe.each(postgresEngines)('the fence of the index on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(() => emptied(store))

  /** Leases the camera with epoch 5. */
  const lease = () =>
    store.db
      .insertInto('camera_lease')
      .values({ camera: scopedKey('yard'), instance: 'a', epoch: 5, valid_until: 1, since: 1, requested: null })
      .execute()

  test.each<[when: string, before: [volume: string, segment: NewSegment], found: NewSegment, isAdded: boolean]>([
    [
      'is added if it overlaps its own predecessor, whose end was rounded up',
      ['own', segment(past, past + 10_001, 5)],
      segment(past + 10_000, past + 14_000),
      true,
    ],
    [
      'is added if it overlaps its own predecessor, in whose time it begins because the clock was set back',
      ['own', segment(past, past + 10_000, 5)],
      segment(past + 4000, past + 14_000),
      true,
    ],
    [
      'is added if it overlaps the end of another instance’s, by what times are rounded',
      ['other', segment(past, past + 10_020, 5)],
      segment(past + 10_000, past + 14_000),
      true,
    ],
    [
      'is added if it overlaps the beginning of another instance’s, by what times are rounded',
      ['other', segment(past + 13_980, past + 24_000, 5)],
      segment(past + 10_000, past + 14_000),
      true,
    ],
    [
      'is rejected if it overlaps the end of another instance’s',
      ['other', segment(past, past + 10_500, 5)],
      segment(past + 10_000, past + 14_000),
      false,
    ],
    [
      'is rejected if it overlaps the beginning of another instance’s',
      ['other', segment(past + 13_500, past + 24_000, 5)],
      segment(past + 10_000, past + 14_000),
      false,
    ],
    [
      'is rejected if it overlaps all of another instance’s',
      ['other', segment(past + 11_000, past + 12_000, 5)],
      segment(past + 10_000, past + 14_000),
      false,
    ],
  ])('[NODE-2] a file of no known epoch %s', async (_when, [volume, before], found, isAdded) => {
    await lease()
    await recordingStore(store, volume, () => {}).add([before])
    const outdated: NewSegment[] = []
    const own = recordingStore(store, 'own', (late) => outdated.push(...late))
    await own.add([found])
    expect([outdated, await own.startingAt(scopedKey('yard'), found.start)]).toEqual(
      isAdded ? [[], expect.objectContaining(found)] : [[found], undefined],
    )
  })
})
