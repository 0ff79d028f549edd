import { once } from 'node:events'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { profileOf } from './support/role-state.ts'
import { startService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

afterAll(stopAll)

/** Seconds. */
const day = 86_400

const closeCode = (socket: WebSocket): Promise<number> => once(socket, 'close').then(([code]) => code as number)
const opened = async (client: TestClient, path: string): Promise<WebSocket> => {
  const socket = client.socket(path)
  await once(socket, 'open')
  onTestFinished(() => socket.terminate())
  return socket
}
async function at(now: number, roles: object, zone = 'UTC') {
  const service = await startService({
    config: { time_zone: zone, tls: { enabled: false }, auth: { roles, session_length: 90 * day } },
  })
  service.clock.setWallTime(now)
  const gill = await service.user('gill', 'guard')
  return { service, gill }
}

describe('[GRANT-4] the passage of time', () => {
  const monday = Date.parse('2026-11-23T06:59:00Z')
  const shift = { cameras: ['yard'], hours: [{ days: ['mon', 'tue'], from: '07:00', to: '19:00' }] }

  test('outside its hours a role allows nothing, says so, and its users stay signed in', async () => {
    const { service, gill } = await at(monday, { guard: shift })
    const refused = await gill.get('/api/cameras/yard')
    expect([refused.status, refused.json]).toEqual([
      403,
      expect.objectContaining({ reason: expect.objectContaining({ code: 'outside-hours' }) as object }),
    ])
    expect(await statusOf(gill, '/api/cameras')).toBe(403)
    expect(await profileOf(gill)).toMatchObject({ role: 'guard', actions: [], allowed_cameras: [], suspended: 'hours' })
    service.clock.setWallTime(monday + 60_000)
    expect(await statusOf(gill, '/api/cameras/yard')).toBe(200)
    expect(await profileOf(gill)).not.toHaveProperty('suspended')
  })

  test('[PROXY-14] outside its hours, and when it is over, a role opens no other program behind /api/auth', async () => {
    const over = { ...shift, valid_until: '2026-11-23T08:00:00Z' }
    const { service, gill } = await at(monday, { guard: over })
    const statuses = async () => {
      const responses = await Promise.all([
        gill.get('/api/auth'),
        gill.get('/api/auth', { 'x-original-url': 'https://other.example/grafana/' }),
        gill.get('/api/auth', { 'x-original-url': '/api/profile' }),
      ])
      return responses.map(({ status, headers }) => [status, headers['remote-user'], headers['remote-role']])
    }
    const [no, yes] = [
      [403, undefined, undefined],
      [202, 'gill', 'guard'],
    ]
    // Their profile is theirs to see, but another program's `/api/profile` is not.
    const suspended = [no, no, [202, '', '']]
    expect(await statuses()).toEqual(suspended)
    service.clock.setWallTime(monday + 60_000)
    expect(await statuses()).toEqual([yes, yes, yes])
    service.clock.setWallTime(monday + 2 * 3_600_000)
    expect(await statuses()).toEqual(suspended)
  })

  test('open streams end within a second of the end of the hours', async () => {
    const end = Date.parse('2026-11-23T19:00:00Z')
    const { service, gill } = await at(end - 5000, { guard: shift })
    const sockets = await Promise.all(['/api/cameras/yard/live', '/api/events'].map((path) => opened(gill, path)))
    const codes = Promise.all(sockets.map(closeCode))
    await service.clock.advance(end - 1 - service.clock.now())
    expect(sockets.map(({ readyState }) => readyState)).toEqual([1, 1])
    await service.clock.advance(1000)
    expect(await codes).toEqual([4403, 4403])
    expect(await statusOf(gill, '/api/cameras/yard')).toBe(403)
  })

  test('a clock that is set ends them too, forward and back', async () => {
    for (const jump of ['2026-11-23T20:00:00Z', '2026-11-23T06:00:00Z', '2026-11-25T12:00:00Z']) {
      const { service, gill } = await at(Date.parse('2026-11-23T12:00:00Z'), { guard: shift })
      const socket = await opened(gill, '/api/cameras/yard/live')
      const code = closeCode(socket)
      service.clock.setWallTime(Date.parse(jump))
      await service.clock.advance(1000)
      expect([jump, await code]).toEqual([jump, 4403])
    }
  })

  test('daylight-saving time: an hour that is there twice counts twice', async () => {
    const night = { cameras: ['yard'], hours: [{ days: ['sun'], from: '02:00', to: '02:30' }] }
    const { service, gill } = await at(Date.parse('2026-10-25T00:15:00Z'), { guard: night }, 'Europe/Berlin')
    const seen: [string, number][] = []
    for (const time of ['00:15', '00:45', '01:15', '01:45']) {
      service.clock.setWallTime(Date.parse(`2026-10-25T${time}:00Z`))
      seen.push([time, await statusOf(gill, '/api/cameras/yard')])
    }
    expect(seen).toEqual([
      ['00:15', 200],
      ['00:45', 403],
      ['01:15', 200],
      ['01:45', 403],
    ])
  })

  test.each([
    ['valid_until', { valid_until: '2026-11-23T08:00:00+01:00' }, 'role-expired', 'over'],
    ['hours', { hours: [{ to: '07:00' }] }, 'outside-hours', 'hours'],
  ])('%s ends an open stream', async (_key, limits, reason, suspended) => {
    const { service, gill } = await at(monday, { guard: { cameras: ['yard'], ...limits } })
    const socket = await opened(gill, '/api/events')
    const code = closeCode(socket)
    await service.clock.advance(61_000)
    expect(await code).toBe(4403)
    expect((await gill.get('/api/cameras/yard')).json).toMatchObject({ reason: { code: reason } })
    expect(await profileOf(gill)).toMatchObject({ suspended })
  })

  test('before valid_from nothing is allowed; another time zone changes the hours at once', async () => {
    const { service, gill } = await at(monday, { guard: { ...shift, valid_from: '2026-11-23T07:30:00Z' } })
    const states: unknown[] = [(await gill.get('/api/cameras/yard')).json]
    service.clock.setWallTime(Date.parse('2026-11-23T07:30:00Z'))
    expect(await statusOf(gill, '/api/cameras/yard')).toBe(200)
    expect(states).toMatchObject([{ reason: { code: 'role-not-yet-valid' } }])
    const socket = await opened(gill, '/api/events')
    const code = closeCode(socket)
    await changeConfig(service, { time_zone: 'America/New_York' })
    expect(await code).toBe(4403)
  })

  test('an admin sees what a user would see at another time', async () => {
    const { service } = await at(monday, { guard: shift })
    const tried = async (time: string) =>
      (await service.internal.post('/api/access/try', { user: 'gill', at: time })).json
    expect(await tried('2026-11-23T12:00:00Z')).toMatchObject({ allowed_cameras: ['yard'] })
    expect(await tried('2026-11-23T22:00:00Z')).toMatchObject({ allowed_cameras: [], actions: [], suspended: 'hours' })
    for (const time of ['2026-12-31T23:59:60Z', '2026-12-31T12:00:00Z[Europe/Berlin]']) {
      expect(await tried(time)).toMatchObject({ status: 400, problems: [{ field: 'at' }] })
    }
  })
})
