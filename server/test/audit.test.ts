import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditLine, AuditPage } from '../src/audit/audit.routes.ts'
import { segmentFile } from '../src/recordings/segment-name.ts'
import { reviewStore } from '../src/review/review-store.sql.ts'
import { openStore } from '../src/store/open.ts'
import { accessRows } from './access-oracle.ts'
import {
  password,
  quietCameras,
  signIn,
  startGatehouse,
  startService,
  stopAll,
  tokenIn,
  type Gatehouse,
  type Reply,
  type Service,
  type TestClient,
} from './harness.ts'
import { holdExports, type HeldExports } from './held-exports.ts'
import { askPostgres } from './postgres-server.ts'
import { postgresUrl } from './programs.ts'
import { writeRecordings } from './recorded.ts'
import { grayJpeg, seedReview } from './review-seed.ts'
import { openDatabase } from './service-database.ts'
import { silent } from './null-log.ts'

const plain = { tls: { enabled: false } }
const postgres = postgresUrl()

/** A whole second, a few minutes ago. */
const recordedAt = Math.floor(Date.now() / 1000 - 600) * 1000
const at = (seconds: number): number => recordedAt / 1000 + seconds

afterAll(stopAll)

/** Creates a separate database. */
async function databaseUrl(engine: string): Promise<string> {
  if (engine === 'sqlite') return 'sqlite'
  const name = `gatehouse_audit_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

const linesOf = async ({ internal }: Service, query = ''): Promise<AuditLine[]> =>
  ((await internal.get(`/api/audit?limit=500${query}`)).json as AuditPage).entries

/** A changing route that needs no entry, and the reason. */
const unaudited: Readonly<Record<string, string>> = {
  'POST /api/access/try': 'changes nothing',
  'POST /api/auth': 'changes nothing',
  'POST /auth': 'changes nothing',
  'POST /api/cameras/test': 'changes nothing; its entry is written with a delay',
  'POST /api/cameras/:camera/test': 'changes nothing; its entry is written with a delay',
  'POST /api/config/check': 'changes nothing',
  'PUT /api/review/:id/seen': 'the caller’s own seen marks',
  'PUT /api/review/seen': 'the caller’s own seen marks',
}

interface Change {
  /** The routes of docs/access.md. */
  readonly route: string
  readonly act: () => Promise<Reply>
  readonly entry: Partial<AuditLine>
}

describe.each(['sqlite', 'postgres'] as const)('[AUD-1] on %s the entry of a change', (engine) => {
  describe.skipIf(engine === 'postgres' && postgres === undefined)('is in the database', () => {
    let service: Gatehouse
    let held: HeldExports
    let url: string
    let changes: Change[]
    let items: string[]

    /** The rows that another connection sees now. */
    const rows = async (): Promise<Record<string, unknown>[]> => {
      const query = 'select * from audit order by id'
      if (engine === 'postgres') return askPostgres(url, query)
      // Reads despite any lock that the stopped process has.
      const db = openDatabase(service, { readOnly: true })
      try {
        return db.prepare(query).all()
      } finally {
        db.close()
      }
    }

    beforeAll(async () => {
      url = await databaseUrl(engine)
      held = holdExports()
      const config = {
        ...plain,
        auth: { roles: { guard: ['door'] } },
        database: { url },
        logger: { logs: { 'service.audit': 'info' } },
      }
      const empty = await startGatehouse({ config, env: held.env })
      await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
      // The camera was removed.
      await writeRecordings(empty.mediaDir, { camera: 'shed', start: recordedAt, segments: 1 })
      service = await empty.restart()
      const { internal } = service
      await vi.waitFor(
        async () =>
          expect((await internal.get('/api/recordings/storage')).json).toMatchObject({
            cameras: expect.arrayContaining([
              expect.objectContaining({ id: 'yard', segments: 3 }),
              expect.objectContaining({ id: 'shed~', segments: 1 }),
            ]) as unknown[],
          }),
        { timeout: 30_000, interval: 200 },
      )

      const store = await openStore({ url, configDir: service.configDir, log: silent })
      const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
      items = [0, 1].map(() => `000000000001${randomBytes(10).toString('hex')}`)
      for (const id of items) {
        const box = { x: 0, y: 0, width: 1, height: 1 }
        const item = { id, camera: 'yard', start: recordedAt, end: recordedAt + 1000, motion: 3, box }
        await reviewStore(store, volume).save({ ...item, severity: 'alert', open: false, thumbnailAt: null })
      }
      await store.close()
      changes = changesOf(service, { items, held })
    }, 120_000)

    test('as soon as the caller has the 2xx: the process is paused then, and killed at the end', async () => {
      let before = (await rows()).length
      for (const { route, act, entry } of changes) {
        const { status, text } = await act()
        service.process.kill('SIGSTOP')
        try {
          expect([route, status < 400 ? 'done' : text]).toEqual([route, 'done'])
          const found = await rows()
          expect(found.slice(before), route).toContainEqual(expect.objectContaining(entry))
          before = found.length
        } finally {
          service.process.kill('SIGCONT')
        }
      }
      const last = await service.internal.delete('/api/users/last')
      await service.kill()
      expect(last.status).toBe(204)
      service = await service.restart()
      const lines = (await linesOf(service)).toReversed()
      expect(lines).toContainEqual(
        expect.objectContaining({ action: 'user.delete', target: 'last', result: 'success' }),
      )
      for (const { entry, route } of changes) expect(lines, route).toContainEqual(expect.objectContaining(entry))
    }, 120_000)

    test('for every changing route', () => {
      const changing = accessRows.filter(({ method, path }) => method !== 'GET' || path.endsWith('/logout'))
      const covered = new Set([...changes.map(({ route }) => route), ...Object.keys(unaudited)])
      expect(changing.length).toBeGreaterThan(20)
      expect(changing.map(({ method, path }) => `${method} ${path}`).filter((route) => !covered.has(route))).toEqual([])
    })
  })
})

const ok = (action: string, target?: string): Partial<AuditLine> => ({
  action,
  result: 'success',
  ...(target !== undefined && { target }),
})

/** Every change, in an order in which all of them succeed. */
function changesOf({ internal, gate, configFile }: Service, more: { items: string[]; held: HeldExports }): Change[] {
  const { items, held } = more
  let cookie = ''
  const ids: string[] = []
  const login = async (): Promise<Reply> => {
    const answer = await gate.post('/api/login', { user: 'ann', password })
    cookie = `gatehouse_token=${tokenIn(answer)}`
    return answer
  }
  const afterLogin = (act: () => Promise<Reply>) => async () => {
    await login()
    return act()
  }
  const exported = async (): Promise<Reply> => {
    held.hold()
    const answer = await internal.post('/api/exports', { camera: 'yard', start: at(1), end: at(5) })
    ids.unshift((answer.json as { id: string }).id)
    return answer
  }
  const sessionId = async (): Promise<string> =>
    ((await gate.get('/api/sessions', { cookie })).json as { id: string }[])[0]?.id ?? ''
  const logout = (method: string, path: string): Change => ({
    route: `${method} ${path}`,
    act: afterLogin(() => gate.request(method, path, { headers: { cookie } })),
    entry: { ...ok('logout'), user: 'ann' },
  })
  const edit = (method: string, path: string, body?: object) => async () => {
    const etag = (await internal.get('/api/config/raw')).headers.etag ?? ''
    return internal.request(method, path, { headers: { 'if-match': etag }, body })
  }
  const user = (name: string) => () => internal.post('/api/users', { username: name, password, role: 'viewer' })
  return [
    { route: 'POST /api/users', act: user('last'), entry: ok('user.create', 'last') },
    { route: 'POST /api/users', act: user('ann'), entry: ok('user.create', 'ann') },
    { route: 'POST /api/login', act: login, entry: { ...ok('login'), user: 'ann', auth_method: 'password' } },
    logout('GET', '/api/logout'),
    logout('POST', '/api/logout'),
    logout('GET', '/logout'),
    logout('POST', '/logout'),
    {
      route: 'DELETE /api/sessions/:id',
      act: afterLogin(async () => internal.delete(`/api/sessions/${await sessionId()}`)),
      entry: ok('session.revoke'),
    },
    {
      route: 'DELETE /api/sessions',
      act: afterLogin(() => internal.delete('/api/sessions?user=ann')),
      entry: ok('session.revoke', 'ann'),
    },
    {
      route: 'PUT /api/roles/:name',
      act: () => internal.put('/api/roles/night', { cameras: ['yard'] }),
      entry: ok('role.set', 'night'),
    },
    {
      route: 'PUT /api/users/:username/role',
      act: () => internal.put('/api/users/ann/role', { role: 'night' }),
      entry: { ...ok('user.role', 'ann'), detail: 'viewer → night' },
    },
    {
      route: 'DELETE /api/roles/:name',
      act: () => internal.delete('/api/roles/night'),
      entry: ok('role.delete', 'night'),
    },
    {
      route: 'POST /api/roles/:name/confirm',
      act: async () => {
        await internal.put('/api/roles/dusk', { cameras: ['attic'] })
        await internal.post(
          '/api/cameras',
          { name: 'attic', source: 'demo:office', enabled: false },
          { 'if-match': '*' },
        )
        return internal.post('/api/roles/dusk/confirm', { cameras: ['attic'] })
      },
      entry: { ...ok('role.confirm', 'dusk'), detail: 'attic' },
    },
    {
      route: 'PUT /api/users/:username/password',
      act: () => internal.put('/api/users/ann/password', { password: 'another long one' }),
      entry: ok('user.password', 'ann'),
    },
    { route: 'DELETE /api/users/:username', act: () => internal.delete('/api/users/ann'), entry: ok('user.delete') },
    {
      route: 'PUT /api/config/raw',
      act: () =>
        internal.request('PUT', '/api/config/raw', {
          headers: { 'if-match': '*', 'content-type': 'text/yaml' },
          body: `${readFileSync(configFile, 'utf8')}audit: { retain_days: 30 }\n`,
        }),
      entry: { ...ok('config.save'), detail: 'audit.retain_days' },
    },
    {
      route: 'POST /api/cameras',
      // Enabled, it might record before it is removed.
      act: edit('POST', '/api/cameras', { name: 'shed', source: 'demo:door', enabled: false }),
      entry: ok('camera.create', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera',
      act: edit('PUT', '/api/cameras/shed', { title: 'The shed' }),
      entry: ok('camera.change', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera/motion-settings',
      act: edit('PUT', '/api/cameras/shed/motion-settings', { enabled: false, sensitivity: 'low', masks: [] }),
      entry: ok('camera.motion', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera/recording-limits',
      act: edit('PUT', '/api/cameras/shed/recording-limits', {
        enabled: false,
        mode: 'all',
        retain_days: null,
        max_gb: null,
      }),
      entry: ok('recording.limits', 'shed'),
    },
    {
      route: 'PUT /api/recordings/limits',
      act: edit('PUT', '/api/recordings/limits', { enabled: true, retain_days: 9, max_gb: 50 }),
      entry: ok('recording.limits'),
    },
    {
      route: 'DELETE /api/cameras/:camera',
      act: edit('DELETE', '/api/cameras/shed'),
      entry: ok('camera.delete', 'shed'),
    },
    {
      route: 'DELETE /api/review/:id',
      act: () => internal.delete(`/api/review/${items[0]}`),
      entry: ok('review.delete'),
    },
    { route: 'POST /api/exports', act: exported, entry: ok('export.create', 'yard') },
    {
      route: 'PATCH /api/exports/:id',
      act: () => internal.request('PATCH', `/api/exports/${ids[0]}`, { body: { name: 'the cat' } }),
      entry: ok('export.rename', 'yard'),
    },
    {
      route: 'POST /api/exports/:id/cancel',
      act: () => internal.post(`/api/exports/${ids[0]}/cancel`),
      entry: ok('export.cancel', 'yard'),
    },
    {
      route: 'DELETE /api/exports/:id',
      act: () => internal.delete(`/api/exports/${ids[0]}`),
      entry: ok('export.delete', 'yard'),
    },
    {
      route: 'DELETE /api/cameras/:camera/recordings',
      act: () => internal.delete(`/api/cameras/yard/recordings?after=${at(0)}&before=${at(20)}`),
      entry: { ...ok('recordings.delete', 'yard'), detail: expect.stringMatching(/, 2$/) as string },
    },
    {
      route: 'DELETE /api/recordings/storage/:id',
      act: () => internal.delete('/api/recordings/storage/shed~'),
      entry: { ...ok('recordings.delete', 'shed'), detail: 'shed~, 1' },
    },
  ]
}

test('[AUD-1] if not all recordings can be deleted, the entry is a failure with the number that was deleted', async () => {
  const empty = await startService({ config: plain })
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
  const service = await empty.restart()
  const span = `after=${at(0)}&before=${at(30)}`
  await expect
    .poll(
      async () => (await service.internal.get(`/api/cameras/yard/recordings?${span}`)).text.match(/"id"/g)?.length,
      {
        timeout: 30_000,
      },
    )
    .toBe(3)
  const stuck = join(service.mediaDir, 'recordings', segmentFile('yard', recordedAt + 20_000))
  rmSync(stuck)
  // A directory cannot be removed like a file.
  mkdirSync(stuck)
  expect((await service.internal.delete(`/api/cameras/yard/recordings?${span}`)).status).toBe(500)
  const [entry] = await linesOf(service, '&action=recordings.delete')
  expect(entry).toMatchObject({ result: 'failure', target: 'yard', detail: expect.stringMatching(/, 2$/) as string })
  const left = (await service.internal.get(`/api/cameras/yard/recordings?${span}`)).json as { segments: unknown[] }
  expect(left.segments).toHaveLength(1)
})

describe('[AUD-2] refusals without an identity', () => {
  test('a thousand from one address make at most two rows, with the count, and displace no earlier entry', async () => {
    let service = await startService({ config: { ...plain, http: { allowed_origins: [] } } })
    const admin = await service.admin()
    expect((await admin.get('/api/profile')).status).toBe(200)
    const before = (await linesOf(service)).filter(({ action }) => action !== 'internal.use')
    expect(before.map(({ action }) => action)).toContain('login')
    const evil = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const flood = async (from: TestClient) => {
      for (let sent = 0; sent < 500; sent += 50) {
        const answers = Array.from({ length: 50 }, () => from.post('/api/login', { user: 'a', password: 'b' }, evil))
        for (const { status } of await Promise.all(answers)) expect(status).toBe(403)
      }
    }
    await flood(service.gate)
    await flood(service.internal)
    // The last count is written at shutdown.
    expect(await service.stop()).toBe(0)
    service = await service.restart()
    const refused = await linesOf(service, '&action=request.denied')
    expect(refused.length).toBeLessThanOrEqual(2)
    expect(refused[0]).toMatchObject({
      result: 'denied',
      user: null,
      auth_method: null,
      address: '127.0.0.1',
      detail: 'cross-origin',
    })
    expect(refused.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1_000)
    const after = await linesOf(service)
    for (const line of before) expect(after).toContainEqual(line)
  }, 60_000)

  test('and they do not displace useful lines from the log', async () => {
    const service = await startService({ config: plain })
    const evil = { origin: 'https://evil.example' }
    for (let sent = 0; sent < 1_200; sent += 60) {
      await Promise.all(Array.from({ length: 60 }, () => service.gate.post('/api/logout', undefined, evil)))
    }
    const { lines } = (await service.internal.get('/api/logs')).json as { lines: { message: string }[] }
    expect(lines.map(({ message }) => message)).toContainEqual(expect.stringContaining('Gatehouse is ready'))
    expect(lines.length).toBeLessThan(100)
  })

  test('forged or revoked tokens make one row per reason and address, expired ones none', async () => {
    const secret = 'a secret of more than sixty-four characters, as the service requires'
    const service = await startService({ config: plain, env: { SERVICE_JWT_SECRET: secret } })
    await service.user('gus')
    const { token } = await signIn(service.gate, 'gus')
    const sign = (claims: object, key = secret) => {
      const parts = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      return `${parts.join('.')}.${createHmac('sha256', key).update(parts.join('.')).digest('base64url')}`
    }
    const show = async (headers: OutgoingHttpHeaders, times = 10) => {
      const answers = Array.from({ length: times }, () => service.gate.get('/api/profile', headers))
      for (const { status } of await Promise.all(answers)) expect(status).toBe(401)
    }
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number; exp: number }

    await show({})
    await show(bearer(sign({ ...claims, iat: claims.iat - 9_000_000, exp: claims.iat - 8_000_000 })))
    await show(bearer(sign(claims, 'another secret')))
    await show(bearer('hello'))
    await show({ cookie: `gatehouse_token=${token.slice(0, -3)}AAA` })
    expect((await service.gate.post('/api/logout', undefined, bearer(token))).status).toBe(204)
    await show(bearer(token), 5)
    expect(await service.stop()).toBe(0)

    const again = await service.restart()
    const lines = await linesOf(again, '&action=request.denied')
    const each = lines.map(({ detail, user, auth_method, address, target, result, count }) => {
      return { detail, user, auth_method, address, target, result, count }
    })
    const by = { address: '127.0.0.1', target: 'Authorization', result: 'denied' }
    expect(each).toHaveLength(2)
    expect(each).toContainEqual({ ...by, detail: 'bad-token', user: null, auth_method: null, count: 30 })
    expect(each).toContainEqual({ ...by, detail: 'revoked-token', user: 'gus', auth_method: 'password', count: 5 })
    expect(service.output() + again.output()).not.toContain(token)
  })

  test('a wrong current password makes one row, without a refusal beside it', async () => {
    const service = await startService({ config: plain })
    const gus = await service.user('gus')
    const body = { password: 'another long one', old_password: 'wrong password' }
    expect((await gus.put('/api/users/gus/password', body)).status).toBe(403)
    expect((await gus.get('/api/logs')).status).toBe(403)
    await expect.poll(async () => (await linesOf(service, '&action=request.denied')).length).toBe(1)
    const lines = await linesOf(service, '&user=gus')
    expect(lines.map(({ action, result, target }) => [action, result, target])).toEqual([
      ['request.denied', 'denied', 'GET /api/logs'],
      ['user.password', 'failure', 'gus'],
      ['login', 'success', null],
    ])
  })
})

describe('[AUD-3] reads', () => {
  const media = accessRows.filter(
    ({ method, path }) => method === 'GET' && /\.(jpg|m3u8|mp4|m4s)$|mjpeg$|live$/.test(path),
  )

  const seeded = async (audit: object) => {
    const config = { ...plain, audit, cameras: { ...quietCameras, yard: { source: 'demo:yard' } } }
    const empty = await startService({ config })
    await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 2 })
    const service = await empty.restart()
    await expect
      .poll(async () => (await service.internal.get('/api/cameras/yard')).text, { timeout: 60_000 })
      .toContain('"online"')
    await expect
      .poll(async () => (await service.internal.get(segmentsPath)).text.match(/"id"/g)?.length, { timeout: 30_000 })
      .toBe(2)
    return service
  }
  const segmentsPath = `/api/cameras/yard/recordings?after=${at(0)}&before=${at(20)}`

  /** Sends every auditable read once. @returns the routes. */
  const seeAll = async (service: Service, viewer: TestClient): Promise<string[]> => {
    const seen: string[] = []
    const see = async (route: string, path: string) => {
      const answer = await viewer.request('GET', path, { headOnly: true })
      expect([path, answer.status]).toEqual([path, 200])
      seen.push(route)
      return answer
    }
    const camera = '/api/cameras/:camera'
    const yard = '/api/cameras/yard'
    const socket = viewer.socket(`${yard}/live`)
    await once(socket, 'message')
    seen.push(`${camera}/live`)
    await see(`${camera}/latest.jpg`, `${yard}/latest.jpg`)
    await see(`${camera}/mjpeg`, `${yard}/mjpeg`)
    const playlist = (await see(`${camera}/live/index.m3u8`, `${yard}/live/index.m3u8`)).text
    const [, init = ''] = /URI="([^"]+)"/.exec(playlist) ?? []
    const [part = ''] = /^\S+video\.m4s$/m.exec(playlist) ?? []
    await see(`${camera}/live/:number/init.mp4`, `${yard}/live/${init}`)
    await see(`${camera}/live/:number/video.m4s`, `${yard}/live/${part}`)
    await see(`${camera}/playback/:start/:end/index.m3u8`, `${yard}/playback/${at(2)}/${at(12)}/index.m3u8`)
    const { segments } = (await viewer.get(segmentsPath)).json as { segments: { id: string }[] }
    const [first, second] = segments.map(({ id }) => id)
    await see(`${camera}/segments/:id/init.mp4`, `${yard}/segments/${first}/init.mp4`)
    await see(`${camera}/segments/:id/video.m4s`, `${yard}/segments/${first}/video.m4s?at=0`)
    await see(`${camera}/segments/:id/video.m4s`, `${yard}/segments/${second}/video.m4s?at=10`)
    await see(`${camera}/clip.mp4`, `${yard}/clip.mp4?start=${at(2)}&end=${at(8)}`)
    const [item] = await seedReview(service, [{ camera: 'yard', jpeg: grayJpeg }])
    await see('/api/review/:id/thumbnail.jpg', `/api/review/${item!.id}/thumbnail.jpg`)
    const { id } = (await viewer.post('/api/exports', { camera: 'yard', start: at(1), end: at(9) })).json as {
      id: string
    }
    await expect
      .poll(async () => (await viewer.get(`/api/exports/${id}`)).text, { timeout: 60_000 })
      .toContain('"state":"done"')
    await see('/api/exports/:id/video.mp4', `/api/exports/${id}/video.mp4`)
    socket.close()
    return seen
  }

  test('tell who watched, played back, downloaded and loaded images: of which camera, range and duration', async () => {
    let service = await seeded({ reads: true })
    const gil = await service.user('gil')
    const seen = await seeAll(service, gil)
    expect(new Set(seen)).toEqual(new Set(media.map(({ path }) => path)))
    expect(await service.stop()).toBe(0)
    service = await service.restart()
    const lines = await linesOf(service, '&action=watch,playback,download,snapshot&user=gil')
    const by = { user: 'gil', auth_method: 'password', address: '127.0.0.1', target: 'yard', result: 'success' }
    expect(lines).toHaveLength(4)
    expect(lines).toContainEqual(
      expect.objectContaining({ ...by, action: 'watch', duration: expect.any(Number) as number }),
    )
    expect(lines).toContainEqual(expect.objectContaining({ ...by, action: 'snapshot' }))
    const playback = lines.find(({ action }) => action === 'playback')
    expect(playback).toMatchObject({ ...by, start: at(0) })
    expect(playback!.end).toBeCloseTo(at(20), 0)
    expect(lines.find(({ action }) => action === 'download')).toMatchObject({ ...by, start: at(1), end: at(9) })
    expect(lines.find(({ action }) => action === 'watch')!.duration).toBeGreaterThan(0)
  }, 180_000)

  test('are logged only if configured; the raw configuration, connection tests and the internal port always are', async () => {
    const service = await startService({ config: plain })
    const admin = await service.admin()
    for (let nth = 0; nth < 3; nth += 1) expect((await admin.get('/api/config/raw')).status).toBe(200)
    await admin.get('/api/cameras/yard/latest.jpg')
    await admin.post('/api/cameras/test', { source: 'rtsp://me:pa55word@127.0.0.1:1/x?token=t0ken' })
    for (let nth = 0; nth < 5; nth += 1) await service.internal.get('/api/cameras')
    await service.internal.get('/api/health')
    await expect.poll(async () => (await linesOf(service, '&action=camera.test,internal.use')).length).toBe(2)
    const lines = await linesOf(service)
    const of = (action: string) => lines.filter((line) => line.action === action)
    expect(of('config.read')).toMatchObject([{ user: 'admin', auth_method: 'password', result: 'success' }])
    expect(of('camera.test')).toMatchObject([{ user: 'admin', result: 'failure', target: 'rtsp://127.0.0.1:1' }])
    expect(of('internal.use')).toMatchObject([{ user: 'anonymous', auth_method: 'internal', address: '127.0.0.1' }])
    expect(lines.filter(({ action }) => ['watch', 'playback', 'download', 'snapshot'].includes(action))).toEqual([])
    expect(`${JSON.stringify(lines)}${service.output()}`).not.toMatch(/pa55word|t0ken/)
  })
})
