/** What a user can still watch after losing the right to it: every reason, for every kind of stream that is open. */
import { once } from 'node:events'
import { get, request as sendHead, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { stopwatch, within } from '../server/test/support/own-time.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { makeSegment, seedRecordings } from '../server/test/support/seeded-recordings.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const last = Math.floor(Date.now() / 1000) - 60
/** Segments of ten seconds, more than the buffers between the service and a client hold. */
const count = 60
const span = { start: last - (count - 1) * 10, end: last + 10 }
const roles = { guard: ['yard'], other: ['door'] }
const proxy = {
  enabled: true,
  trusted_peers: ['127.0.0.1'],
  header_map: { user: 'X-Forwarded-User', role: 'X-Forwarded-Groups' },
  recheck_interval: 60,
}
const secretOf = (letter: string) => ({ SERVICE_JWT_SECRET: letter.repeat(64) })

let service: InProcessService
/** An admin with a session. */
let boss: TestClient
/** The path of each long response, and of one segment. */
let paths: Readonly<Record<'a clip' | 'part of a clip' | 'an export', string>>
let segment: string
beforeAll(async () => {
  const yard = { source: 'demo:yard', record: { enabled: false }, motion: { enabled: false } }
  const first = await startService({
    env: secretOf('a'),
    config: {
      tls: { enabled: false },
      cameras: { ...quietCameras, yard },
      auth: { roles, failed_login_rate_limit: null },
      proxy,
    },
  })
  await first.stop()
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '1M' })
  seedRecordings(first, 'yard', { sample, count, last })
  service = await first.restart({ env: secretOf('a') })
  boss = await service.user('boss', 'admin')
  const { internal } = service
  const clip = `/api/cameras/yard/clip.mp4?start=${span.start}&end=${span.end}`
  const found = await internal.get(`/api/cameras/yard/recordings?after=${span.start}&before=${span.end}`)
  const [{ id }] = (found.json as { segments: [{ id: string }] }).segments
  segment = `/api/cameras/yard/segments/${id}/video.m4s?at=0`
  const made = (await internal.post('/api/exports', { camera: 'yard', ...span })).json as { id: string }
  await until(async () => expect((await internal.get(`/api/exports/${made.id}`)).json).toMatchObject({ state: 'done' }))
  await until(async () => expect((await internal.get('/api/cameras/yard/live/index.m3u8')).status).toBe(200))
  paths = { 'a clip': clip, 'part of a clip': clip, 'an export': `/api/exports/${made.id}/video.mp4` }
})
afterAll(stopAll)

const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 })

/** An open stream: whether it has ended, in whatever way, and the time of its last data, by the stopwatch. */
interface Open {
  readonly kind: string
  readonly ended: () => Promise<void>
  readonly lastAt: () => number
}

async function openSocket(elapsed: () => number, kind: string, client: TestClient, path: string): Promise<Open> {
  const socket = client.socket(path)
  onTestFinished(() => socket.terminate())
  let at = 0
  socket.on('message', () => (at = elapsed())).on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await once(socket, 'open')
  return { kind, ended: () => closed, lastAt: () => at }
}

async function openResponse(elapsed: () => number, kind: string, client: TestClient, path: string): Promise<Open> {
  const range = kind === 'part of a clip' ? { range: 'bytes=1000-' } : {}
  const headers = { ...client.headers, ...range }
  const request = get({ host: '127.0.0.1', port: client.port, path, headers, agent: false })
  onTestFinished(() => void request.destroy())
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([kind, response.statusCode]).toEqual([kind, kind === 'part of a clip' ? 206 : 200])
  let at = 0
  let bytes = 0
  const length = Number(response.headers['content-length'] ?? Infinity)
  response.on('error', () => undefined)
  const closed = new Promise<void>((done) => response.once('close', () => done()))
  const chunk = once(response, 'data')
  response.on('data', (data: Buffer) => {
    bytes += data.length
    if (length === Infinity) at = elapsed()
  })
  await chunk
  // A download is read so slowly that it is still being sent.
  if (length !== Infinity) response.pause()
  const ended = async () => {
    response.resume()
    await closed
    if (bytes >= length) throw new Error(`${kind} was sent as a whole`)
  }
  return { kind, ended, lastAt: () => at }
}

/** Opens a stream of every kind. */
const openAll = (client: TestClient, elapsed: () => number): Promise<Open[]> =>
  Promise.all([
    openSocket(elapsed, 'live video', client, '/api/cameras/yard/live'),
    openSocket(elapsed, 'events', client, '/api/events?cameras=yard'),
    openResponse(elapsed, 'server-sent events', client, '/api/events?cameras=yard'),
    openResponse(elapsed, 'MJPEG', client, '/api/cameras/yard/mjpeg?height=180'),
    ...Object.entries(paths).map(([kind, path]) => openResponse(elapsed, kind, client, path)),
  ])

/** Each of these is authorized by itself. */
const requests = (): string[] => [
  '/api/cameras/yard/live/index.m3u8',
  '/api/cameras/yard/latest.jpg',
  `/api/cameras/yard/playback/${span.start}/${span.end}/index.m3u8`,
  segment,
  ...Object.values(paths),
]

const openStreams = async (): Promise<number> =>
  ((await service.internal.get('/api/stats')).json as { service: { open_streams: number } }).service.open_streams

/** Opens everything, changes something, and checks that all has ended within a second. */
async function revoke(client: TestClient, change: () => Promise<unknown>, refused: readonly number[]): Promise<void> {
  const before = await openStreams()
  const elapsed = stopwatch()
  const streams = await openAll(client, elapsed)
  expect(await openStreams()).toBe(before + streams.length)
  await change()
  const changed = elapsed()
  await within(1000, async () => expect(await openStreams()).toBe(before))
  for (const { kind, ended, lastAt } of streams) {
    await ended()
    expect(lastAt() - changed, kind).toBeLessThan(1000)
  }
  for (const path of requests()) {
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
      expect([path, (await client.get(path, headers)).status]).toEqual([path, expect.toBeOneOf([...refused])])
    }
  }
}

const config = (): Record<string, unknown> => parse(readFileSync(service.configFile, 'utf8')) as Record<string, unknown>
const withRoles = (changed: object) =>
  changeConfig(service, { auth: { ...(config()['auth'] as object), roles: changed } })
const succeeds = async (response: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await response
  expect(status, text).toBeLessThan(300)
}

const setProxy = (changed: object) => succeeds(changeConfig(service, { proxy: changed }))

describe('[ROLE-10] every stream ends within a second, and the next request is refused, if', () => {
  let number = 0
  /** A new guard with a session. */
  const newGuard = async () => {
    const name = `w${(number += 1)}`
    await service.user(name, 'guard')
    return { name, client: await signIn(service.gate, name) }
  }

  type Change = (name: string, client: TestClient) => Promise<unknown>
  test.each<[source: string, fact: string, refused: number, change: Change, undo?: () => Promise<unknown>]>([
    [
      'CVE-2026-33124',
      'an admin sets the password',
      401,
      (name) => succeeds(boss.put(`/api/users/${name}/password`, { password: 'another long one' })),
    ],
    [
      'CVE-2026-33124',
      'the user changes the password in another session',
      401,
      async (name) => {
        const other = await signIn(service.gate, name)
        await succeeds(
          other.put(`/api/users/${name}/password`, { password: 'another long one', old_password: password }),
        )
      },
    ],
    ['CVE-2025-29928', 'the user is deleted', 401, (name) => succeeds(boss.delete(`/api/users/${name}`))],
    [
      'CVE-2025-53942',
      'the user gets a role without the camera',
      403,
      (name) => succeeds(boss.put(`/api/users/${name}/role`, { role: 'other' })),
    ],
    ['GHSA-g65h-35f3-x2w3', 'the user signs out', 401, (_name, client) => succeeds(client.post('/api/logout'))],
    [
      'CVE-2025-57766',
      'an admin revokes the session',
      401,
      async (name) => {
        for (const { id } of (await boss.get(`/api/sessions?user=${name}`)).json as { id: string }[])
          await succeeds(boss.delete(`/api/sessions/${id}`))
      },
    ],
    [
      'CVE-2025-71335',
      'an admin revokes all sessions',
      401,
      (name) => succeeds(boss.delete(`/api/sessions?user=${name}`)),
    ],
    [
      'CVE-2025-56643',
      'the user revokes the others',
      401,
      async (name) => succeeds((await signIn(service.gate, name)).delete('/api/sessions?others=true')),
    ],
    [
      'CVE-2025-53942',
      'the camera is removed from the role',
      403,
      () => succeeds(boss.put('/api/roles/guard', { cameras: ['door'] })),
      () => succeeds(boss.put('/api/roles/guard', { cameras: ['yard'] })),
    ],
    [
      'CVE-2026-28275',
      'the camera is removed from the role in the file',
      403,
      () => withRoles({ ...roles, guard: ['door'] }),
      () => withRoles(roles),
    ],
    [
      'CVE-2026-28275',
      'the role is removed from the file',
      403,
      () =>
        succeeds(
          service.internal.request('PUT', '/api/config/raw?orphan_roles=allow', {
            headers: { 'content-type': 'text/yaml', 'if-match': '*' },
            body: readFileSync(service.configFile, 'utf8').replace('guard:', 'gaurd:'),
          }),
        ),
      () => withRoles(roles),
    ],
  ])('%s: %s', async (_source, _fact, refused, change, undo) => {
    const { name, client } = await newGuard()
    const stays = await openSocket(stopwatch(), 'of another user', boss, '/api/cameras/yard/live')
    try {
      await revoke(client, () => change(name, client), [refused])
    } finally {
      await undo?.()
    }
    const isOver = await Promise.race([stays.ended().then(() => true), boss.get('/api/profile').then(() => false)])
    expect(isOver).toBe(false)
  })

  const bob = { 'x-forwarded-user': 'bob', 'x-forwarded-groups': 'guard' }
  test.each<[source: string, fact: string, refused: number, change: () => Promise<unknown>]>([
    [
      'CVE-2023-36456',
      'the proxy is no longer trusted',
      401,
      () => setProxy({ ...proxy, trusted_peers: ['192.0.2.1'] }),
    ],
    ['CVE-2026-25119', 'the proxy gets a secret', 401, () => setProxy({ ...proxy, auth_secret: 's'.repeat(40) })],
    [
      'CVE-2025-53942',
      'the group no longer gives the role',
      403,
      () => setProxy({ ...proxy, header_map: { ...proxy.header_map, role_map: { guard: ['others'] } } }),
    ],
    [
      'CVE-2025-53942',
      'another header has the groups',
      403,
      () => setProxy({ ...proxy, header_map: { user: 'X-Forwarded-User', role: 'Remote-Groups' } }),
    ],
    ['CVE-2025-53942', 'the proxy no longer signs users in', 401, () => setProxy({ ...proxy, enabled: false })],
  ])('%s: %s', async (_source, _fact, refused, change) => {
    try {
      await revoke(service.gate.with(bob), change, [refused])
    } finally {
      await setProxy(proxy)
    }
  })

  test('[PROXY-18] ASVS 7.6.1: the proxy has to sign the user in again', async () => {
    const before = await openStreams()
    const streams = await openAll(service.gate.with(bob), stopwatch())
    await service.clock.advance(proxy.recheck_interval * 1000)
    await within(1000, async () => expect(await openStreams()).toBe(before))
    for (const { ended } of streams) await ended()
  })

  test('ROLE-4: the camera is removed', async () => {
    const { client } = await newGuard()
    const cameras = config()['cameras']
    const { yard: _yard, ...others } = cameras as Record<string, object>
    try {
      await revoke(client, () => succeeds(changeConfig(service, { cameras: others })), [403])
    } finally {
      await succeeds(changeConfig(service, { cameras }))
    }
  })

  test('[TOK-8] CVE-2026-43911: the secret is another one', async () => {
    await until(async () => expect((await service.internal.get('/api/cameras/yard/live/index.m3u8')).status).toBe(200))
    const { client } = await newGuard()
    const streams = await openAll(client, stopwatch())
    service = await service.restart({ env: secretOf('b') })
    for (const { ended } of streams) await ended()
    for (const path of requests()) expect([path, (await client.get(path)).status]).toEqual([path, 401])
  })
})

/** Sends the head of a request, waits until the service has decided it, and sends the body later. */
async function heldBack(client: TestClient, method: string, path: string, body: object) {
  const text = JSON.stringify(body)
  const headers = {
    ...client.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
  }
  const request = sendHead({ host: '127.0.0.1', port: client.port, method, path, headers, agent: false })
  onTestFinished(() => void request.destroy())
  const response = once(request, 'response') as Promise<[IncomingMessage]>
  request.flushHeaders()
  await once(request, 'continue')
  return async (): Promise<number | undefined> => {
    request.end(text)
    const [{ statusCode }] = await response
    return statusCode
  }
}

const usernames = async () =>
  ((await service.internal.get('/api/users')).json as { username: string }[]).map(({ username }) => username)

describe('[ROLE-10] a change whose body is sent after its sender lost access is refused, if', () => {
  const later = 300
  let number = 0
  const newAdmin = async () => {
    const name = `admin${(number += 1)}`
    await service.user(name, 'admin')
    return { name, client: await signIn(service.gate, name) }
  }
  type Change = (name: string) => Promise<unknown>

  test.each<[source: string, fact: string, status: number, change: Change]>([
    ['CWE-367', 'the user is deleted', 401, (name) => succeeds(service.internal.delete(`/api/users/${name}`))],
    [
      'CWE-367',
      'the user is no longer an admin',
      403,
      (name) => succeeds(service.internal.put(`/api/users/${name}/role`, { role: 'viewer' })),
    ],
    [
      'CWE-367',
      'all sessions are revoked',
      401,
      (name) => succeeds(service.internal.delete(`/api/sessions?user=${name}`)),
    ],
    [
      'CWE-367',
      'the password is changed',
      401,
      (name) => succeeds(service.internal.put(`/api/users/${name}/password`, { password: 'another long one' })),
    ],
  ])('%s: %s', async (_source, _fact, status, change) => {
    const { name, client } = await newAdmin()
    const added = `${name}.accomplice`
    const send = await heldBack(client, 'POST', '/api/users', { username: added, password, role: 'admin' })
    await change(name)
    await service.clock.advance(later)
    expect(await send()).toBe(status)
    expect(await usernames()).not.toContain(added)
  })

  test('CWE-367: the role loses the camera that the path names', async () => {
    const { name, client } = await newAdmin()
    await succeeds(
      service.internal.put('/api/roles/keeper', { cameras: ['yard'], allow: ['live', 'history', 'delete'] }),
    )
    await succeeds(service.internal.put(`/api/users/${name}/role`, { role: 'keeper' }))
    const send = await heldBack(
      client,
      'DELETE',
      `/api/cameras/yard/recordings?after=${span.end}&before=${span.end + 1}`,
      {},
    )
    await succeeds(
      service.internal.put('/api/roles/keeper', { cameras: ['door'], allow: ['live', 'history', 'delete'] }),
    )
    await service.clock.advance(later)
    expect(await send()).toBe(403)
  })

  test('a change whose sender keeps access is carried out, however late', async () => {
    const { name, client } = await newAdmin()
    const added = `${name}.friend`
    const send = await heldBack(client, 'POST', '/api/users', { username: added, password, role: 'viewer' })
    await service.clock.advance(5000)
    expect(await send()).toBe(201)
    expect(await usernames()).toContain(added)
  })
})
