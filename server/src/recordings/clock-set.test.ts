import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createClockJumpGuard } from '../shared/time/clock-jump-guard.ts'
import type { Fragment } from '../media/mp4/fragment.ts'
import { inPlayOrder, playlistOf } from './playlist.ts'
import { createRecordedRanges } from './recorded-ranges.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createSegmentBatch } from './index/segment-batch.ts'
import { recordingStore } from './index/recording-store.sql.ts'
import type { RecordingStore } from './index/recording-store.ts'
import { createFileRemoval } from '../shared/storage/file-removal.ts'
import { createRetention } from './storage/retention.ts'
import { createUsage, type Usage } from './storage/usage.ts'
import { scopedKey } from '../../test/support/scoped.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const hour = 3_600_000
let database: TestDatabase
let store: RecordingStore
let usage: Usage
let folder: string
let elapsed: number
let offset: number
const clock = { now: () => offset + elapsed, elapsed: () => elapsed }

beforeEach(async () => {
  database = await engines[0]!.create()
  store = recordingStore(await database.open(), 'ours')
  usage = createUsage(async () => store)
  folder = temporaryFolder()
  elapsed = 0
  offset = noon
})
afterEach(() => database.remove())

const recorder = (): Recorder =>
  createRecorder({
    camera: scopedKey('yard'),
    folder,
    writer: 'abc123',
    own: new Set(),
    requireDisk: () => Promise.resolve(),
    store,
    batch: createSegmentBatch({ write: store.add, delay: 0, clock: createTestClock() }),
    canThin: () => false,
    clock,
    log: silent,
    onAdded: usage.added,
    onRemoved: () => {},
    epoch: () => undefined,
    onStatus: () => {},
    onDiskError: () => {},
  })

/** A frame per second, every other one of which is a key frame. */
function record(yard: Recorder, from: number, to: number): void {
  for (let time = from; time < to; time++) {
    elapsed += 1000
    const rest = { video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } }
    const fragment: Fragment = { data: Buffer.from(`${time};`), key: time % 2 === 0, ...rest }
    yard.fragment(fragment)
  }
}

test('after the clock was set back, an export of the newest minute waits until that is in the index', async () => {
  const yard = recorder()
  const isUnindexed = (_camera: unknown, before: number): boolean => yard.isUnindexed(before)
  const ranges = createRecordedRanges({ bytes: {} as never, store, isUnindexed, now: clock.now })
  yard.want(true)
  yard.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
  record(yard, 0, 64)
  offset -= 30_000
  record(yard, 64, 75)
  const end = clock.now()
  const survey = () => ranges.survey(scopedKey('yard'), end - 8000, end)
  // Of the last second, only an old segment is in the index, from before the clock was set back.
  await yard.settled()
  expect(await survey()).toMatchObject({ recorded: 15_000, growing: true })
  record(yard, 75, 85)
  expect(await survey()).toMatchObject({ recorded: 15_000, growing: true })
  await yard.settled()
  expect(await survey()).toMatchObject({ recorded: 16_000, growing: false })
  await yard.stop()
})

test.each([
  ['forward', hour],
  ['back', -hour],
])('a clock set %s by an hour during recording loses nothing, and every frame plays once', async (_way, by) => {
  const yard = recorder()
  const retention = createRetention({
    folder,
    files: createFileRemoval({ folder, clock, log: silent }),
    requireDisk: () => Promise.resolve(),
    store,
    usage,
    availableBytes: () => Promise.resolve(null),
    isReconciled: () => true,
    limits: {
      whole: () => ({ days: 0.05, gigabytes: null }),
      of: () => ({ days: null, gigabytes: null }),
      stored: () => null,
    },
    isClockTrusted: createClockJumpGuard({ now: () => offset + elapsed, elapsed: () => elapsed }, silent),
    clock,
    log: silent,
  })
  yard.want(true)
  yard.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
  record(yard, 0, 64)
  offset += by
  record(yard, 64, 124)
  await yard.stop()
  await retention.sweep(new AbortController().signal)

  const after = noon + Math.min(0, by)
  const segments = inPlayOrder(await store.between(scopedKey('yard'), after, after + 2 * hour, 100))
  expect(segments.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(124_000)
  for (const { file } of segments) expect(existsSync(join(folder, file)), file).toBe(true)
  const times = segments.map(({ start }) => (start - noon) / 1000)
  expect(times.slice(0, 6).map((time) => time - (by < 0 ? 64 + by / 1000 : 0))).toEqual([0, 10, 20, 30, 40, 50])
  expect(new Set(segments.map(({ streamId }) => streamId)).size).toBe(2)
  expect(playlistOf(segments, '').match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(1)
})
