import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { internalAdmin } from '../src/access/identity.ts'
import type { Authentication } from '../src/http/authentication.ts'
import type { Export, ExportPage } from '../src/exports/export-response.ts'
import { deleteRoutes } from '../src/recordings/delete.routes.ts'
import type { Segment } from '../src/recordings/index/recording-store.ts'
import type { CameraStorage } from '../src/recordings/storage.routes.ts'
import type { AuditEntry } from '../src/shared/audit/audit.ts'
import { bareServer } from './support/bare-server.ts'
import { stopAll } from './support/cleanups.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { seedReview } from './support/review-seed.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceUntil } from './support/test-clock.ts'
import { unaudited } from './support/unaudited.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

afterAll(() => stopAll())

const yard = (source: string, more: object = {}) => ({ source, enabled: false, ...more })
const door = { source: 'demo:door', enabled: false }
const guardOfYard = { guard: ['yard', 'door'] }

type Change = (config: { cameras: Record<string, object>; auth: { roles: Record<string, string[]> } }) => void

const changed = (text: string, change: Change): string => {
  const config = parse(text) as Parameters<Change>[0]
  change(config)
  return stringify(config)
}

async function save(service: InProcessService, change: Change): Promise<void> {
  const body = changed((await service.internal.get('/api/config/raw')).text, change)
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  const { status, text } = await service.internal.request('PUT', '/api/config/raw', { body, headers })
  expect(status, text).toBe(200)
}

/** Changes the file by hand, as an editor does, and waits until the change is active. */
async function byHand(service: InProcessService, change: Change): Promise<void> {
  const before = service.output().length
  const text = changed(readFileSync(service.configFile, 'utf8'), change)
  writeFileSync(`${service.configFile}.new`, text)
  renameSync(`${service.configFile}.new`, service.configFile)
  await advanceUntil(service.clock, () => expect(service.output().slice(before)).toContain('config reloaded'))
}

const remove: Change = ({ cameras }) => void delete cameras['yard']
const add =
  (source: string, more?: object): Change =>
  ({ cameras }) =>
    void (cameras['yard'] = yard(source, more))

interface Had {
  readonly service: InProcessService
  /** Unix seconds. */
  readonly start: number
  readonly item: string
  readonly exported: string
}

/** A service, stopped, that has a yard with recordings, an item, and an export by its guard. */
let before: Had

beforeAll(async () => {
  const config = { cameras: { yard: yard('demo:yard'), door }, auth: { roles: guardOfYard } }
  const empty = await startService({ config })
  await empty.stop()
  // In the middle of the previous hour: its segments are all in one hour of the summary.
  const start = Math.floor(Date.now() / 3_600_000) * 3600 - 1800
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: start * 1000, segments: 2 })
  const [item] = await seedReview(empty, [{ camera: 'yard', start: start * 1000 + 1000 }])
  const service = await empty.restart()
  await service.printed(/recordings reconciled/)
  await service.user('vera')
  const guard = await service.user('gil', 'guard')
  const { json } = await guard.post('/api/exports', { camera: 'yard', start: start + 1, end: start + 5 })
  const { id } = json as { id: string }
  await vi.waitFor(async () => expect((await guard.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }), {
    timeout: 60_000,
    interval: 50,
  })
  await service.stop()
  before = { service, start, item: item!.id, exported: id }
})

/** A running copy of it. */
const lived = async (): Promise<Had> => ({ ...before, service: await startService({ copyOf: before.service }) })

const guardOf = (service: InProcessService): Promise<TestClient> => signIn(service.gate, 'gil')
const viewerOf = (service: InProcessService): Promise<TestClient> => signIn(service.gate, 'vera')

const waysTo = ({ start }: Had): string[] => [
  '/api/cameras/yard',
  '/api/cameras/yard/latest.jpg',
  '/api/cameras/yard/mjpeg',
  '/api/cameras/yard/live',
  '/api/cameras/yard/live/index.m3u8',
  '/api/cameras/yard/live/1/init.mp4',
  '/api/cameras/yard/live/1/video.m4s',
  `/api/cameras/yard/recordings?after=${start - 60}&before=${start + 600}`,
  `/api/cameras/yard/timeline?after=${start - 60}&before=${start + 600}`,
  `/api/cameras/yard/playback/${start}/${start + 20}/index.m3u8`,
  `/api/cameras/yard/segments/${start * 1000}/init.mp4`,
  `/api/cameras/yard/clip.mp4?start=${start}&end=${start + 10}`,
  '/api/review?cameras=yard',
  '/api/exports?cameras=yard',
]

/** What a user sees of the yard, as counts in JSON. */
async function seen(at: TestClient, had: Had) {
  const status = async (path: string): Promise<number> => (await at.get(path)).status
  const list = async <T>(path: string, key: string): Promise<T[]> =>
    ((await at.get(path)).json as Record<string, T[] | undefined>)[key] ?? []
  const { start, item, exported } = had
  const range = `after=${start - 60}&before=${start + 600}`
  const exports = (await at.get('/api/exports')).json as ExportPage
  return {
    camera: await status('/api/cameras/yard'),
    recordings: (await list(`/api/cameras/yard/recordings?${range}`, 'segments')).length,
    summary: (await list(`/api/cameras/yard/recordings/summary?${range}`, 'hours')).length,
    segment: await status(`/api/cameras/yard/segments/${start * 1000}/init.mp4`),
    clip: await status(`/api/cameras/yard/clip.mp4?start=${start}&end=${start + 10}`),
    items: (await list(`/api/review?${range}`, 'items')).length,
    counted: (await list(`/api/review/summary?${range}`, 'days')).length,
    item: await status(`/api/review/${item}`),
    export: await status(`/api/exports/${exported}`),
    file: await status(`/api/exports/${exported}/video.mp4`),
    listed: exports.items.map(({ camera, camera_removed }) => `${camera}${camera_removed ? ' gone' : ''}`),
  }
}

const everything = {
  camera: 200,
  recordings: 2,
  summary: 1,
  segment: 200,
  clip: 200,
  items: 1,
  counted: 1,
  item: 200,
  export: 200,
  file: 200,
  listed: ['yard'],
}
/** The expected counts for a camera that shares nothing but the name. */
const onlyTheCamera = {
  camera: 200,
  recordings: 0,
  summary: 0,
  segment: 404,
  clip: 404,
  items: 0,
  counted: 0,
  item: 404,
  export: 404,
  file: 404,
  listed: ['yard gone'],
}
/** The same for a custom role: no trace of what it cannot see. */
const onlyTheCameraForGuard = { ...onlyTheCamera, item: 403, export: 403, file: 403, listed: [] }

const expectNothing = async (guard: TestClient, had: Had): Promise<void> => {
  for (const path of waysTo(had)) expect((await guard.get(path)).status, path).toBe(403)
  expect((await guard.get('/api/cameras')).text).not.toContain('yard')
  expect((await guard.get('/api/profile')).json).toMatchObject({ allowed_cameras: ['door'] })
  expect((await guard.get('/api/exports')).json).toMatchObject({ items: [] })
  expect((await guard.get('/api/recordings/storage')).text).not.toContain('yard')
}

const confirm = (at: TestClient) => at.post('/api/roles/guard/confirm', { cameras: ['yard'] })

/** Segments of the yard in the last two hours. */
const recorded = async (at: InProcessService): Promise<number> => {
  const now = Date.now() / 1000
  const { json } = await at.internal.get(`/api/cameras/yard/recordings?after=${now - 7200}&before=${now + 60}`)
  return (json as { segments: unknown[] }).segments.length
}

/** What is stored under the name, the current camera first. */
async function stored(at: TestClient): Promise<CameraStorage[]> {
  const { cameras } = (await at.get('/api/recordings/storage')).json as { cameras: CameraStorage[] }
  return cameras.filter(({ camera }) => camera === 'yard')
}

const filesIn = ({ mediaDir }: InProcessService, extension: string): string[] =>
  readdirSync(join(mediaDir, 'recordings'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(extension),
  )
/** Recording files, and those that are still being written. */
const filesOf = (service: InProcessService) => filesIn(service, '.mp4')
const draftsOf = (service: InProcessService) => filesIn(service, '.part')

const removal = (id: string): string => `/api/recordings/storage/${id}`

describe('[ROLE-11] recordings of a removed camera', () => {
  test('can only be deleted by admins, and nothing else is deleted with them', async () => {
    const had = await lived()
    const { service } = had
    for (const id of ['yard', 'yard~', 'shed', 'yard%7e'])
      expect((await service.internal.delete(removal(id))).status).toBe(404)
    await save(service, remove)
    await save(service, add('demo:office'))
    const [now, former] = await stored(service.internal)
    expect([now, former]).toMatchObject([{ id: 'yard' }, { configured: false, segments: 2 }])
    const { id = '', bytes } = former ?? {}

    expect((await service.gate.delete(removal(id))).status).toBe(401)
    for (const client of [await guardOf(service), await viewerOf(service)])
      expect((await client.delete(removal(id))).status).toBe(403)
    // The current camera has this name, so none of its recordings can be meant.
    expect((await service.internal.delete(removal('yard'))).status).toBe(404)
    expect(filesOf(service)).toHaveLength(2)

    const admin = await service.user('ada', 'admin')
    const { status, json } = await admin.delete(removal(id))
    expect([status, json]).toEqual([200, { segments: 2, bytes }])
    expect((await admin.delete(removal(id))).status).toBe(404)
    expect(filesOf(service)).toEqual([])
    expect(await stored(service.internal)).toMatchObject([{ id: 'yard' }])
    const { entries } = (await admin.get('/api/audit?action=recordings.delete')).json as { entries: object[] }
    expect(entries).toMatchObject([{ user: 'ada', target: 'yard', result: 'success', detail: `${id}, 2` }])

    // Items and exports are deleted by other calls.
    await save(service, remove)
    await save(service, add('demo:yard'))
    expect(await seen(service.internal, had)).toMatchObject({ recordings: 0, items: 1, item: 200, file: 200 })
  })

  test('belong to the camera again once it is added back, and are not deleted under the former id', async () => {
    const { service } = await lived()
    await save(service, remove)
    const [former] = await stored(service.internal)
    await save(service, add('demo:yard'))
    expect((await service.internal.delete(removal(former?.id ?? ''))).status).toBe(404)
    expect(await recorded(service)).toBe(2)
    expect(filesOf(service)).toHaveLength(2)
  })

  test('are kept once the camera is added back, and the entry says how many were not deleted', async () => {
    const left = Array.from({ length: 250 }, (_, at): Segment => {
      const start = at * 10_000
      return {
        id: at,
        camera: cameraKey('yard'),
        start,
        end: start + 10_000,
        bytes: 10,
        initBytes: 1,
        motion: 0,
        streamId: 1,
        file: '',
        volume: 'own',
        object: null,
        epoch: 0,
      }
    })
    let live = false
    const entries: AuditEntry[] = []
    const routes = deleteRoutes({
      named: { within: async () => [] },
      store: {
        cameras: async () => ['door', 'yard'].map(cameraKey),
        oldest: async (_camera, limit) => left.slice(0, limit),
      },
      indexed: async () => {},
      keys: { keyOf: cameraKey, nameOf: (key) => (key === 'yard' && !live ? 'yard~' : key) },
      async remove(segments, gone) {
        for (const segment of segments) gone(segment)
        left.splice(0, segments.length)
        live = left.length < 100
      },
      audit: { ...unaudited, commit: async (entry) => void entries.push(entry) },
    })
    const authentication: Authentication = { identity: internalAdmin, reauthenticate: () => authentication }
    const app = await bareServer({ routes, authentication })
    const { statusCode } = await app.inject({ method: 'DELETE', url: removal('yard~') })
    expect([statusCode, left.length]).toEqual([404, 50])
    expect(entries).toMatchObject([{ result: 'failure', target: 'yard', detail: 'yard~, 200' }])
  })
})

describe('[CAM-4] a camera with the name of another one', () => {
  test.each<[how: string, edit: (had: Had) => Promise<InProcessService>]>([
    [
      'removed and added in the editor',
      async ({ service }) => {
        await save(service, remove)
        await save(service, add('demo:office'))
        return service
      },
    ],
    [
      'removed and added by hand, with a restart in between',
      async ({ service }) => {
        await byHand(service, remove)
        const again = await service.restart()
        await byHand(again, add('demo:office'))
        return again
      },
    ],
    [
      'removed while the service runs, added while it is stopped',
      async ({ service }) => {
        await save(service, remove)
        await service.stop()
        writeFileSync(service.configFile, changed(readFileSync(service.configFile, 'utf8'), add('demo:office')))
        return service.restart()
      },
    ],
    [
      'renamed to the name in the save that renames the other',
      async ({ service }) => {
        await save(service, ({ cameras }) => {
          cameras['shed'] = cameras['yard']!
          delete cameras['yard']
        })
        await save(service, add('demo:office'))
        return service
      },
    ],
  ])('%s, has nothing of the former camera, and no role that listed it', async (_how, edit) => {
    const had = await lived()
    expect(await seen(await guardOf(had.service), had)).toEqual(everything)
    const service = await edit(had)
    await expectNothing(await guardOf(service), had)
    expect(await seen(service.internal, had)).toEqual(onlyTheCamera)
    expect(await seen(await viewerOf(service), had)).toEqual(onlyTheCamera)
    expect(service.output()).toMatch(/camera withheld from roles/)

    // What remains is visible to roles with all cameras, and expires by age.
    const { cameras } = (await service.internal.get('/api/recordings/storage')).json as { cameras: CameraStorage[] }
    expect(cameras.filter(({ camera }) => camera === 'yard')).toMatchObject([
      { id: 'yard', configured: true, segments: 0 },
      { configured: false, segments: 2 },
    ])
    expect((await service.internal.get('/api/removed-cameras/yard')).status).toBe(404)

    // An admin confirms the name: the roles get the camera, and nothing of the former one.
    const roles = (await service.internal.get('/api/roles')).json as { name: string; withheld: string[] }[]
    expect(roles.find(({ name }) => name === 'guard')?.withheld).toEqual(['yard'])
    expect((await confirm(await guardOf(service))).status).toBe(403)
    expect((await confirm(service.internal)).status).toBe(204)
    expect((await confirm(service.internal)).status).toBe(409)
    expect(await seen(await guardOf(service), had)).toEqual(onlyTheCameraForGuard)
    const again = await service.restart()
    expect(await seen(await guardOf(again), had)).toEqual(onlyTheCameraForGuard)
    // Only an admin can delete a remaining export.
    expect((await again.internal.delete(`/api/exports/${had.exported}`)).status).toBe(204)
  })

  test.each<[how: string, edit: (service: InProcessService) => Promise<void>]>([
    ['back with the same source', (service) => save(service, add('demo:yard'))],
    ['added with `inherit: true`', (service) => save(service, add('demo:office', { inherit: true }))],
    [
      'added with `inherit` through the API',
      async (service) => {
        const body = { name: 'yard', source: 'demo:office', enabled: false, inherit: true }
        const { status, text } = await service.internal.post('/api/cameras', body, { 'if-match': '*' })
        expect(status, text).toBe(201)
      },
    ],
  ])('%s: has everything again, and so have its roles', async (_how, edit) => {
    const had = await lived()
    const { service, start } = had
    await save(service, remove)
    await expectNothing(await guardOf(service), had)
    for (const client of [await guardOf(service), await viewerOf(service)])
      expect((await client.get('/api/removed-cameras/yard')).status).toBe(403)
    expect((await service.internal.get('/api/removed-cameras/yard')).json).toMatchObject({
      name: 'yard',
      removed_at: expect.stringMatching(/Z$/),
      recordings: { bytes: expect.any(Number), oldest: start, newest: start + 20 },
      review_items: 1,
      exports: 1,
      roles: [{ name: 'guard', users: 1 }],
    })
    await edit(service)
    expect(await seen(await guardOf(service), had)).toEqual(everything)
    const one = (await (await guardOf(service)).get(`/api/exports/${had.exported}`)).json as Export
    expect(one).toMatchObject({ own: true })
  })

  test.each<[how: string, was: object, body: object, has: object, hasForGuard: object]>([
    [
      'has nothing of it',
      // The `inherit` at the time of adding applied to the former name.
      { inherit: true },
      {},
      onlyTheCamera,
      { recordings: 0, segment: 403, items: 0, item: 403, export: 403, listed: [] },
    ],
    ['and with `inherit` has everything, and so have its roles', {}, { inherit: true }, everything, everything],
  ])('a camera renamed to the name of a removed camera %s', async (_how, was, body, has, hasForGuard) => {
    const had = await lived()
    await save(had.service, (config) => {
      remove(config)
      config.cameras['door'] = { ...door, ...was }
    })
    const renamed = await had.service.internal.put('/api/cameras/door', { name: 'yard', ...body }, { 'if-match': '*' })
    expect(renamed.status, renamed.text).toBe(200)
    expect(await seen(had.service.internal, had)).toEqual(has)
    expect(await seen(await guardOf(had.service), had)).toMatchObject(hasForGuard)
    const again = await had.service.restart()
    expect(await seen(again.internal, had)).toEqual(has)
  })

  test('a camera with a changed source is still the same camera', async () => {
    const had = await lived()
    await save(had.service, add('demo:office'))
    expect(await seen(await guardOf(had.service), had)).toEqual(everything)
  })

  test('a name that a role listed before the camera existed is granted once an admin confirms it', async () => {
    const config = { cameras: { door }, auth: { roles: { guard: ['door', 'yard'] } } }
    const service = await startService({ config })
    const guard = await service.user('gil', 'guard')
    await save(service, add('demo:yard'))
    expect((await guard.get('/api/cameras/yard')).status).toBe(403)
    // Saving unchanged lists confirms nothing.
    expect((await service.internal.put('/api/roles/guard', { cameras: ['door', 'yard'] })).status).toBe(200)
    expect((await guard.get('/api/cameras/yard')).status).toBe(403)
    await save(service, add('demo:yard', { inherit: true }))
    expect((await guard.get('/api/cameras/yard')).status).toBe(200)
    // A camera added together with its role counts as confirmed.
    await save(service, ({ cameras, auth }) => {
      cameras['shed'] = yard('demo:office')
      auth.roles['guard'] = ['door', 'shed']
    })
    expect((await guard.get('/api/cameras/shed')).status).toBe(200)
  })

  test('recordings of a camera that reuses a name are stored separately, and a rebuilt index finds them that way', async () => {
    const had = await lived()
    await save(had.service, remove)
    await save(had.service, add('demo:office', { enabled: true }))
    await vi.waitFor(() => expect(draftsOf(had.service)).not.toEqual([]), { timeout: 60_000, interval: 50 })
    await save(had.service, add('demo:office'))
    const count = await vi.waitFor(async () => {
      const found = await recorded(had.service)
      expect(found).toBeGreaterThan(0)
      return found
    }, 60_000)
    const again = await had.service.restart()
    expect(await recorded(again)).toBeGreaterThanOrEqual(count)
    expect(await seen(again.internal, had)).toMatchObject({ segment: 404, items: 0 })
  })
})
