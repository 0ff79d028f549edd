import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { advanceUntil, createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { createPlaces } from '../../shared/storage/places.ts'
import { deletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import { someVolumes } from '../index/every-volume.sql.ts'
import { recordingStore } from '../index/recording-store.sql.ts'
import { removalQueue } from '../index/removal-queue.sql.ts'
import type { Limits } from './camera-limits.ts'
import { removeElsewhere } from './remove-elsewhere.sql.ts'
import { createUnownedRetention, type UnownedRetention } from './unowned-retention.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const hour = 60 * 60_000
const none: Limits = { days: null, gigabytes: null }

let database: TestDatabase
let store: Store
let clock: TestClock
let isClockTrusted: boolean
let running: UnownedRetention[]
beforeEach(async () => {
  database = await engines[0]!.create()
  store = await database.open()
  clock = createTestClock()
  isClockTrusted = true
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  await database.remove()
})

/** Ten seconds of a camera, a number of hours ago, of a billion bytes each. */
async function recorded(volume: string, camera: string, ...hoursAgo: readonly number[]): Promise<void> {
  await recordingStore(store, volume).add(
    hoursAgo.map((hours) => {
      const start = clock.now() - hours * hour
      return {
        camera: cameraKey(camera),
        start,
        end: start + 10_000,
        bytes: 1e9,
        initBytes: 1,
        motion: 0,
        streamId: 0,
        file: `${camera}-${hours}`,
      }
    }),
  )
}
const storedAway = (volume: string) =>
  store.db
    .updateTable('recording')
    .set(({ ref }) => ({ object: ref('file') }))
    .where('volume', '=', volume)
    .execute()

interface Given {
  readonly volumes?: readonly string[]
  readonly whole?: Limits
  readonly ofCamera?: Readonly<Record<string, Limits>>
  readonly max?: number
}

function start({ volumes = ['lost'], whole = none, ofCamera = {}, max }: Given): UnownedRetention {
  const left = someVolumes(store, createPlaces('own', undefined), () => volumes)
  const retention = createUnownedRetention({
    store: left,
    read: () => Promise.resolve(),
    limits: {
      whole: () => whole,
      of: (camera) => ofCamera[camera] ?? none,
      longest: () => Math.max(whole.days ?? 0, ...Object.values(ofCamera).map(({ days }) => days ?? 0)),
      stored: () => max ?? null,
    },
    isClockTrusted: () => isClockTrusted,
    stored: async () => (await left.oldest(undefined, 1000, 'object')).length * 1e9,
    remove: removeElsewhere(store, deletedFiles(store, 'own'), 'on-disk'),
    noted: () => volumes,
    deletedFiles: deletedFiles(store, 'own'),
    clock,
    log: silent,
  })
  retention.start()
  running.push(retention)
  return retention
}

/** `volume camera hours`, of what is left. */
const left = async (): Promise<string[]> =>
  (await store.db.selectFrom('recording').select(['volume', 'file']).orderBy('id').execute()).map(
    ({ volume, file }) => `${volume} ${file}`,
  )
const noted = () => store.db.selectFrom('deleted_file').select(['volume', 'file']).orderBy('file').execute()
const rounds = (count: number) => clock.advance(count * 10 * 60_000)
const settled = (expected: readonly string[]) =>
  advanceUntil(clock, async () => expect(await left()).toEqual(expected), { step: 10_000, timeout: 5000 })

test('what is older than the days of its camera, or of all, is removed; files on a disk are noted, objects queued', async () => {
  await recorded('lost', 'yard', 49, 47, 25)
  await recorded('lost', 'door', 49, 25, 23)
  await recorded('moved', 'yard', 49, 1)
  await storedAway('moved')
  await recorded('running', 'yard', 1000)
  await recorded('own', 'yard', 1000)
  start({
    volumes: ['lost', 'moved'],
    whole: { days: 1, gigabytes: null },
    ofCamera: { yard: { days: 2, gigabytes: null } },
  })
  await settled(['lost yard-47', 'lost yard-25', 'lost door-23', 'moved yard-1', 'running yard-1000', 'own yard-1000'])
  expect(await noted()).toEqual([
    { volume: 'lost', file: 'door-25' },
    { volume: 'lost', file: 'door-49' },
    { volume: 'lost', file: 'yard-49' },
  ])
  expect(await removalQueue(store).claim(10, 1)).toEqual(['yard-49'])
})

test('[NODE-3] no instance is woken for files that none has', async () => {
  await recorded('lost', 'yard', 49)
  const announced = vi.spyOn(store.changes, 'announce')
  start({ whole: { days: 1, gigabytes: null } })
  await settled([])
  expect(await noted()).toHaveLength(1)
  expect(announced).not.toHaveBeenCalled()
  await recorded('running', 'yard', 1)
  const [segment] = await recordingStore(store, 'running').oldest(cameraKey('yard'), 1)
  await removeElsewhere(store, deletedFiles(store, 'own'), 'all')([segment!])
  expect(announced).toHaveBeenCalledTimes(1)
})

test('a round removes more than one batch, and two instances at the same time remove what one does', async () => {
  await recorded('lost', 'yard', ...Array.from({ length: 250 }, (_, nth) => 500 - nth), 1)
  const given = { whole: { days: 1, gigabytes: null } }
  start(given)
  start(given)
  await settled(['lost yard-1'])
  expect(await noted()).toHaveLength(250)
})

test('nothing is removed at the start, without a limit of days, or while the clock isn’t trusted', async () => {
  await recorded('lost', 'yard', 1000)
  start({})
  await rounds(3)
  isClockTrusted = false
  start({ whole: { days: 1, gigabytes: null } })
  await rounds(3)
  expect(await left()).toHaveLength(1)
  isClockTrusted = true
  await clock.advance(9 * 60_000)
  expect(await left()).toHaveLength(1)
  await settled([])
})

test('above the limit of the object storage, the oldest of all volumes are removed, and nothing on a disk', async () => {
  await recorded('lost', 'yard', 9, 7, 5)
  await recorded('older', 'door', 8, 6)
  await storedAway('lost')
  await storedAway('older')
  await recorded('disk', 'yard', 100)
  start({ volumes: ['disk', 'lost', 'older'], max: 3 })
  await settled(['lost yard-7', 'lost yard-5', 'older door-6', 'disk yard-100'])
  await rounds(2)
  expect(await left()).toHaveLength(4)
})

test('files that were deleted by age on a disk that doesn’t return are forgotten a month after their age limit, and no others', async () => {
  const day = 24 * hour
  const file = (days: number, volume = 'lost') => ({
    volume,
    kind: 'recording',
    // As a segment is named: by its time.
    file: new Date(clock.now() - days * day).toISOString(),
    start: clock.now() - days * day,
    by_age: 1,
  })
  const many = Array.from({ length: 1200 }, (_, nth) => file(38 + nth / 100))
  await store.db
    .insertInto('deleted_file')
    .values([
      ...many,
      file(36),
      file(1),
      file(100, 'running'),
      { ...file(200), by_age: 0 },
      { ...file(100), kind: 'export' },
    ])
    .execute()
  const whole = { days: 1, gigabytes: null }
  isClockTrusted = false
  start({ whole, ofCamera: { yard: { days: 7, gigabytes: null } } })
  await rounds(2)
  expect(await noted()).toHaveLength(1205)
  isClockTrusted = true
  await rounds(2)
  await expect.poll(noted).toHaveLength(5)
})

test('after a failure, the next round is tried', async () => {
  await recorded('lost', 'yard', 1000)
  await store.db.schema.alterTable('deleted_file').renameTo('another').execute()
  start({ whole: { days: 1, gigabytes: null } })
  await rounds(1)
  expect(await left()).toHaveLength(1)
  await store.db.schema.alterTable('another').renameTo('deleted_file').execute()
  await settled([])
})

test('a stop ends it', async () => {
  await recorded('lost', 'yard', 1000)
  await start({ whole: { days: 1, gigabytes: null } }).stop()
  await rounds(3)
  expect(await left()).toHaveLength(1)
})
