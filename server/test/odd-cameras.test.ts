import { expect, test } from 'vitest'
import { systemClock } from '../src/shared/time/clock.ts'
import { offline, online, programs, startCameras, stallsSoon, until } from './support/cameras-alone.ts'
import { camera } from './support/watched.ts'

/** A picture of so many seconds without a repetition, for rare key frames. */
const scene = (seconds: number) => ({ source: (size: string, rate: number) => `testsrc2=s=${size}:r=${rate}`, seconds })

const second = 90_000
const hour = 3600 * second
const frame = second / 10

/** RTP times have 32 bits. */
const wrapped = (time: number): number => ((time % 2 ** 32) + 2 ** 32) % 2 ** 32

test.each(programs)(
  'a camera is waited for until its first key frame, however rare they are, with %s',
  async (ffmpeg) => {
    const cam = await camera({ keyEvery: 70, scene: scene(7) })
    const { cameras, logged } = startCameras({ yard: cam.url() }, { ffmpeg, times: stallsSoon })
    await online(cameras, 'yard')
    expect(logged()).not.toContain('camera offline')
  },
)

test('a camera that sends no key frame goes offline with that as the reason', async () => {
  const cam = await camera({ keyEvery: 200, scene: scene(20) })
  const { cameras } = startCameras({ yard: cam.url() }, { times: { ...stallsSoon, keyFrameAfter: 3000 } })
  await offline(cameras, 'yard', /^No key frame received within 3 s\. /)
})

test.each(
  programs.flatMap((ffmpeg) =>
    [
      ['back', -1],
      ['ahead', 1],
    ].map(([to, sign]) => [to, ffmpeg, Number(sign)] as const),
  ),
)('a camera whose clock is set %s while it streams is read again from there, with %s', async (_to, ffmpeg, sign) => {
  let isSet = false
  const cam = await camera({ timestampOf: (number) => wrapped(number * frame + (isSet ? sign * hour : 0)) })
  // Later than the first seconds of a connection, in which times can jump ahead.
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + (isSet ? 20_000 : 0) }
  const { cameras, logged } = startCameras({ yard: cam.url() }, { ffmpeg, clock })
  await online(cameras, 'yard')
  isSet = true
  await until(() => expect(logged()).toMatch(/camera offline.*timestamps jump or stand still/))
  await online(cameras, 'yard')
  expect(cam.connections).toBeGreaterThan(1)
})
