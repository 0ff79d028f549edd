import { aroundEach, describe, expect, test } from 'vitest'
import { systemClock } from '../src/shared/time/clock.ts'
import { offline, online, programs, startCameras, stallsSoon, until } from './support/cameras-alone.ts'
import { separateCleanups } from './support/cleanups.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { wait } from './support/wait.ts'
import { camera } from './support/watched.ts'

/** A picture of so many seconds without a repetition, for rare key frames. */
const scene = (seconds: number) => ({ source: (size: string, rate: number) => `testsrc2=s=${size}:r=${rate}`, seconds })

/** A camera that has sent its first key frame: a fast client would begin with it, and wait for no other. */
async function cameraAfterKeyFrame(...options: Parameters<typeof camera>): ReturnType<typeof camera> {
  const cam = await camera(...options)
  await wait(500, 'it sends its first frames to no one')
  return cam
}

const second = 90_000
const hour = 3600 * second
const frame = second / 10

/** RTP times have 32 bits. */
const wrapped = (time: number): number => ((time % 2 ** 32) + 2 ** 32) % 2 ** 32

/** A folder for each test: all have a camera of the same name. */
const own = () => ({ mediaDir: temporaryFolder() })

// They mostly wait for video at its own speed.
describe('cameras', { concurrent: true }, () => {
  aroundEach(separateCleanups)

  test.each(programs)(
    'a camera is waited for until its first key frame, however rare they are, with %s',
    async (ffmpeg) => {
      const cam = await cameraAfterKeyFrame({ keyEvery: 70, scene: scene(7) })
      const { cameras, logged } = startCameras({ yard: cam.url() }, { ...own(), ffmpeg, times: stallsSoon })
      await online(cameras, 'yard')
      expect(logged()).not.toContain('camera offline')
    },
  )

  test('a camera that sends no key frame goes offline with that as the reason', async () => {
    const cam = await cameraAfterKeyFrame({ keyEvery: 200, scene: scene(20) })
    const { cameras } = startCameras({ yard: cam.url() }, { ...own(), times: { ...stallsSoon, keyFrameAfter: 3000 } })
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
    const { cameras, logged } = startCameras({ yard: cam.url() }, { ...own(), ffmpeg, clock })
    await online(cameras, 'yard')
    isSet = true
    await until(() => expect(logged()).toMatch(/camera offline.*timestamps jump or stand still/))
    await online(cameras, 'yard')
    expect(cam.connections).toBeGreaterThan(1)
  })
})
