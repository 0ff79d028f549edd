import { once } from 'node:events'
import { afterAll, aroundEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ffmpeg, offline, online, programs, startCameras, stallsSoon, until } from './support/cameras-alone.ts'
import { childrenReading } from './support/children.ts'
import { separateCleanups, stopAll } from './support/cleanups.ts'
import { startRtspCamera, type RtspCamera } from './support/rtsp-camera.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { camera, gapsIn, play, played, watch } from './support/watch-camera.ts'
import { scopedCamera } from './support/scoped.ts'

// They mostly wait for video at its own speed.
describe.each(programs)('with %s', { concurrent: true }, (program) => {
  aroundEach(separateCleanups)
  /** With its own folder, because all have a camera of the same name. */
  const own = () => ({ ffmpeg: program, mediaDir: temporaryFolder() })

  test('a camera with Digest authentication is shown: first its codecs, then its frames from a key frame', async () => {
    const cam = await camera()
    const { cameras } = startCameras({ yard: cam.url() }, own())
    const first = watch(cameras, 'yard')
    expect(first.texts).toEqual(['{"state":"connecting"}'])
    await online(cameras, 'yard')
    await until(() => expect(cameras.responseOf('yard')).toMatchObject({ resolution: '320x240', fps: 10 }))
    const { keys, times } = play(first.binaries)
    expect(first.texts[1]).toMatch(/^\{"mime":"video\/mp4; codecs=\\"avc1\.[0-9A-F]{6}\\""\}$/)
    expect(keys[0]).toBe(true)
    expect(times).toEqual([...times].sort((a, b) => a - b))

    const late = watch(cameras, 'yard')
    expect(late.texts).toHaveLength(1)
    expect(play(late.binaries).keys[0]).toBe(true)
    const requested = Date.now()
    const { jpeg } = (await cameras.latest(scopedCamera('yard'), 120))!
    expect(jpeg.readUInt16BE(0)).toBe(0xffd8)
    // The latest is replaced with each key frame.
    await until(async () => expect((await cameras.latest(scopedCamera('yard'), 120))!.at).toBeGreaterThan(requested))
    await cameras.stop()
    expect(childrenReading(cam.port, process.pid)).toEqual([])
  })

  test('AAC audio is copied, and stays in sync for viewers who join late', async () => {
    const cam = await camera({ audio: 'aac' })
    const { cameras } = startCameras({ yard: cam.url() }, own())
    const first = watch(cameras, 'yard')
    await online(cameras, 'yard')
    expect(JSON.parse(first.texts.at(-1)!)).toEqual({
      mime: expect.stringMatching(/^video\/mp4; codecs="avc1\.[0-9A-F]{6}, mp4a\.40\.2"$/),
    })
    expect(cam.connections).toBe(1)
    await played(first, 2)
    const late = watch(cameras, 'yard')
    for (const viewer of [first, late]) {
      const { keys, times, audio } = await played(viewer, 0.5)
      expect(keys[0]).toBe(true)
      expect(Math.abs(audio[0]!.time - times[0]!)).toBeLessThan(1.2)
      expect(gapsIn(audio)).toEqual([])
    }
    const { jpeg } = (await cameras.latest(scopedCamera('yard')))!
    expect(jpeg.readUInt16BE(0)).toBe(0xffd8)
  })

  test('audio of another codec is converted to AAC', async () => {
    const cam = await camera({ audio: 'pcma' })
    const { cameras, logged } = startCameras({ yard: cam.url() }, own())
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    const { audio } = await played(one, 1.5)
    expect(one.texts.filter((text) => text.includes('mime'))).toEqual([expect.stringContaining(', mp4a.40.2')])
    expect(gapsIn(audio)).toEqual([])
    expect(childrenReading(cam.port, process.pid)).toHaveLength(1)
    // The working setting is cached: one connection when the camera is back.
    const before = cam.connections
    process.kill(childrenReading(cam.port, process.pid)[0]!, 'SIGKILL')
    await until(() => expect(cameras.responseOf('yard').state).toBe('offline'))
    await online(cameras, 'yard')
    expect(cam.connections, logged()).toBe(before + 1)
  })

  test('missing audio does not delay video: it is replaced by silence until it is back', async () => {
    const cam = await camera({ audio: 'aac' })
    const { cameras } = startCameras({ yard: cam.url() }, own())
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    await played(one, 1)
    cam.mute(true)
    await played(one, 4)
    cam.mute(false)
    const { times, audio } = await played(one, 7)
    expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 0.25)).toBe(true)
    expect(gapsIn(audio)).toEqual([])
    expect(one.texts.filter((text) => text.includes('mime'))).toHaveLength(1)
    expect(cameras.responseOf('yard').state).toBe('online')
  })

  test.each(['aac', 'pcma', 'broken'] as const)(
    'audio that is announced (%s) but never sent, or cannot be read, does not delay video',
    async (audio) => {
      const cam = await camera({ audio, muted: audio !== 'broken' })
      const { cameras } = startCameras({ yard: cam.url() }, own())
      const one = watch(cameras, 'yard')
      await online(cameras, 'yard')
      const before = play(one.binaries).times.length
      await until(() => {
        expect(play(one.binaries).times.length - before).toBeGreaterThan(15)
        expect(cameras.responseOf('yard')).toMatchObject({ state: 'online', fps: 10 })
      })
      expect(one.texts.at(-1)).not.toContain('mp4a')
    },
  )

  test('a camera that sends no data goes offline with the reason, and comes back', async () => {
    const cam = await camera()
    const { cameras } = startCameras({ yard: cam.url() }, { ...own(), times: stallsSoon })
    const one = watch(cameras, 'yard')
    await online(cameras, 'yard')
    cam.stall()
    await offline(cameras, 'yard', /^No data from the camera for \d+ s\.$/)
    expect(Date.now() - (await cameras.latest(scopedCamera('yard')))!.at).toBeGreaterThan(2000)
    expect(one.texts.at(-1)).toContain('"state":"offline"')
    cam.resume()
    await online(cameras, 'yard')
    expect(one.texts.at(-1)).toContain('"mime"')
  })
})

describe('through the ports', () => {
  let gatehouse: InProcessService
  let cam: RtspCamera
  let startedAt: number

  beforeAll(async () => {
    startedAt = Date.now()
    cam = await startRtspCamera({ ffmpeg })
    gatehouse = await startService({
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
      { timeout: 60_000, interval: 100 },
    )
  })
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
    const snapshot = await viewer.get('/api/cameras/yard/latest.jpg?height=100')
    expect(snapshot.status).toBe(200)
    expect(snapshot.headers).toMatchObject({ 'content-type': 'image/jpeg' })
    expect(snapshot.headers['cache-control']).toMatch(/private|no-store/)
    const taken = Date.parse(snapshot.headers['last-modified'] ?? '')
    expect([taken >= startedAt - 1000, taken <= Date.now()]).toEqual([true, true])
    expect(snapshot.body.readUInt16BE(0)).toBe(0xffd8)
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
})
