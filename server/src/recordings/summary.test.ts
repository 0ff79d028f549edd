import { afterAll, beforeAll, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { dayIn } from '../shared/time/day-in.ts'
import { recordingStore } from './index/recording-store.sql.ts'
import type { RecordingStore } from './index/recording-store.ts'
import { segmentFile } from './segments/segment-name.ts'
import { summaryOf } from './summary.ts'
import { scopedKey } from '../../test/support/scoped.ts'

const hour = 3_600_000
let database: TestDatabase
let store: RecordingStore

beforeAll(async () => {
  database = await engines[0]!.create()
  store = recordingStore(await database.open(), 'ours')
})
afterAll(() => database.remove())

/** The days of a continuous recording with segments of one minute. */
async function daysOf(camera: string, timeZone: string, from: number, to: number): Promise<[string, number][]> {
  const starts = Array.from({ length: (to - from) / 60_000 }, (_, minute) => from + minute * 60_000)
  const rest = { camera: scopedKey(camera), bytes: 1, initBytes: 1, motion: 0, streamId: from }
  await store.add(
    starts.map((start) => ({ ...rest, start, end: start + 60_000, file: segmentFile(scopedKey(camera), start) })),
  )
  const { days } = summaryOf(await store.quarters(scopedKey(camera), from, to), dayIn(timeZone))
  return days.map(({ day, seconds }) => [day, seconds / 3600])
}

test('days on which clocks change have 23 and 25 hours', async () => {
  const spring = Date.UTC(2026, 2, 27, 23)
  expect(await daysOf('spring', 'Europe/Berlin', spring, spring + 71 * hour)).toEqual([
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ])
  const autumn = Date.UTC(2026, 9, 23, 22)
  expect(await daysOf('autumn', 'Europe/Berlin', autumn, autumn + 73 * hour)).toEqual([
    ['2026-10-24', 24],
    ['2026-10-25', 25],
    ['2026-10-26', 24],
  ])
})

test.each([
  ['Asia/Kolkata', 5.5],
  ['Asia/Kathmandu', 5.75],
  ['America/St_Johns', -3.5],
])('a day in %s begins within an hour of UTC, and is whole', async (zone, ahead) => {
  const midnight = Date.UTC(2026, 10, 21) - ahead * hour
  expect(await daysOf(zone.replace('/', '-'), zone, midnight, midnight + 48 * hour)).toEqual([
    ['2026-11-21', 24],
    ['2026-11-22', 24],
  ])
})

test('hours are UTC hours', () => {
  const start = Date.UTC(2026, 10, 21, 10) / 1000
  const quarters = [
    { quarter: start / 900, recorded: 900_000, motion: 3 },
    { quarter: start / 900 + 3, recorded: 60_000, motion: 7 },
    { quarter: start / 900 + 4, recorded: 10_000, motion: 0 },
  ]
  expect(summaryOf(quarters, dayIn('UTC')).hours).toEqual([
    { start, seconds: 960, motion: 7 },
    { start: start + 3600, seconds: 10, motion: 0 },
  ])
})
