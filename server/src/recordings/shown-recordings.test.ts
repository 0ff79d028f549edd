import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../test/support/test-clock.ts'
import type { Instance } from '../shared/cluster/instances.ts'
import { createPlaces } from '../shared/storage/places.ts'
import { deletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { recordingStore } from './index/recording-store.sql.ts'
import { openShownHistory } from './index/shown-history.ts'
import { createShownRecordings, type ShownRecordings } from './shown-recordings.ts'
import { createUsage } from './storage/usage.ts'
import { openUnownedVolumes } from './storage/unowned-volumes.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const minute = 60_000

let database: TestDatabase
let store: Store
let clock: TestClock
let stop = () => Promise.resolve()
beforeEach(async () => {
  database = await engines[0]!.create()
  store = await database.open()
  clock = createTestClock()
  for (const volume of ['own', 'other']) await storedAway(volume)
})
afterEach(async () => {
  await stop()
  await database.remove()
})

/** Three segments of a billion bytes each, in the object storage. */
async function storedAway(volume: string): Promise<void> {
  const made = [30, 20, 10].map((minutes) => {
    const start = clock.now() - minutes * minute
    const rest = { camera: cameraKey('yard'), bytes: 1e9, initBytes: 1, motion: 0, streamId: 0, file: `${minutes}` }
    return { ...rest, start, end: start + 10_000 }
  })
  await recordingStore(store, volume).add(made)
  await store.db
    .updateTable('recording')
    .set(({ ref }) => ({ object: ref('file') }))
    .execute()
}

/** An instance that no other one can reach, with a limit of four billion bytes in the object storage. */
async function start(instances: Parameters<typeof openUnownedVolumes>[2]): Promise<ShownRecordings> {
  const places = createPlaces('own', undefined)
  const unowned = await openUnownedVolumes(store, 'own', instances)
  const history = openShownHistory({
    store,
    volume: 'own',
    places,
    isShared: false,
    unowned: unowned.lasting,
    onOutdated: undefined,
  })
  const usage = createUsage(async () => history.index)
  await usage.count()
  const none = { days: null, gigabytes: null }
  const shown = createShownRecordings({
    volume: { folder: '/nowhere', id: 'own' },
    places,
    others: undefined,
    unowned,
    store,
    deletedFiles: deletedFiles(store, 'own'),
    history,
    usage,
    keys: { keyOf: cameraKey, nameOf: (key) => key },
    limits: {
      whole: () => none,
      of: () => none,
      longest: () => 7,
      stored: () => 4,
      isEnabled: () => true,
      isMotionOnly: () => false,
    },
    isClockTrusted: () => true,
    clock,
    log: silent,
  } as Partial<Parameters<typeof createShownRecordings>[0]> as Parameters<typeof createShownRecordings>[0])
  shown.ofNone.start()
  stop = () => shown.ofNone.stop()
  return shown
}

const instance = (volume: string, state: Instance['state'], minutesAgo: number) =>
  ({ id: volume, volume, state, seenAt: clock.now() - minutesAgo * minute }) as Instance

const left = async (volume: string): Promise<number> =>
  (await store.db.selectFrom('recording').select('id').where('volume', '=', volume).execute()).length

const rounds = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count * 60; passed++) await clock.advance(10_000)
}

test('[NODE-5] with PostgreSQL, the limit of the object storage doesn’t count what an instance has that is unavailable', async () => {
  const all = [instance('own', 'running', 0), instance('other', 'away', 61)]
  const shown = await start({ self: 'own', all: () => all, find: (id) => all.find((each) => each.id === id) })
  await rounds(2)
  expect([await left('own'), await left('other')]).toEqual([3, 3])
  expect(await shown.amounts.stored()).toBe(3e9)
})

test('with SQLite, it counts what is left of earlier disks, which goes first', async () => {
  const shown = await start(undefined)
  expect(await shown.amounts.stored()).toBe(6e9)
  await rounds(2)
  await expect.poll(() => left('other')).toBe(1)
  expect(await left('own')).toBe(3)
})
