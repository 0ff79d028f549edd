import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Cameras } from '../src/cameras/cameras.ts'
import { demoFile } from '../src/media/demo/demo.ts'
import { createFmp4Parser } from '../src/media/mp4/fmp4-parser.ts'
import { createDetector } from '../src/motion/detector.ts'
import { gray } from '../src/motion/gray.ts'
import { ffmpeg, media, offline, online, programs, room, settingsOf, until } from './cameras-alone.ts'
import { childrenReading } from './children.ts'
import { startGatehouse, stopAll, type Gatehouse } from './harness.ts'
import { motionsIn } from './motion-score.ts'
import { startRtspCamera, type RtspCamera, type RtspCameraOptions } from './rtsp-camera.ts'
import { wait } from './wait.ts'

async function camera(options: RtspCameraOptions = {}): Promise<RtspCamera> {
  const made = await startRtspCamera({ ffmpeg, ...options })
  onTestFinished(() => made.stop())
  return made
}

interface Watching {
  readonly texts: string[]
  readonly binaries: Buffer[]
  waiting: number
}

function watch(cameras: Cameras, name: string): Watching {
  const watching: Watching = { texts: [], binaries: [], waiting: 0 }
  cameras.watch(name, {
    send: (data) =>
      void (typeof data === 'string' ? watching.texts.push(data) : watching.binaries.push(Buffer.from(data))),
    get waiting() {
      return watching.waiting
    },
    onClose: () => {},
    close: () => {},
  })
  return watching
}

interface Played {
  /** Frame size. */
  readonly keys: boolean[]
  readonly times: number[]
  readonly audio: { readonly time: number; readonly duration: number }[]
}

/** Whether every fragment parses, and whether the first begins with a key frame. */
function play(binaries: readonly Buffer[]): Played {
  const played: Played = { keys: [], times: [], audio: [] }
  const parser = createFmp4Parser({
    init: () => {},
    fragment: ({ video, key, time, duration }) => {
      if (!video) return void played.audio.push({ time, duration })
      played.keys.push(key)
      played.times.push(time)
    },
  })
  for (const binary of binaries) parser.write(binary)
  return played
}

/** Positions where the audio has a gap longer than one audio frame, or goes back in time. */
const gapsIn = (audio: Played['audio']): number[] =>
  audio
    .slice(1)
    .map(({ time }, i) => time - audio[i]!.time - audio[i]!.duration)
    .filter((gap) => Math.abs(gap) > 0.065)

describe.each(programs)('with %s', (program) => {
  test('a camera with Digest authentication is shown: first its codecs, then its frames from a key frame', async () => {
    const cam = await camera()
    const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
    const first = watch(cameras, 'yard')
    expect(first.texts).toEqual(['{"state":"connecting"}'])
    await online(cameras, 'yard')
    await until(() => expect(cameras.view('yard')).toMatchObject({ resolution: '320x240', fps: 10 }))
    const { keys, times } = play(first.binaries)
    expect(first.texts[1]).toMatch(/^\{"mime":"video\/mp4; codecs=\\"avc1\.[0-9A-F]{6}\\""\}$/)
    expect(keys[0]).toBe(true)
    expect(times).toEqual([...times].sort((a, b) => a - b))

    const late = watch(cameras, 'yard')
    expect(late.texts).toHaveLength(1)
    expect(play(late.binaries).keys[0]).toBe(true)
    const { jpeg, at } = (await cameras.latest('yard', 120))!
    expect(jpeg.readUInt16BE(0)).toBe(0xffd8)
    expect(Date.now() - at).toBeLessThan(3000)
    await cameras.stop()
    expect(childrenReading(cam.port, process.pid)).toEqual([])
  })

  test.each(['yard', 'door', 'office'] as const)('the demo scene %s loops without a gap', async (scene) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { cameras } = room({ [scene]: `demo:${scene}` }, { ffmpeg: program })
    await until(() => expect(cameras.view(scene)).toMatchObject({ state: 'online', resolution: '1280x720' }))
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
    const raw = execFileSync(program, [...decoded, ...output], { maxBuffer: 1 << 24 })
    const pictures = Array.from({ length: 240 }, (_, second) => ({
      at: second * 1000,
      pixels: raw.subarray(second * gray.size, (second + 1) * gray.size),
    }))
    const visits = motionsIn(pictures, createDetector({ sensitivity: 'medium', masks: [] }))
    expect(visits).toHaveLength(3)
    expect(visits[0]!.from).toBeLessThan(10)
    for (const [i, { from }] of visits.slice(1).entries()) expect(from - visits[i]!.to).toBeGreaterThan(30)
  })

  test('AAC audio is copied, and stays in sync for viewers who join late', async () => {
    const cam = await camera({ audio: 'aac' })
    const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
    const first = watch(cameras, 'yard')
    await online(cameras, 'yard')
    expect(JSON.parse(first.texts.at(-1)!)).toEqual({
      mime: expect.stringMatching(/^video\/mp4; codecs="avc1\.[0-9A-F]{6}, mp4a\.40\.2"$/),
    })
    expect(cam.connections).toBe(1)
    await wait(2500, 'two seconds of video and more, at its own speed')
    const late = watch(cameras, 'yard')
    await wait(500, 'half a second of video, at its own speed')
    for (const { binaries } of [first, late]) {
      const { keys, times, audio } = play(binaries)
      expect(keys[0]).toBe(true)
      const ends = audio.at(-1)!.time + audio.at(-1)!.duration
      expect(Math.abs(ends - times.at(-1)!)).toBeLessThan(0.5)
      expect(Math.abs(audio[0]!.time - times[0]!)).toBeLessThan(1.2)
      expect(gapsIn(audio)).toEqual([])
    }
    const { jpeg } = (await cameras.latest('yard'))!
    expect(jpeg.readUInt16BE(0)).toBe(0xffd8)
  })

  test('audio of another codec is converted to AAC', async () => {
    const cam = await camera({ audio: 'pcma' })
    const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    await wait(1500, 'a second and a half of audio, at its own speed')
    expect(one.texts.filter((text) => text.includes('mime'))).toEqual([expect.stringContaining(', mp4a.40.2')])
    const { times, audio } = play(one.binaries)
    expect(Math.abs(audio.at(-1)!.time - times.at(-1)!)).toBeLessThan(0.5)
    expect(gapsIn(audio)).toEqual([])
    expect(childrenReading(cam.port, process.pid)).toHaveLength(1)
    // The working setting is cached: one connection when the camera is back.
    const before = cam.connections
    process.kill(childrenReading(cam.port, process.pid)[0]!, 'SIGKILL')
    await until(() => expect(cameras.view('yard').state).toBe('offline'))
    await online(cameras, 'yard')
    expect(cam.connections).toBe(before + 1)
  })

  test('missing audio does not delay video: it is replaced by silence until it is back', async () => {
    const cam = await camera({ audio: 'aac' })
    const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    await wait(1000, 'a second of audio, at its own speed')
    cam.mute(true)
    const muted = await vi.waitFor(
      () => {
        const played = play(one.binaries)
        expect(played.times.at(-1)! - played.times[0]!).toBeGreaterThan(4)
        return played
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(Math.abs(muted.audio.at(-1)!.time - muted.times.at(-1)!)).toBeLessThan(0.5)
    cam.mute(false)
    await wait(2000, 'two seconds of audio, at its own speed')
    const { times, audio } = play(one.binaries)
    expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 0.25)).toBe(true)
    expect(Math.abs(audio.at(-1)!.time - times.at(-1)!)).toBeLessThan(0.5)
    expect(gapsIn(audio)).toEqual([])
    expect(one.texts.filter((text) => text.includes('mime'))).toHaveLength(1)
    expect(cameras.view('yard').state).toBe('online')
  })

  test.each(['aac', 'pcma', 'broken'] as const)(
    'audio that is announced (%s) but never sent, or cannot be read, does not delay video',
    async (audio) => {
      const cam = await camera({ audio, muted: audio !== 'broken' })
      const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
      const one = watch(cameras, 'yard')
      await online(cameras, 'yard')
      const before = play(one.binaries).times.length
      await until(() => {
        expect(play(one.binaries).times.length - before).toBeGreaterThan(15)
        expect(cameras.view('yard')).toMatchObject({ state: 'online', fps: 10 })
      })
      expect(one.texts.at(-1)).not.toContain('mp4a')
    },
  )

  test('a camera that sends no data goes offline with the reason, and comes back', async () => {
    const cam = await camera()
    const { cameras } = room({ yard: cam.url() }, { ffmpeg: program })
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    cam.stall()
    await offline(cameras, 'yard', /^No data from the camera for \d+ s\.$/)
    expect(Date.now() - (await cameras.latest('yard'))!.at).toBeGreaterThan(2000)
    expect(one.texts.at(-1)).toContain('"state":"offline"')
    cam.resume()
    await online(cameras, 'yard')
    expect(one.texts.at(-1)).toContain('"mime"')
  })
})

describe.each(programs)('sources other than a camera, with %s', (program) => {
  test('a file loops, and a file that only names other files is not read', async () => {
    const made = [
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=320x240:r=10',
      '-t',
      '2',
      '-g',
      '10',
    ]
    for (const name of ['clip.mp4', 'clip.ts', 'clip.mkv']) {
      execFileSync(program, [...made, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', join(media, name)])
    }
    writeFileSync(join(media, 'list.txt'), `ffconcat version 1.0\nfile ${join(media, 'clip.mp4')}\n`)
    writeFileSync(join(media, 'list.m3u8'), '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nclip.ts\n#EXT-X-ENDLIST\n')
    const names = { mp4: 'clip.mp4', ts: 'file:clip.ts', mkv: 'clip.mkv', concat: 'list.txt', hls: 'list.m3u8' }
    const { cameras } = room(names, { ffmpeg: program })
    await Promise.all(['mp4', 'ts', 'mkv'].map((name) => online(cameras, name)))
    const watching = watch(cameras, 'mp4')
    await Promise.all(['concat', 'hls'].map((name) => offline(cameras, name, /^Unreadable video stream\.$/)))
    await wait(3000, 'a stream that is not restarted in this time continues')
    const { times } = play(watching.binaries)
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
    expect(cameras.view('mp4').state).toBe('online')
  })

  test('an HTTP URL is read, and a redirect does not lead to a file', async () => {
    const made = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', '-t', '30', '-g', '10']
    const body = execFileSync(program, [...made, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-f', 'mpegts', 'pipe:1'])
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
    const { cameras } = room(sources, { ffmpeg: program })
    await online(cameras, 'good')
    await offline(cameras, 'wrong', /401/)
    // The message depends on the version; no version reads the file.
    await offline(cameras, 'away', /./)
  })
})

test('a wrong password is reported as the reason, without the password or the URL', async () => {
  const cam = await camera()
  const { cameras, logged } = room({ yard: cam.url('wr0ng:p/ss') })
  await offline(cameras, 'yard', /^The camera rejected the username or password \(401\)\.$/)
  await until(() => expect(logged()).toContain('401 Unauthorized'))
  for (const secret of ['wr0ng', 'p%2Fss', 'cam:', String(cam.port)]) {
    expect(logged() + JSON.stringify(cameras.view('yard'))).not.toContain(secret)
  }
})

test('a camera that stops goes offline, and is shown again once it is back', async () => {
  const cam = await camera()
  const { cameras } = room({ yard: cam.url() })
  await online(cameras, 'yard')
  await cam.die()
  await offline(cameras, 'yard', /connection refused/)
  await cam.listen()
  await online(cameras, 'yard')
})

test('a killed child process is restarted', async () => {
  const cam = await camera()
  const { cameras } = room({ yard: cam.url() })
  await online(cameras, 'yard')
  const [before] = childrenReading(cam.port, process.pid)
  process.kill(before!, 'SIGKILL')
  await until(() => expect(cameras.view('yard').state).toBe('offline'))
  await online(cameras, 'yard')
  expect(childrenReading(cam.port, process.pid)).not.toContain(before)
})

test('a service that was itself paused for longer than a camera’s timeout marks none as offline', async () => {
  const cam = await camera()
  const { cameras, logged } = room({ yard: cam.url() })
  await online(cameras, 'yard')
  const before = childrenReading(cam.port, process.pid)
  const pictures = watch(cameras, 'yard').binaries
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
  const then = pictures.length
  await until(() => expect(pictures.length).toBeGreaterThan(then + 10))
  expect(childrenReading(cam.port, process.pid)).toEqual(before)
  expect(logged()).not.toContain('offline')
})

test('a camera that changes its resolution gets a new init segment', async () => {
  const cam = await camera()
  const { cameras } = room({ yard: cam.url() })
  const one = watch(cameras, 'yard')
  await online(cameras, 'yard')
  cam.resize('640x480')
  await until(() => expect(cameras.view('yard').resolution).toBe('640x480'), 30_000)
  expect(one.texts.filter((text) => text.includes('mime'))).toHaveLength(2)
})

test('fifty viewers share one child process, and one that does not read falls behind', async () => {
  const cam = await camera()
  const { cameras } = room({ yard: cam.url() })
  await online(cameras, 'yard')
  const viewers = Array.from({ length: 50 }, () => watch(cameras, 'yard'))
  const slow = watch(cameras, 'yard')
  slow.waiting = 8 << 20
  const before = slow.binaries.length
  await wait(2500, 'two seconds of video for each viewer, at its own speed')
  expect(childrenReading(cam.port, process.pid)).toHaveLength(1)
  expect(cam.playing).toBe(1)
  for (const { binaries } of viewers) expect(binaries.length).toBeGreaterThan(20)
  expect(slow.binaries.length).toBe(before)
  slow.waiting = 0
  await until(() => expect(slow.binaries.length).toBeGreaterThan(before))
  expect(play([slow.binaries[0]!, ...slow.binaries.slice(before)]).keys[0]).toBe(true)
})

test('a configuration change restarts only the cameras that it changes', async () => {
  const cam = await camera()
  const other = await camera({ size: '176x144' })
  const { cameras } = room({ yard: cam.url(), door: cam.url() })
  await Promise.all([online(cameras, 'yard'), online(cameras, 'door')])
  const kept = watch(cameras, 'yard')
  const moved = watch(cameras, 'door')
  const connections = cam.connections
  cameras.apply(settingsOf({ office: other.url(), yard: cam.url(), door: other.url(), shed: 'off' }))
  expect(cameras.exists('office')).toBe(true)
  expect(cameras.view('shed').state).toBe('disabled')
  expect(cameras.view('door').state).toBe('connecting')
  expect(cameras.view('yard').state).toBe('online')
  await Promise.all([online(cameras, 'door'), online(cameras, 'office')])
  expect(cameras.view('door').resolution).toBe('176x144')
  expect(moved.texts.filter((text) => text.includes('mime'))).toHaveLength(2)
  expect(kept.texts).toHaveLength(1)
  expect(cam.connections).toBe(connections)
  cameras.apply(settingsOf({ yard: cam.url() }))
  expect(cameras.exists('door')).toBe(false)
  await until(() => expect(childrenReading(other.port, process.pid)).toEqual([]))
  await expect(cameras.latest('door')).rejects.toMatchObject({ code: 'not-found' })
})

test('without ffmpeg, the cameras report that as the reason', async () => {
  const { cameras } = room({ yard: 'demo:yard' }, { ffmpeg: undefined })
  await offline(cameras, 'yard', /^ffmpeg isn't installed\.$/)
})

describe('through the ports', () => {
  let gatehouse: Gatehouse
  let cam: RtspCamera

  beforeAll(async () => {
    cam = await startRtspCamera({ ffmpeg })
    gatehouse = await startGatehouse({
      env: { SERVICE_CAM_PASSWORD: cam.password },
      config: {
        cameras: {
          yard: {
            source: `rtsp://${cam.user}:{SERVICE_CAM_PASSWORD}@127.0.0.1:${cam.port}/stream1`,
            title: 'The yard',
          },
          door: { source: 'demo:door', enabled: false },
          office: { source: 'rtsp://unknown:secretword@127.0.0.1:1/x' },
        },
        auth: { roles: { neighbor: ['yard'] } },
      },
    })
    const { internal } = gatehouse
    await vi.waitFor(
      async () => expect((await internal.get('/api/cameras/yard')).json).toMatchObject({ state: 'online', fps: 10 }),
      { timeout: 30_000, interval: 100 },
    )
  }, 120_000)
  afterAll(async () => {
    await stopAll()
    await cam.stop()
  })

  test('[ROLE-5] the list contains the cameras of the role, with their details', async () => {
    const neighbor = await gatehouse.user('nel', 'neighbor')
    const yard = {
      name: 'yard',
      title: 'The yard',
      state: 'online',
      resolution: '320x240',
      fps: 10,
      codec: expect.stringMatching(/^avc1\.[0-9A-F]{6}$/),
      recording: true,
      recording_state: 'recording',
      motion_state: expect.stringMatching(/^(waiting|active)$/),
    }
    expect((await neighbor.get('/api/cameras')).json).toEqual([yard])
    expect((await neighbor.get('/api/cameras/yard')).json).toEqual(yard)
    const all = await gatehouse.internal.get('/api/cameras')
    expect(all.json).toMatchObject([yard, { name: 'door', state: 'disabled' }, { name: 'office', state: 'offline' }])
    expect(all.text).not.toContain('secretword')
  })

  test('a snapshot is a JPEG with its own time, and is never cached by shared caches', async () => {
    const viewer = await gatehouse.user('vic', 'viewer')
    const picture = await viewer.get('/api/cameras/yard/latest.jpg?height=100')
    expect(picture.status).toBe(200)
    expect(picture.headers).toMatchObject({ 'content-type': 'image/jpeg' })
    expect(picture.headers['cache-control']).toMatch(/private|no-store/)
    expect(Math.abs(Date.now() - Date.parse(picture.headers['last-modified'] ?? ''))).toBeLessThan(5000)
    expect(picture.body.readUInt16BE(0)).toBe(0xffd8)
    const refused = await viewer.get('/api/cameras/yard/latest.jpg?height=31')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('height')
    expect((await viewer.get('/api/cameras/door/latest.jpg')).json).toMatchObject({
      status: 503,
      detail: 'No frame received yet. The camera is disabled.',
    })
  })

  test('[ROLE-4] live video comes over a WebSocket, to roles with that camera', async () => {
    const neighbor = await gatehouse.user('nel', 'neighbor')
    const socket = neighbor.socket('/api/cameras/yard/live')
    const got: (string | Buffer)[] = []
    socket.on('message', (data: Buffer, isBinary) => got.push(isBinary ? data : data.toString()))
    await until(() => expect(got.length).toBeGreaterThan(5))
    socket.terminate()
    expect(JSON.parse(String(got[0]))).toEqual({ mime: expect.stringMatching(/^video\/mp4; codecs="avc1\./) })
    expect(play(got.slice(1) as Buffer[]).keys[0]).toBe(true)

    const refused = neighbor.socket('/api/cameras/office/live')
    refused.on('error', () => {})
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(response.statusCode).toBe(403)
  })

  test('only an admin can test a source', async () => {
    const { internal } = gatehouse
    const trying = (source: string) => internal.post('/api/cameras/test', { source })
    expect((await trying(cam.url())).json).toMatchObject({ ok: true, resolution: '320x240', fps: 10 })
    expect((await trying(cam.url('wrong'))).json).toMatchObject({ ok: false, detail: /401/ })
    const bad = await trying('exec:ls')
    expect(bad.status).toBe(400)
    expect(bad.text).toContain('source')
    const viewer = await gatehouse.user('vic', 'viewer')
    expect((await viewer.post('/api/cameras/test', { source: cam.url() })).status).toBe(403)
  })

  const ofPort = (): number[] => childrenReading(cam.port)

  test('no process that reads a camera is left after a kill, or after a stop', async () => {
    expect(gatehouse.output()).toContain('ffmpeg sandboxed')
    // Without data to write, ffmpeg would not notice that its reader has ended.
    cam.stall()
    await gatehouse.kill()
    await until(() => expect(ofPort()).toEqual([]), 2000)
    cam.resume()
    gatehouse = await gatehouse.restart()
    await until(() => expect(ofPort()).toHaveLength(1), 20_000)
    const began = performance.now()
    await gatehouse.stop()
    expect(performance.now() - began).toBeLessThan(5000)
    expect(ofPort()).toEqual([])
  }, 120_000)

  test('without setpriv and prlimit it records and says so, and the next start kills orphaned processes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bin-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    symlinkSync(ffmpeg, join(folder, 'ffmpeg'))
    gatehouse = await gatehouse.restart({ env: { SERVICE_CAM_PASSWORD: cam.password, PATH: folder } })
    expect(gatehouse.output()).toMatch(/"missing":\["--no-new-privs".*"--core=0".*ffmpeg not fully sandboxed/)
    await until(
      async () =>
        expect((await gatehouse.internal.get('/api/cameras/yard')).json).toMatchObject({
          state: 'online',
          recording_state: 'recording',
        }),
      20_000,
    )
    cam.stall()
    const left = ofPort()
    expect(left).toHaveLength(1)
    await gatehouse.kill()
    expect(ofPort()).toEqual(left)
    gatehouse = await gatehouse.restart()
    await until(() => expect(ofPort()).not.toContain(left[0]), 5000)
    cam.resume()
    await gatehouse.stop()
  }, 120_000)
})
