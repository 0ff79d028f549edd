import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { frontNames, frontsHere, startFront } from './support/guide-fronts.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const last = Math.floor(Date.now() / 1000) - 60
/** More than a gigabyte as one download. */
const count = 1000
const whole = { start: last - (count - 1) * 10, end: last + 10 }
const lastMinute = { start: last - 50, end: last + 10 }

let service: InProcessService
let guard: TestClient
beforeAll(async () => {
  const config = {
    auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.1'] },
  }
  const first = await startService({ config })
  await first.stop()
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '1M' })
  for (const camera of ['yard', 'door']) seedRecordings(first, camera, { sample, count, last })
  service = await first.restart()
  guard = await service.user('gill', 'guard')
})
afterAll(stopAll)

/** Bytes that the service has read so far, mostly of recordings. */
const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

const openStreams = async (): Promise<number> =>
  ((await service.internal.get('/api/stats')).json as { service: { open_streams: number } }).service.open_streams

const ofCamera = (camera: string) => `/api/cameras/${camera}/playback/${lastMinute.start}/${lastMinute.end}/`

const clip = (camera: string, { start, end }: typeof whole) =>
  `/api/cameras/${camera}/clip.mp4?start=${start}&end=${end}`

/** Begins a download, and reads only its first bytes. */
async function begin(at: TestClient, path: string): Promise<IncomingMessage> {
  const headers = at.headers as Record<string, string>
  const outgoing = get({ host: '127.0.0.1', port: at.port, path, headers, rejectUnauthorized: false, agent: false })
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  await once(response, 'readable')
  response.read(1)
  return response
}

describe.each(frontNames)('recordings through %s, configured as in its guide', (name) => {
  test.skipIf(!frontsHere[name])('[ROLE-4] play as HLS and in byte ranges, and only those of the role', async () => {
    const site = (await startFront(name, service)).with(guard.headers)
    const playlist = await site.get(`${ofCamera('yard')}index.m3u8`)
    expect([playlist.status, playlist.text]).toEqual([200, expect.stringMatching(/^#EXTM3U/)])
    const segment = /^[^#\s].*$/m.exec(playlist.text)![0]
    const path = new URL(segment, `${site.base}${ofCamera('yard')}index.m3u8`).pathname
    const { search } = new URL(segment, site.base)
    const video = await site.get(path + search)
    expect([video.status, video.body.length > 100_000]).toEqual([200, true])
    const file = await site.get(clip('yard', lastMinute))
    const part = await site.get(clip('yard', lastMinute), { range: 'bytes=100-199' })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-199/${file.body.length}`])
    expect(part.body.equals(file.body.subarray(100, 200))).toBe(true)
    for (const denied of [
      `${ofCamera('door')}index.m3u8`,
      path.replace('/yard/', '/door/') + search,
      clip('door', whole),
    ]) {
      expect([denied, (await site.get(denied)).status]).toEqual([denied, 403])
    }
  })

  test.skipIf(!frontsHere[name])('a download is not buffered, and ends in the service with its client', async () => {
    const site = (await startFront(name, service)).with(guard.headers)
    const before = await openStreams()
    const download = await begin(site, clip('yard', whole))
    expect(download.statusCode).toBe(200)
    await wait(500, 'the buffers of the sockets fill')
    const filled = bytesRead()
    await wait(1500, 'a proxy that buffers goes on reading')
    expect(bytesRead() - filled).toBeLessThan(20_000_000)
    expect(await openStreams()).toBe(before + 1)
    download.destroy()
    await expect.poll(openStreams).toBe(before)
  })
})
