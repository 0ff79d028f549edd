import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import type { Export, ExportPage } from '../src/exports/export-response.ts'
import { stopAll } from './support/cleanups.ts'
import { namingVersion } from './support/if-none-match.ts'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { writeRecordings, shownBy } from './support/write-recordings.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient, Reply } from './support/test-client.ts'
import { packetsIn } from './support/video-with-audio.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient
let admin: TestClient
/** Unix seconds at which the recordings begin. */
let start: number

/** The door had another resolution before. */
const changed = 20
/** From ten seconds later, the door has audio. */
const withAudio = 200
/** From three seconds later, the door and the office stalled for five. */
const stalls = 100

const config = {
  tls: { enabled: false },
  cameras: { ...quietCameras, yard: { source: 'demo:yard', title: 'Hof „hinten“', enabled: false } },
  auth: { failed_login_rate_limit: null, roles: { guard: ['yard', 'barn'], porter: ['door'] } },
}

beforeAll(async () => {
  const empty = await startService({ config })
  await empty.admin()
  ;[guard, viewer, admin] = await Promise.all([empty.user('gil', 'guard'), empty.user('vera'), empty.admin()])
  await empty.stop()
  start = Math.floor(Date.now() / 1000) - 3600
  const at = start * 1000
  const lay = (camera: string, more: object) =>
    writeRecordings(empty.mediaDir, { camera, start: at, segments: 5, ...more })
  await lay('yard', { segments: 8, audio: true, without: [6] })
  await Promise.all([lay('office', { segments: 2, size: '640x360', bitrate: '20M' }), lay('barn', { segments: 1 })])
  await lay('door', { segments: 2 })
  await writeRecordings(empty.mediaDir, { camera: 'door', start: at + changed * 1000, segments: 2, size: '320x192' })
  const stall = { stalled: [3.02, 7.98], start: at + stalls * 1000, segments: 1 }
  await Promise.all([lay('door', stall), lay('office', { ...stall, audio: true })])
  await lay('door', { start: at + withAudio * 1000, segments: 1 })
  await lay('door', { start: at + (withAudio + 10) * 1000, segments: 1, audio: true })
  service = await empty.restart()
  await service.printed(/recordings reconciled/)
})
afterAll(() => stopAll())

const idOf = ({ json }: Reply): string => (json as { id: string }).id
const one = async (client: TestClient, id: string): Promise<Export> =>
  (await client.get(`/api/exports/${id}`)).json as Export
const listed = async (client: TestClient, query = ''): Promise<ExportPage> =>
  (await client.get(`/api/exports${query}`)).json as ExportPage
const span = (from: number, to: number, camera = 'yard') => ({ camera, start: start + from, end: start + to })

/** Sends a request a number of times, all together. */
const times = (count: number, ask: (nth: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => ask(nth)))

async function ended(id: string): Promise<Export> {
  let item: Export | undefined
  await vi.waitFor(
    async () => {
      item = await one(service.internal, id)
      expect(item.state).toMatch(/done|failed/)
    },
    { timeout: 60_000, interval: 50 },
  )
  return item!
}

async function made(client: TestClient, body: object): Promise<string> {
  const response = await client.post('/api/exports', body)
  expect(response.status, response.text).toBe(202)
  const id = idOf(response)
  expect(await ended(id)).toMatchObject({ state: 'done', progress: 100 })
  return id
}

async function fileOf(id: string): Promise<string> {
  const { status, body } = await service.internal.get(`/api/exports/${id}/video.mp4`)
  expect(status).toBe(200)
  const file = join(service.dir, `${id}.mp4`)
  writeFileSync(file, body)
  return file
}

describe('an export', () => {
  test.each([
    ['inside a group of pictures', 2.6, 7.2],
    ['from a key frame', 4, 9],
    ['across two segments', 6.5, 23.5],
    ['from the start of a segment', 20, 31],
    ['of a single second', 17, 18],
  ])('is frame-accurate: %s', async (_what, from, to) => {
    const id = await made(guard, span(from, to))
    const { first, last, frames } = await shownBy(await fileOf(id))
    // 25 frames per second: the first frame is the one visible at the start.
    expect(first).toBeGreaterThan(from - 0.05)
    expect(first).toBeLessThan(from + 0.05)
    expect(last).toBeGreaterThan(to - 0.1)
    expect(last).toBeLessThan(to)
    expect(Math.abs(frames - (to - from) * 25)).toBeLessThanOrEqual(1)
    const { duration, bytes } = await one(service.internal, id)
    expect(duration).toBeCloseTo(to - from, 0)
    expect(bytes).toBe(statSync(join(service.mediaDir, 'exports', `${id}.mp4`)).size)
  })

  test('skips gaps in the recordings, and reports its playing time', async () => {
    const id = await made(guard, span(55, 75))
    const { first, last, frames } = await shownBy(await fileOf(id))
    expect([first, Math.round(last), frames]).toEqual([55, 75, 250])
    expect((await one(guard, id)).duration).toBeCloseTo(10, 0)
  })

  test.each([
    ['door', 'without audio', 1, 5, 1, 2],
    ['door', 'without audio throughout', 4, 6, 3, 0],
    ['office', 'with audio', 1, 5, 1, 4],
    ['office', 'with audio throughout', 4, 6, 3, 3],
  ])('of the %s, which stalled %s, ends with its last frame', async (camera, _how, from, to, first, seconds) => {
    const id = await made(viewer, span(stalls + from, stalls + to, camera))
    const shown = await shownBy(await fileOf(id))
    expect([shown.first, shown.last]).toEqual([first, 3])
    expect((await one(viewer, id)).duration).toBeCloseTo(seconds, 0)
    await admin.delete(`/api/exports/${id}`)
  })

  test('keeps its audio, plays while it loads, and is readable only by its owner on disk', async () => {
    const id = await made(guard, span(12, 16))
    const { body } = await guard.get(`/api/exports/${id}/video.mp4`)
    expect(body.includes('mp4a')).toBe(true)
    expect(body.indexOf('moov')).toBeLessThan(body.indexOf('mdat'))
    const folder = join(service.mediaDir, 'exports')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, `${id}.mp4`)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => !/^[0-9a-f]{32}\.mp4$/.test(name))).toEqual([])
  })

  test('contains the audio from the moment when the camera began to send it', async () => {
    const file = await fileOf(await made(viewer, span(withAudio + 4, withAudio + 16, 'door')))
    expect((await shownBy(file)).frames).toBe(300)
    const packets = packetsIn(readFileSync(file), '0:a').filter((line) => !line.startsWith('#'))
    const times = packets.map((line) => Number(line.split(',')[2]) / 48_000)
    expect([times[0], times.at(-1)].map((time) => time?.toFixed(1))).toEqual(['6.0', '12.0'])
  })

  test('is named after its title, or else after the camera and the time', async () => {
    const id = await made(guard, span(1, 3))
    const name = async (): Promise<string> =>
      String((await guard.request('HEAD', `/api/exports/${id}/video.mp4`)).headers['content-disposition'])
    const moment = `${new Date((start + 1) * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}Z`
    expect(decodeURIComponent(await name())).toContain(`filename*=UTF-8''Hof „hinten“ ${moment}.mp4`)
    expect(await name()).toContain(`filename="Hof _hinten_ ${moment}.mp4"`)
    const renamed = await guard.request('PATCH', `/api/exports/${id}`, { body: { name: '  Der Fuchs ' } })
    expect([renamed.status, renamed.json]).toMatchObject([200, { id, name: 'Der Fuchs' }])
    expect(await name()).toContain('filename="Der Fuchs.mp4"')
    const bad = await guard.request('PATCH', `/api/exports/${id}`, { body: { name: 'a\nb' } })
    expect([bad.status, bad.json]).toMatchObject([400, { problems: [{ field: 'name', code: 'control-character' }] }])
    const unnamed = await guard.request('PATCH', `/api/exports/${id}`, { body: { name: '\u200b' } })
    expect([unnamed.status, unnamed.json]).toMatchObject([200, { id, name: '' }])
    expect(await name()).toContain(`filename="Hof _hinten_ ${moment}.mp4"`)
    expect(await one(guard, await made(guard, { ...span(1, 3), name: '\u3164' }))).toMatchObject({ name: '' })
  })

  test('has the same bytes in ranges as whole, and is revalidated each time', async () => {
    const path = `/api/exports/${await made(guard, span(5, 40))}/video.mp4`
    const whole = await guard.get(path)
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      'content-length': String(whole.body.length),
    })
    const parts: Buffer[] = []
    for (let from = 0; from < whole.body.length; from += 70_001) {
      const part = await guard.get(path, { range: `bytes=${from}-${from + 70_000}` })
      expect(part.status).toBe(206)
      parts.push(part.body)
    }
    expect(Buffer.concat(parts).equals(whole.body)).toBe(true)
    expect((await guard.get(path, { range: `bytes=${whole.body.length}-` })).status).toBe(416)
    const etag = String(whole.headers.etag)
    for (const named of namingVersion(etag)) {
      const { status, body } = await guard.get(path, { 'if-none-match': named })
      expect([status, body.length], named).toEqual([304, 0])
    }
    expect((await guard.get(path, { 'if-none-match': '"another", W/"one more"' })).status).toBe(200)
    expect((await service.gate.get(path, { 'if-none-match': etag })).status).toBe(401)
    const head = await guard.request('HEAD', path)
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(whole.body.length), 0])
  })

  test('[ERR-3] that is impossible is rejected at once, with the reason', async () => {
    const now = Date.now() / 1000 - start
    const cases: readonly [object, number, object][] = [
      [span(10, 10), 400, { problems: [{ field: 'end', code: 'before-start' }] }],
      [span(20, 10), 400, { problems: [{ field: 'end', code: 'before-start' }] }],
      [span(-90_000, 10), 400, { problems: [{ field: 'end', code: 'span-too-long', values: { hours: 25 } }] }],
      [span(10, now + 60), 400, { problems: [{ field: 'end', code: 'in-future' }] }],
      [{ ...span(10, 20), name: 'x'.repeat(101) }, 400, { problems: [{ field: 'name' }] }],
      [{ ...span(10, 20), name: 'a\0b' }, 400, { problems: [{ field: 'name', code: 'control-character' }] }],
      [{ ...span(10, 20), more: 1 }, 400, { problems: [{ field: 'more' }] }],
      [{ camera: 'yard', start }, 400, { problems: [{ field: 'end' }] }],
      [span(-500, -400), 404, { reason: { code: 'nothing-recorded' } }],
      [span(61, 69), 404, { reason: { code: 'nothing-recorded' } }],
      [
        span(changed - 5, changed + 5, 'door'),
        409,
        { reason: { code: 'video-format-changed', values: { at: new Date((start + changed) * 1000).toISOString() } } },
      ],
    ]
    const before = await listed(service.internal, '?limit=500')
    for (const [body, status, json] of cases) {
      const response = await viewer.post('/api/exports', body)
      expect([response.status, response.json], JSON.stringify(body)).toMatchObject([status, json])
    }
    expect(await listed(service.internal, '?limit=500')).toEqual(before)
    expect((await service.internal.get('/api/exports?cursor=bm9uZQ')).json).toMatchObject({
      problems: [{ field: 'cursor', code: 'no-cursor' }],
    })
    // Changes of the video format before and after the clip do no harm.
    await made(viewer, span(changed - 5, changed, 'door'))
    await made(viewer, span(changed, changed + 5, 'door'))
  })

  test('has as many exports beside it as one user can have waiting, and no more', async () => {
    const responses = await Promise.all(Array.from({ length: 60 }, () => viewer.post('/api/exports', span(1, 79))))
    const taken = responses.filter(({ status }) => status === 202)
    const refused = responses.filter(({ status }) => status === 429)
    expect(taken.length + refused.length).toBe(60)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]!.json).toMatchObject({ reason: { code: 'too-many-own-exports', values: { max: 20 } } })
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
    // Another user does not wait for them: that export finishes while some of theirs still wait.
    const other = idOf(await guard.post('/api/exports', span(2, 4)))
    await ended(other)
    const all = await Promise.all(taken.map((each) => one(viewer, idOf(each))))
    expect(all.map(({ state }) => state)).toContain('queued')
    for (const { id } of all.toReversed()) await admin.delete(`/api/exports/${id}`)
  })
})

const ways = (id: string): [string, string, object?][] => [
  ['GET', `/api/exports/${id}`],
  ['GET', `/api/exports/${id}/video.mp4`],
  ['HEAD', `/api/exports/${id}/video.mp4`],
  ['PATCH', `/api/exports/${id}`, { body: { name: 'mine' } }],
  ['POST', `/api/exports/${id}/cancel`],
]

const listen = async (client: TestClient) => {
  const received: { type: string; camera: string; id: string; state: string; change: string; progress: number }[] = []
  const socket = client.socket('/api/events')
  onTestFinished(() => socket.terminate())
  socket.on('message', (data: Buffer) => void received.push(JSON.parse(data.toString()) as (typeof received)[number]))
  await once(socket, 'open')
  return received
}

interface Download {
  readonly bytes: () => number
  readonly gone: Promise<void>
  /** Reads everything in transit, as fast as possible. */
  drain(): void
}

/** Reads slowly, as a phone with bad reception does, so that the service has to wait. */
async function download(client: TestClient, path: string): Promise<Download> {
  const request = get({
    host: '127.0.0.1',
    port: client.port,
    headers: client.headers,
    path,
    agent: false,
  })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  let bytes = 0
  let complete = false
  let draining = false
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (draining) return
    response.pause()
    setTimeout(() => response.resume(), 25)
  })
  response.on('error', () => {})
  response.on('end', () => (complete = true))
  const gone = new Promise<void>((resolve, reject) => {
    response.once('close', () => (complete ? reject(new Error('it ended')) : resolve()))
  })
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(50_000), { timeout: 60_000 })
  return { bytes: () => bytes, gone, drain: () => void (draining = true) }
}
describe('access to exports', () => {
  let ofYard: string
  let ofOffice: string
  let ofBarn: string
  beforeAll(async () => {
    ofYard = await made(guard, span(10, 14))
    ofOffice = await made(viewer, span(1, 19, 'office'))
  })

  test('[ROLE-4] an export of another camera is 403 for a guard, whatever the route, and so is an unknown export', async () => {
    const unknown = ['f'.repeat(32), 'x', ofOffice.toUpperCase(), `${ofOffice}%20`, '%F0%9F%92%A5', '__proto__']
    for (const id of [ofOffice, ...unknown]) {
      for (const [method, path, options] of ways(id)) {
        const text = `${method} ${path}`
        expect((await guard.request(method, path, options)).status, text).toBe(403)
        expect((await guard.request(method, path, { ...options, headers: { range: 'bytes=0-9' } })).status, text).toBe(
          403,
        )
        expect((await service.gate.request(method, path, options)).status, text).toBe(401)
        if (id !== ofOffice) expect((await viewer.request(method, path, options)).status, text).toBe(404)
      }
      if (id !== ofOffice) expect((await admin.delete(`/api/exports/${id}`)).status).toBe(404)
    }
    expect((await viewer.get(`/api/exports/${ofOffice}/video.mp4`)).status).toBe(200)
    expect((await guard.get(`/api/exports/${ofYard}/video.mp4`)).status).toBe(200)
  })

  test('[ROLE-4] a user cannot export a camera outside the role', async () => {
    for (const [client, camera, status] of [
      [guard, 'office', 403],
      [guard, 'nowhere', 403],
      [viewer, 'nowhere', 404],
      [admin, 'nowhere', 404],
      [service.gate, 'yard', 401],
      [guard, 'yard', 202],
    ] as const) {
      const response = await client.post('/api/exports', span(1, 3, camera))
      expect(response.status, `${camera} ${response.text}`).toBe(status)
    }
    // Not even whether recordings exist.
    expect((await guard.post('/api/exports', span(-500, -400, 'office'))).status).toBe(403)
    expect((await guard.post('/api/exports', { camera: 'office' })).status).toBe(400)
  })

  test('[ROLE-5] a list contains only what the user can see, page by page, and no trace of more', async () => {
    await Promise.all((await listed(service.internal, '?limit=500')).items.map(({ id }) => ended(id)))
    expect((await guard.get('/api/exports?limit=500')).text).not.toMatch(/office|door/)
    const everything = (await listed(viewer, '?limit=500')).items
    expect(new Set(everything.map(({ camera }) => camera))).toEqual(new Set(['yard', 'office', 'door']))
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ExportPage = await listed(guard, `?limit=3${cursor && `&cursor=${cursor}`}`)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.cursor
    }
    expect(ids).toEqual(everything.filter(({ camera }) => camera === 'yard').map(({ id }) => id))
    expect((await listed(viewer, '?cameras=office')).items.map(({ id }) => id)).toEqual([ofOffice])
    for (const [client, requested, status] of [
      [guard, 'office', 403],
      [guard, 'yard,office', 403],
      [guard, 'nowhere', 403],
      [viewer, 'nowhere', 404],
      [guard, 'yard', 200],
      [viewer, 'yard,office', 200],
    ] as const) {
      expect((await client.get(`/api/exports?cameras=${requested}`)).status, requested).toBe(status)
    }
  })

  test('[ROLE-5] progress is sent to users who can see the camera, and to no one else', async () => {
    const [ofGuard, ofViewer] = await Promise.all([listen(guard), listen(viewer)])
    const office = await made(viewer, span(2, 6, 'office'))
    const yard = await made(viewer, span(2, 20))
    await admin.delete(`/api/exports/${yard}`)
    const about = (received: typeof ofGuard, id: string) =>
      received.filter((each) => each.type === 'export' && each.id === id)
    await vi.waitFor(() => expect(about(ofGuard, yard).at(-1)).toMatchObject({ change: 'deleted' }), 60_000)
    await vi.waitFor(() => expect(about(ofViewer, yard).at(-1)).toMatchObject({ change: 'deleted' }), 60_000)
    expect(about(ofViewer, office).at(-1)).toMatchObject({ change: 'updated', state: 'done', progress: 100 })
    expect(about(ofViewer, yard).map(({ state }) => state)).toContain('running')
    expect(ofGuard.filter(({ camera }) => camera !== 'yard')).toEqual([])
  })

  test('[ROLE-11] a reader exports, renames and cancels their own exports; only an admin deletes', async () => {
    const id = await made(guard, { ...span(3, 6), name: 'Fox' })
    expect(await one(guard, id)).toMatchObject({ name: 'Fox', created_by: 'gil', own: true })
    expect(await one(viewer, id)).toMatchObject({ own: false })
    const rename = (client: TestClient, name: string) =>
      client.request('PATCH', `/api/exports/${id}`, { body: { name } })
    const cancel = (client: TestClient) => client.post(`/api/exports/${id}/cancel`)
    expect([(await rename(viewer, 'x')).status, (await cancel(viewer)).status]).toEqual([403, 403])
    for (const client of [viewer, guard]) expect((await client.delete(`/api/exports/${id}`)).status).toBe(403)
    expect((await rename(guard, 'Badger')).status).toBe(200)
    expect((await rename(admin, 'Badger!')).status).toBe(200)
    const late = await cancel(guard)
    expect([late.status, late.json]).toMatchObject([409, { reason: { code: 'export-ended' } }])
    const file = join(service.mediaDir, 'exports', `${id}.mp4`)
    expect(existsSync(file)).toBe(true)
    expect((await admin.delete(`/api/exports/${id}`)).status).toBe(204)
    expect(existsSync(file)).toBe(false)
    for (const path of [`/api/exports/${id}`, `/api/exports/${id}/video.mp4`]) {
      expect([(await guard.get(path)).status, (await viewer.get(path)).status]).toEqual([403, 404])
    }
    const audited = async (): Promise<string[]> => {
      const { entries } = (await admin.get('/api/audit?limit=100')).json as AuditPage
      const about = entries.filter(({ detail = '' }) => detail.includes(id))
      return about.map(({ action, user, target }) => `${action} ${user} ${target}`)
    }
    await vi.waitFor(
      async () =>
        expect(await audited()).toEqual([
          'export.delete admin yard',
          'export.rename admin yard',
          'export.rename gil yard',
          'export.create gil yard',
        ]),
      { timeout: 60_000 },
    )
  })

  test('[ROLE-11] a reader who renames an export again and again is refused, so the audit log stays small', async () => {
    const ron = await service.user('ron', 'guard')
    const id = await made(ron, span(3, 6))
    const rename = (client: TestClient, name: string) =>
      client.request('PATCH', `/api/exports/${id}`, { body: { name } })
    const responses: Reply[] = []
    for (let round = 0; round < 8; round++)
      responses.push(...(await times(40, (nth) => rename(ron, `fox ${round * 40 + nth}`))))
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(250)
    const refused = responses.find(({ status }) => status !== 200)
    expect([refused?.status, refused?.json]).toMatchObject([429, { reason: { code: 'too-many-export-changes' } }])
    expect(refused?.headers['retry-after']).toBe('5')
    // Every few seconds one more is allowed.
    const others = [() => ron.post('/api/exports', span(3, 6)), () => ron.post(`/api/exports/${id}/cancel`)]
    for (const ask of others) expect((await times(5, ask)).map(({ status }) => status)).toContain(429)
    expect((await rename(admin, 'Badger')).status).toBe(200)
    expect((await one(ron, id)).name).toBe('Badger')
  })

  test('[ROLE-11] a new user with the name of a deleted one owns none of the former exports', async () => {
    const id = await made(await service.user('max', 'guard'), span(3, 6))
    expect((await service.internal.delete('/api/users/max')).status).toBe(204)
    await service.internal.post('/api/users', { username: 'max', password, role: 'guard' })
    const another = await signIn(service.gate, 'max')
    expect(await one(another, id)).toMatchObject({ own: false, created_by: null })
    const renamed = await another.request('PATCH', `/api/exports/${id}`, { body: { name: 'Mine' } })
    const canceled = await another.post(`/api/exports/${id}/cancel`)
    expect([renamed.status, canceled.status]).toEqual([403, 403])
    expect((await another.get('/api/exports/usage')).json).toMatchObject({ own: { used: 0 } })
  })

  test('[ROLE-4] an export of a camera that its owner has lost is no longer theirs', async () => {
    const mia = await service.user('mia', 'guard')
    const id = await made(mia, span(3, 6))
    await service.internal.put('/api/users/mia/role', { role: 'porter' })
    for (const [method, path, options] of ways(id)) {
      expect((await mia.request(method, path, options)).status, `${method} ${path}`).toBe(403)
    }
    expect((await mia.get('/api/exports')).text).not.toContain(id)
    await service.internal.put('/api/users/mia/role', { role: 'guard' })
    expect(await one(mia, id)).toMatchObject({ name: '', own: true })
  })

  test('a file that was removed from the disk is reported as missing', async () => {
    const id = await made(guard, span(4, 6))
    rmSync(join(service.mediaDir, 'exports', `${id}.mp4`))
    const response = await guard.get(`/api/exports/${id}/video.mp4`)
    expect([response.status, response.json]).toMatchObject([404, { reason: { code: 'export-file-missing' } }])
    expect(await one(guard, id)).toMatchObject({ state: 'failed', bytes: null, reason: { code: 'file-missing' } })
  })

  describe('[ROLE-10] a running download is cut within a second', () => {
    test.each<[string, (name: string, client: TestClient) => Promise<unknown>]>([
      [
        'the camera is removed from the role',
        (name) => service.internal.put(`/api/users/${name}/role`, { role: 'guard' }),
      ],
      ['the session ends', (_name, client) => client.post('/api/logout')],
      ['the user is deleted', (name) => service.internal.delete(`/api/users/${name}`)],
    ])('when %s', async (what, change) => {
      const name = `reader.${what.replaceAll(' ', '.')}`
      await service.internal.post('/api/users', { username: name, password, role: 'viewer' })
      const client = await signIn(service.gate, name)
      const size = (await one(viewer, ofOffice)).bytes!
      // More than the buffers on the way can contain.
      expect(size).toBeGreaterThan(20_000_000)
      const flowing = await download(client, `/api/exports/${ofOffice}/video.mp4`)
      const stays = await download(viewer, `/api/exports/${ofOffice}/video.mp4`)
      const response = (await change(name, client)) as Reply
      const elapsed = stopwatch()
      expect(response.status).toBeLessThan(300)
      flowing.drain()
      await flowing.gone
      expect(elapsed()).toBeLessThan(1000)
      expect(flowing.bytes()).toBeLessThan(size)
      const before = stays.bytes()
      await vi.waitFor(() => expect(stays.bytes()).toBeGreaterThan(before), 60_000)
    })
  })

  test('[ROLE-4] only an admin can delete the exports of a camera that is no longer configured', async () => {
    const { text } = await service.internal.get('/api/config/raw')
    const put = async (body: string): Promise<void> => {
      const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
      expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
    }
    await put(text.replace('cameras:\n', 'cameras:\n  barn: { source: "demo:yard", enabled: false, inherit: true }\n'))
    ofBarn = await made(guard, span(1, 5, 'barn'))
    await put(text)
    for (const path of [`/api/exports/${ofBarn}`, `/api/exports/${ofBarn}/video.mp4`]) {
      expect([(await guard.get(path)).status, (await viewer.get(path)).status]).toEqual([403, 404])
    }
    expect((await guard.get('/api/exports?limit=500')).text).not.toContain('barn')
    const left = (await listed(admin, '?limit=500')).items.find(({ id }) => id === ofBarn)
    expect(left).toMatchObject({ camera: 'barn', camera_removed: true })
    expect((await viewer.delete(`/api/exports/${ofBarn}`)).status).toBe(403)
    expect((await admin.delete(`/api/exports/${ofBarn}`)).status).toBe(204)
  })

  test('[PROXY-1] the proxy’s gil does not own what the database’s gil made', async () => {
    service = await service.restart({
      config: {
        ...config,
        auth: { ...config.auth, enabled: false },
        proxy: { header_map: { user: 'x-forwarded-user', role: 'x-forwarded-groups' } },
      },
    })
    const gil = service.gate.with({ 'x-forwarded-user': 'gil', 'x-forwarded-groups': 'guard' })
    expect(await one(gil, ofYard)).toMatchObject({ created_by: null, own: false })
    const rename = (id: string) => gil.request('PATCH', `/api/exports/${id}`, { body: { name: 'Mine' } })
    expect((await rename(ofYard)).status).toBe(403)
    const id = await made(gil, span(1, 3))
    expect(await one(gil, id)).toMatchObject({ own: true })
    expect((await rename(id)).status).toBe(200)
  })
})
