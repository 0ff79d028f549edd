import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { AuditLine } from '../src/audit/audit-line.ts'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { segmentFile } from '../src/recordings/segments/segment-name.ts'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { bearer } from './support/create-token.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { grayJpeg, seedReview } from './support/review-seed.ts'
import type { Service } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const plain = { tls: { enabled: false } }

/** A whole second, a few minutes ago. */
const recordedAt = Math.floor(Date.now() / 1000 - 600) * 1000
const at = (seconds: number): number => recordedAt / 1000 + seconds

afterAll(stopAll)

const linesOf = async ({ internal }: Service, query = ''): Promise<AuditLine[]> =>
  ((await internal.get(`/api/audit?limit=500${query}`)).json as AuditPage).entries

test('[AUD-1] if not all recordings can be deleted, the entry is a failure with the number that was deleted', async () => {
  const empty = await startService({ config: plain })
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
  const service = await empty.restart()
  const span = `after=${at(0)}&before=${at(30)}`
  await expect
    .poll(
      async () => (await service.internal.get(`/api/cameras/yard/recordings?${span}`)).text.match(/"id"/g)?.length,
      {
        timeout: 60_000,
      },
    )
    .toBe(3)
  const stuck = join(service.mediaDir, 'recordings', segmentFile(cameraKey('yard'), recordedAt + 20_000))
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
        const responses = Array.from({ length: 50 }, () => from.post('/api/login', { user: 'a', password: 'b' }, evil))
        for (const { status } of await Promise.all(responses)) expect(status).toBe(403)
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
  })

  test('they do not displace useful lines from the log', async () => {
    const service = await startService({ config: plain })
    const evil = { origin: 'https://evil.example' }
    for (let sent = 0; sent < 1_200; sent += 60) {
      await Promise.all(Array.from({ length: 60 }, () => service.gate.post('/api/logout', undefined, evil)))
    }
    const { lines } = (await service.internal.get('/api/logs')).json as { lines: { message: string }[] }
    expect(lines.map(({ message }) => message)).toContainEqual(expect.stringContaining('service ready'))
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
      const responses = Array.from({ length: times }, () => service.gate.get('/api/profile', headers))
      for (const { status } of await Promise.all(responses)) expect(status).toBe(401)
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
  // Those of share links are in share-links.test.ts.
  const media = accessRows.filter(
    ({ method, path }) =>
      method === 'GET' && !path.startsWith('/api/links/') && /\.(jpg|m3u8|mp4|m4s)$|mjpeg$|live$/.test(path),
  )

  const seeded = async (audit: object) => {
    const config = { ...plain, audit, cameras: { ...quietCameras, yard: { source: 'demo:yard' } } }
    const empty = await startService({ config })
    await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 2 })
    const service = await empty.restart()
    await expect.poll(async () => (await service.internal.get('/api/cameras/yard')).text).toContain('"online"')
    await expect.poll(async () => (await service.internal.get(segmentsPath)).text.match(/"id"/g)?.length).toBe(2)
    return service
  }
  const segmentsPath = `/api/cameras/yard/recordings?after=${at(0)}&before=${at(20)}`

  /** Sends every auditable read once. @returns the routes. */
  const seeAll = async (service: Service, viewer: TestClient): Promise<string[]> => {
    const seen: string[] = []
    const see = async (route: string, path: string) => {
      const response = await viewer.request('GET', path, { headOnly: true })
      expect([path, response.status]).toEqual([path, 200])
      seen.push(route)
      return response
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
    await expect.poll(async () => (await viewer.get(`/api/exports/${id}`)).text).toContain('"state":"done"')
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
  })

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
