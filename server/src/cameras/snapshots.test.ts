import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import { createSnapshots } from './snapshots.ts'

const frame = (at: number): Frame => ({ at, mp4: [] })

function world() {
  const clock = createTestClock()
  let shown = frame(1)
  const snapshots = createSnapshots({
    camera: {
      status: { state: 'connecting', resolution: null, fps: null, codec: null },
      latestFrame: () => Promise.resolve(shown),
    },
    jpegEncoder: { jpegOf: ({ at }) => Promise.resolve(Buffer.from(String(at))) },
    kept: () => Promise.resolve(undefined),
    clock,
  })
  return {
    clock,
    forget: snapshots.forget,
    show: (at: number) => void (shown = frame(at)),
    latest: async () => (await snapshots.latest())?.jpeg.toString(),
  }
}

test('a snapshot is reused for a second, though there are newer frames', async () => {
  const { clock, show, latest } = world()
  expect(await latest()).toBe('1')
  show(2)
  await clock.advance(999)
  expect(await latest()).toBe('1')
  await clock.advance(1)
  expect(await latest()).toBe('2')
})

test('none is reused once it was dropped', async () => {
  const { show, latest, forget } = world()
  expect(await latest()).toBe('1')
  forget()
  show(2)
  expect(await latest()).toBe('2')
})
