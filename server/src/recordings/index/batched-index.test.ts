import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bareServer } from '../../../test/support/bare-server.ts'
import { emptied, postgresEngines, type TestDatabase } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { unaudited } from '../../../test/support/unaudited.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { internalAdmin } from '../../access/identity.ts'
import type { Authentication } from '../../http/authentication.ts'
import { createPlaces } from '../../shared/storage/places.ts'
import { systemRandom } from '../../shared/random.ts'
import { deletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import type { RecordingSettings } from '../recording.config.ts'
import { createRecordings, type Recordings } from '../recordings.ts'
import { openVolume } from '../storage/volume.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const settings = {
  recording: { enabled: true, retain_days: 7, max_gb: 50 },
  storage: { tier: { after_hours: null, max_gb: null } },
  cameras: new Map(
    ['yard', 'door'].map((name) => [name, { enabled: true, record: { enabled: true, mode: 'continuous' } }]),
  ),
} as unknown as RecordingSettings

const admin: Authentication = { identity: internalAdmin, reauthenticate: () => admin }

/** The clock stands still unless a test moves it, so what waits for other segments waits forever. */
describe.each(postgresEngines)('the batched index on $name', (engine) => {
  let database: TestDatabase
  let store: Store
  let mediaDir: string
  let clock: TestClock
  let recordings: Recordings
  let logged: string[]
  beforeAll(async () => {
    database = await engine.create()
    store = await database.open()
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    mediaDir = temporaryFolder()
    clock = createTestClock()
    logged = []
    recordings = createRecordings({
      volume: await openVolume(mediaDir, systemRandom),
      places: createPlaces('own', undefined),
      others: undefined,
      unowned: { hasInstances: true, lasting: () => [], read: () => Promise.resolve() },
      deletedFiles: deletedFiles(store, 'own'),
      keys: { keyOf: cameraKey, nameOf: (key) => key },
      epochOf: () => 1,
      store,
      settings: () => settings,
      disk: () => Promise.resolve(null),
      audit: unaudited,
      exported: () => Promise.resolve({ folder: mediaDir, bytes: 0 }),
      wasAnalyzed: () => false,
      isClockTrusted: () => true,
      random: systemRandom,
      objects: {} as never,
      clock,
      log: { ...silent, warn: (_fields, message) => void logged.push(message) },
    })
  })
  afterEach(async () => {
    const stopped = recordings.stop()
    // A failed test may have left segments that wait.
    await clock.advance(5000)
    await stopped
  })

  /** Records some seconds of a camera, whose stream then ends. */
  const record = (camera: string): void => {
    const consumer = recordings.consumerOf(camera)
    consumer.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
    for (let time = 0; time < 3; time++) {
      const rest = { key: true, video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } }
      consumer.fragment({ data: Buffer.from(`${time};`), ...rest }, clock.now())
    }
    consumer.end()
  }
  /** Waits until a segment is on disk and waits for others, which takes one timer more than before. */
  const untilWaiting = (timers: number) => vi.waitFor(() => expect(clock.pending()).toBe(timers + 1), 20_000)
  const closedFiles = () => readdirSync(mediaDir, { recursive: true }).filter((file) => String(file).endsWith('.mp4'))
  const indexed = async (): Promise<string[]> => {
    const rows = await store.db.selectFrom('recording').select('camera').orderBy('camera').execute()
    return rows.map(({ camera }) => camera)
  }

  test('[NODE-2] a camera is handed over with all of its segments in the index', async () => {
    record('yard')
    await recordings.settled('yard')
    expect(await indexed()).toEqual(['yard'])
  })

  test('a service that stops indexes all segments first', async () => {
    record('yard')
    record('door')
    await recordings.stop()
    expect(await indexed()).toEqual(['door', 'yard'])
  })

  test('segments of several cameras wait for each other', async () => {
    const timers = clock.pending()
    record('yard')
    record('door')
    await untilWaiting(timers)
    await vi.waitFor(() => expect(closedFiles()).toHaveLength(2), 20_000)
    await clock.advance(1499)
    expect(await indexed()).toEqual([])
    await clock.advance(1)
    await vi.waitFor(async () => expect(await indexed()).toEqual(['door', 'yard']), 20_000)
  })

  test('a deletion also deletes a segment that waits for others', async () => {
    const app = await bareServer({ routes: recordings.routes, authentication: admin })
    const timers = clock.pending()
    record('yard')
    await untilWaiting(timers)
    const url = `/api/cameras/yard/recordings?after=0&before=${clock.now() / 1000 + 60}`
    const removed = await app.inject({ method: 'DELETE', url })
    expect([removed.statusCode, removed.json()]).toMatchObject([200, { segments: 1 }])
  })

  test('a deletion also deletes a segment that couldn’t be indexed yet', async () => {
    const app = await bareServer({ routes: recordings.routes, authentication: admin })
    const timers = clock.pending()
    await sql`alter table recording rename to hidden`.execute(store.db)
    record('yard')
    await untilWaiting(timers)
    await clock.advance(1500)
    await vi.waitFor(() => expect(logged).toContain('failed to index segments; retrying'), 20_000)
    await sql`alter table hidden rename to recording`.execute(store.db)
    const url = `/api/cameras/yard/recordings?after=0&before=${clock.now() / 1000 + 60}`
    const removed = await app.inject({ method: 'DELETE', url })
    expect([removed.statusCode, removed.json()]).toMatchObject([200, { segments: 1 }])
  })
})
