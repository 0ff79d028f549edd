import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { afterAll, aroundEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { changeConfig } from './support/change-config.ts'
import { onThisTestFinished, separateCleanups, stopAll } from './support/cleanups.ts'
import { frontNames, frontsHere, startFront } from './support/guide-fronts.ts'
import { basic, proxySignIn, secret } from './support/proxy-sign-in.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const last = Math.floor(Date.now() / 1000) - 60
/** More than a gigabyte as one download. */
const count = 1000
const whole = { start: last - (count - 1) * 10, end: last + 10 }
const lastMinute = { start: last - 50, end: last + 10 }

const auth = { failed_login_rate_limit: null, roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.1'] }
const proxy = {
  enabled: true,
  auth_secret: secret,
  header_map: { user: 'remote-user', role: 'remote-groups', role_map: { guard: ['side-street'] } },
}

/** A caller with the role guard, and a proxy that leads to the gate. */
interface Way {
  readonly name: string
  readonly at: TestClient
}

// As an authenticating proxy for /api/auth, a proxy sends another program's responses, and none of the gate's.
const signIns = ['users sign in to Gatehouse', 'it signs users in'] as const
const ways = frontNames.flatMap((front) =>
  signIns.map((how) => ({ title: `${front}, configured as in its guide, where ${how}`, front, how })),
)

let service: InProcessService
const started = new Map<string, TestClient>()
const wayThrough = (name: string): Way => ({ name, at: started.get(name)! })
const allWays = () => [...started.keys()].map(wayThrough)

beforeAll(async () => {
  const live = { source: 'demo:yard', record: { enabled: false } }
  const config = { auth, proxy, cameras: { ...quietCameras, yard: live } }
  const first = await startService({ config: { ...config, cameras: quietCameras } })
  await first.stop()
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '1M' })
  for (const camera of ['yard', 'door']) seedRecordings(first, camera, { sample, count, last })
  service = await first.restart({ config })
  const guard = await service.user('gill', 'guard')
  const signIn = proxySignIn()
  await Promise.all(
    ways
      .filter(({ front }) => frontsHere[front])
      .map(async ({ title, front, how }) => {
        const signsIn = how === 'it signs users in'
        const site = await startFront(front, service, signsIn ? { signIn } : {})
        started.set(title, site.with(signsIn ? { authorization: basic('ben') } : guard.headers))
      }),
  )
  const isOnline = async () =>
    expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({ state: 'online' })
  await vi.waitFor(isOnline, { timeout: 60_000, interval: 100 })
})
afterAll(stopAll)

/** Bytes that the service has read so far, mostly of recordings. */
const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

const openStreams = async (): Promise<number> =>
  ((await service.internal.get('/api/stats')).json as { service: { open_streams: number } }).service.open_streams

const ofCamera = (camera: string) => `/api/cameras/${camera}/playback/${lastMinute.start}/${lastMinute.end}/`

const clip = (camera: string, { start, end }: typeof whole) =>
  `/api/cameras/${camera}/clip.mp4?start=${start}&end=${end}`

/** Begins a response, and reads only its head. */
async function begin(at: TestClient, path: string): Promise<IncomingMessage> {
  const headers = at.headers as Record<string, string>
  const outgoing = get({ host: '127.0.0.1', port: at.port, path, headers, rejectUnauthorized: false, agent: false })
  onThisTestFinished(() => outgoing.destroy())
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

/** Begins a download, and reads only its first bytes. */
async function beginDownload(at: TestClient, path: string): Promise<IncomingMessage> {
  const response = await begin(at, path)
  await once(response, 'readable')
  response.read(1)
  return response
}

/** The URLs of a playlist's segments, and of the file that they begin with. */
const urlsIn = (playlist: string, { base }: TestClient, path: string): string[] =>
  [...playlist.matchAll(/^[^#\s].*$|(?<=#EXT-X-MAP:URI=")[^"]+/gm)].map(([each]) => {
    const { pathname, search } = new URL(each, `${base}${path}`)
    return pathname + search
  })

// They mostly wait for the camera's next key frame.
for (const { title, front } of ways) {
  describe.skipIf(!frontsHere[front])(`video through ${title}`, { concurrent: true }, () => {
    aroundEach(separateCleanups)

    test('[ROLE-4] recordings play as HLS and in byte ranges, and only those of the role', async ({ expect }) => {
      const { at: site } = wayThrough(title)
      const playlist = await site.get(`${ofCamera('yard')}index.m3u8`)
      expect([playlist.status, playlist.text]).toEqual([200, expect.stringMatching(/^#EXTM3U/)])
      const path = urlsIn(playlist.text, site, `${ofCamera('yard')}index.m3u8`).at(-1)!
      const video = await site.get(path)
      expect([video.status, video.body.length > 100_000]).toEqual([200, true])
      const file = await site.get(clip('yard', lastMinute))
      const part = await site.get(clip('yard', lastMinute), { range: 'bytes=100-199' })
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-199/${file.body.length}`])
      expect(part.body.equals(file.body.subarray(100, 200))).toBe(true)
      for (const denied of [`${ofCamera('door')}index.m3u8`, path.replace('/yard/', '/door/'), clip('door', whole)]) {
        expect([denied, (await site.get(denied)).status]).toEqual([denied, 403])
      }
    })

    test('[ROLE-4] live video arrives over a WebSocket, as HLS and as JPEG frames, and only of the role’s camera', async ({
      expect,
    }) => {
      const { at: site } = wayThrough(title)
      const socket = site.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
      const isVideo = new Promise((done) => socket.on('message', (_data, isBinary) => isBinary && done(true)))
      expect(await isVideo).toBe(true)
      socket.terminate()

      const path = '/api/cameras/yard/live/index.m3u8'
      const playlist = await site.get(path)
      expect([playlist.status, playlist.text]).toEqual([200, expect.stringMatching(/^#EXTM3U/)])
      const urls = urlsIn(playlist.text, site, path)
      for (const url of [urls[0]!, urls.at(-1)!]) {
        const { status, headers } = await site.get(url)
        expect([url, status, headers['cache-control']]).toEqual([url, 200, 'private, no-store'])
        expect((await site.get(url.replace('/yard/', '/door/'))).status).toBe(403)
      }

      const frames = await begin(site, '/api/cameras/yard/mjpeg?height=180')
      expect(frames.headers['content-type']).toMatch(/^multipart\/x-mixed-replace/)
      let received = ''
      for await (const chunk of frames) {
        received += (chunk as Buffer).toString('latin1')
        if (received.split('Content-Type: image/jpeg').length > 2) break
      }
      expect(received).toMatch(/^--frame\r\nContent-Type: image\/jpeg\r\n/)
      expect((await site.get('/api/cameras/door/mjpeg')).status).toBe(403)
    })
  })
}

describe('a download is not buffered, and ends in the service with its client, through', () => {
  /**
   * Bytes that the buffers of both connections can take, up to 32 MB in each direction on some kernels: far less than
   * the download. Of the way alone, because the bytes that are read are those of the whole process.
   */
  const limit = 200_000_000

  test.for(ways)('$title', async ({ title, front }, { skip }) => {
    skip(!frontsHere[front])
    await expect.poll(openStreams).toBe(0)
    const begun = bytesRead()
    const download = await beginDownload(wayThrough(title).at, clip('yard', whole))
    expect(download.statusCode).toBe(200)
    // Until the buffers of the sockets are full. A proxy that buffers reads everything.
    for (let read = begun, idle = 0; idle < 3 && read < begun + limit;) {
      read = bytesRead()
      await wait(300, 'the service and the proxy go on for as long as they can')
      idle = bytesRead() - read > 2_000_000 ? 0 : idle + 1
    }
    expect(bytesRead() - begun).toBeLessThan(limit)
    expect(await openStreams()).toBe(1)
    download.destroy()
    await expect.poll(openStreams).toBe(0)
  })
})

test.skipIf(!frontNames.some((name) => frontsHere[name]))(
  '[ROLE-10] [TOK-7] [PROXY-2] what is open through a proxy ends with the permission, and a new request is 403 or 401',
  async () => {
    const ended = new Map<string, unknown>()
    const ends = (response: IncomingMessage, what: string) =>
      response.resume().once('close', () => void ended.set(what, response.complete ? 'complete' : 'aborted'))
    const opened = await Promise.all(
      allWays().map(async ({ name, at }) => {
        const socket = at.socket('/api/cameras/yard/live', { headers: { origin: at.base } })
        socket.once('close', (code) => void ended.set(`${name}: live video`, code))
        const events = at.socket('/api/events', { headers: { origin: at.base } })
        events.once('close', (code) => void ended.set(`${name}: events`, code))
        await Promise.all([socket, events].map((each: WebSocket) => once(each, 'open')))
        ends(await begin(at, '/api/cameras/yard/mjpeg?height=180'), `${name}: frames`)
        ends(await begin(at, '/api/events'), `${name}: events over HTTP`)
        // Not read, so that it's still being sent.
        const download = await beginDownload(at, clip('yard', whole))
        return { name, download }
      }),
    )
    expect([...ended.keys()]).toEqual([])

    expect((await changeConfig(service, { auth: { ...auth, roles: { guard: ['door'] } } })).status).toBe(200)
    for (const { name, download } of opened) ends(download, `${name}: download`)
    const of = (...kinds: string[]) => kinds.flatMap((kind) => allWays().map(({ name }) => `${name}: ${kind}`))
    const lost = of('live video', 'frames', 'download')
    await expect.poll(() => [...ended.keys()].toSorted()).toEqual(lost.toSorted())
    expect(of('live video').map((each) => ended.get(each))).toEqual(allWays().map(() => 4403))
    expect(of('download').map((each) => ended.get(each))).toEqual(allWays().map(() => 'aborted'))
    for (const { name, at } of allWays()) {
      for (const path of ['mjpeg', 'live/index.m3u8', 'latest.jpg']) {
        expect([name, path, (await at.get(`/api/cameras/yard/${path}`)).status]).toEqual([name, path, 403])
      }
    }

    expect((await service.internal.delete('/api/sessions?user=gill')).status).toBe(204)
    expect((await changeConfig(service, { auth, proxy: { ...proxy, auth_secret: 'x'.repeat(32) } })).status).toBe(200)
    const all = [...lost, ...of('events', 'events over HTTP')]
    await expect.poll(() => [...ended.keys()].toSorted()).toEqual(all.toSorted())
    expect(of('events').map((each) => ended.get(each))).toEqual(allWays().map(() => 4401))
    for (const { name, at } of allWays()) expect([name, (await at.get('/api/profile')).status]).toEqual([name, 401])
  },
)
