import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { demoFile } from '../src/media/demo/demo.ts'
import { createDetector } from '../src/motion/detector.ts'
import { gray } from '../src/motion/gray.ts'
import {
  ffmpeg,
  media,
  offline,
  online,
  programs,
  startCameras,
  settingsOf,
  stallsSoon,
  until,
} from './support/cameras-alone.ts'
import { childrenReading } from './support/children.ts'
import { writeEncoded } from './support/write-encoded.ts'
import { motionsIn } from './support/motion-score.ts'
import { wait } from './support/wait.ts'
import { camera, play, watch } from './support/watch-camera.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { scopedCamera } from './support/scoped.ts'

/** Every scene, and one with every program: the scenes have the same form. */
const scenes = (['yard', 'door', 'office'] as const).flatMap((scene) =>
  programs.filter((program) => scene === 'yard' || program === ffmpeg).map((program) => [scene, program] as const),
)

test.each(scenes)('the demo scene %s loops without a gap, with %s', async (scene, program) => {
  const folder = temporaryFolder()
  const { cameras } = startCameras({ [scene]: `demo:${scene}` }, { ffmpeg: program })
  await until(() => expect(cameras.responseOf(scene)).toMatchObject({ state: 'online', resolution: '1280x720' }))
  await cameras.stop()

  // The loop as it is read, without waiting for it: two rounds of four to five minutes, each of some sixty pieces.
  const output = (map: string): string[] =>
    [
      ['-map', map, '-c', 'copy', '-f', 'mp4'],
      ['-movflags', '+frag_every_frame+empty_moov+default_base_moof', join(folder, `${map.at(2)!}.mp4`)],
    ].flat()
  const args = ['-v', 'error', '-nostdin', '-stream_loop', '-1', '-t', '560', '-i', demoFile(scene)]
  execFileSync(program, [...args, ...output('0:v'), ...output('0:a')])
  const { times, keys } = play([readFileSync(join(folder, 'v.mp4'))])
  const { audio } = play([readFileSync(join(folder, 'a.mp4'))])
  const steps = new Set(times.slice(1).map((time, i) => Math.round((time - times[i]!) * 1000)))
  expect(times.at(-1)).toBeGreaterThan(555)
  expect([...steps]).toEqual([83])
  expect(keys.filter(Boolean)).toHaveLength(560)
  // 125 audio frames in 4 s: every fragment begins where the previous one ends.
  const audioSteps = new Set(audio.slice(1).map(({ time }, i) => Math.round((time - audio[i]!.time) * 1000)))
  expect([...audioSteps]).toEqual([32])
  expect(audio).toHaveLength(17_500)
})

test('in the demo scene yard, a person appears soon, and mostly nothing moves', () => {
  const small = `scale=${gray.width}:${gray.height}:flags=area,format=gray`
  const decoded = ['-v', 'error', '-nostdin', '-skip_frame', 'nokey', '-i', demoFile('yard')]
  const output = ['-fps_mode', 'passthrough', '-vf', small, '-an', '-f', 'rawvideo', '-']
  const raw = execFileSync(ffmpeg, [...decoded, ...output], { maxBuffer: 1 << 24 })
  const frames = Array.from({ length: 240 }, (_, second) => ({
    at: second * 1000,
    pixels: raw.subarray(second * gray.size, (second + 1) * gray.size),
  }))
  const visits = motionsIn(frames, createDetector({ sensitivity: 'medium', masks: [] }))
  expect(visits).toHaveLength(3)
  expect(visits[0]!.from).toBeLessThan(10)
  for (const [i, { from }] of visits.slice(1).entries()) expect(from - visits[i]!.to).toBeGreaterThan(30)
})

describe.each(programs)('sources other than a camera, with %s', (program) => {
  test('a file loops, and a file that only names other files is not read', async () => {
    const made = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', '-t', '2', '-g', '10']
    for (const [name, format] of [
      ['clip.mp4', 'mp4'],
      ['clip.ts', 'mpegts'],
      ['clip.mkv', 'matroska'],
    ] as const) {
      await writeEncoded(join(media, name), [...made, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-f', format])
    }
    writeFileSync(join(media, 'list.txt'), `ffconcat version 1.0\nfile ${join(media, 'clip.mp4')}\n`)
    writeFileSync(join(media, 'list.m3u8'), '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nclip.ts\n#EXT-X-ENDLIST\n')
    const names = { mp4: 'clip.mp4', ts: 'file:clip.ts', mkv: 'clip.mkv', concat: 'list.txt', hls: 'list.m3u8' }
    const { cameras } = startCameras(names, { ffmpeg: program })
    await Promise.all(['mp4', 'ts', 'mkv'].map((name) => online(cameras, name)))
    const watching = watch(cameras, 'mp4')
    await Promise.all(['concat', 'hls'].map((name) => offline(cameras, name, /^Unreadable video stream\.$/)))
    await wait(3000, 'a stream that is not restarted in this time continues')
    const { times } = play(watching.binaries)
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
    expect(cameras.responseOf('mp4').state).toBe('online')
  })

  test('an HTTP URL is read, and a redirect does not lead to a file', async () => {
    const made = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', '-t', '30', '-g', '10']
    const file = join(media, 'long.ts')
    await writeEncoded(file, [...made, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-f', 'mpegts'])
    const body = readFileSync(file)
    const server = createServer((request, response) => {
      if (request.url === '/away') return response.writeHead(302, { location: `file://${media}/clip.ts` }).end()
      if (request.headers.authorization !== `Basic ${btoa('cam:secret')}`) {
        return response.writeHead(401, { 'www-authenticate': 'Basic realm="cam"' }).end()
      }
      return response.write(body)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const sources = {
      good: `http://cam:secret@${host}/1`,
      wrong: `http://cam:bad@${host}/1`,
      away: `http://${host}/away`,
    }
    const { cameras } = startCameras(sources, { ffmpeg: program })
    await online(cameras, 'good')
    await offline(cameras, 'wrong', /401/)
    // The message depends on the version; no version reads the file.
    await offline(cameras, 'away', /./)
  })
})

test('a wrong password is reported as the reason, without the password or the URL', async () => {
  const cam = await camera()
  const { cameras, logged } = startCameras({ yard: cam.url('wr0ng:p/ss') })
  await offline(cameras, 'yard', /^The camera rejected the username or password \(401\)\.$/)
  await until(() => expect(logged()).toContain('401 Unauthorized'))
  for (const secret of ['wr0ng', 'p%2Fss', 'cam:', String(cam.port)]) {
    expect(logged() + JSON.stringify(cameras.responseOf('yard'))).not.toContain(secret)
  }
})

test('[CAM-3] a camera with a login that ffmpeg does not know is not reported as a wrong password', async () => {
  const cam = await camera({ algorithms: ['MD5', 'SHA-256'] })
  const { cameras, logged } = startCameras({ yard: cam.url() })
  await offline(cameras, 'yard', /SHA-256/)
  for (const secret of [cam.password, encodeURIComponent(cam.password)]) expect(logged()).not.toContain(secret)
  expect(cam.rejected.at(-1)).toMatch(/^DESCRIBE rtsp:\/\/127\.0\.0\.1:\d+\/stream1 RTSP\/1\.0\r\n(?!.*Authorization)/s)
})

test('a camera that stops goes offline, and is shown again once it is back', async () => {
  const cam = await camera()
  const { cameras } = startCameras({ yard: cam.url() })
  await online(cameras, 'yard')
  await cam.die()
  await offline(cameras, 'yard', /connection refused/)
  await cam.listen()
  await online(cameras, 'yard')
})

test('a killed child process is restarted', async () => {
  const cam = await camera()
  const { cameras } = startCameras({ yard: cam.url() })
  await online(cameras, 'yard')
  const [before] = childrenReading(cam.port, process.pid)
  process.kill(before!, 'SIGKILL')
  await until(() => expect(cameras.responseOf('yard').state).toBe('offline'))
  await online(cameras, 'yard')
  expect(childrenReading(cam.port, process.pid)).not.toContain(before)
})

test('a service that was itself paused for longer than a camera’s timeout marks none as offline', async () => {
  const cam = await camera()
  const { cameras, logged } = startCameras({ yard: cam.url() }, { times: stallsSoon })
  await online(cameras, 'yard')
  const before = childrenReading(cam.port, process.pid)
  const frames = watch(cameras, 'yard').binaries
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
  const then = frames.length
  await until(() => expect(frames.length).toBeGreaterThan(then + 10))
  expect(childrenReading(cam.port, process.pid)).toEqual(before)
  expect(logged()).not.toContain('offline')
})

test('a camera that changes its resolution gets a new init segment', async () => {
  const cam = await camera()
  const { cameras } = startCameras({ yard: cam.url() })
  const one = watch(cameras, 'yard')
  await online(cameras, 'yard')
  cam.resize('640x480')
  await until(() => expect(cameras.responseOf('yard').resolution).toBe('640x480'), 30_000)
  expect(one.texts.filter((text) => text.includes('mime'))).toHaveLength(2)
})

test('fifty viewers share one child process, and one that does not read falls behind', async () => {
  const cam = await camera()
  const { cameras } = startCameras({ yard: cam.url() })
  await online(cameras, 'yard')
  const viewers = Array.from({ length: 50 }, () => watch(cameras, 'yard'))
  const slow = watch(cameras, 'yard')
  slow.waiting = 8 << 20
  const before = slow.binaries.length
  await until(() => expect(Math.min(...viewers.map(({ binaries }) => binaries.length))).toBeGreaterThan(20))
  expect(childrenReading(cam.port, process.pid)).toHaveLength(1)
  expect(cam.playing).toBe(1)
  expect(slow.binaries.length).toBe(before)
  slow.waiting = 0
  await until(() => expect(slow.binaries.length).toBeGreaterThan(before))
  expect(play([slow.binaries[0]!, ...slow.binaries.slice(before)]).keys[0]).toBe(true)
})

test('a configuration change restarts only the cameras that it changes', async () => {
  const cam = await camera()
  const other = await camera({ size: '176x144' })
  const { cameras, logged } = startCameras({ yard: cam.url(), door: cam.url() })
  await Promise.all([online(cameras, 'yard'), online(cameras, 'door')])
  const kept = watch(cameras, 'yard')
  const moved = watch(cameras, 'door')
  const connections = cam.connections
  cameras.apply(settingsOf({ office: other.url(), yard: cam.url(), door: other.url(), shed: 'off' }))
  expect(cameras.exists('office')).toBe(true)
  expect(cameras.responseOf('shed').state).toBe('disabled')
  expect(cameras.responseOf('door').state).toBe('connecting')
  expect(cameras.responseOf('yard').state).toBe('online')
  await Promise.all([online(cameras, 'door'), online(cameras, 'office')])
  expect(cameras.responseOf('door').resolution).toBe('176x144')
  expect(moved.texts.filter((text) => text.includes('mime'))).toHaveLength(2)
  expect(kept.texts).toHaveLength(1)
  expect(cam.connections, logged()).toBe(connections)
  cameras.apply(settingsOf({ yard: cam.url() }))
  expect(cameras.exists('door')).toBe(false)
  await until(() => expect(childrenReading(other.port, process.pid)).toEqual([]))
  await expect(cameras.latest(scopedCamera('door'))).rejects.toMatchObject({ code: 'not-found' })
})

test('without ffmpeg, the cameras report that as the reason', async () => {
  const { cameras } = startCameras({ yard: 'demo:yard' }, { ffmpeg: undefined })
  await offline(cameras, 'yard', /^ffmpeg isn't installed\.$/)
})
