import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Camera } from './camera-supervisor.ts'
import { createConnectionTest } from './connection-test.ts'

/** A camera that is online after some milliseconds, and whose frame rate is known after some more. */
function tested(onlineAfter: number, rateAfter: number) {
  const clock = createTestClock()
  const camera = {
    show: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    get status() {
      const isOnline = clock.elapsed() >= onlineAfter
      const fps = clock.elapsed() >= rateAfter ? 15 : null
      return { state: isOnline ? 'online' : 'connecting', codec: 'avc1', resolution: '64x48', fps }
    },
    frame: { mp4: [], at: 0 },
  } as unknown as Camera
  const connectionTest = createConnectionTest({
    createCamera: () => camera,
    mediaDir: '/media',
    jpegEncoder: { jpegOf: () => Promise.resolve(Buffer.from('jpeg')) },
    clock,
  })
  return { clock, result: connectionTest.try('rtsp://camera.test/stream', new AbortController().signal) }
}

test.each([
  ['the frame rate is known at once', 1000, 1000, 1100, 15],
  ['it is known soon', 1000, 2500, 2600, 15],
  ['key frames are too rare for it', 1000, 20_000, 3100, null],
  ['the camera is slow', 25_000, 60_000, 27_100, null],
])('a connection test ends soon after the first frame: %s', async (_what, onlineAfter, rateAfter, end, fps) => {
  const { clock, result } = tested(onlineAfter, rateAfter)
  await clock.advance(0)
  let isOver = false
  void result.then(() => (isOver = true))
  await clock.advance(Math.max(onlineAfter, Math.min(rateAfter, onlineAfter + 2000)) - 100)
  expect(isOver).toBe(false)
  await clock.advance(end - clock.elapsed())
  expect(isOver).toBe(true)
  expect(await result).toMatchObject({ ok: true, fps })
})
