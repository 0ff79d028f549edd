import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cameraActions, type CameraAction } from '../src/access/action.ts'
import { accessRows } from './support/access-oracle.ts'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { first, last, withRecordings } from './support/grant-fixture.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { seedReview } from './support/review-seed.ts'
import { profileOf } from './support/role-state.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'

afterAll(stopAll)

describe('the actions of a role', () => {
  let service: InProcessService
  let items: { yard: string; office: string }
  beforeAll(async () => {
    const only = Object.fromEntries(
      cameraActions.map((allow) => [`only_${allow}`, { cameras: ['yard'], allow: [allow] }]),
    )
    service = await withRecordings({ auth: { roles: only, failed_login_rate_limit: null } })
    const at = last * 1000
    const [yard, office] = await seedReview(service, [
      { camera: 'yard', start: at },
      { camera: 'office', start: at },
    ])
    items = { yard: yard!.id, office: office!.id }
  })

  /** A request for each camera route that is about the camera itself. */
  const requests = (
    camera: 'yard' | 'office',
  ): Record<string, readonly [CameraAction | 'any', string, string, object?]> => {
    const at = `/api/cameras/${camera}`
    const span = `after=${first}&before=${last}`
    const clip = { camera, start: first, end: first + 20 }
    return {
      'GET /api/cameras/:camera': ['any', 'GET', at],
      'GET /api/cameras/:camera/latest.jpg': ['live', 'GET', `${at}/latest.jpg`],
      'GET /api/cameras/:camera/mjpeg': ['live', 'GET', `${at}/mjpeg`],
      'GET /api/cameras/:camera/live': ['live', 'GET', `${at}/live`],
      'GET /api/cameras/:camera/live/index.m3u8': ['live', 'GET', `${at}/live/index.m3u8`],
      'GET /api/cameras/:camera/live/:number/init.mp4': ['live', 'GET', `${at}/live/1/init.mp4`],
      'GET /api/cameras/:camera/live/:number/video.m4s': ['live', 'GET', `${at}/live/1/video.m4s`],
      'GET /api/cameras/:camera/motion': ['live', 'GET', `${at}/motion`],
      'GET /api/cameras/:camera/recordings': ['history', 'GET', `${at}/recordings?${span}`],
      'GET /api/cameras/:camera/recordings/summary': ['history', 'GET', `${at}/recordings/summary?${span}`],
      'GET /api/cameras/:camera/timeline': ['history', 'GET', `${at}/timeline?${span}`],
      'GET /api/cameras/:camera/playback/:start/:end/index.m3u8': [
        'history',
        'GET',
        `${at}/playback/${first}/${last}/index.m3u8`,
      ],
      'GET /api/cameras/:camera/segments/:id/init.mp4': ['history', 'GET', `${at}/segments/${last * 1000}/init.mp4`],
      'GET /api/cameras/:camera/segments/:id/video.m4s': [
        'history',
        'GET',
        `${at}/segments/${last * 1000}/video.m4s?at=0`,
      ],
      'GET /api/cameras/:camera/clip.mp4': ['download', 'GET', `${at}/clip.mp4?start=${first}&end=${first + 20}`],
      'GET /api/review/:id': ['review', 'GET', `/api/review/${items[camera]}`],
      'GET /api/review/:id/thumbnail.jpg': ['review', 'GET', `/api/review/${items[camera]}/thumbnail.jpg`],
      'PUT /api/review/:id/seen': ['review', 'PUT', `/api/review/${items[camera]}/seen`, { seen: true }],
      'POST /api/exports': ['export', 'POST', '/api/exports', clip],
      // The exports are there only once they are made; any other id is 403 for a custom role in any case.
      'DELETE /api/cameras/:camera/recordings': [
        'delete',
        'DELETE',
        `${at}/recordings?after=${first}&before=${first + 10}`,
      ],
      'DELETE /api/review/:id': ['delete', 'DELETE', `/api/review/${items[camera]}`],
    }
  }
  const ofExports = [
    'GET /api/exports/:id',
    'GET /api/exports/:id/video.mp4',
    'PATCH /api/exports/:id',
    'POST /api/exports/:id/cancel',
  ]

  test('[GRANT-2] every route of one camera is in the table of this test', () => {
    const named = accessRows
      .filter(({ access }) => / on the camera (?!of the resource in the body)/.test(access))
      .map(({ method, path }) => `${method} ${path}`)
    expect([...Object.keys(requests('yard')), ...ofExports].sort()).toEqual(named.sort())
  })

  test.each(cameraActions)(
    '[GRANT-1] [GRANT-2] a role that allows only %s reaches only its routes, and only its camera',
    async (action) => {
      const client = await service.user(`${action}_user`, `only_${action}`)
      const reached = async (camera: 'yard' | 'office'): Promise<string[]> => {
        const found: string[] = []
        for (const [route, [, method, path, body]] of Object.entries(requests(camera))) {
          // The last one deletes what the others need.
          const { status } = await client.request(method, path, {
            ...(body && { body }),
            headOnly: path.endsWith('mjpeg'),
          })
          if (status !== 403) found.push(route)
        }
        return found
      }
      const own = Object.entries(requests('yard')).filter(([, [needed]]) => needed === action || needed === 'any')
      expect(await reached('yard')).toEqual(own.map(([route]) => route))
      expect(await reached('office')).toEqual([])
    },
  )

  test('[GRANT-2] an export is seen with export, and downloaded with download', async () => {
    const { json } = await service.internal.post('/api/exports', { camera: 'yard', start: first, end: first + 20 })
    const { id } = json as { id: string }
    const ways = { see: `/api/exports/${id}`, download: `/api/exports/${id}/video.mp4` }
    const results = async (action: CameraAction) => {
      const client = await service.user(`${action}_user`, `only_${action}`)
      return [(await statusOf(client, ways.see)) === 403, (await statusOf(client, ways.download)) === 403]
    }
    expect(await results('export')).toEqual([false, true])
    expect(await results('download')).toEqual([true, false])
    expect(await results('history')).toEqual([true, true])
  })

  test.each<[CameraAction, string[]]>([
    ['live', []],
    ['review', ['review']],
    ['export', ['export']],
  ])('[GRANT-2] events of a role that allows only %s', async (action, expected) => {
    const client = await service.user(`${action}_user`, `only_${action}`)
    const socket = client.socket('/api/events')
    const types = new Set<string>()
    socket.on('message', (data: Buffer) => types.add((JSON.parse(data.toString()) as { type: string }).type))
    await once(socket, 'open')
    onTestFinished(() => socket.terminate())
    const admin = service.internal
    const [item] = await seedReview(service, [{ camera: 'yard' }])
    await admin.delete(`/api/review/${item!.id}`)
    const made = await admin.post('/api/exports', { camera: 'yard', start: first, end: first + 20 })
    await admin.delete(`/api/exports/${(made.json as { id: string }).id}`)
    // Events are sent in order, so what this last change causes comes last.
    await admin.put(`/api/roles/only_${action}`, { cameras: ['yard', 'door'] })
    await expect.poll(() => types.has('access')).toBe(true)
    expect([...types].sort()).toEqual(['access', ...expected].sort())
    await admin.put(`/api/roles/only_${action}`, { cameras: ['yard'] })
  })

  test.each<[CameraAction, Record<string, number>]>([
    [
      'live',
      {
        '/api/cameras': 200,
        '/api/stats': 200,
        '/api/review': 403,
        '/api/exports': 403,
        '/api/recordings/storage': 403,
      },
    ],
    ['review', { '/api/cameras': 200, '/api/review': 200, '/api/review/summary': 200, '/api/exports': 403 }],
    ['export', { '/api/cameras': 200, '/api/review': 403, '/api/exports': 200, '/api/exports/usage': 200 }],
    ['history', { '/api/cameras': 200, '/api/recordings/storage': 200, '/api/review/summary': 403 }],
  ])('[GRANT-2] lists for a role that allows only %s', async (action, expected) => {
    const client = await service.user(`${action}_user`, `only_${action}`)
    const found = Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (path) => [path, await statusOf(client, path)] as const)),
    )
    expect(found).toEqual(expected)
    expect(await profileOf(client)).toMatchObject({ actions: [action], allowed_cameras: ['yard'] })
  })
})

describe('groups and all cameras', () => {
  test('[GRANT-1] a role sees the cameras of its groups, and what is added to them', async () => {
    const service = await startService({
      config: {
        camera_groups: { entrances: ['yard', 'door'], empty: [] },
        auth: {
          roles: {
            guard: { cameras: ['group:entrances'] },
            both: { cameras: ['group:entrances', 'office'] },
            none: { cameras: ['group:empty'] },
            everything: { cameras: ['all'] },
            listed: ['all', 'group:entrances', 'office'],
          },
        },
      },
    })
    const seen = async (role: string) =>
      ((await profileOf(await service.user(`u_${role}`, role))) as { allowed_cameras: string[] }).allowed_cameras
    expect(await seen('guard')).toEqual(['yard', 'door'])
    expect(await seen('both')).toEqual(['yard', 'door', 'office'])
    expect(await seen('none')).toEqual([])
    expect(await seen('everything')).toEqual(['yard', 'door', 'office'])
    // In a plain list, as before there were groups, these are names of cameras that do not exist.
    expect(await seen('listed')).toEqual(['office'])
    await changeConfig(service, { camera_groups: { entrances: ['door', 'office'], empty: [] } })
    expect(await seen('guard')).toEqual(['door', 'office'])
    await changeConfig(service, { cameras: { barn: { source: 'demo:yard', enabled: false }, ...quietCameras } })
    expect(await seen('everything')).toContain('barn')
    expect(await seen('guard')).toEqual(['door', 'office'])
  })

  test('[GRANT-1] [CAM-4] a camera that a group named before it was there is withheld until an admin confirms', async () => {
    const service = await startService({
      config: {
        camera_groups: { entrances: ['yard', 'gate'] },
        auth: { roles: { guard: { cameras: ['group:entrances'] } } },
      },
    })
    const gill = await service.user('gill', 'guard')
    const admin = await service.admin()
    await changeConfig(service, { cameras: { ...quietCameras, gate: { source: 'demo:door', enabled: false } } })
    expect(await statusOf(gill, '/api/cameras/gate')).toBe(403)
    expect((await admin.get('/api/roles')).json).toContainEqual(
      expect.objectContaining({
        name: 'guard',
        cameras: ['group:entrances'],
        allowed_cameras: ['yard'],
        withheld: ['gate'],
      }),
    )
  })
})

const started = (roles: object) => startService({ config: { camera_groups: { all_doors: ['door'] }, auth: { roles } } })
const roleOf = async (service: InProcessService, name: string) =>
  ((await service.internal.get('/api/roles')).json as { name: string }[]).find((role) => role.name === name)

describe('changing a role', () => {
  test('[GRANT-1] a key that the request does not name stays as it is, and comments stay', async () => {
    const service = await started({ guard: ['yard'] })
    const whole = {
      cameras: ['group:all_doors', 'yard'],
      allow: ['live', 'history'],
      history_days: 3,
      hours: [{ days: ['mon'], from: '07:00', to: '19:00' }],
      valid_from: '2026-01-01T00:00:00Z',
      valid_until: '2030-01-01T00:00:00Z',
    }
    expect((await service.internal.put('/api/roles/guard', whole)).status).toBe(200)
    expect(await roleOf(service, 'guard')).toMatchObject(whole)
    writeFileSync(
      service.configFile,
      readFileSync(service.configFile, 'utf8').replace('history_days: 3', 'history_days: 3 # law'),
    )
    await service.clock.advance(2000)
    expect((await service.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBe(200)
    expect(await roleOf(service, 'guard')).toMatchObject({ ...whole, cameras: ['yard'], allowed_cameras: ['yard'] })
    expect(readFileSync(service.configFile, 'utf8')).toContain('history_days: 3 # law')
    const unlimited = { allow: ['live'], history_days: null, hours: [], valid_from: null, valid_until: null }
    expect((await service.internal.put('/api/roles/guard', unlimited)).status).toBe(200)
    expect(await roleOf(service, 'guard')).toMatchObject({ ...unlimited, cameras: ['yard'] })
  })

  test('[GRANT-1] `all` and groups in a plain list mean nothing in the map that a limit makes of it', async () => {
    const service = await started({ guard: ['all', 'yard', 'group:all_doors'], none: ['all'] })
    expect(await roleOf(service, 'guard')).toMatchObject({ cameras: ['yard'], allowed_cameras: ['yard'] })
    expect((await service.internal.put('/api/roles/guard', { history_days: 3 })).status).toBe(200)
    expect(await roleOf(service, 'guard')).toMatchObject({
      cameras: ['yard'],
      history_days: 3,
      allowed_cameras: ['yard'],
    })
    const { status, json } = await service.internal.put('/api/roles/none', { history_days: 3 })
    expect([status, json]).toMatchObject([400, { problems: [{ field: 'auth.roles.none.cameras' }] }])
    expect(await roleOf(service, 'none')).toMatchObject({ cameras: [], allowed_cameras: [] })
  })

  test('a role of only camera names is written as a list', async () => {
    const service = await started({})
    expect((await service.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBe(201)
    expect(readFileSync(service.configFile, 'utf8')).toMatch(/guard: ?\[ ?yard ?\]/)
  })

  test('a new role needs cameras; another expected state is 412', async () => {
    const service = await started({ guard: { cameras: ['yard'], history_days: 3 } })
    expect((await service.internal.put('/api/roles/other', { allow: ['live'] })).status).toBe(400)
    const change = (expected: object) => service.internal.put('/api/roles/guard', { cameras: ['door'], expected })
    expect((await change({ history_days: 4 })).status).toBe(412)
    expect((await change({ cameras: ['yard'], allow: ['live'] })).status).toBe(412)
    expect((await change({ cameras: ['yard'], history_days: 3 })).status).toBe(200)
  })

  test.each([
    [{ cameras: ['group:al_doors'] }, 'auth.roles.guard.cameras[0]', 'all_doors'],
    [{ cameras: ['all', 'yard'] }, 'auth.roles.guard.cameras', 'only entry'],
    [{ hours: [{ from: '7:00' }] }, 'auth.roles.guard.hours[0].from', '07:00'],
    [{ hours: [{ from: '07:00', to: '07:00' }] }, 'auth.roles.guard.hours[0].to', '24:00'],
    [{ valid_until: 'tomorrow' }, 'auth.roles.guard.valid_until', 'RFC 3339'],
    [
      { valid_from: '2026-02-01T00:00:00Z', valid_until: '2026-01-01T00:00:00Z' },
      'auth.roles.guard.valid_until',
      'valid_from',
    ],
  ])('[GRANT-5] %j is refused, names the field, and changes nothing', async (change, field, words) => {
    const service = await started({ guard: { cameras: ['yard'] } })
    const before = readFileSync(service.configFile, 'utf8')
    const { status, json } = await service.internal.put('/api/roles/guard', change)
    expect([status, json]).toEqual([
      400,
      expect.objectContaining({
        problems: [expect.objectContaining({ field, message: expect.stringContaining(words) as string })],
      }),
    ])
    expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  })
  test.each([
    { allow: ['lvie'] },
    { allow: [] },
    { history_days: 0 },
    { history_days: -1 },
    { hours: [{ days: ['mond'] }] },
    { cameras: [] },
  ])('[GRANT-5] %j is 400', async (change) => {
    const service = await started({ guard: { cameras: ['yard'] } })
    expect((await service.internal.put('/api/roles/guard', change)).status).toBe(400)
  })
  test('[GRANT-5] `viewer` and `admin` cannot be redefined', async () => {
    const service = await started({})
    for (const name of ['viewer', 'admin']) {
      expect((await service.internal.put(`/api/roles/${name}`, { cameras: ['yard'], allow: ['live'] })).status).toBe(
        409,
      )
    }
  })
})
