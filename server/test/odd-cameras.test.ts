import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aroundEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/shared/time/clock.ts'
import { offline, online, programs, startCameras, stallsSoon, until } from './support/cameras-alone.ts'
import { isListening } from './support/children.ts'
import { separateCleanups } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { httpCamera } from './support/http-camera.ts'
import { lateVideoFlv } from './support/late-video-flv.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { wait } from './support/wait.ts'
import { packetsIn } from './support/video-with-audio.ts'
import { camera, play, watch, type Watching } from './support/watch-camera.ts'

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

/** Half a minute of video with audio, and parts of it. */
function makeStreams(program: string) {
  const folder = temporaryFolder()
  const make = (...args: readonly string[]): void =>
    void execFileSync(program, ['-v', 'error', '-nostdin', '-y', ...args], { cwd: folder })
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  const copy = ['-c', 'copy']
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', '-f', 'lavfi', '-i', 'sine=440:r=16000', '-t', '30']
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '70']
  make(...sources, ...h264, '-c:a', 'aac', 'all.ts')
  make('-i', 'all.ts', ...copy, '-an', 'silent.ts')
  make('-i', 'all.ts', ...copy, '-an', 'silent.flv')
  make('-i', 'silent.ts', '-itsoffset', '10', '-i', 'all.ts', '-map', '0:v', '-map', '1:a', ...copy, 'late.ts')
  make('-i', 'silent.ts', '-itsoffset', '10', '-i', 'all.ts', '-map', '0:v', '-map', '1:a', ...copy, 'late.flv')
  make('-i', 'silent.ts', '-t', '10', ...copy, 'begin.ts')
  make('-i', 'all.ts', ...copy, '-output_ts_offset', '10', 'rest.ts')
  make('-itsoffset', '5', '-i', 'silent.ts', '-i', 'all.ts', '-map', '0:v', '-map', '1:a', ...copy, 'late-video.flv')
  make('-i', 'all.ts', '-map', '0:v', '-map', '0:a', '-map', '0:a', ...copy, 'two.ts')
  const [audioPid, secondAudioPid] = [0x101, 0x102]
  return {
    /** A key frame every seven seconds, and audio from the beginning. */
    whole: upTo(read('all.ts'), 0.2),
    /** As long as most key frame intervals, and shorter than a thorough analysis. */
    silent: upTo(read('silent.ts'), 0.2),
    silentFlv: upTo(read('silent.flv'), 0.2),
    /** The first key frame after five seconds. */
    rareKeys: packetsOf(read('silent.ts')).filter((_, i, all) => i < 3 || i > all.length / 15),
    late: packetsOf(read('late.ts')),
    lateFlv: [read('late.flv')],
    /** Its audio is announced after ten seconds. */
    added: packetsOf(Buffer.concat([read('begin.ts'), read('rest.ts')])),
    /** Its audio is announced. */
    noAudio: packetsOf(read('all.ts')).filter((packet) => pidOf(packet) !== audioPid),
    /** Its video begins after five seconds of audio. */
    lateVideoFlv: [lateVideoFlv(read('late-video.flv'))],
    /** A second audio stream is announced. */
    secondSilent: packetsOf(read('two.ts')).filter((packet) => pidOf(packet) !== secondAudioPid),
  }
}

const upTo = (video: Buffer, part: number): Buffer[] => [video.subarray(0, video.length * part)]
/** Of MPEG-TS. */
const packetsOf = (video: Buffer): Buffer[] =>
  Array.from({ length: Math.floor(video.length / 188) }, (_, i) => video.subarray(i * 188, (i + 1) * 188))

/** Times that aren't later than the one before, or much later. */
const jumpsIn = (times: readonly number[]): number[] =>
  times.slice(1).filter((time, i) => time <= times[i]! || time - times[i]! > 0.5)

const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff

const formats = ({ texts }: Watching): string[] => texts.filter((text) => text.includes('"mime"'))

/** An RTMP camera that sends this FLV to one viewer, and nothing after it. */
async function rtmpCamera(program: string, video: Buffer): Promise<string> {
  const url = `rtmp://127.0.0.1:${await freePort()}/live/yard`
  const input = ['-f', 'flv', '-analyzeduration', '1000000', '-i', 'pipe:0']
  const output = ['-c', 'copy', '-f', 'flv', '-flvflags', 'no_duration_filesize', '-listen', '1', url]
  const server = spawn(program, ['-v', 'error', ...input, ...output], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  server.stdin.on('error', () => {}).write(video)
  await until(() => expect(isListening(Number(new URL(url).port))).toBe(true))
  return url
}

describe.each(programs)('live streams, with %s', (ffmpeg) => {
  let streams: ReturnType<typeof makeStreams>
  beforeAll(() => {
    streams = makeStreams(ffmpeg)
  })

  /** Sends what the camera has so far, and nothing after it. */
  async function show(parts: readonly Buffer[]) {
    const cam = await httpCamera((_request, response) => void response.write(Buffer.concat(parts)))
    const { cameras } = startCameras({ yard: `http://127.0.0.1:${cam.port}/live` }, { ...own(), ffmpeg })
    const viewer = watch(cameras, 'yard')
    await online(cameras, 'yard')
    return { cam, viewer }
  }

  test.each(['silent', 'silentFlv'] as const)('%s: a camera is shown after its first seconds', async (name) => {
    const { cam, viewer } = await show(streams[name])
    expect(cam.requests.length).toBe(1)
    expect(formats(viewer)).toEqual([expect.not.stringContaining('mp4a')])
  })

  test('over RTMP, a camera without audio is shown after its first seconds, with one connection', async () => {
    const url = await rtmpCamera(ffmpeg, Buffer.concat(streams.silentFlv))
    const { cameras, logged } = startCameras({ yard: url }, { ...own(), ffmpeg })
    await online(cameras, 'yard')
    expect(logged()).not.toContain('camera offline')
  })

  test('a camera with audio is shown after its first seconds, with one connection', async () => {
    const { cam, viewer } = await show(streams.whole)
    await until(() => expect(formats(viewer)).toEqual([expect.stringContaining('mp4a')]))
    expect(cam.requests.length).toBe(1)
  })

  test('a camera is waited for until its first key frame', async () => {
    const { cam } = await show(streams.rareKeys)
    expect(cam.requests.length).toBe(2)
  })

  test.each(['late', 'lateFlv', 'added'] as const)('%s: audio that begins late is in the stream', async (name) => {
    const { cam, viewer } = await show(streams[name])
    await until(() => expect(formats(viewer).at(-1)).toContain('mp4a'))
    expect(cam.requests.length).toBe(2)
  })

  test.each(['lateVideoFlv', 'secondSilent'] as const)(
    '%s: a camera is shown with its audio, with one more connection',
    async (name) => {
      const { cam, viewer } = await show(streams[name])
      await until(() => expect(formats(viewer).at(-1)).toContain('mp4a'))
      expect(cam.requests.length).toBe(2)
    },
  )

  test('audio that never begins is left out', async () => {
    const { cam, viewer } = await show(streams.noAudio)
    await until(() => expect(formats(viewer).at(-1)).not.toContain('mp4a'))
    expect(cam.requests.length).toBe(3)
  })
})

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

  test.each(programs)('a camera with B-frames is shown, its frames at their own times, with %s', async (ffmpeg) => {
    // Shown as I B B P B B P B B P, sent as I P B B P B B P B B.
    const places = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8]
    const timestampOf = (number: number) => (number - (number % 10) + places[number % 10]!) * frame
    const params = 'slices=1:sliced-threads=0:repeat-headers=1:scenecut=0:bframes=2:b-adapt=0:open-gop=0'
    const cam = await camera({ timestampOf, encoding: ['-profile:v', 'main', '-x264-params', params] })
    const { cameras } = startCameras({ yard: cam.url() }, { ...own(), ffmpeg })
    await online(cameras, 'yard')
    const viewer = watch(cameras, 'yard')
    await until(() => expect(viewer.binaries.length).toBeGreaterThan(30))
    const shown = packetsIn(Buffer.concat(viewer.binaries), '0:v')
      .filter((line) => line.startsWith('0,'))
      .map((line) => Number(line.split(',')[2]))
    // ffmpeg guesses the first times; the last frames can be shown before others that have not arrived.
    const inOrder = shown.toSorted((a, b) => a - b).slice(5, -3)
    for (const [i, time] of inOrder.slice(1).entries()) expect(Math.abs(time - inOrder[i]! - frame)).toBeLessThan(2)
  })

  test.each(programs)('a file is shown again and again, with %s', async (ffmpeg) => {
    const folder = own()
    const made = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10', '-t', '2', '-pix_fmt', 'yuv420p']
    execFileSync(ffmpeg, [...made, '-c:v', 'libx264', '-g', '10', 'short.mp4'], { cwd: folder.mediaDir })
    const file = `file:${join(folder.mediaDir, 'short.mp4')}`
    const { cameras, logged } = startCameras({ yard: file }, { ...folder, ffmpeg })
    await online(cameras, 'yard')
    const viewer = watch(cameras, 'yard')
    // Three times the file.
    await until(() => expect(viewer.binaries.length).toBeGreaterThan(60))
    expect(logged()).not.toContain('camera offline')
  })

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

  test.each(programs)(
    'a camera that restarts its encoder within a connection, with another SSRC, numbers and times, is read again, with %s',
    async (ffmpeg) => {
      let base = 0
      const cam = await camera({ audio: 'pcma', timestampOf: (number) => wrapped(number * frame + base) })
      // Later than the first seconds of a connection, in which times can jump ahead.
      const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + (base === 0 ? 0 : 20_000) }
      const { cameras, logged } = startCameras({ yard: cam.url() }, { ...own(), ffmpeg, clock })
      await online(cameras, 'yard')
      base = 5 * hour
      cam.renumber()
      await until(() => expect(logged()).toMatch(/camera offline.*timestamps jump or stand still/))
      await online(cameras, 'yard')
      const viewer = watch(cameras, 'yard')
      await until(() => {
        const latest = play(viewer.binaries).times.slice(-20)
        expect(latest.length).toBe(20)
        expect(jumpsIn(latest)).toEqual([])
      })
    },
  )

  test('a camera that only changes its SSRC and numbers keeps its connection, and no time goes back', async () => {
    const cam = await camera()
    const { cameras, logged } = startCameras({ yard: cam.url() }, own())
    await online(cameras, 'yard')
    const connections = cam.connections
    const viewer = watch(cameras, 'yard')
    await until(() => expect(viewer.binaries.length).toBeGreaterThan(5))
    cam.renumber()
    await until(() => expect(viewer.binaries.length).toBeGreaterThan(50))
    expect(jumpsIn(play(viewer.binaries).times)).toEqual([])
    expect(cam.connections).toBe(connections)
    expect(logged()).not.toContain('camera offline')
  })
})
