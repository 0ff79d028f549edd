import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpCamera } from '../../../test/support/http-camera.ts'
import { lateVideoFlv } from '../../../test/support/late-video-flv.ts'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import type { StreamProblem } from './reason.ts'
import { startStreamFrames, type StreamFramesDeps } from './stream-frames.ts'

const ffmpeg = findFfmpeg() ?? 'ffmpeg'

/** Three seconds that get lighter by 50 levels every second. @returns the folder of clip.mp4 */
function clipOf(fps: number): string {
  const folder = temporaryFolder()
  const source = `color=black:s=320x180:r=${fps}:d=3,geq=lum='40+50*T':cb=128:cr=128`
  const encode = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-bf', '0', '-sc_threshold', '0']
  execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', source, ...encode, join(folder, 'clip.mp4')])
  return folder
}

/** Frames of a stream until the end of the test. */
function start(deps: Pick<StreamFramesDeps, 'from'> & Partial<StreamFramesDeps>): void {
  const frames = startStreamFrames({
    camera: 'yard',
    ffmpeg,
    size: { width: 16, height: 9 },
    source: { mediaDir: '/' },
    stallAfter: 60_000,
    onFrame: () => {},
    onTrouble: () => {},
    clock: systemClock,
    log: silent,
    random: { bytes: (length) => Buffer.alloc(length) },
    backoff: { first: 10, max: 10 },
    ...deps,
  })
  onTestFinished(() => frames.stop())
}

test.each([
  ['10 frames per second: every fifth', 10, 0.5],
  ['5 frames per second: every third', 5, 0.6],
  ['2 frames per second: all', 2, 0.5],
])('of a stream with %s', async (_which, fps, every) => {
  const mediaDir = clipOf(fps)
  const { promise, resolve } = Promise.withResolvers<void>()
  const grays: number[] = []
  start({
    from: { kind: 'file', path: join(mediaDir, 'clip.mp4') },
    source: { mediaDir },
    onFrame({ pixels }) {
      grays.push(pixels[72]!)
      if (grays.length === 4) resolve()
    },
  })
  await promise
  // Limited range to full: 255 / 219.
  const seconds = grays.slice(0, 4).map((gray) => ((gray - grays[0]!) * 219) / 255 / 50)
  for (const [n, second] of seconds.entries()) expect(Math.abs(second - n * every)).toBeLessThan(0.08)
})

test('video that a quick analysis does not find is analyzed longer immediately, and nothing is reported', async () => {
  const folder = temporaryFolder()
  const video = ['-itsoffset', '5', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10']
  const audio = ['-f', 'lavfi', '-i', 'sine=440:r=16000', '-t', '20', '-c:a', 'aac']
  const args = [...video, ...audio, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', join(folder, 'clip.flv')]
  execFileSync(ffmpeg, ['-v', 'error', ...args])
  const file = lateVideoFlv(readFileSync(join(folder, 'clip.flv')))
  const cam = await httpCamera((_request, response) => void response.write(file))
  const problems: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  start({
    from: { kind: 'stream', protocol: 'http', url: `http://127.0.0.1:${cam.port}/live` },
    onTrouble: (problem) => problems.push(problem?.code),
    onFrame: () => resolve(),
  })
  await promise
  expect(problems).toEqual([undefined])
  expect(cam.requests.length).toBe(2)
})

test('a longer analysis that finds no video either is not kept', async () => {
  const cam = await httpCamera((_request, response) => void response.end('FLV\x01\x01\0\0\0\x09\0\0\0\0'))
  const requests: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  start({
    from: { kind: 'stream', protocol: 'http', url: `http://127.0.0.1:${cam.port}/live` },
    onTrouble() {
      requests.push(cam.requests.length)
      if (requests.length === 2) resolve()
    },
  })
  await promise
  expect(requests).toEqual([2, 4])
})

test('[CAM-3] a login that ffmpeg does not know is not reported as a wrong password', async () => {
  const rejecting = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (data) => {
        const number = /^CSeq: *(\d+)/im.exec(String(data))?.[1] ?? ''
        const challenge = 'WWW-Authenticate: Digest realm="cam", nonce="1", algorithm=SHA-256'
        socket.write(`RTSP/1.0 401 Unauthorized\r\nCSeq: ${number}\r\n${challenge}\r\n\r\n`)
      })
  })
  await once(rejecting.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void rejecting.close())
  const url = `rtsp://user:secret@127.0.0.1:${(rejecting.address() as AddressInfo).port}/stream2`
  const { promise, resolve } = Promise.withResolvers<StreamProblem | undefined>()
  start({ from: { kind: 'stream', protocol: 'rtsp', url }, onTrouble: resolve })
  expect(await promise).toMatchObject({ code: 'unsupported-login' })
})
