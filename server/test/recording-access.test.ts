import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { namingVersion } from './support/if-none-match.ts'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const roles = { guard: ['yard'], clerk: ['office'], both: ['yard', 'office'], ghost: ['nowhere'] }
const last = Math.floor(Date.now() / 1000) - 60
/** One camera's day in ten-second segments, several gigabytes as a download. */
const count = 8640
const span = { start: last - (count - 1) * 10, end: last + 10 }
/** The last minute. */
const late = { start: last - 50, end: last + 10 }

let service: InProcessService
/** The newest segment's id, by camera. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  const config = { cameras: quietCameras, tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null } }
  const first = await startService({ config })
  await first.stop()
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '1M' })
  seedRecordings(first, 'yard', { sample, count, last })
  // A segment id is its start time, unique only per camera: these differ.
  seedRecordings(first, 'office', { sample, count, last: last - 3 })
  // This camera has segments with the ids of the yard's last ones, and other video.
  const smaller = join(first.dir, 'smaller.mp4')
  await makeSegment(smaller, { seconds: 10, size: '160x90', bitrate: '50k' })
  seedRecordings(first, 'door', { sample: smaller, count: 2, last })
  service = await first.restart()
  for (const camera of ['yard', 'office']) {
    const path = `/api/cameras/${camera}/recordings?after=${late.start}&before=${late.end}`
    ids[camera] = ((await service.internal.get(path)).json as { segments: { id: string }[] }).segments.at(-1)!.id
  }
})
afterAll(() => stopAll())

/** Every route to recordings, with a request for it. */
const ways: Record<string, (camera: string, id: string) => string> = {
  '/api/cameras/:camera/recordings': () => `recordings?after=${late.start}&before=${late.end}`,
  '/api/cameras/:camera/recordings/summary': () => `recordings/summary?after=${late.start}&before=${late.end}`,
  '/api/cameras/:camera/timeline': () => `timeline?after=${late.start}&before=${late.end}`,
  '/api/cameras/:camera/playback/:start/:end/index.m3u8': () => `playback/${late.start}/${late.end}/index.m3u8`,
  '/api/cameras/:camera/segments/:id/init.mp4': (_, id) => `segments/${id}/init.mp4`,
  '/api/cameras/:camera/segments/:id/video.m4s': (_, id) => `segments/${id}/video.m4s?at=0`,
  '/api/cameras/:camera/clip.mp4': () => `clip.mp4?start=${late.start}&end=${late.end}`,
}
const paths = (camera: string, id: string): string[] =>
  Object.values(ways).map((way) => `/api/cameras/${camera}/${way(camera, id)}`)
const ofSegments = (camera: string, id: string): string[] =>
  paths(camera, id).filter((path) => path.includes('/segments/'))

test('every route that serves recordings is in this table', () => {
  const known = /^\/api\/cameras\/:camera\/(recordings|timeline|playback|segments|clip)/
  const routes = accessRows.filter(({ method, path }) => method === 'GET' && known.test(path)).map(({ path }) => path)
  expect(routes.sort()).toEqual(Object.keys(ways).sort())
})

test('[ROLE-4] every route to a recording, by every caller, of every camera: only cameras of the role are served', async () => {
  const clients: Record<string, TestClient> = {
    unauthenticated: service.gate,
    admin: await service.user('boss', 'admin'),
    internal: service.internal,
  }
  for (const role of ['viewer', ...Object.keys(roles)]) clients[role] = await service.user(`a-${role}`, role)
  const all = ['yard', 'office']
  const reach: Record<string, readonly string[]> = {
    ...roles,
    admin: all,
    viewer: all,
    internal: all,
    unauthenticated: [],
  }
  const seesAll = new Set(['admin', 'viewer', 'internal'])
  const wrong: string[] = []
  const check = async (who: string, path: string, condition: number): Promise<void> => {
    for (const headers of [{}, { range: 'bytes=0-99' }, { 'if-none-match': '*' }]) {
      const { status, headers: text } = await clients[who]!.get(path, headers)
      const right = status === condition || (condition === 200 && [206, 304].includes(status))
      if (!right) wrong.push(`${who} ${path} ${JSON.stringify(headers)}: ${status} instead of ${condition}`)
      const kept = text['cache-control'] ?? ''
      const video = status === 200 && !String(text['content-type']).includes('json')
      if (video && !kept.includes('private')) wrong.push(`${who} ${path}: ${kept}`)
      if (status >= 400 && kept !== 'no-store') wrong.push(`${who} ${path}: ${status} with ${kept}`)
    }
    const head = await clients[who]!.request('HEAD', path)
    if (head.status !== condition || head.body.length > 0) wrong.push(`${who} HEAD ${path}: ${head.status}`)
  }
  for (const who of Object.keys(clients)) {
    const refused = who === 'unauthenticated' ? 401 : 403
    for (const camera of all) {
      const allowed = reach[who]!.includes(camera)
      await Promise.all(paths(camera, ids[camera]!).map((path) => check(who, path, allowed ? 200 : refused)))
      // A segment of another camera under this one, and an unknown segment.
      const other = ids[all.find((each) => each !== camera)!]!
      for (const id of [other, '999999999'])
        await Promise.all(ofSegments(camera, id).map((path) => check(who, path, allowed ? 404 : refused)))
    }
    const absent = seesAll.has(who) ? 404 : refused
    // The camera does not exist, though a role names it.
    await Promise.all(paths('nowhere', ids['yard']!).map((path) => check(who, path, absent)))
  }
  expect(wrong).toEqual([])
})

test('[ROLE-4] a segment id that two cameras have is the segment of the camera in the path', async () => {
  const viewer = await service.user('vic', 'viewer')
  const guard = await service.user('gwen', 'guard')
  const id = ids['yard']!
  for (const [i, path] of ofSegments('door', id).entries()) {
    const own = ofSegments('yard', id)[i]!
    const [other, expected] = await Promise.all([viewer.get(path), viewer.get(own)])
    expect([other.status, expected.status]).toEqual([200, 200])
    expect(other.body.equals(expected.body)).toBe(false)
    expect((await guard.get(own)).body.equals(expected.body)).toBe(true)
    expect((await guard.get(path)).status).toBe(403)
  }
})

test('[ROLE-10] a cached response is not revalidated for a user who lost the camera', async () => {
  const gus = await service.user('gus', 'guard')
  const kept = await Promise.all(
    [...ofSegments('yard', ids['yard']!), `/api/cameras/yard/clip.mp4?start=${late.start}&end=${late.end}`].map(
      async (path) => ({ path, etag: String((await gus.get(path)).headers.etag) }),
    ),
  )
  for (const { path, etag } of kept.slice(0, 2))
    expect((await gus.get(path, { 'if-none-match': etag })).status).toBe(304)
  await service.internal.put('/api/users/gus/role', { role: 'clerk' })
  for (const { path, etag } of kept) {
    expect((await gus.get(path, { 'if-none-match': etag })).status).toBe(403)
    expect((await gus.get(path, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(403)
  }
})

test('a cached response is revalidated in any notation of its version', async () => {
  const clip = `/api/cameras/yard/clip.mp4?start=${late.start}&end=${late.end}`
  for (const path of [...ofSegments('yard', ids['yard']!), clip]) {
    const etag = String((await service.internal.get(path)).headers.etag)
    for (const named of namingVersion(etag)) {
      const { status, body } = await service.internal.get(path, { 'if-none-match': named })
      expect([status, body.length], `${path} ${named}`).toEqual([304, 0])
    }
    expect((await service.internal.get(path, { 'if-none-match': '"another", W/"one more"' })).status).toBe(200)
  }
})

/** Bytes that this process has read so far. */
const read = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

test('an init segment is read without its segment', async () => {
  const path = `/api/cameras/yard/segments/${ids['yard']}/init.mp4`
  await service.internal.get(path)
  const before = read()
  const { status, body } = await service.internal.get(path)
  expect([status, body.length > 0]).toEqual([200, true])
  expect(read() - before).toBeLessThan(64 << 10)
})

test('[ROLE-5] the ids of a camera’s recordings do not depend on what other cameras record', async () => {
  const config = { cameras: quietCameras, tls: { enabled: false }, auth: { roles } }
  const seen = async (others: readonly string[]): Promise<string[]> => {
    const empty = await startService({ config })
    await empty.stop()
    const sample = join(empty.dir, 'sample.mp4')
    await makeSegment(sample, { seconds: 10, size: '160x90', bitrate: '50k' })
    for (const camera of [...others, 'yard']) seedRecordings(empty, camera, { sample, count: 6, last })
    const at = await empty.restart()
    const guard = await at.user('gil', 'guard')
    const query = `after=${late.start}&before=${late.end}`
    const lists = [`recordings?${query}`, `timeline?${query}`, `playback/${late.start}/${late.end}/index.m3u8`]
    const responses = await Promise.all(lists.map((path) => guard.get(`/api/cameras/yard/${path}`)))
    const { segments } = responses[0]!.json as { segments: { id: string }[] }
    const media = segments.flatMap(({ id }) => [`segments/${id}/init.mp4`, `segments/${id}/video.m4s?at=0`])
    const kept = await Promise.all(media.map((path) => guard.get(`/api/cameras/yard/${path}`)))
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 200))
    return [...responses.map(({ text }) => text), ...kept.map(({ headers }) => String(headers.etag))]
  }
  expect(await seen(['door', 'office'])).toEqual(await seen([]))
})

interface Download {
  readonly response: IncomingMessage
  bytes(): number
  /** Settles once the connection is closed. */
  readonly gone: Promise<void>
}

/** A day of video, as fast as possible. */
async function download(client: TestClient): Promise<Download> {
  const path = `/api/cameras/yard/clip.mp4?start=${span.start}&end=${span.end}`
  const { port, headers } = client
  const asking = get({ host: '127.0.0.1', port, path, headers, agent: false })
  onTestFinished(() => void asking.destroy())
  asking.on('error', () => {})
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  let bytes = 0
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => void (bytes += chunk.length))
  const gone = new Promise<void>((done) => void response.once('close', done))
  return { response, bytes: () => bytes, gone }
}

test.each<[string, (name: string, client: TestClient) => Promise<unknown>, number]>([
  ['the camera is removed from the role', () => service.internal.put('/api/roles/guard', { cameras: ['door'] }), 4403],
  ['the session ends', (_name, client) => client.post('/api/logout'), 4401],
  ['the user is deleted', (name) => service.internal.delete(`/api/users/${name}`), 4401],
])('[ROLE-10] %s: a download, live view and events end within a second', async (what, change, code) => {
  await service.internal.put('/api/roles/guard', { cameras: ['yard'] })
  const name = `d-${what.split(' ')[1]}`
  const client = await service.user(name, 'guard')
  const viewer = await service.user('vera')
  const [fast, slow, stays] = [await download(client), await download(client), await download(viewer)]
  const total = Number(fast.response.headers['content-length'])
  expect(total).toBeGreaterThan(1e9)
  const closed = await Promise.all(
    ['/api/cameras/yard/live', '/api/events?cameras=yard'].map(async (path) => {
      const socket = client.socket(path)
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      return { end: (once(socket, 'close') as Promise<[number]>).then(([closeCode]) => closeCode) }
    }),
  )
  // One client keeps reading, the other has stopped and keeps its connection.
  await expect.poll(() => Math.min(fast.bytes(), slow.bytes(), stays.bytes())).toBeGreaterThan(1e6)
  slow.response.pause()
  await change(name, client)
  const [elapsed, holds] = [stopwatch(), performance.now()]
  await fast.gone
  expect(await Promise.all(closed.map(({ end }) => end))).toEqual([code, code])
  expect(elapsed()).toBeLessThan(1000)
  expect(fast.bytes()).toBeLessThan(total)
  await wait(Math.max(0, 1000 - (performance.now() - holds)), 'the second that ROLE-10 allows')
  // The slow reader gets only what was in transit: nothing more is sent.
  const held = slow.bytes()
  slow.response.resume()
  await slow.gone
  expect(slow.bytes() - held).toBeLessThan(20e6)
  const before = stays.bytes()
  await expect.poll(() => stays.bytes()).toBeGreaterThan(before)
})
