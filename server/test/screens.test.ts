import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { closeCode } from './support/close-code.ts'
import { bearer, createToken } from './support/create-token.ts'
import { cookieIn, pairScreen, startPairing } from './support/pair-screen.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const minute = 60_000
const roles = { guard: ['yard'] }

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null } },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

interface Listed {
  readonly id: string
  readonly name: string
  readonly cameras: readonly string[]
  readonly last_seen_at: string | null
  readonly address: string | null
}

const screens = async (): Promise<Listed[]> => (await admin.get('/api/screens')).json as Listed[]
const confirm = (code: string, more: object = {}) =>
  admin.post('/api/pairings/confirm', { code, name: 'hall', cameras: ['yard'], ...more })
const poll = (id: string) => service.gate.get(`/api/pairings/${id}`)
const change = (id: string, body: object) => admin.request('PATCH', `/api/screens/${id}`, { body })
const audited = async (action: string) =>
  ((await admin.get(`/api/audit?action=${action}`)).json as { entries: Record<string, unknown>[] }).entries

test('[KEY-6] a display shows a code, an admin confirms it, and the display gets its cookie once', async () => {
  const started = await service.gate.post('/api/pairings', undefined, { 'user-agent': 'Kiosk/1' })
  const { id, code, expires_at } = started.json as { id: string; code: string; expires_at: string }
  expect(started.status).toBe(201)
  expect(code).toMatch(/^[A-Z3-9]{8}$/)
  expect(Buffer.from(id, 'base64url')).toHaveLength(32)
  expect(Date.parse(expires_at) - service.clock.now()).toBeGreaterThan(9.9 * minute)
  expect((await poll(id)).status).toBe(202)

  const shown = await admin.post('/api/pairings/find', { code: ` ${code.toLowerCase().replace(/(....)/, '$1-')}` })
  expect(shown.json).toMatchObject({ address: '127.0.0.1', user_agent: 'Kiosk/1', expires_at })
  const confirmed = await confirm(code, { name: ' Hall ', cameras: ['yard', 'door', 'yard'], layout: { columns: 2 } })
  expect([confirmed.status, confirmed.json]).toMatchObject([
    201,
    {
      name: 'Hall',
      cameras: ['yard', 'door'],
      audio: false,
      layout: { columns: 2, cameras_per_page: null, rotate_seconds: 15, dim: null },
      confirmed_by: 'boss',
      last_seen_at: null,
      ended: false,
    },
  ])
  expect((await confirm(code)).status).toBe(404)

  const paired = await poll(id)
  const [cookie = ''] = paired.cookies
  expect([paired.status, paired.cookies.length]).toEqual([200, 1])
  expect(cookie).toMatch(/; HttpOnly/)
  expect(cookie).toMatch(/; SameSite=Strict/)
  const again = await poll(id)
  expect([again.status, again.json, again.cookies]).toMatchObject([410, { reason: { code: 'pairing-over' } }, []])

  const screen = service.gate.with({ cookie: cookieIn(paired.cookies) })
  expect((await screen.get('/api/profile')).json).toMatchObject({
    username: 'Hall',
    auth: 'screen',
    actions: ['live'],
    allowed_cameras: ['yard', 'door'],
    expires_at: null,
  })
  const own = await screen.get('/api/screen')
  expect(own.json).toMatchObject({ name: 'Hall', cameras: ['yard', 'door'] })
  expect(cookieIn(own.cookies)).toBe(cookieIn(paired.cookies))
  expect(await screens()).toMatchObject([{ name: 'Hall', address: '127.0.0.1' }])
  const wrong = { result: 'failure', user: 'boss', target: null, detail: 'wrong-pairing-code' }
  const right = { result: 'success', user: 'boss', detail: 'Hall: yard, door, yard' }
  await expect.poll(() => audited('screen.create')).toMatchObject([wrong, right])
  const handedOver = { result: 'success', user: null, address: '127.0.0.1', target: expect.any(String), detail: 'Hall' }
  expect(await audited('screen.connect')).toMatchObject([handedOver])
})

test('[KEY-6] over TLS the cookie is only for TLS', async () => {
  const tls = await startService({ config: {} })
  const { id, code } = await startPairing(tls)
  await tls.internal.post('/api/pairings/confirm', { code, name: 'hall', cameras: ['yard'] })
  expect((await tls.gate.get(`/api/pairings/${id}`)).cookies[0]).toMatch(/; Secure/)
})

test('[KEY-6] a code that no admin confirms is over after ten minutes', async () => {
  const { id, code } = await startPairing(service)
  await service.clock.skip(10 * minute - 5000)
  expect((await poll(id)).status).toBe(202)
  await service.clock.advance(5000)
  expect((await poll(id)).status).toBe(410)
  expect((await confirm(code)).json).toMatchObject({ code: 'not-found', reason: { code: 'wrong-pairing-code' } })
})

test('[KEY-6] a code that is confirmed in its last moment still works for a minute', async () => {
  const [late, never] = [await startPairing(service), await startPairing(service)]
  await service.clock.skip(10 * minute - 2000)
  for (const { code } of [late, never]) expect((await confirm(code)).status).toBe(201)
  await service.clock.advance(50_000)
  expect((await poll(late.id)).status).toBe(200)
  await service.clock.advance(20_000)
  expect((await poll(never.id)).status).toBe(410)
})

test('[KEY-6] a screen that is removed before the display gets its cookie is never paired', async () => {
  const { id, code } = await startPairing(service)
  const { id: screen } = (await confirm(code)).json as { id: string }
  expect((await admin.delete(`/api/screens/${screen}`)).status).toBe(204)
  expect((await poll(id)).status).toBe(410)
})

test('[KEY-6] a screen that an admin previews before the display gets its cookie is accepted with that cookie', async () => {
  const { id, code } = await startPairing(service)
  const { id: screen } = (await confirm(code)).json as { id: string }
  expect((await admin.post('/api/access/try', { screen })).json).toMatchObject({ user: 'hall' })
  const display = service.gate.with({ cookie: cookieIn((await poll(id)).cookies) })
  expect((await display.get('/api/screen')).status).toBe(200)
})

test('[KEY-6] of two admins who confirm a code together, one makes a screen; of two polls, one gets the cookie', async () => {
  const { id, code } = await startPairing(service)
  const confirmed = await Promise.all([confirm(code), confirm(code), confirm(code)])
  expect(confirmed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404])
  const polled = await Promise.all([poll(id), poll(id), poll(id)])
  expect(polled.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
})

test('[KEY-6] a pairing goes on after a restart, and so does a screen', async () => {
  const other = await startService({ config: { tls: { enabled: false } } })
  const { id, code } = await startPairing(other)
  const { client } = await pairScreen(other, { name: 'hall', cameras: ['yard'] })
  const next = await other.restart()
  expect((await next.internal.post('/api/pairings/confirm', { code, name: 'x', cameras: ['yard'] })).status).toBe(201)
  expect((await next.gate.get(`/api/pairings/${id}`)).status).toBe(200)
  expect((await client.get('/api/profile')).status).toBe(200)
})

test('[KEY-6] a screen that is revoked loses its open streams within a second, and says why', async () => {
  const { id, client } = await pairScreen(service, { name: 'hall', cameras: ['yard'] })
  const socket = client.socket('/api/events')
  await once(socket, 'open')
  const last = once(socket, 'message') as Promise<[Buffer]>
  const revoke = () => admin.delete(`/api/screens/${id}`)
  expect(await closeCode(client, '/api/cameras/yard/live', revoke)).toBe(4401)
  expect(JSON.parse((await last)[0].toString())).toEqual({ type: 'session-ended' })
  expect((await client.get('/api/screen')).status).toBe(401)
  expect((await revoke()).status).toBe(404)
  expect((await screens()).map((screen) => screen.id)).not.toContain(id)
  expect(await audited('screen.revoke')).toMatchObject([{ user: 'boss', target: id, detail: 'hall' }, {}])
})

const using = (token: string) => service.gate.with(bearer(token))
const pairedBy = (by: TestClient) => pairScreen(service, { name: 'hall', cameras: ['yard'] }, by)

test('[KEY-4] a screen that an API token paired ends with the token, also one of a token that it created', async () => {
  const limits = { cameras: ['yard'], actions: ['live', 'screens.manage', 'tokens.manage'] }
  const first = await createToken(admin, limits)
  const second = await createToken(using(first.token), limits)
  const [one, two, other] = [
    await pairedBy(using(first.token)),
    await pairedBy(using(second.token)),
    await pairedBy(admin),
  ]
  const revoke = () => admin.delete(`/api/tokens/${first.id}`)
  expect(await closeCode(two.client, '/api/cameras/yard/live', revoke)).toBe(4401)
  const statuses = await Promise.all([one, two, other].map(({ client }) => statusOf(client, '/api/screen')))
  expect(statuses).toEqual([401, 401, 200])
  const left = (await screens()).map(({ id }) => id)
  expect([one, two, other].map(({ id }) => left.includes(id))).toEqual([false, false, true])
  const entries = (await audited('screen.revoke')).map(({ target }) => target)
  expect(entries).toEqual(expect.arrayContaining([one.id, two.id]))
})

test('[KEY-6] a change of its cameras reaches the open streams of a screen within a second', async () => {
  const { id, client } = await pairScreen(service, { name: 'hall', cameras: ['yard', 'door'] })
  const narrow = () => change(id, { cameras: ['door'] })
  expect(await closeCode(client, '/api/cameras/yard/live', narrow)).toBe(4403)
  expect((await client.get('/api/cameras/yard/latest.jpg')).status).toBe(403)
  expect((await client.get('/api/cameras/door')).status).toBe(200)
  expect((await client.get('/api/cameras/office')).status).toBe(403)
  expect(((await client.get('/api/cameras')).json as { name: string }[]).map(({ name }) => name)).toEqual(['door'])
})

test('[KEY-6] a change keeps the keys that it leaves out, and is audited', async () => {
  const { id, client } = await pairScreen(service, { name: 'hall', cameras: ['yard'], layout: { rotate_seconds: 30 } })
  const dim = { from: '22:00', until: '06:30' }
  expect((await change(id, { name: 'lobby', layout: { dim } })).json).toMatchObject({
    name: 'lobby',
    cameras: ['yard'],
  })
  expect((await client.get('/api/screen')).json).toMatchObject({ name: 'lobby', layout: { rotate_seconds: 30, dim } })
  expect((await change(id, { audio: true })).status).toBe(200)
  expect((await client.get('/api/profile')).json).toMatchObject({ actions: ['live', 'audio'] })
  const [entry] = await audited('screen.change')
  expect(entry).toMatchObject({ user: 'boss', target: id, detail: 'lobby: {"audio":true}' })
})

test('[KEY-6] [CAM-4] a screen does not get a camera that is added later under the name of one that it had', async () => {
  const other = await startService({ config: { tls: { enabled: false } } })
  const { client } = await pairScreen(other, { name: 'hall', cameras: ['yard', 'door'] })
  const { yard, ...rest } = quietCameras
  await changeConfig(other, { cameras: rest })
  expect((await client.get('/api/profile')).json).toMatchObject({ allowed_cameras: ['door'] })
  await changeConfig(other, { cameras: { ...rest, yard: { ...yard, source: 'rtsp://192.0.2.1/other' } } })
  expect((await client.get('/api/profile')).json).toMatchObject({ allowed_cameras: ['door'] })
  expect((await client.get('/api/cameras/yard')).status).toBe(403)
  expect((await client.get('/api/screen')).json).toMatchObject({ cameras: ['door'] })
})

test('[KEY-6] a person’s session or token comes before the cookie of a screen; a dead one does not block it', async () => {
  const { client } = await pairScreen(service, { name: 'hall', cameras: ['yard'] })
  const screen = String(client.headers['cookie'])
  const gill = await service.user('gill', 'guard')
  const session = String(gill.headers['cookie'])
  const nameOf = async (headers: Record<string, string>) => {
    const { status, json } = await service.gate.get('/api/profile', headers)
    return status === 200 ? (json as { username: string }).username : status
  }
  const bearer = `Bearer ${session.split('=')[1]}`
  const dead = session.replace(/=.*/, '=x.y.z')
  expect(await nameOf({ cookie: `${screen}; ${session}` })).toBe('gill')
  expect(await nameOf({ cookie: screen, authorization: bearer })).toBe('gill')
  expect(await nameOf({ cookie: screen, authorization: 'Bearer x.y.z' })).toBe(401)
  expect(await nameOf({ cookie: screen, authorization: 'Basic eDp5' })).toBe(401)
  expect(await nameOf({ cookie: `${screen}; ${dead}` })).toBe('hall')
  // Two sessions are none, and the response clears no cookie of the screen.
  const both = await service.gate.get('/api/profile', { cookie: `${session}; ${dead}; ${screen}` })
  expect([(both.json as { username: string }).username, both.headers['clear-site-data']]).toEqual(['hall', undefined])
  const login = await service.gate.post('/api/login', { user: 'gill', password: 'wrong' }, { cookie: screen })
  expect(login.status).toBe(401)
})

test('[KEY-6] when and where a screen was seen is written at most once a minute', async () => {
  const { id, client } = await pairScreen(service, { name: 'hall', cameras: ['yard'] })
  const seen = async () => (await screens()).find((screen) => screen.id === id)?.last_seen_at
  const first = await seen()
  await service.clock.advance(30_000)
  await client.get('/api/screen')
  expect(await seen()).toBe(first)
  await service.clock.advance(31_000)
  await client.get('/api/screen')
  await expect.poll(seen).not.toBe(first)
})

test('[KEY-6] a browser’s request from another site cannot use a screen, or pair the browser of someone else', async () => {
  const { client } = await pairScreen(service, { name: 'hall', cameras: ['yard'] })
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const { id } = await startPairing(service)
  for (const [method, path] of [
    ['GET', `/api/pairings/${id}`],
    ['POST', '/api/pairings'],
  ] as const) {
    const { status } = await client.request(method, path, { headers: foreign })
    expect([method, status]).toEqual([method, 403])
  }
  await expect.poll(async () => JSON.stringify(await audited('request.denied'))).toContain('GET /api/pairings/:id')
  expect(JSON.stringify(await audited('request.denied'))).not.toContain(id)
})

test('[KEY-6] where a proxy signs users in, no display can be paired', async () => {
  const proxied = await startService({
    config: {
      tls: { enabled: false },
      auth: { enabled: false },
      proxy: { auth_secret: 's'.repeat(40), header_map: { user: 'X-Forwarded-User' } },
    },
  })
  const proxy = proxied.gate.with({ 'x-proxy-secret': 's'.repeat(40), 'x-forwarded-user': 'pia' })
  const { status, json } = await proxy.post('/api/pairings')
  expect([status, json]).toMatchObject([404, { reason: { code: 'proxy-auth-enabled' } }])
})

test.each<[what: string, body: object, problem: object]>([
  ['no name', { name: ' ' }, { field: 'name', code: 'missing' }],
  ['a name of two lines', { name: 'a\nb' }, { field: 'name', code: 'control-character' }],
  ['no camera', { cameras: [] }, { field: 'cameras', code: 'too-few' }],
  ['an unknown camera', { cameras: ['yard', 'cellar'] }, { field: 'cameras', code: 'no-such-camera' }],
  ['a key of a removed camera', { cameras: ['yard~'] }, { field: 'cameras', code: 'no-such-camera' }],
  ['too many columns', { layout: { columns: 9 } }, { field: 'layout.columns' }],
  ['an unknown part of the layout', { layout: { css: 'x' } }, { field: 'layout.css', code: 'unknown-field' }],
  ['a time that no clock shows', { layout: { dim: { from: '24:10', until: '06:00' } } }, { field: /^layout\.dim/ }],
])('[KEY-6] %s is 400, and names the field', async (_what, body, problem) => {
  const { code } = await startPairing(service)
  const { status, json } = await confirm(code, body)
  const found = (json as { problems: { field: string; code: string }[] }).problems
  expect(status).toBe(400)
  expect(found.some(({ field, code }) => matches({ field, code }, problem))).toBe(true)
})

const matches = (found: Record<string, string>, expected: object): boolean =>
  Object.entries(expected).every(([key, value]) =>
    value instanceof RegExp ? value.test(found[key] ?? '') : found[key] === value,
  )
