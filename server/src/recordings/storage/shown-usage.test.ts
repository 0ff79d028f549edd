import { expect, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { day } from '../../shared/time/durations.ts'
import type { CameraUsage, SegmentPlace } from '../index/recording-store.ts'
import { usageOfEvery } from './shown-usage.ts'
import { cameraKey, type CameraKey } from '../../shared/camera/camera-keys.ts'

const office = cameraKey('office')

const of = (segments: number, bytes: number): CameraUsage => ({ segments, bytes, stored: 0 })

/** A service with its own recordings, and others that have recorded more. */
function setUp({ counted = true } = {}) {
  const own = {
    counted,
    cameras: () => ['yard', 'door'].map(cameraKey),
    bytesOf: (camera: string) => (camera === 'yard' ? 5 : 0),
    segmentsOf: (camera: string) => (camera === 'yard' ? 1 : 0),
    bytesIn: (place: SegmentPlace) => (place === 'disk' ? 3 : 2),
  }
  const totals = new Map([
    [cameraKey('yard'), of(2, 20)],
    [office, of(4, 40)],
  ])
  const cameras = vi.fn(async () => [...totals.keys()])
  const clock = createTestClock()
  const others = {
    cameras,
    usage: async (camera: CameraKey) => totals.get(camera) ?? of(0, 0),
    firstStart: async (camera: CameraKey, from: number) => (from === 0 && totals.has(camera) ? 0 : undefined),
  }
  const every = usageOfEvery(own, async () => others, { between: 60_000, piece: day }, { clock, log: silent })
  const read = async () => {
    const usage = await every.read()
    const found = usage.cameras().map((camera) => [camera, usage.segmentsOf(camera), usage.bytesOf(camera)])
    return { counted: usage.counted, found }
  }
  return { every, totals, cameras, clock, read }
}

const whole = [
  ['yard', 3, 25],
  ['door', 0, 0],
  ['office', 4, 40],
]

test('the amount of a camera is what this instance and the others have of it', async () => {
  expect(await setUp().read()).toEqual({ counted: true, found: whole })
  expect(await setUp({ counted: false }).read()).toEqual({ counted: false, found: whole })
})

test('the amount of a place is what this instance and the others have there', async () => {
  const { every, totals } = setUp()
  totals.set(office, { ...of(4, 40), stored: 30 })
  const usage = await every.read()
  expect([usage.bytesIn('disk'), usage.bytesIn('object')]).toEqual([3 + 20 + 10, 2 + 30])
})

test('the others are counted at most once a minute, in the background', async () => {
  const { read, cameras, totals, clock } = setUp()
  await Promise.all([read(), read()])
  totals.set(office, of(5, 50))
  await clock.advance(59_999)
  expect((await read()).found).toEqual(whole)
  expect(cameras).toHaveBeenCalledTimes(1)
  await clock.advance(1)
  // The request isn't kept waiting for the new count.
  expect((await read()).found).toEqual(whole)
  await expect.poll(async () => (await read()).found.at(-1)).toEqual(['office', 5, 50])
  expect(cameras).toHaveBeenCalledTimes(2)
})

test('what was removed counts no longer, without another count', async () => {
  const { read, every, cameras } = setUp()
  every.removed({ camera: office, start: 0, bytes: 10, object: null })
  expect(await read()).toEqual({ counted: true, found: whole })
  every.removed({ camera: office, start: 0, bytes: 10, object: null })
  expect((await read()).found.at(-1)).toEqual(['office', 3, 30])
  expect(cameras).toHaveBeenCalledTimes(1)
})

test('until a count succeeds, the amounts are unknown', async () => {
  const { read, cameras } = setUp()
  cameras.mockRejectedValueOnce(new Error('the database does not respond'))
  expect(await read()).toMatchObject({ counted: false })
  expect(await read()).toEqual({ counted: true, found: whole })
})

test('a first count that takes long is not waited for', async () => {
  const { read, cameras, clock } = setUp()
  cameras.mockReturnValue(new Promise(() => {}))
  const found = read()
  await clock.advance(1000)
  expect(await found).toMatchObject({ counted: false })
})
