import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ReviewItem } from '../src/review/review-store.ts'
import { recordingStore } from '../src/recordings/index/recording-store.sql.ts'
import { openStore } from '../src/store/open.ts'
import { stopAll } from './support/cleanups.ts'
import { namingVersion } from './support/if-none-match.ts'
import { silent } from './support/null-log.ts'
import { grayJpeg, seedReview } from './support/review-seed.ts'
import type { Service } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

interface ReviewItemResponse {
  readonly id: string
  readonly camera: string
  readonly severity: string
  readonly seen: boolean
}
interface Sum {
  readonly day: string
  readonly camera: string
  readonly severity: string
  readonly total: number
  readonly unseen: number
}

const minutes = 60_000
const unknownId = '0'.repeat(32)
const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)
const listed = (response: Reply) => (response.json as { items: ReviewItemResponse[] }).items
const list = async (client: TestClient, query = ''): Promise<ReviewItemResponse[]> =>
  listed(await client.get(`/api/review?${query}`))
const seenBy = async (client: TestClient, query = ''): Promise<string[]> =>
  idsOf(await list(client, `seen=true&${query}`))
const summaryOf = async (client: TestClient, query = ''): Promise<Sum[]> =>
  ((await client.get(`/api/review/summary?${query}`)).json as { days: Sum[] }).days
const totals = async (client: TestClient): Promise<{ total: number; unseen: number }> =>
  (await summaryOf(client)).reduce(
    (all, { total, unseen }) => ({ total: all.total + total, unseen: all.unseen + unseen }),
    { total: 0, unseen: 0 },
  )
const decidedForProxy = async (who: TestClient, url: string) =>
  (await who.get('/api/auth', { 'x-original-url': url })).status

const markMany = async (who: TestClient, body: object) =>
  (await who.put('/api/review/seen', { seen: true, ...body })).status

const eventsOf = async (who: TestClient, query = '') => {
  const received: unknown[] = []
  const socket = who.socket(`/api/events${query}`)
  onTestFinished(() => socket.terminate())
  socket.on('message', (data: Buffer) => void received.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  return received
}

const deletionOf = (item: ReviewItem) => ({
  type: 'review',
  change: 'deleted',
  camera: item.camera,
  id: item.id,
  severity: item.severity,
})

const segmentFile = (camera: string, each: number) => `2026-11-01/${camera}/10-00-${each}0.000.mp4`

const settled = { timeout: 120_000, interval: 50 }

/** Changes config.yml as an admin would. */
async function configure(service: Service, change: (config: Record<string, unknown>) => void): Promise<void> {
  const { text } = await service.internal.get('/api/config/raw')
  const config = parse(text) as Record<string, unknown>
  change(config)
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  const response = await service.internal.put('/api/config/raw', stringify(config), headers)
  expect(response.status, response.text).toBe(200)
}

describe('review items', () => {
  let service: InProcessService
  let guard: TestClient
  let viewer: TestClient
  let admin: TestClient
  let yard: ReviewItem
  let alert: ReviewItem
  let door: ReviewItem
  let office: ReviewItem

  beforeAll(async () => {
    service = await startService({
      config: { auth: { roles: { guard: ['yard', 'door'], porter: ['office'] }, failed_login_rate_limit: null } },
    })
    ;[guard, viewer, admin] = await Promise.all([service.user('gil', 'guard'), service.user('vera'), service.admin()])
  })
  afterAll(stopAll)
  beforeEach(async () => {
    for (const { id } of await list(service.internal)) await service.internal.delete(`/api/review/${id}`)
    const now = Date.now()
    ;[yard, door, office, alert] = (await seedReview(service, [
      { camera: 'yard', start: now - 50 * minutes, jpeg: grayJpeg },
      { camera: 'door', start: now - 40 * minutes },
      { camera: 'office', start: now - 30 * minutes, jpeg: grayJpeg },
      { camera: 'yard', start: now - 20 * minutes, severity: 'alert', motion: 31, jpeg: grayJpeg },
    ])) as [ReviewItem, ReviewItem, ReviewItem, ReviewItem]
  })

  test('[ROLE-5] a list and its counts contain only the cameras that the user can see, newest first', async () => {
    expect(idsOf(await list(viewer))).toEqual(idsOf([alert, office, door, yard]))
    expect(idsOf(await list(guard))).toEqual(idsOf([alert, door, yard]))
    expect(await totals(viewer)).toEqual({ total: 4, unseen: 4 })
    expect(await totals(guard)).toEqual({ total: 3, unseen: 3 })
    for (const path of ['/api/review', '/api/review/summary', '/api/review?limit=1']) {
      expect((await guard.get(path)).text, path).not.toContain('office')
    }
    const [first] = listed(await guard.get('/api/review'))
    expect(first).toEqual({
      id: alert.id,
      camera: 'yard',
      start: alert.start / 1000,
      end: alert.end / 1000,
      severity: 'alert',
      data: { motion: 31, box: alert.box },
      thumbnail: alert.thumbnailAt! / 1000,
      seen: false,
    })
    expect((await guard.get(`/api/review/${alert.id}`)).json).toEqual(first)
  })

  test.each([
    ['cameras=yard', () => [alert, yard]],
    ['cameras=yard,office', () => [alert, office, yard]],
    ['severity=alert', () => [alert]],
    ['severity=detection&cameras=yard', () => [yard]],
    ['seen=true', () => []],
    ['seen=false&limit=2', () => [alert, office]],
  ])('a list is filtered by %s', async (query, condition) => {
    expect(idsOf(await list(viewer, query))).toEqual(idsOf(condition()))
  })

  test('a list is filtered by the items’ start times', async () => {
    const span = `after=${door.start / 1000}&before=${alert.start / 1000}`
    expect(idsOf(await list(viewer, span))).toEqual(idsOf([office, door]))
    expect(await summaryOf(viewer, span)).toHaveLength(2)
  })

  test('pages continue after the last item, even if new items arrive in between', async () => {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { json } = await guard.get(`/api/review?limit=1${cursor && `&cursor=${cursor}`}`)
      const page = json as { items: ReviewItemResponse[]; cursor: string | null }
      found.push(...idsOf(page.items))
      cursor = page.cursor
      await seedReview(service, [{ camera: 'yard' }])
    }
    expect(found).toEqual(idsOf([alert, door, yard]))
  })

  test('[ROLE-4] a list of another camera is refused, in the same way as for an unknown camera', async () => {
    for (const path of ['/api/review', '/api/review/summary']) {
      for (const [cameras, hers, others] of [
        ['yard', 200, 200],
        ['yard,door', 200, 200],
        ['office', 403, 200],
        ['yard,office', 403, 200],
        ['nowhere', 403, 404],
        ['yard,nowhere', 403, 404],
        ['', 403, 404],
        ['__proto__', 403, 404],
        ['yard&cameras=office', 403, 400],
      ] as const) {
        const url = `${path}?cameras=${cameras}`
        expect((await guard.get(url)).status, url).toBe(hers)
        expect((await viewer.get(url)).status, url).toBe(others)
        expect((await admin.get(url)).status, url).toBe(others)
        expect((await service.gate.get(url)).status, url).toBe(401)
        expect((await guard.request('HEAD', url)).status, url).toBe(hers)
      }
    }
  })

  test('[PROXY-14] an outer proxy’s request gets the same decision', async () => {
    expect(await decidedForProxy(guard, '/api/review?cameras=yard')).toBe(202)
    expect(await decidedForProxy(guard, '/api/review?cameras=yard,office')).toBe(403)
    expect(await decidedForProxy(guard, `/api/review/${office.id}/thumbnail.jpg`)).toBe(403)
    expect(await decidedForProxy(guard, `/api/review/${yard.id}/thumbnail.jpg`)).toBe(202)
    expect(await decidedForProxy(viewer, `/api/review/${office.id}/thumbnail.jpg`)).toBe(202)
  })

  test('[ROLE-4] an item of another camera is refused by its id, whatever the route', async () => {
    const ways: readonly [string, string, unknown?][] = [
      ['GET', ''],
      ['HEAD', ''],
      ['GET', '/thumbnail.jpg'],
      ['HEAD', '/thumbnail.jpg'],
      ['PUT', '/seen', { seen: true }],
    ]
    for (const [method, rest, body] of ways) {
      const ask = async (who: TestClient, id: string) =>
        (await who.request(method, `/api/review/${id}${rest}`, body === undefined ? {} : { body })).status
      const well = body === undefined ? 200 : 204
      expect([await ask(guard, yard.id), await ask(guard, office.id), await ask(guard, unknownId)]).toEqual([
        well,
        403,
        403,
      ])
      expect([await ask(viewer, office.id), await ask(viewer, unknownId)]).toEqual([well, 404])
      expect([await ask(admin, office.id), await ask(admin, 'nothing')]).toEqual([well, 404])
      expect(await ask(service.gate, yard.id)).toBe(401)
      expect(await ask(guard, `${yard.id}%0a`)).toBe(403)
    }
    const ranged = { range: 'bytes=0-9', 'if-none-match': `"${office.thumbnailAt}"` }
    expect((await guard.get(`/api/review/${office.id}/thumbnail.jpg`, ranged)).status).toBe(403)
    const [hidden, absent] = await Promise.all([office.id, unknownId].map((id) => guard.get(`/api/review/${id}`)))
    expect(hidden!.text).toBe(absent!.text)
    expect(await seenBy(guard)).toEqual([yard.id])
  })

  test('a thumbnail is private, revalidated each time, and 404 if missing', async () => {
    const path = `/api/review/${yard.id}/thumbnail.jpg`
    const { body, headers } = await guard.get(path)
    expect(body.equals(grayJpeg)).toBe(true)
    expect(headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-cache' })
    for (const named of namingVersion(String(headers.etag))) {
      const again = await guard.get(path, { 'if-none-match': named })
      expect({ status: again.status, bytes: again.body.length }, named).toEqual({ status: 304, bytes: 0 })
    }
    const none = await guard.get(`/api/review/${door.id}/thumbnail.jpg`)
    expect({ status: none.status, json: none.json }).toMatchObject({
      status: 404,
      json: { reason: { code: 'no-thumbnail' } },
    })
  })

  test('seen marks are per user, can be set one by one, and undone', async () => {
    const mark = (who: TestClient, seen: boolean) => who.put(`/api/review/${yard.id}/seen`, { seen })
    expect((await mark(guard, true)).status).toBe(204)
    expect((await mark(guard, true)).status).toBe(204)
    expect([await seenBy(guard), await seenBy(viewer), await seenBy(service.internal)]).toEqual([[yard.id], [], []])
    expect(await totals(guard)).toEqual({ total: 3, unseen: 2 })
    expect(await totals(viewer)).toEqual({ total: 4, unseen: 4 })
    expect((await guard.get(`/api/review/${yard.id}`)).json).toMatchObject({ seen: true })
    expect((await viewer.get(`/api/review/${yard.id}`)).json).toMatchObject({ seen: false })
    // On the internal port, all callers are one user.
    await mark(service.internal, true)
    expect(await seenBy(service.internal)).toEqual([yard.id])
    await mark(guard, false)
    expect(await seenBy(guard)).toEqual([])
  })

  test('[ROLE-11] a seen mark is sent on all event streams of the user, and on no one else’s', async () => {
    const again = await signIn(service.gate, 'gil')
    const lines = await Promise.all([eventsOf(guard), eventsOf(again)])
    const [ofDoorCamera, others] = await Promise.all([eventsOf(again, '?cameras=door'), eventsOf(viewer)])
    await guard.put(`/api/review/${yard.id}/seen`, { seen: true })
    await markMany(guard, { ids: [yard.id, door.id], seen: false })
    const [after, before] = [yard.start / 1000, alert.start / 1000]
    await markMany(guard, { filter: { severity: 'detection', after, before } })
    const all = { type: 'seen', seen: true, severity: 'detection', after, before }
    const reported = [
      { type: 'seen', camera: 'yard', seen: true, ids: [yard.id] },
      { type: 'seen', camera: 'yard', seen: false, ids: [yard.id] },
      { type: 'seen', camera: 'door', seen: false, ids: [door.id] },
      { ...all, camera: 'yard' },
      { ...all, camera: 'door' },
    ]
    for (const received of lines) await vi.waitFor(() => expect(received).toEqual(reported), settled)
    // A stream of another camera does not get it.
    await vi.waitFor(() => expect(ofDoorCamera).toEqual(reported.filter(({ camera }) => camera === 'door')), settled)
    // The event after it arrives on the other streams only.
    await admin.delete(`/api/review/${yard.id}`)
    await vi.waitFor(() => expect(others).toEqual([deletionOf(yard)]), settled)
  })

  test('[ROLE-4] several items can be marked together only if all their cameras are allowed', async () => {
    for (const refused of [
      { ids: [yard.id, office.id] },
      { ids: [office.id] },
      { ids: [yard.id, unknownId] },
      { ids: [yard.id, 'nothing'] },
      { filter: { cameras: ['yard', 'office'] } },
      { filter: { cameras: ['nowhere'] } },
      { filter: { cameras: [''] } },
    ]) {
      expect(await markMany(guard, refused), JSON.stringify(refused)).toBe(403)
    }
    expect(await seenBy(guard)).toEqual([])
    expect(await markMany(viewer, { ids: [yard.id, unknownId] })).toBe(404)
    expect(await markMany(viewer, { filter: { cameras: ['yard', 'nowhere'] } })).toBe(404)
    expect(await seenBy(viewer)).toEqual([])
    expect(await markMany(service.gate, { ids: [yard.id] })).toBe(401)

    expect(await markMany(guard, { ids: [yard.id, door.id] })).toBe(204)
    expect(await seenBy(guard)).toEqual(idsOf([door, yard]))
    expect(await markMany(viewer, { ids: [] })).toBe(204)
    expect(await markMany(viewer, { filter: { severity: 'alert' } })).toBe(204)
    expect(await markMany(viewer, { filter: { cameras: ['office'] } })).toBe(204)
    expect(await seenBy(viewer)).toEqual(idsOf([alert, office]))
    expect(await markMany(viewer, { filter: { after: alert.start / 1000 }, seen: false })).toBe(204)
    expect(await seenBy(viewer)).toEqual([office.id])
  })

  test('[ROLE-5] marking everything marks what the user can see, and nothing else', async () => {
    const marked = await guard.put('/api/review/seen', { seen: true, filter: {} })
    expect(marked.status).toBe(204)
    expect(await totals(guard)).toEqual({ total: 3, unseen: 0 })
    expect(await list(guard, 'seen=false')).toEqual([])
    await service.internal.put('/api/users/gil/role', { role: 'viewer' })
    expect(idsOf(await list(guard, 'seen=false'))).toEqual([office.id])
    await service.internal.put('/api/users/gil/role', { role: 'guard' })
  })

  test('[ROLE-4] [ROLE-10] a role that loses a camera loses its items from the next request, counts included', async () => {
    await configure(
      service,
      (config) => ((config['auth'] as { roles: object }).roles = { guard: ['door'], porter: ['office'] }),
    )
    expect(idsOf(await list(guard))).toEqual([door.id])
    expect(await totals(guard)).toEqual({ total: 1, unseen: 1 })
    for (const path of ['', '/thumbnail.jpg'])
      expect((await guard.get(`/api/review/${yard.id}${path}`)).status).toBe(403)
    expect((await guard.get('/api/review?cameras=yard')).status).toBe(403)
    await configure(
      service,
      (config) => ((config['auth'] as { roles: object }).roles = { guard: ['yard', 'door'], porter: ['office'] }),
    )
    expect(idsOf(await list(guard))).toEqual(idsOf([alert, door, yard]))
  })

  test('[ROLE-4] items of a removed camera are hidden from custom roles', async () => {
    let before: unknown
    await configure(service, (config) => {
      before = (config['cameras'] as Record<string, unknown>)['office']
      delete (config['cameras'] as Record<string, unknown>)['office']
    })
    expect(idsOf(await list(viewer))).toEqual(idsOf([alert, door, yard]))
    expect((await viewer.get(`/api/review/${office.id}`)).status).toBe(404)
    expect((await guard.get(`/api/review/${office.id}`)).status).toBe(403)
    await configure(service, (config) => ((config['cameras'] as Record<string, unknown>)['office'] = before))
    expect((await viewer.get(`/api/review/${office.id}`)).status).toBe(200)
  })

  test('[ROLE-11] only an admin deletes an item; its thumbnail is deleted too, and the audit log has an entry', async () => {
    const thumbnail = join(
      service.mediaDir,
      'review',
      new Date(yard.start).toISOString().slice(0, 10),
      `${yard.id}.jpg`,
    )
    expect(existsSync(thumbnail)).toBe(true)
    for (const who of [viewer, guard]) {
      for (const id of [yard.id, office.id]) expect((await who.delete(`/api/review/${id}`)).status).toBe(403)
    }
    expect((await service.gate.delete(`/api/review/${yard.id}`)).status).toBe(401)
    expect((await viewer.get(`/api/review/${yard.id}`)).status).toBe(200)
    expect((await admin.delete(`/api/review/${unknownId}`)).status).toBe(404)
    expect((await admin.delete(`/api/review/${yard.id}`)).status).toBe(204)
    expect(existsSync(thumbnail)).toBe(false)
    expect((await admin.delete(`/api/review/${yard.id}`)).status).toBe(404)
    expect(idsOf(await list(guard))).toEqual(idsOf([alert, door]))
    await vi.waitFor(async () => {
      const { text } = await admin.get('/api/audit?action=review.delete&user=admin')
      expect(text).toContain(yard.id)
    }, settled)
  })

  test('[ROLE-5] a deletion is sent to users who can see the camera, and to no one else', async () => {
    const porter = await service.user('pia', 'porter')
    const [hers, his] = await Promise.all([eventsOf(guard), eventsOf(porter)])
    await admin.delete(`/api/review/${alert.id}`)
    await admin.delete(`/api/review/${office.id}`)
    await vi.waitFor(() => expect(his).toEqual([deletionOf(office)]), settled)
    expect(hers).toEqual([deletionOf(alert)])
  })

  test.each([
    ['GET', '/api/review?cursor=nonsense', undefined, 'cursor'],
    ['GET', `/api/review?cursor=${Buffer.from('1.2').toString('base64url')}`, undefined, 'cursor'],
    ['GET', '/api/review?limit=0', undefined, 'limit'],
    ['GET', '/api/review?severity=high', undefined, 'severity'],
    ['GET', '/api/review?seen=maybe', undefined, 'seen'],
    ['GET', '/api/review/summary?timezone=Mars', undefined, 'timezone'],
    ['GET', '/api/review/summary?after=0&before=99999999', undefined, 'before'],
    ['PUT', '/api/review/seen', { seen: true }, 'ids'],
    ['PUT', '/api/review/seen', { seen: true, ids: [], filter: {} }, 'ids'],
    ['PUT', '/api/review/seen', { ids: [] }, 'seen'],
    ['PUT', '/api/review/seen', { seen: true, filter: { camera: 'yard' } }, 'filter.camera'],
    ['PUT', '/api/review/seen', { seen: true, ids: Array<string>(501).fill(unknownId) }, 'ids'],
  ])('[ERR-3] %s %s with %j is rejected, with the problem', async (method, path, body, field) => {
    const { status, json } = await viewer.request(method, path, body === undefined ? {} : { body })
    expect({ status, json }).toMatchObject({ status: 400, json: { problems: [{ field }] } })
  })

  test('days are those of the requested time zone', async () => {
    const start = Date.UTC(2026, 0, 1, 23, 30)
    const [old] = await seedReview(service, [{ camera: 'yard', start }])
    const span = `after=${start / 1000 - 3600}&before=${start / 1000 + 3600}`
    const dayIn = async (zone: string) => (await summaryOf(guard, `${span}&timezone=${zone}`)).map(({ day }) => day)
    expect(await dayIn('UTC')).toEqual(['2026-01-01'])
    expect(await dayIn('Europe/Berlin')).toEqual(['2026-01-02'])
    expect(await dayIn('Asia/Kathmandu')).toEqual(['2026-01-02'])
    await admin.delete(`/api/review/${old!.id}`)
  })

  test('a new user with the name of a deleted one inherits no seen marks', async () => {
    const tom = await service.user('tom')
    await tom.put('/api/review/seen', { seen: true, filter: {} })
    expect(await seenBy(tom)).toHaveLength(4)
    await admin.delete('/api/users/tom')
    await admin.post('/api/users', { username: 'TOM', password: 'correct horse battery staple', role: 'viewer' })
    const login = await service.gate.post('/api/login', { user: 'tom', password: 'correct horse battery staple' })
    const next = service.gate.with({ cookie: String(login.cookies[0]).split(';')[0] })
    expect(await seenBy(next)).toEqual([])
  })

  test('[ROLE-11] only an admin deletes recordings: segments entirely inside the range are deleted, with their files', async () => {
    const at = Date.UTC(2026, 10, 1, 10)
    const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
    const database = await openStore({ url: 'sqlite', configDir: service.configDir, log: silent })
    const onDisk = (camera: string, each: number) =>
      join(service.mediaDir, 'recordings', segmentFile(cameraKey(camera), each))
    for (const camera of ['yard', 'office']) {
      mkdirSync(join(service.mediaDir, `recordings/2026-11-01/${camera}`), { recursive: true })
      for (const each of [0, 1, 2, 3]) writeFileSync(onDisk(camera, each), 'video')
      await recordingStore(database, volume).add(
        [0, 1, 2, 3].map((each) => {
          const start = at + each * 10_000
          return {
            camera: cameraKey(camera),
            start,
            end: start + 10_000,
            bytes: 5,
            initBytes: 1,
            motion: 0,
            streamId: at,
            file: segmentFile(cameraKey(camera), each),
          }
        }),
      )
    }
    await database.close()
    const span = `after=${at / 1000 + 5}&before=${at / 1000 + 30}`
    const path = (camera: string) => `/api/cameras/${camera}/recordings?${span}`
    for (const who of [viewer, guard]) expect((await who.delete(path('yard'))).status).toBe(403)
    expect((await guard.delete(path('nowhere'))).status).toBe(403)
    expect((await admin.delete(path('nowhere'))).status).toBe(404)
    expect((await service.gate.delete(path('yard'))).status).toBe(401)
    expect((await admin.delete('/api/cameras/yard/recordings?after=5&before=5')).status).toBe(400)
    expect((await admin.delete('/api/cameras/yard/recordings')).status).toBe(400)
    const left = async (camera: string) => {
      const { json } = await viewer.get(`/api/cameras/${camera}/recordings?after=${at / 1000}&before=${at / 1000 + 60}`)
      return (json as { segments: { start: number }[] }).segments.map(({ start }) => (start * 1000 - at) / 10_000)
    }
    expect(await left('yard')).toEqual([0, 1, 2, 3])
    expect((await admin.delete(path('yard'))).json).toEqual({ segments: 2, bytes: 10 })
    expect(await left('yard')).toEqual([0, 3])
    expect([0, 1, 2, 3].filter((each) => existsSync(onDisk('yard', each)))).toEqual([0, 3])
    expect(await left('office')).toEqual([0, 1, 2, 3])
    // Items from that time stay in the list.
    expect(await list(viewer)).toHaveLength(4)
    await vi.waitFor(async () => {
      const { text } = await admin.get('/api/audit?action=recordings.delete')
      expect(text).toContain('"target":"yard"')
    }, settled)
  })
})

describe('review items across restarts', () => {
  afterAll(stopAll)

  test('[PROXY-1] open items are closed, expired ones are deleted, and seen marks stay with their user', async () => {
    let service = await startService({ config: { auth: { failed_login_rate_limit: null } } })
    const vera = await service.user('vera')
    const day = 24 * 60 * minutes
    const now = Date.now()
    const [open, old, young] = (await seedReview(service, [
      { camera: 'yard', start: now - 10 * minutes, end: now - 9 * minutes, open: true, jpeg: grayJpeg },
      { camera: 'yard', start: now - 8 * day, jpeg: grayJpeg },
      { camera: 'yard', start: now - 6 * day, jpeg: grayJpeg },
    ])) as [ReviewItem, ReviewItem, ReviewItem]
    expect((await vera.get(`/api/review/${open.id}`)).json).toMatchObject({ end: null })
    await vera.put('/api/review/seen', { seen: true, filter: {} })
    await service.kill()

    const config = parse(readFileSync(service.configFile, 'utf8')) as object
    const auth = { enabled: false }
    const proxy = { header_map: { user: 'x-forwarded-user' }, default_role: 'viewer' }
    writeFileSync(service.configFile, stringify({ ...config, auth, proxy }))
    service = await service.restart()
    const proxied = (name: string) => service.gate.with({ 'x-forwarded-user': name })
    await vi.waitFor(async () => expect(idsOf(await list(proxied('vera')))).toEqual([open.id, young.id]), settled)
    expect((await proxied('vera').get(`/api/review/${open.id}`)).json).toMatchObject({
      end: open.end / 1000,
      seen: false,
    })
    expect(await seenBy(proxied('vera'))).toEqual([])
    await proxied('vera').put(`/api/review/${young.id}/seen`, { seen: true })
    expect([await seenBy(proxied('vera')), await seenBy(proxied('Vera'))]).toEqual([[young.id], []])

    const thumbnail = ({ start, id }: ReviewItem) =>
      join(service.mediaDir, 'review', new Date(start).toISOString().slice(0, 10), `${id}.jpg`)
    expect([existsSync(thumbnail(old)), existsSync(thumbnail(young))]).toEqual([false, true])
    expect(statSync(thumbnail(young)).mode & 0o777).toBe(0o600)
  })
})

describe('real motion', () => {
  afterAll(stopAll)

  test('[ROLE-5] becomes an item with a thumbnail, is sent to users who can see the camera, and never stays open', async () => {
    const cameras = Object.fromEntries(
      ['yard', 'office'].map((name) => [name, { source: `demo:${name}`, enabled: false }]),
    )
    let service = await startService({
      config: { cameras, auth: { roles: { guard: ['yard'], porter: ['office'] } } },
    })
    const enableYard = () =>
      configure(service, (config) => {
        const { yard } = config['cameras'] as { yard: Record<string, unknown> }
        delete yard['motion']
        delete yard['enabled']
      })
    const [guard, porter] = await Promise.all([service.user('gil', 'guard'), service.user('pia', 'porter')])
    const [hers, his] = (await Promise.all([eventsOf(guard), eventsOf(porter)])) as {
      type: string
      change?: string
    }[][]
    const changes = () => hers!.filter(({ type }) => type === 'review').map(({ change }) => change)
    // Only now, so that no event is missed.
    await enableYard()
    await vi.waitFor(() => expect(changes()).toContain('created'), { timeout: 60_000, interval: 100 })
    const item = async () =>
      (await guard.get('/api/review')).json as { items: (ReviewItemResponse & { end: number | null })[] }
    await vi.waitFor(async () => expect((await item()).items[0]).toMatchObject({ thumbnail: expect.any(Number) }), {
      timeout: 60_000,
      interval: 100,
    })
    const [{ id, end }] = (await item()).items as [ReviewItemResponse & { end: number | null }]
    expect(end).toBeNull()
    const thumbnail = await guard.get(`/api/review/${id}/thumbnail.jpg`)
    expect(thumbnail.body.readUInt16BE(0)).toBe(0xffd8)
    expect((await porter.get(`/api/review/${id}`)).status).toBe(403)
    expect((await porter.get('/api/review')).json).toEqual({ items: [], cursor: null })

    // Motion detection was disabled in the configuration: the item ends.
    await configure(service, (config) => {
      const { yard } = config['cameras'] as { yard: Record<string, unknown> }
      yard['motion'] = { enabled: false }
    })
    await vi.waitFor(() => expect(changes()).toContain('ended'), settled)
    expect((await guard.get(`/api/review/${id}`)).json).toMatchObject({ end: expect.any(Number) })
    expect(his!.filter(({ type }) => type === 'review')).toEqual([])

    // Again, from the start of the scene, and killed in the middle of it.
    await configure(service, (config) =>
      Object.assign((config['cameras'] as { yard: object }).yard, { enabled: false }),
    )
    await vi.waitFor(
      async () => expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({ state: 'disabled' }),
      settled,
    )
    await enableYard()
    await vi.waitFor(async () => expect((await item()).items).toHaveLength(2), { timeout: 60_000, interval: 250 })
    expect((await item()).items[0]).toMatchObject({ end: null })
    await service.kill()
    const file = parse(readFileSync(service.configFile, 'utf8')) as { cameras: { yard: object } }
    Object.assign(file.cameras.yard, { enabled: false })
    writeFileSync(service.configFile, stringify(file))
    service = await service.restart()
    const left = (await service.internal.get('/api/review')).json as { items: { start: number; end: number | null }[] }
    expect(left.items).toHaveLength(2)
    for (const each of left.items) expect(each.end! - each.start).toBeGreaterThan(0)
    for (const each of left.items) expect(each.end! - each.start).toBeLessThan(120)
  })
})
