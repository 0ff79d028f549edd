import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'

const day = 86_400_000

let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null } } })
})
afterAll(stopAll)

const setStatus = (user: string, status: object) => service.internal.put(`/api/users/${user}/status`, status)
const login = (user: string) => service.gate.post('/api/login', { user, password })
const later = (milliseconds: number) => new Date(service.clock.now() + milliseconds).toISOString()

test('[GRANT-4] a disabled user is signed out within a second, everywhere, and cannot sign in', async () => {
  const ann = await service.user('ann')
  const socket = ann.socket('/api/events')
  await once(socket, 'open')
  const closed = once(socket, 'close') as Promise<[number]>
  const changed = await setStatus('ann', { disabled: true })
  expect([changed.status, changed.json]).toMatchObject([200, { username: 'ann', disabled: true, expires_at: null }])
  expect((await closed)[0]).toBe(4401)
  expect((await ann.get('/api/profile')).status).toBe(401)
  expect((await ann.get('/api/auth')).status).toBe(401)
  const refused = await login('ann')
  const unknown = await login('absent')
  expect([refused.status, refused.text]).toEqual([401, unknown.text])
})

test('a user who is enabled again signs in again; earlier sessions stay ended', async () => {
  const bea = await service.user('bea')
  // The session is cached.
  expect((await bea.get('/api/profile')).status).toBe(200)
  await setStatus('bea', { disabled: true })
  expect((await setStatus('bea', { disabled: false })).json).toMatchObject({ disabled: false })
  expect((await bea.get('/api/profile')).status).toBe(401)
  expect((await login('bea')).status).toBe(200)
})

test('[GRANT-4] at the moment when a user expires, their streams end and their session is refused', async () => {
  const carl = await service.user('carl')
  const socket = carl.socket('/api/events')
  await once(socket, 'open')
  const closed = once(socket, 'close') as Promise<[number]>
  expect((await setStatus('carl', { expires_at: later(60_000) })).status).toBe(200)
  await service.clock.advance(59_000)
  expect([socket.readyState, (await carl.get('/api/profile')).status]).toEqual([1, 200])
  await service.clock.advance(2000)
  expect((await closed)[0]).toBe(4401)
  expect((await carl.get('/api/profile')).status).toBe(401)
  expect((await login('carl')).status).toBe(401)
  await setStatus('carl', { expires_at: later(day) })
  expect((await login('carl')).status).toBe(200)
})

test('a key that is left out stays as it is; the list shows both', async () => {
  await service.user('dora')
  const until = later(day)
  await setStatus('dora', { expires_at: until })
  await setStatus('dora', { disabled: true })
  const listed = (await service.internal.get('/api/users')).json as { username: string }[]
  expect(listed.find(({ username }) => username === 'dora')).toMatchObject({ disabled: true, expires_at: until })
  expect((await setStatus('dora', { disabled: false, expires_at: null })).json).toMatchObject({
    disabled: false,
    expires_at: null,
  })
})

test('[USER-6] the last admin who stays can be neither disabled nor limited, nor deleted or demoted', async () => {
  await service.internal.post('/api/users', { username: 'eve', password, role: 'admin' })
  expect((await setStatus('eve', { expires_at: later(day) })).status).toBe(200)
  for (const status of [{ disabled: true }, { expires_at: later(day) }]) {
    expect((await setStatus('admin', status)).json).toMatchObject({ code: 'conflict', reason: { code: 'last-admin' } })
  }
  expect((await service.internal.put('/api/users/admin/role', { role: 'viewer' })).status).toBe(409)
  expect((await service.internal.delete('/api/users/admin')).status).toBe(409)
  expect((await setStatus('eve', { expires_at: null })).status).toBe(200)
  expect((await setStatus('admin', { disabled: true })).status).toBe(200)
  expect((await setStatus('admin', { disabled: false })).status).toBe(200)
})

test('[USER-6] two admins who disable each other at the same time: one stays', async () => {
  const both = await Promise.all(['admin', 'eve'].map((name) => setStatus(name, { disabled: true })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  for (const name of ['admin', 'eve']) await setStatus(name, { disabled: false })
})

test('[USER-5] only admins change it, bad input is 400, an unknown user 404, and it is audited', async () => {
  const vera = await service.user('vera')
  expect((await vera.put('/api/users/vera/status', { disabled: false })).status).toBe(403)
  for (const body of [{}, { disabled: 'yes' }, { expires_at: 'tomorrow' }, { expires_at: 5 }, { other: 1 }]) {
    expect([body, (await setStatus('vera', body)).status]).toEqual([body, 400])
  }
  for (const time of ['2026-12-31T23:59:60Z', '2026-12-31T12:00:00Z[Europe/Berlin]']) {
    const { status, json } = await setStatus('vera', { expires_at: time })
    expect([time, status, json]).toMatchObject([time, 400, { problems: [{ field: 'expires_at' }] }])
  }
  expect((await setStatus('absent', { disabled: true })).status).toBe(404)
  const { entries } = (await service.internal.get('/api/audit?action=user.status&user=anonymous')).json as {
    entries: { target: string; detail: string }[]
  }
  expect(entries.some(({ target, detail }) => target === 'dora' && detail.includes('"disabled":true'))).toBe(true)
})

test('[BOOT-3] a reset of the admin password enables the admin again', async () => {
  await service.internal.post('/api/users', { username: 'fred', password, role: 'admin' })
  await setStatus('admin', { disabled: true })
  service = await service.restart({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, reset_admin_password: true } },
  })
  const [, printed = ''] = /password: +(\S+)/.exec(service.output()) ?? []
  const admin = await signIn(service.gate, 'admin', printed)
  expect((await admin.get('/api/profile')).status).toBe(200)
})
