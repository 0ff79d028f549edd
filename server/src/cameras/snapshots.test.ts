import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import { createSnapshots } from './snapshots.ts'

const frame = (at: number): Frame => ({ at, mp4: [] })

function world() {
  const clock = createTestClock()
  let shown = frame(1)
  let hasLive = true
  const snapshots = createSnapshots({
    camera: {
      status: { state: 'connecting', resolution: null, fps: null, codec: null },
      latestFrame: () => Promise.resolve(shown),
    },
    jpegEncoder: { jpegOf: ({ at }, height) => Promise.resolve(Buffer.from(`${at} ${height}`)) },
    liveJpeg: (height, at) => Promise.resolve(hasLive ? Buffer.from(`live ${at} ${height}`) : undefined),
    kept: () => Promise.resolve(undefined),
    clock,
  })
  return {
    clock,
    forget: snapshots.forget,
    show: (at: number) => void (shown = frame(at)),
    endLive: () => void (hasLive = false),
    latest: async (height = 360, isKnown = (_at: number) => false) => {
      const snapshot = await snapshots.latest(height, isKnown)
      return snapshot && `${snapshot.jpeg.toString()}, ${snapshot.at}`
    },
  }
}

test('a snapshot is reused for a second, though there are newer frames', async () => {
  const { clock, show, latest } = world()
  expect(await latest()).toBe('1 360, 1')
  show(2)
  await clock.advance(999)
  expect(await latest()).toBe('1 360, 1')
  await clock.advance(1)
  expect(await latest()).toBe('live 2 360, 2')
})

test('none is reused once it was dropped', async () => {
  const { show, latest, forget } = world()
  expect(await latest()).toBe('1 360, 1')
  forget()
  show(2)
  expect(await latest()).toBe('2 360, 2')
})

test('the second of a height within five seconds comes from a decoder that keeps running, with its own time', async () => {
  const { clock, show, latest } = world()
  expect(await latest()).toBe('1 360, 1')
  await clock.advance(4999)
  show(2)
  expect(await latest(180)).toBe('2 180, 2')
  expect(await latest()).toBe('live 2 360, 2')
  await clock.advance(4999)
  show(3)
  expect(await latest()).toBe('live 3 360, 3')
  await clock.advance(5000)
  show(4)
  expect(await latest()).toBe('4 360, 4')
})

test('the same frame is decoded once, and a client that has it gets none', async () => {
  const { clock, show, latest } = world()
  const known: number[] = []
  const isKnown = (at: number) => (known.push(at), at === 2)
  expect(await latest(360, isKnown)).toBe('1 360, 1')
  await clock.advance(2000)
  expect(await latest(360, isKnown)).toBe('1 360, 1')
  show(2)
  expect(await latest(360, isKnown)).toBeUndefined()
  expect(known).toEqual([1, 1, 2])
})

test('without such a decoder, each is decoded by itself', async () => {
  const { clock, show, latest, endLive } = world()
  await latest()
  endLive()
  await clock.advance(1000)
  show(2)
  expect(await latest()).toBe('2 360, 2')
})
