import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { stopAll } from './support/cleanups.ts'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import {
  camerasOf,
  expectNoGrant,
  lock,
  noted,
  profileOf,
  refuse,
  roleOf,
  rolesOf,
  withoutGuard,
  type RoleResponse,
} from './support/role-state.ts'
import type { Service } from './support/service.ts'
import { password, signIn } from './support/sign-in.ts'
import { failedRestart, failedStart, startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceSlowly, advanceUntil } from './support/test-clock.ts'
import { wait } from './support/wait.ts'

const yaml = { 'content-type': 'text/yaml' }
const all = ['yard', 'door', 'office']

const settled = { timeout: 120_000, interval: 20 }

const opened = (client: TestClient, camera: string): Promise<number> => {
  const socket = client.socket(`/api/cameras/${camera}/live`)
  return new Promise((reported) => {
    socket.once('open', () => {
      reported(101)
      socket.terminate()
    })
    socket.on('error', ({ message }) => reported(Number(/\d{3}/.exec(message)?.[0])))
  })
}

describe('the permissions of a role', () => {
  let service: InProcessService
  let guard: TestClient
  let viewer: TestClient
  let admin: TestClient
  beforeAll(async () => {
    service = await startService({
      config: { auth: { roles: { guard: ['yard', 'door'], 'Night.Shift_2': ['office', 'ghost'] } } },
    })
    guard = await service.user('gill', 'guard')
    viewer = await service.user('vera')
    admin = await service.admin()
  })
  afterAll(stopAll)

  /** Every route that changes settings, users or roles, or shows what only those who can change them see. */
  const managing: readonly [string, string, unknown?][] = [
    ['GET', '/api/users'],
    ['POST', '/api/users', { username: 'new', password, role: 'viewer' }],
    ['PUT', '/api/users/vera/role', { role: 'admin' }],
    ['PUT', '/api/users/admin/password', { password: 'correct horse battery' }],
    ['DELETE', '/api/users/otto'],
    ['GET', '/api/roles'],
    ['PUT', '/api/roles/guard', { cameras: all }],
    ['DELETE', '/api/roles/guard'],
    ['GET', '/api/sessions?user=admin'],
    ['DELETE', '/api/sessions/anything'],
    ['GET', '/api/config/raw'],
    ['PUT', '/api/config/raw', 'auth: {}'],
    ['GET', '/api/config/schema.json'],
    ['POST', '/api/cameras/test', { source: 'demo:yard' }],
    ['POST', '/api/access/try', { user: 'vera' }],
    ['GET', '/api/logs'],
    ['GET', '/api/audit'],
  ]

  test('[ROLE-1] admin: everything, including users and configuration', async () => {
    expect(await profileOf(admin)).toMatchObject({ username: 'admin', role: 'admin', allowed_cameras: all })
    for (const [method, path] of managing) {
      if (method === 'GET') expect((await admin.get(path)).status, path).toBe(200)
    }
    expect((await admin.post('/api/users', { username: 'otto', password, role: 'viewer' })).status).toBe(201)
    expect((await admin.put('/api/users/otto/role', { role: 'guard' })).status).toBe(200)
    expect((await admin.put('/api/roles/short.lived', { cameras: ['yard'] })).status).toBe(201)
    expect((await admin.delete('/api/roles/short.lived')).status).toBe(200)
    const { text, headers } = await admin.get('/api/config/raw')
    const saved = await admin.put('/api/config/raw', `${text}# seen\n`, { ...yaml, 'if-match': headers.etag ?? '' })
    expect(saved.status).toBe(200)
    expect(await camerasOf(admin)).toEqual(all)
  })

  test('[ROLE-2] viewer: reads all cameras, changes and manages nothing', async () => {
    expect(await profileOf(viewer)).toMatchObject({ role: 'viewer', allowed_cameras: all })
    expect(await camerasOf(viewer)).toEqual(all)
    for (const camera of all) expect((await viewer.get(`/api/cameras/${camera}`)).status).toBe(200)
    expect((await profileOf(viewer)).actions.filter((action) => /manage|config|audit|log/.test(action))).toEqual([])
  })

  test.each(managing)(
    '[ROLE-2] [ROLE-3] %s %s is 403 for viewer and custom roles, and changes nothing',
    async (...requested) => {
      const [method, path, body] = requested
      const before = await Promise.all(
        ['/api/users', '/api/roles', '/api/config/raw'].map((each) => service.internal.get(each)),
      )
      for (const client of [viewer, guard]) expect((await client.request(method, path, { body })).status).toBe(403)
      const after = await Promise.all(
        ['/api/users', '/api/roles', '/api/config/raw'].map((each) => service.internal.get(each)),
      )
      expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    },
  )

  test('[ROLE-3] [ROLE-5] a custom role reads its own cameras, and finds no trace of others', async () => {
    expect(await profileOf(guard)).toMatchObject({ role: 'guard', allowed_cameras: ['yard', 'door'] })
    expect(await camerasOf(guard)).toEqual(['yard', 'door'])
    for (const path of ['/api/cameras', '/api/config', '/api/profile', '/api/stats', '/api/openapi.json']) {
      expect((await guard.get(path)).text, path).not.toContain('office')
    }
    expect((await guard.get('/api/cameras/yard')).json).toEqual((await admin.get('/api/cameras/yard')).json)
  })

  test('[ROLE-4] a camera outside the role is 403, whatever the route', async () => {
    for (const [camera, hers, others] of [
      ['yard', [200, 426], [200, 426]],
      ['office', [403, 403], [200, 426]],
      // An unknown camera looks the same as a camera of another role.
      ['nothing', [403, 403], [404, 404]],
      ['__proto__', [403, 403], [404, 404]],
      ['Yard', [403, 403], [404, 404]],
      ['yard,office', [403, 403], [404, 404]],
    ] as const) {
      for (const [client, expected] of [
        [guard, hers],
        [viewer, others],
        [admin, others],
      ] as const) {
        const ways = await Promise.all(['', '/live'].map((way) => client.get(`/api/cameras/${camera}${way}`)))
        expect(
          ways.map(({ status }) => status),
          camera,
        ).toEqual(expected)
        const snapshot = await client.get(`/api/cameras/${camera}/latest.jpg`, { range: 'bytes=0-10' })
        // A disabled camera has no data.
        expect(snapshot.status).toBe(expected[0] === 200 ? 503 : expected[0])
        expect((await client.request('HEAD', `/api/cameras/${camera}`)).status).toBe(expected[0])
      }
    }
    const [office, nothing] = await Promise.all(
      ['office', 'nothing'].map((camera) => guard.get(`/api/cameras/${camera}`)),
    )
    expect(office?.text).toBe(nothing?.text)
  })

  test('[ROLE-4] a WebSocket too', async () => {
    expect(await Promise.all(['yard', 'office', 'nothing'].map((camera) => opened(guard, camera)))).toEqual([
      101, 403, 403,
    ])
    expect(await Promise.all(['yard', 'office', 'nothing'].map((camera) => opened(viewer, camera)))).toEqual([
      101, 101, 404,
    ])
    expect(await opened(service.gate, 'yard')).toBe(401)
  })

  test('[ROLE-8] a role comes from the database, not from the token or the client', async () => {
    const user = await service.user('rita')
    for (const role of ['guard', 'admin', 'viewer']) {
      await service.internal.put('/api/users/rita/role', { role })
      expect(await profileOf(user.with({ 'remote-role': 'admin', 'x-forwarded-groups': 'admin' }))).toMatchObject({
        role,
      })
    }
    const headers = { origin: 'https://evil.example' }
    expect((await service.internal.put('/api/users/rita/role', { role: 'admin' }, headers)).status).toBe(403)
  })

  test('[ROLE-9, CAM-4] a listed camera that does not exist grants nothing, logs a warning, and is granted once it exists and is confirmed', async () => {
    expect(service.output()).toContain('Camera \\"ghost\\" doesn\'t exist, so this has no effect.')
    const nora = await service.user('nora', 'Night.Shift_2')
    const listed = async () => {
      const { status, json } = await service.internal.get('/api/users?role=Night.Shift_2&camera=ghost')
      return status === 200 ? (json as { username: string }[]).map(({ username }) => username) : status
    }
    expect(await camerasOf(nora)).toEqual(['office'])
    expect((await nora.get('/api/cameras/ghost')).status).toBe(403)
    expect(await listed()).toBe(404)
    const { text } = await service.internal.get('/api/config/raw')
    const added = text.replace(/^cameras:\n/m, 'cameras:\n  ghost: { source: demo:yard, enabled: false }\n')
    expect((await service.internal.put('/api/config/raw', added, { ...yaml, 'if-match': '*' })).status).toBe(200)
    expect((await nora.get('/api/cameras/ghost')).status).toBe(403)
    expect(await listed()).toEqual([])
    const confirmed = await service.internal.post('/api/roles/Night.Shift_2/confirm', { cameras: ['ghost'] })
    expect(confirmed.status).toBe(204)
    expect((await nora.get('/api/cameras/ghost')).status).toBe(200)
    expect(await listed()).toContain('nora')
    expect((await guard.get('/api/cameras/ghost')).status).toBe(403)
    expect((await service.internal.put('/api/config/raw', text, { ...yaml, 'if-match': '*' })).status).toBe(200)
    expect((await nora.get('/api/cameras/ghost')).status).toBe(403)
  })

  test.each([
    ['admin', 'built-in'],
    ['Viewer', 'built-in'],
    ['ADMIN', 'built-in'],
    ['__proto__', 'reserved'],
    ['constructor', 'reserved'],
    ['Prototype', 'reserved'],
    ['._.', 'letter or digit'],
    ['a-b', 'dots and underscores'],
    ['"a b"', 'dots and underscores'],
    ['"ä"', 'dots and underscores'],
    ['x'.repeat(65), 'dots and underscores'],
  ])('[ROLE-3] [ROLE-9] a custom role cannot be called %s', async (name, reason) => {
    const config = `auth:\n  roles:\n    ${name}: [yard]\n`
    const response = await service.internal.put('/api/config/raw', config, { ...yaml, 'if-match': '*' })
    expect(response.status).toBe(400)
    expect(response.text).toContain(reason)
    expect(response.text).toContain('"line":3')
  })

  test('[ROLE-9] a custom role differs from another not only in case, and has cameras; with another file the service does not start', async () => {
    for (const roles of ['{ guard: [yard], GUARD: [door] }', '{ guard: [] }', '{ guard: }', '{ guard: yard }']) {
      const config = `auth:\n  roles: ${roles}\n`
      expect((await service.internal.put('/api/config/raw', config, { ...yaml, 'if-match': '*' })).status, roles).toBe(
        400,
      )
    }
    const config = 'auth:\n  roles:\n    guard: [yard]\n    GUARD: [door]\n    admin: [yard]\n    none: []\n'
    const { status, output } = await failedStart({ config })
    expect(status).toBe(78)
    for (const line of [4, 5, 6]) expect(output).toContain(`config.yml:${line}:`)
  })

  test('[ROLE-9] if two admins create a role with the same name, the second is rejected, and the first keeps its cameras', async () => {
    const create = (cameras: readonly string[]) =>
      service.internal.put('/api/roles/porter', { cameras }, { 'if-none-match': '*' })
    const both = await Promise.all([create(['yard']), create(['door'])])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412])
    const [created, refused] = both.toSorted((a, b) => a.status - b.status)
    expect(refused?.json).toMatchObject({ code: 'precondition-failed', reason: { code: 'role-name-taken' } })
    const kept = (await rolesOf(service)).find(({ name }) => name === 'porter')
    expect(kept).toEqual(created?.json)
    const other = await service.internal.put('/api/roles/porter', { cameras: ['yard'] }, { 'if-none-match': '"1"' })
    expect([other.status, other.json]).toMatchObject([400, { problems: [{ field: 'If-None-Match' }] }])
    expect(
      (await service.internal.put('/api/roles/admin', { cameras: ['yard'] }, { 'if-none-match': '*' })).status,
    ).toBe(409)
    await service.internal.delete('/api/roles/porter')
  })

  test('[ROLE-2] only an admin deletes, even what a role can see', async () => {
    for (const client of [viewer, guard]) {
      for (const path of ['/api/roles/guard', '/api/users/gill', '/api/users/vera']) {
        expect((await client.delete(path)).status).toBe(403)
      }
    }
  })
})

/** A service whose configuration is this text. */
async function startAs(lines: readonly string[]): Promise<InProcessService> {
  const ports = 'networking: { gate: { host: 127.0.0.1, port: 0 }, internal: { host: 127.0.0.1, port: 0 } }'
  const service = await startService({ config: [ports, ...lines, ''].join('\n') })
  await service.stop()
  const text = readFileSync(service.configFile, 'utf8')
    .replace('port: 0', `port: ${service.gatePort}`)
    .replace('port: 0', `port: ${service.internalPort}`)
  writeFileSync(service.configFile, text)
  return service.restart()
}

describe('/api/roles', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startAs([
      '# Who sees what',
      'auth:',
      '  roles:',
      '    # the neighbors',
      '    neighbor: [yard] # only the yard',
      '    cleaner:',
      '      - door # comes in there',
      'cameras:',
      ...all.map((name) => `  ${name}: { source: demo:${name}, enabled: false }`),
      '# the end',
    ])
  })
  afterAll(stopAll)
  const file = () => readFileSync(service.configFile, 'utf8')

  test('[ROLE-5] [ROLE-9] lists built-in and custom roles, their cameras and their number of users', async () => {
    expect(await rolesOf(service)).toEqual(
      [
        { name: 'admin', cameras: all, users: 1, builtin: true },
        { name: 'viewer', cameras: all, users: 0, builtin: true },
        { name: 'neighbor', cameras: ['yard'], users: 0, builtin: false },
        { name: 'cleaner', cameras: ['door'], users: 0, builtin: false },
      ].map((role) => expect.objectContaining({ ...role, allowed_cameras: role.cameras }) as object),
    )
  })

  test('[ROLE-3] PUT creates and changes a role, in the file too, whose comments stay', async () => {
    const made = await service.internal.put('/api/roles/night.shift', { cameras: ['yard', 'office'] })
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ name: 'night.shift', cameras: ['yard', 'office'], users: 0, builtin: false }),
    ])
    const changed = await service.internal.put('/api/roles/neighbor', { cameras: ['yard', 'door'] })
    expect([changed.status, (changed.json as RoleResponse).cameras]).toEqual([200, ['yard', 'door']])
    for (const comment of ['# Who sees what', '# the neighbors', '# only the yard', '# comes in there', '# the end']) {
      expect(file()).toContain(comment)
    }
    expect(file()).toMatch(/neighbor: \[yard, door\]/)
    expect(readFileSync(`${service.configFile}.previous`, 'utf8')).toContain('neighbor: [yard] # only')
    service = await service.restart()
    expect((await rolesOf(service)).map(({ name }) => name)).toEqual([
      'admin',
      'viewer',
      'neighbor',
      'cleaner',
      'night.shift',
    ])
  })

  test('[ROLE-3] PUT rejects a change of a role whose cameras differ from the expected ones, or that was deleted', async () => {
    const before = file()
    const [changed, gone] = await Promise.all([
      service.internal.put('/api/roles/neighbor', { cameras: ['office'], expected: { cameras: ['yard'] } }),
      service.internal.put('/api/roles/unused', { cameras: ['office'], expected: { cameras: ['yard'] } }),
    ])
    expect([changed.status, gone.status]).toEqual([412, 412])
    expect(changed.json).toMatchObject({ code: 'precondition-failed' })
    expect(file()).toBe(before)
    const known = { cameras: ['yard', 'door'], expected: { cameras: ['door', 'yard'] } }
    expect((await service.internal.put('/api/roles/neighbor', known)).status).toBe(200)
  })

  test('[ROLE-3] [CONF-4] PUT changes no role that is an alias of another, nor the other one if it is changed', async () => {
    const aliased = await startAs([
      'auth:',
      '  roles:',
      '    family: &f',
      '      cameras: [yard]',
      '      allow: [live]',
      '    neighbor: *f',
      'cameras:',
      ...all.map((name) => `  ${name}: { source: demo:${name}, enabled: false }`),
    ])
    const text = () => readFileSync(aliased.configFile, 'utf8')
    const camerasNow = async () => (await rolesOf(aliased)).slice(2).map(({ name, cameras }) => [name, cameras])
    const before = text()
    const refused = await aliased.internal.put('/api/roles/family', { cameras: ['yard', 'office'] })
    expect([refused.status, refused.json]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', reason: { code: 'config-not-editable' } }),
    ])
    expect(text()).toBe(before)
    expect(await camerasNow()).toEqual([
      ['family', ['yard']],
      ['neighbor', ['yard']],
    ])
    expect((await aliased.internal.put('/api/roles/neighbor', { cameras: ['door'] })).status).toBe(200)
    expect(await camerasNow()).toEqual([
      ['family', ['yard']],
      ['neighbor', ['door']],
    ])
    expect((await aliased.internal.put('/api/roles/family', { cameras: ['yard', 'office'] })).status).toBe(200)
  })

  test('[ROLE-9] PUT rejects built-in roles, invalid names, empty lists and duplicates', async () => {
    const before = file()
    for (const [name, body, status] of [
      ['admin', { cameras: ['yard'] }, 409],
      ['viewer', { cameras: ['yard'] }, 409],
      ['Admin', { cameras: ['yard'] }, 400],
      ['NEIGHBOR', { cameras: ['yard'] }, 400],
      ['constructor', { cameras: ['yard'] }, 400],
      ['__proto__', { cameras: ['yard'] }, 400],
      ['a-b', { cameras: ['yard'] }, 400],
      ['%20', { cameras: ['yard'] }, 400],
      ['x'.repeat(65), { cameras: ['yard'] }, 400],
      ['neighbor', { cameras: [] }, 400],
      ['neighbor', { cameras: ['no such camera!'] }, 400],
      ['neighbor', { cameras: 'yard' }, 400],
      ['neighbor', { cameras: ['yard'], more: 1 }, 400],
      ['neighbor', { cameras: ['group:none'] }, 400],
      ['neighbor', {}, 400],
      ['new', { allow: ['live'] }, 400],
    ] as const) {
      const response = await service.internal.put(`/api/roles/${name}`, body)
      expect([name, response.status]).toEqual([name, status])
    }
    expect(file()).toBe(before)
  })

  test('[ROLE-7] DELETE returns the users it made viewers, and rejects built-in and unknown roles', async () => {
    for (const name of ['ann', 'bob']) await service.user(name, 'cleaner')
    for (const [name, status] of [
      ['admin', 409],
      ['viewer', 409],
      ['nothing', 404],
      ['Cleaner', 404],
      ['__proto__', 404],
    ] as const) {
      expect((await service.internal.delete(`/api/roles/${name}`)).status, name).toBe(status)
    }
    const response = await service.internal.delete('/api/roles/cleaner')
    expect([response.status, (response.json as { reassigned: string[] }).reassigned.toSorted()]).toEqual([
      200,
      ['ann', 'bob'],
    ])
    expect([await roleOf(service, 'ann'), await roleOf(service, 'bob')]).toEqual(['viewer', 'viewer'])
    expect(file()).not.toContain('cleaner')
    expect(file()).toContain('# the neighbors')
    expect((await service.internal.delete('/api/roles/cleaner')).status).toBe(404)
    await service.printed(/users of deleted roles moved to viewer/)
    await expect
      .poll(async () => (await service.internal.get('/api/audit?action=user.reassign')).text, settled)
      .toMatch(/"bob".*"cleaner → viewer"/)
  })

  test('[ROLE-7] many concurrent changes all apply, and the file is complete at every moment', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `team${index}`)
    const watching = new AbortController()
    const watch = (async () => {
      for (; !watching.signal.aborted; await wait(1, 'between two looks at the file'))
        expect(file()).toMatch(/# the end\n$/)
    })()
    const put = await Promise.all(
      names.map((name) => service.internal.put(`/api/roles/${name}`, { cameras: ['yard'] })),
    )
    expect(new Set(put.map(({ status }) => status))).toEqual(new Set([201]))
    const gone = await Promise.all(names.slice(0, 6).map((name) => service.internal.delete(`/api/roles/${name}`)))
    expect(new Set(gone.map(({ status }) => status))).toEqual(new Set([200]))
    watching.abort()
    await watch
    const left = (await rolesOf(service)).map(({ name }) => name).filter((name) => name.startsWith('team'))
    expect(left.toSorted()).toEqual(names.slice(6).toSorted())
    expect(readdirSync(service.configDir).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(statSync(service.configFile).isFile()).toBe(true)
  })
})

const start = () => startService({ config: { auth: { roles: { guard: ['yard'], other: ['door'] } } } })

describe('[ROLE-7] deleting a role', () => {
  test('while the database is locked: 503, and nothing has happened', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    const release = await lock(service)
    expect((await service.internal.delete('/api/roles/guard')).status).toBe(503)
    expect(withoutGuard(service)()).toBe(false)
    expect(await camerasOf(gill)).toEqual(['yard'])
    release()
    await service.clock.advance(60_000)
    expect([await roleOf(service, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['yard']])
  })

  test('while the database rejects the change of users: never more cameras, and the deletion completes afterwards', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    const stream = gill.socket('/api/cameras/yard/live')
    await once(stream, 'open')
    const closed = once(stream, 'close')
    const allow = await refuse(service, 'update of role on user')
    const elapsed = stopwatch()
    expect((await service.internal.delete('/api/roles/guard')).status).toBeGreaterThanOrEqual(500)
    const [code] = (await closed) as [number]
    expect([code, elapsed() < 1500]).toEqual([4403, true])
    await expectNoGrant(gill)
    await allow()
    await expect.poll(() => roleOf(service, 'gill')).toBe('viewer')
    expect(await camerasOf(gill)).toEqual(all)
  })

  test('created again before the users were moved: they have the new role, with its new cameras', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    const allow = await refuse(service, 'update of role on user')
    expect((await service.internal.delete('/api/roles/guard')).status).toBeGreaterThanOrEqual(500)
    expect((await service.internal.put('/api/roles/guard', { cameras: ['office'] })).status).toBe(201)
    await allow()
    expect(noted(service)).toEqual([])
    await service.clock.advance(60_000)
    expect([await roleOf(service, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['office']])
    const again = await service.restart()
    expect([await roleOf(again, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['office']])
  })

  test('a role created again with that name in between grants its new cameras, or its users are viewers', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    await Promise.all([
      service.internal.delete('/api/roles/guard'),
      service.internal.put('/api/roles/guard', { cameras: ['office'] }),
    ])
    const { role, allowed_cameras } = await profileOf(gill)
    const there = (await rolesOf(service)).some(({ name }) => name === 'guard')
    expect({ role, allowed_cameras }).toEqual(
      role === 'guard' && there ? { role, allowed_cameras: ['office'] } : { role: 'viewer', allowed_cameras: all },
    )
  })

  test('if the file cannot be replaced, nothing has happened', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    // A directory with its name blocks the backup of the previous version.
    rmSync(`${service.configFile}.previous`, { force: true })
    mkdirSync(join(`${service.configFile}.previous`, 'x'), { recursive: true })
    const response = await service.internal.delete('/api/roles/guard')
    expect(response.status).toBe(503)
    expect(await roleOf(service, 'gill')).toBe('guard')
    expect(await camerasOf(gill)).toEqual(['yard'])
    expect((await service.internal.put('/api/roles/guard', { cameras: all })).status).toBe(503)
    expect(await camerasOf(gill)).toEqual(['yard'])
  })
})

/** A copy of a service's folders: what a kill at this moment would leave. */
function copied({ dir, configDir, mediaDir, gatePort, internalPort }: InProcessService) {
  const left = { configDir: join(dir, 'left/config'), mediaDir: join(dir, 'left/media'), gatePort, internalPort }
  for (let attempts = 5; ; attempts -= 1) {
    try {
      cpSync(configDir, left.configDir, { recursive: true, preserveTimestamps: true })
      cpSync(mediaDir, left.mediaDir, { recursive: true, preserveTimestamps: true })
      return left
    } catch (error) {
      // A file can be renamed while its folder is read.
      if (attempts === 1) throw error
      rmSync(join(dir, 'left'), { recursive: true, force: true })
    }
  }
}

const grantOf = async (service: Service, user: TestClient) => [
  await roleOf(service, 'gill'),
  await camerasOf(service.gate.with(user.headers)),
]

describe('[ROLE-7] a service that is killed while it deletes a role', () => {
  test('before it is noted: nothing has happened', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    const release = await lock(service)
    const going = service.internal.delete('/api/roles/guard')
    await wait(300, 'until the request waits for the lock, which nothing reports')
    expect(withoutGuard(service)()).toBe(false)
    const left = copied(service)
    // Before the start: the request waits no longer than two seconds for the lock.
    release()
    const again = await startService({ copyOf: left })
    expect(await grantOf(again, gill)).toEqual(['guard', ['yard']])
    expect((await rolesOf(again)).map(({ name }) => name)).toContain('guard')
    expect((await going).status).toBe(200)
  })

  test('after it is noted, before the file: nothing has happened, nor does it later', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    // The file cannot be replaced, nor the note be deleted.
    rmSync(`${service.configFile}.previous`, { force: true })
    mkdirSync(join(`${service.configFile}.previous`, 'x'), { recursive: true })
    const allow = await refuse(service, 'delete on deleted_role')
    expect((await service.internal.delete('/api/roles/guard')).status).toBe(503)
    expect(noted(service)).toEqual([{ role: 'guard' }])
    await service.stop()
    expect(noted(service)).toEqual([{ role: 'guard' }])
    await allow()
    const again = await service.restart()
    expect(await grantOf(again, gill)).toEqual(['guard', ['yard']])
    expect(noted(again)).toEqual([])
    // If the role is then removed by hand, that isn't a deletion anymore.
    await again.stop()
    writeFileSync(again.configFile, readFileSync(again.configFile, 'utf8').replace(/ {4}guard:\n {6}- yard\n/, ''))
    const third = await again.restart()
    expect(await roleOf(third, 'gill')).toBe('guard')
    await expectNoGrant(gill)
  })

  test('between the file and its users: the role grants nothing, and the service completes the deletion at its next startup', async () => {
    const service = await start()
    const admin = await service.admin()
    const gill = await service.user('gill', 'guard')
    expect(await camerasOf(gill)).toEqual(['yard'])
    const allow = await refuse(service, 'update of role on user')
    expect((await admin.delete('/api/roles/guard')).status).toBeGreaterThanOrEqual(500)
    expect(withoutGuard(service)()).toBe(true)
    await expectNoGrant(gill)
    await service.kill()
    expect(noted(service)).toEqual([{ role: 'guard' }])
    await allow()
    const again = await service.restart()
    expect(await roleOf(again, 'gill')).toBe('viewer')
    expect(again.output()).toMatch(/users of deleted roles moved to viewer/)
    expect(again.output()).toContain('gill')
    expect(await camerasOf(gill)).toEqual(['yard', 'door', 'office'])
    expect((await rolesOf(again)).map(({ name }) => name)).not.toContain('guard')
    expect(noted(again)).toEqual([])
    // The entry names the admin who deleted the role, though the service completed it.
    await expect
      .poll(async () => (await again.internal.get('/api/audit?action=role.delete')).json)
      .toMatchObject({ entries: [{ user: 'admin', target: 'guard', result: 'success' }] })
  })

  test('at any moment: both have happened, or neither', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    type Moment = (deletion: Promise<unknown>) => unknown
    const moments: readonly Moment[] = [
      ...[0, 1, 2, 3, 5, 8, 12, 20].map((milliseconds) => () => wait(milliseconds, 'a moment of the deletion')),
      () => expect.poll(() => noted(service).length, { timeout: 2000, interval: 1 }).toBe(1),
      () => expect.poll(withoutGuard(service), { timeout: 2000, interval: 1 }).toBe(true),
      (deletion) => deletion,
    ]
    const found = new Set<string>()
    for (const moment of moments) {
      expect((await service.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBeLessThan(300)
      await service.internal.put('/api/users/gill/role', { role: 'guard' })
      const going = service.internal.delete('/api/roles/guard')
      // The awaited state may already have passed.
      await Promise.resolve(moment(going)).catch(() => undefined)
      const again = await startService({ copyOf: copied(service) })
      const there = readFileSync(again.configFile, 'utf8').includes('guard')
      expect(await grantOf(again, gill)).toEqual(there ? ['guard', ['yard']] : ['viewer', all])
      expect(noted(again)).toEqual([])
      found.add(there ? 'neither' : 'both')
      await again.stop()
      expect((await going).status).toBe(200)
    }
    expect([...found].toSorted()).toEqual(['both', 'neither'])
  })
})

/** Three times as fast as real time: the disk does not follow the clock, and a busy machine takes a while. */
const leisurely = { step: 50, pause: 25 }

/** The role is missing: its users keep its name, see nothing, and the log names them. */
const orphaned = async (service: InProcessService, gill: TestClient, role = 'guard') => {
  const missing = /.*role missing from config\.yml.*/
  await advanceUntil(service.clock, () => expect(service.output()).toMatch(missing))
  const [line] = missing.exec(service.output()) ?? []
  await expectNoGrant(gill)
  expect(await roleOf(service, 'gill')).toBe(role)
  expect(line).toMatch(/gill/)
  expect(line).not.toMatch(/olga/)
  await expect
    .poll(async () => (await service.internal.get('/api/audit?action=role.missing')).json, settled)
    .toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ target: role, detail: 'gill' })]) })
}

describe('[ROLE-7] config.yml changed by hand', () => {
  test.each([
    ['removed', / {4}guard:\n {6}- yard\n/, ''],
    ['renamed', /guard:/, 'watch:'],
    ['misspelled', /guard:/, 'gaurd:'],
    ['spelled with a capital letter', /guard:/, 'Guard:'],
  ])(
    'a role %s: it grants nothing, its users keep it and are logged, and a corrected file restores it',
    async (_how, from, to) => {
      const service = await start()
      const [gill, olga] = [await service.user('gill', 'guard'), await service.user('olga', 'other')]
      const stream = gill.socket('/api/cameras/yard/live')
      await once(stream, 'open')
      const closed = once(stream, 'close')
      const text = readFileSync(service.configFile, 'utf8')
      writeFileSync(service.configFile, text.replace(from, to))
      expect(readFileSync(service.configFile, 'utf8')).not.toBe(text)
      const changed = service.clock.elapsed()
      await advanceUntil(service.clock, () => expect(stream.readyState).toBe(stream.CLOSED), leisurely)
      expect([((await closed) as [number])[0], service.clock.elapsed() - changed < 3500]).toEqual([4403, true])
      await orphaned(service, gill)
      expect([await roleOf(service, 'olga'), await camerasOf(olga)]).toEqual(['other', ['door']])
      writeFileSync(service.configFile, text)
      await advanceUntil(service.clock, async () => expect((await gill.get('/api/cameras')).status).toBe(200))
      expect([await roleOf(service, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['yard']])
    },
  )

  test('in the meantime, changes of a log level, a camera or another role do not move its users either', async () => {
    const service = await start()
    const gill = await service.user('gill', 'guard')
    const text = readFileSync(service.configFile, 'utf8').replace(/guard:/, 'gaurd:')
    writeFileSync(service.configFile, text)
    await orphaned(service, gill)
    writeFileSync(service.configFile, `${text}logger: { logs: { service.http: debug } }\n`)
    await advanceUntil(service.clock, () => expect(service.output()).toMatch(/logger\.logs/))
    expect((await service.internal.put('/api/roles/third', { cameras: all })).status).toBe(201)
    expect((await service.internal.delete('/api/roles/third')).status).toBe(200)
    expect((await service.internal.delete('/api/roles/other')).status).toBe(200)
    const { text: now } = await service.internal.get('/api/config/raw')
    const saved = `${now}audit: { retain_days: 9 }\n`
    const save = (query = '') => service.internal.put(`/api/config/raw${query}`, saved, { ...yaml, 'if-match': '*' })
    expect((await save()).status).toBe(409)
    expect((await save('?orphan_roles=allow')).status).toBe(200)
    expect(await roleOf(service, 'gill')).toBe('guard')
    await expectNoGrant(gill)
    // An admin can assign them another role.
    expect((await service.internal.put('/api/users/gill/role', { role: 'gaurd', expected_role: 'guard' })).status).toBe(
      200,
    )
    expect(await camerasOf(gill)).toEqual(['yard'])
    await advanceUntil(service.clock, () => expect(service.output()).toMatch(/no users with missing roles anymore/))
  })

  test('a file that is empty, truncated, invalid, half-written or missing is never applied', async () => {
    const service = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
    const { clock } = service
    const gill = await service.user('gill', 'guard')
    const text = readFileSync(service.configFile, 'utf8')
    const unchanged = async (what: string) => {
      expect(await camerasOf(gill), what).toEqual(['yard'])
      expect(await roleOf(service, 'gill'), what).toBe('guard')
    }
    const still = async (what: string, logged: RegExp) => {
      const before = service.output().length
      for (const until = clock.elapsed() + 2500; clock.elapsed() < until; await clock.advance(100))
        await unchanged(what)
      await advanceUntil(clock, () => expect(service.output().slice(before), what).toMatch(logged))
      await unchanged(what)
    }
    for (const [what, change] of [
      ['emptied', () => writeFileSync(service.configFile, '')],
      ['only comments', () => writeFileSync(service.configFile, '# auth: {}\n\n')],
      ['truncated', () => truncateSync(service.configFile, text.indexOf('- yard'))],
      ['no text', () => writeFileSync(service.configFile, Buffer.from([0xff, 0xfe, 0, 0, 1]))],
      ['gone', () => rmSync(service.configFile)],
    ] as const) {
      writeFileSync(service.configFile, text)
      await advanceSlowly(clock, 1500)
      change()
      await still(what, /keeping previous config/)
    }
    // Roles change in steps shorter than a second; only the final state is read.
    writeFileSync(service.configFile, text)
    await advanceSlowly(clock, 1500)
    const bare = text.replace(/ {2}roles:\n {4}guard:\n {6}- yard\n/, '  session_length: 9999\n')
    expect(bare).toContain('9999')
    const before = service.output().length
    for (let step = 0; step < 4; step += 1) {
      writeFileSync(service.configFile, bare)
      await advanceSlowly(clock, 600)
      writeFileSync(service.configFile, `${text}# ${step}\n`)
      await advanceSlowly(clock, 250)
    }
    expect(service.output().slice(before)).not.toContain('config')
    await still('flickered', /config reloaded/)
    // Nor does the service apply such a file at startup.
    await service.stop()
    renameSync(service.configFile, `${service.configFile}.away`)
    const lost = await failedRestart(service)
    expect([lost.status, existsSync(service.configFile)]).toEqual([78, false])
    expect(lost.output).toContain('config.yml is missing')
    writeFileSync(service.configFile, '')
    expect((await failedRestart(service)).status).toBe(78)
    renameSync(`${service.configFile}.away`, service.configFile)
    const again = await service.restart()
    expect([await roleOf(again, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['yard']])
  })

  test('a role that is removed while the service is stopped, by restoring an older file', async () => {
    const service = await startService({ config: { auth: { roles: { other: ['door'] } } } })
    const older = readFileSync(service.configFile, 'utf8')
    expect((await service.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBe(201)
    const gill = await service.user('gill', 'guard')
    await service.stop()
    const newer = readFileSync(service.configFile, 'utf8')
    writeFileSync(service.configFile, older)
    const again = await service.restart()
    await orphaned(again, gill)
    await again.stop()
    writeFileSync(service.configFile, newer)
    const third = await again.restart()
    expect([await roleOf(third, 'gill'), await camerasOf(gill)]).toEqual(['guard', ['yard']])
  })
})

/** The close code, received within a second. */
const closeOf = async (socket: WebSocket, change: () => Promise<unknown>) => {
  const closed = once(socket, 'close') as Promise<[number]>
  const elapsed = stopwatch()
  await change()
  const [code] = await closed
  return { code, soon: elapsed() < 1000 }
}

describe('[ROLE-10] a change', () => {
  let service: InProcessService
  let boss: TestClient
  const isOpen = async (socket: WebSocket) => {
    await service.clock.advance(2000)
    await wait(100, 'until the closing of the stream would have arrived')
    return socket.readyState === socket.OPEN
  }
  beforeAll(async () => {
    service = await startService({
      config: { auth: { failed_login_rate_limit: null, roles: { guard: ['yard', 'door'], other: ['door'] } } },
    })
    boss = await service.user('boss', 'admin')
  })
  afterAll(stopAll)

  let number = 0
  /** A new user with that role, streaming the yard and the door. */
  const watcher = async (role: string) => {
    const name = `w${(number += 1)}`
    await service.user(name, role)
    const client = await signIn(service.gate, name)
    const open = async (camera: string) => {
      const socket = client.socket(`/api/cameras/${camera}/live`)
      await once(socket, 'open')
      return socket
    }
    return { name, client, yard: await open('yard'), entrance: await open('door') }
  }

  test('a demotion applies from the next request, and closes streams within a second', async () => {
    const { name, client, yard, entrance } = await watcher('viewer')
    expect(await closeOf(yard, () => boss.put(`/api/users/${name}/role`, { role: 'other' }))).toEqual({
      code: 4403,
      soon: true,
    })
    expect((await client.get('/api/cameras/yard')).status).toBe(403)
    expect(await camerasOf(client)).toEqual(['door'])
    expect(await isOpen(entrance)).toBe(true)
    await boss.put(`/api/users/${name}/role`, { role: 'admin' })
    expect((await client.get('/api/users')).status).toBe(200)
    await boss.put(`/api/users/${name}/role`, { role: 'viewer' })
    expect((await client.get('/api/users')).status).toBe(403)
    entrance.terminate()
  })

  test('a deleted user', async () => {
    const { name, client, yard, entrance } = await watcher('viewer')
    const both = closeOf(entrance, () => Promise.resolve())
    expect(await closeOf(yard, () => boss.delete(`/api/users/${name}`))).toEqual({ code: 4401, soon: true })
    expect((await both).code).toBe(4401)
    expect((await client.get('/api/cameras')).status).toBe(401)
  })

  test('a revoked session, and no other session', async () => {
    const { name, client, yard } = await watcher('viewer')
    const second = await signIn(service.gate, name)
    const other = second.socket('/api/cameras/yard/live')
    await once(other, 'open')
    const sessions = (await client.get('/api/sessions')).json as { id: string; current: boolean }[]
    const mine = sessions.find(({ current }) => current)?.id ?? ''
    expect(await closeOf(yard, () => boss.delete(`/api/sessions/${mine}`))).toEqual({ code: 4401, soon: true })
    expect((await client.get('/api/cameras')).status).toBe(401)
    expect([await isOpen(other), (await second.get('/api/cameras')).status]).toEqual([true, 200])
    other.terminate()
  })

  test('a logout, and a revocation of all other sessions', async () => {
    const { name, client, yard } = await watcher('viewer')
    expect(await closeOf(yard, () => client.post('/api/logout'))).toEqual({ code: 4401, soon: true })
    const [one, two] = [await signIn(service.gate, name), await signIn(service.gate, name)]
    const socket = one.socket('/api/cameras/yard/live')
    await once(socket, 'open')
    expect(await closeOf(socket, () => two.delete('/api/sessions?others=true'))).toEqual({ code: 4401, soon: true })
  })

  test('a password change, by an admin or by the user', async () => {
    const first = await watcher('viewer')
    const next = 'another correct horse'
    expect(await closeOf(first.yard, () => boss.put(`/api/users/${first.name}/password`, { password: next }))).toEqual({
      code: 4401,
      soon: true,
    })
    expect((await first.client.get('/api/cameras')).status).toBe(401)
    const again = await signIn(service.gate, first.name, next)
    const socket = again.socket('/api/cameras/yard/live')
    await once(socket, 'open')
    // Hashing twice takes time; the second counts from when the change is applied.
    const closed = once(socket, 'close') as Promise<[number]>
    await again.put(`/api/users/${first.name}/password`, { password, old_password: next })
    const elapsed = stopwatch()
    expect((await closed)[0]).toBe(4401)
    expect(elapsed()).toBeLessThan(1000)
  })

  test('a camera removed from a role, by PUT', async () => {
    const { client, yard, entrance } = await watcher('guard')
    expect(await closeOf(yard, () => boss.put('/api/roles/guard', { cameras: ['door'] }))).toEqual({
      code: 4403,
      soon: true,
    })
    expect((await client.get('/api/cameras/yard')).status).toBe(403)
    expect(await isOpen(entrance)).toBe(true)
    await boss.put('/api/roles/guard', { cameras: ['yard', 'door'] })
    expect((await client.get('/api/cameras/yard')).status).toBe(200)
    entrance.terminate()
  })

  test('a camera removed from a role, by hand', async () => {
    const { client, yard, entrance } = await watcher('guard')
    const text = readFileSync(service.configFile, 'utf8')
    const closed = once(yard, 'close') as Promise<[number]>
    const began = service.clock.elapsed()
    writeFileSync(
      service.configFile,
      text.replace(/guard:.*/, 'guard: [door]').replace(/(guard: \[door\]\n)( {6}- \w+\n)+/, '$1'),
    )
    await advanceUntil(service.clock, () => expect(yard.readyState).toBe(yard.CLOSED), leisurely)
    expect((await closed)[0]).toBe(4403)
    // An edit by hand is read once the file has been unchanged for a second.
    expect(service.clock.elapsed() - began).toBeLessThan(3000)
    expect((await client.get('/api/cameras/yard')).status).toBe(403)
    expect(await isOpen(entrance)).toBe(true)
    await boss.put('/api/roles/guard', { cameras: ['yard', 'door'] })
    entrance.terminate()
  })

  test('a deleted role: its users are viewers, and streams that viewers can open continue', async () => {
    await boss.put('/api/roles/fleeting', { cameras: ['yard', 'door'] })
    const { name, client, yard } = await watcher('fleeting')
    await boss.delete('/api/roles/fleeting')
    expect(await profileOf(client)).toMatchObject({ username: name, role: 'viewer', allowed_cameras: all })
    // In between, the role grants nothing: the stream may have been closed, and can be opened again.
    if (!(await isOpen(yard))) {
      const again = client.socket('/api/cameras/yard/live')
      await once(again, 'open')
      again.terminate()
    }
    yard.terminate()
  })

  test('a removed camera', async () => {
    const { yard, entrance } = await watcher('viewer')
    const guard = await watcher('guard')
    const { text } = await boss.get('/api/config/raw')
    const without = text.replace(/^ {2}yard:\n( {4}.*\n)+/m, '')
    expect(without).not.toBe(text)
    const guards = closeOf(guard.yard, () => Promise.resolve())
    const change = () => boss.put('/api/config/raw', without, { ...yaml, 'if-match': '*' })
    expect(await closeOf(yard, change)).toEqual({ code: 4404, soon: true })
    expect((await guards).code).toBe(4403)
    expect(await isOpen(entrance)).toBe(true)
    expect((await boss.put('/api/config/raw', text, { ...yaml, 'if-match': '*' })).status).toBe(200)
    for (const socket of [entrance, guard.entrance]) socket.terminate()
  })
})

test('[ROLE-8] a role comes from a proxy’s headers where a proxy authenticates', async () => {
  const proxied = await startService({
    config: {
      auth: { enabled: false, roles: { guard: ['yard'] } },
      proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
      cameras: quietCameras,
    },
  })
  const as = (role: string) => proxied.gate.with({ 'remote-user': 'x', ...(role !== '' && { 'remote-groups': role }) })
  expect(await profileOf(as('guard'))).toMatchObject({ role: 'guard', allowed_cameras: ['yard'] })
  expect(await profileOf(as('admin'))).toMatchObject({ role: 'admin', allowed_cameras: all })
  for (const role of ['', 'Guard', 'root', '__proto__']) expect((await as(role).get('/api/cameras')).status).toBe(403)
  // [ROLE-10] A role removed from the file grants nothing, to open streams either.
  const socket = as('guard').socket('/api/cameras/yard/live')
  await once(socket, 'open')
  const closed = once(socket, 'close') as Promise<[number]>
  expect((await proxied.internal.delete('/api/roles/guard')).status).toBe(200)
  expect((await closed)[0]).toBe(4403)
  expect((await as('guard').get('/api/cameras')).status).toBe(403)
})
