import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { bearer, createToken } from './support/create-token.ts'
import { startFakeOidcService } from './support/fake-oidc-service.ts'
import { fakeKeys } from './support/fake-provider.ts'
import { tokenIn, password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'

const day = 86_400_000
const chosen = 'a password that ann chose'

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      auth: { roles: { guard: ['yard'], cook: ['door'] }, failed_login_rate_limit: null },
    },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

interface Link {
  readonly id: string
  readonly secret: string
}
const linkIn = ({ status, json }: Reply): Link => {
  const { id, url } = json as { id: string; url: string }
  expect(status).toBe(201)
  return { id, secret: new URL(url).hash.slice(1) }
}
const invite = async (body: object = { role: 'guard' }, by = admin) => linkIn(await by.post('/api/invitations', body))
const resetOf = async (user: string, by = admin) => linkIn(await by.post(`/api/users/${user}/password-reset`))
const accept = ({ id, secret }: Link, more: object) =>
  service.gate.post(`/api/invitations/${id}/accept`, { secret, password: chosen, ...more })
const openInvitation = ({ id, secret }: Link) => service.gate.post(`/api/invitations/${id}/open`, { secret })
const reset = ({ id, secret }: Link, more: object = {}) =>
  service.gate.post(`/api/password-resets/${id}/accept`, { secret, password: chosen, ...more })
const entries = async (query: string) =>
  ((await admin.get(`/api/audit?${query}`)).json as { entries: Record<string, unknown>[] }).entries
const pending = async () => (await admin.get('/api/invitations')).json as { id: string }[]
const isOver = (reason: string) => [410, { reason: { code: `one-time-link-${reason}` } }]

test('[LINK-4] an invited person chooses a name and a password, once, and is signed in', async () => {
  const created = await admin.post('/api/invitations', { role: 'guard' })
  const { url, expires_at } = created.json as { url: string; expires_at: string }
  const link = linkIn(created)
  expect(url).toMatch(/^http:\/\/[^/]+\/invite\/[0-9a-f]{32}#[A-Za-z0-9_-]{43}$/)
  expect(Date.parse(expires_at) - service.clock.now()).toBeGreaterThan(7 * day - 60_000)
  expect((await openInvitation(link)).json).toMatchObject({ username: null, expires_at })
  expect(await pending()).toMatchObject([{ id: link.id, kind: 'invitation', role: 'guard', created_by: 'boss' }])
  const accepted = await accept(link, { username: 'Ann' })
  expect([accepted.status, accepted.json]).toMatchObject([200, { username: 'Ann', role: 'guard' }])
  const ann = service.gate.with({ authorization: `Bearer ${tokenIn(accepted)}` })
  expect((await ann.get('/api/profile')).json).toMatchObject({
    username: 'Ann',
    role: 'guard',
    allowed_cameras: ['yard'],
    password_origin: 'own',
  })
  expect((await service.gate.post('/api/login', { user: 'ann', password: chosen })).status).toBe(200)
  const again = await accept(link, { username: 'other' })
  expect([again.status, again.json, again.cookies]).toMatchObject([...isOver('used'), []])
  expect([(await openInvitation(link)).status, await pending()]).toEqual([410, []])
})

test('[LINK-4] of twenty who use an invitation together, one becomes a user', async () => {
  const link = await invite()
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(link, { username: `many${n}` })))
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(410)])
  const users = (await admin.get('/api/users?search=many')).json as unknown[]
  expect(users).toHaveLength(1)
})

test('[LINK-4] the name of the invitation stays; bad names and passwords are 400 and use up nothing', async () => {
  const link = await invite({ role: 'guard', username: 'Carla' })
  const field = async (more: object) =>
    ((await accept(link, more)).json as { problems?: { field: string; code: string }[] }).problems?.[0]
  expect(await field({ username: 'other' })).toMatchObject({ field: 'username', code: 'invalid' })
  expect(await field({ password: 'short' })).toMatchObject({ field: 'password' })
  expect(await field({ password: 'carla' })).toMatchObject({ field: 'password' })
  expect((await accept(link, {})).json).toMatchObject({ username: 'Carla' })
  const open = await invite()
  const without = (await accept(open, {})).json as { problems: unknown[] }
  expect(without.problems).toMatchObject([{ field: 'username', code: 'missing' }])
  expect((await accept(open, { username: 'CARLA' })).json).toMatchObject({ reason: { code: 'name-taken' } })
  expect((await accept(open, { username: 'dora' })).status).toBe(200)
  for (const body of [{ role: 'none' }, { role: 'guard', username: 'no space' }, { role: 'guard', more: 1 }, {}]) {
    expect([body, (await admin.post('/api/invitations', body)).status]).toEqual([body, 400])
  }
  expect((await admin.post('/api/invitations', { role: 'guard', username: 'carla' })).status).toBe(409)
})

test('[LINK-4] an invitation ends after seven days, when it is revoked, and with its role', async () => {
  const [late, revoked, cook] = [await invite(), await invite(), await invite({ role: 'cook' })]
  expect((await admin.delete(`/api/invitations/${revoked.id}`)).status).toBe(204)
  expect((await admin.delete(`/api/invitations/${revoked.id}`)).status).toBe(404)
  const refused = await accept(revoked, { username: 'x1' })
  expect([refused.status, refused.json]).toMatchObject(isOver('ended'))
  expect((await admin.delete('/api/roles/cook')).status).toBe(200)
  const roleless = await accept(cook, { username: 'x1' })
  expect([roleless.status, roleless.json]).toMatchObject(isOver('ended'))
  expect((await entries('action=invitation.revoke')).map(({ user, target, detail }) => [user, target, detail])).toEqual(
    [
      ['boss', null, 'cook'],
      ['boss', null, 'guard'],
    ],
  )
  service.clock.setWallTime(service.clock.now() + 7 * day)
  const expired = await accept(late, { username: 'x1' })
  expect([expired.status, expired.json]).toMatchObject(isOver('expired'))
  admin = await service.user('boss2', 'admin')
  expect((await admin.get('/api/users/x1')).status).toBe(404)
})

test.each([
  ['demoted', (user: string) => service.internal.put(`${user}/role`, { role: 'viewer' })],
  ['disabled', (user: string) => service.internal.put(`${user}/status`, { disabled: true })],
  ['deleted', (user: string) => service.internal.delete(user)],
])('[LINK-4] links of an admin who is %s are over', async (how, cause) => {
  const chief = await service.user(`chief.${how}`, 'admin')
  await service.user(`fay.${how}`)
  const links = [await invite({ role: 'admin' }, chief), await resetOf(`fay.${how}`, chief)] as const
  expect((await openInvitation(links[0])).status).toBe(200)
  expect((await cause(`/api/users/chief.${how}`)).status).toBeLessThan(300)
  expect((await pending()).map(({ id }) => id)).not.toContain(links[0].id)
  for (const refused of [await accept(links[0], { username: 'own' }), await reset(links[1])]) {
    expect([refused.status, refused.json]).toMatchObject(isOver('ended'))
  }
})

test.each([
  ['removed', { issuer: null, client_id: null, client_secret: null, role_map: {} }],
  ['replaced', { issuer: 'http://127.0.0.1:9' }],
])('[LINK-4] [OIDC-1] links of an admin whose provider is %s are over', async (_how, keys) => {
  const there = await startFakeOidcService()
  there.provider.claims = { groups: ['sysadmins'] }
  const chief = await there.signedIn()
  await there.service.user('fay')
  const links = [await invite({ role: 'admin' }, chief), await resetOf('fay', chief)] as const
  expect((await changeConfig(there.service, { auth: { oidc: { ...fakeKeys(there.provider), ...keys } } })).status).toBe(
    200,
  )
  expect((await chief.get('/api/profile')).status).toBe(401)
  const { gate } = there.service
  const [{ id, secret }, ofFay] = links
  for (const refused of [
    await gate.post(`/api/invitations/${id}/open`, { secret }),
    await gate.post(`/api/invitations/${id}/accept`, { secret, username: 'own', password: chosen }),
    await gate.post(`/api/password-resets/${ofFay.id}/accept`, { secret: ofFay.secret, password: chosen }),
  ]) {
    expect([refused.status, refused.json, refused.cookies]).toMatchObject([...isOver('ended'), []])
  }
  expect((await there.service.internal.get('/api/invitations')).json).toEqual([])
})

/** An API token of an admin that can manage users, and the program that has it. */
async function programOf(by: TestClient, body: object = {}) {
  const { id, token } = await createToken(by, { actions: ['users.manage'], ...body })
  return { id, program: service.gate.with(bearer(token)) }
}

test.each<[how: string, cause: (name: string, id: string, owner: TestClient) => Promise<Reply>]>([
  ['is revoked', (_name, id, owner) => owner.delete(`/api/tokens/${id}`)],
  [
    'ends with a new password of its owner',
    (name) => service.internal.put(`/api/users/${name}/password`, { password: 'a new one for them' }),
  ],
  ['belongs to a user who is demoted', (name) => service.internal.put(`/api/users/${name}/role`, { role: 'viewer' })],
  [
    'belongs to a user who is disabled',
    (name) => service.internal.put(`/api/users/${name}/status`, { disabled: true }),
  ],
])('[LINK-4] [KEY-2] links that an API token created are over when it %s', async (how, cause) => {
  const name = how.replaceAll(' ', '.')
  const owner = await service.user(name, 'admin')
  await service.user(`user.${name}`)
  const { id, program } = await programOf(owner)
  const links = [await invite({ role: 'admin' }, program), await resetOf(`user.${name}`, program)] as const
  const byOwner = await invite({ role: 'guard' }, owner)
  expect((await openInvitation(links[0])).status).toBe(200)
  expect((await cause(name, id, owner)).status).toBeLessThan(300)
  const listed = (await pending()).map((link) => link.id)
  for (const link of links) expect(listed).not.toContain(link.id)
  for (const refused of [await accept(links[0], { username: 'own' }), await reset(links[1])]) {
    expect([refused.status, refused.json]).toMatchObject(isOver('ended'))
  }
  const isStillAdmin = !how.includes('demoted') && !how.includes('disabled')
  expect((await openInvitation(byOwner)).status).toBe(isStillAdmin ? 200 : 410)
})

test('[LINK-4] [KEY-4] links that an API token creates expire with it', async () => {
  const owner = await service.user('owner.short', 'admin')
  await service.user('user.short')
  const expires_at = new Date(service.clock.now() + 3600_000).toISOString()
  const { program } = await programOf(owner, { expires_at })
  const created = await program.post('/api/invitations', { role: 'guard' })
  expect(created.json).toMatchObject({ expires_at })
  expect((await program.post('/api/users/user.short/password-reset')).json).toMatchObject({ expires_at })
  service.clock.setWallTime(service.clock.now() + 3600_000)
  expect((await accept(linkIn(created), { username: 'late' })).json).toMatchObject({
    reason: { code: 'one-time-link-expired' },
  })
})

test('[LINK-4] a malformed id, as in a URL that was cut off, gets the response of an unknown one', async () => {
  const { id, secret } = await invite({ role: 'guard' })
  for (const other of [id.slice(0, -1), `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`]) {
    const refused = await openInvitation({ id: other, secret })
    expect([refused.status, refused.json]).toMatchObject([401, { reason: { code: 'one-time-link-wrong' } }])
  }
})

test('[LINK-4] a reset link sets the password once, within a day, and signs out everything else', async () => {
  const gus = await service.user('gus')
  const first = await resetOf('gus')
  const link = await resetOf('gus')
  expect((await reset(first)).json).toMatchObject({ reason: { code: 'one-time-link-ended' } })
  const done = await reset(link)
  expect([done.status, done.json]).toMatchObject([200, { username: 'gus', role: 'viewer' }])
  expect((await gus.get('/api/profile')).status).toBe(401)
  const now = service.gate.with({ authorization: `Bearer ${tokenIn(done)}` })
  expect((await now.get('/api/profile')).json).toMatchObject({ username: 'gus', must_change_password: false })
  expect((await service.gate.post('/api/login', { user: 'gus', password })).status).toBe(401)
  expect((await reset(link)).json).toMatchObject({ reason: { code: 'one-time-link-used' } })
})

test('[LINK-4] a reset is over when the password has changed, and when the user is gone or disabled', async () => {
  const causes = [
    (user: string) => service.internal.put(`${user}/password`, { password: 'set by another admin' }),
    (user: string) => service.internal.put(`${user}/status`, { disabled: true }),
    async (user: string) => {
      await service.internal.delete(user)
      return service.internal.post('/api/users', { username: user.slice(-4), password, role: 'viewer' })
    },
  ]
  for (const [n, cause] of causes.entries()) {
    await service.user(`hal${n}`)
    const link = await resetOf(`hal${n}`)
    expect((await cause(`/api/users/hal${n}`)).status).toBeLessThan(300)
    const refused = await reset(link)
    expect([refused.status, refused.json, refused.cookies]).toMatchObject([...isOver('ended'), []])
  }
  await service.user('hal')
  const late = await resetOf('hal')
  service.clock.setWallTime(service.clock.now() + day)
  expect((await reset(late)).json).toMatchObject({ reason: { code: 'one-time-link-expired' } })
  admin = await service.user('boss4', 'admin')
})

test('[LINK-4] [AUD-1] both are in the audit log, without the secret', async () => {
  const boss = await service.user('boss3', 'admin')
  const link = await invite({ role: 'guard' }, boss)
  await accept(link, { username: 'ida' })
  expect(await entries('action=invitation.create&user=boss3')).toMatchObject([{ detail: 'guard', target: null }])
  const [accepted] = await entries('action=invitation.accept&user=ida')
  expect(accepted).toMatchObject({ result: 'success', target: 'ida', detail: 'guard, invited by boss3' })
  const again = await resetOf('ida', boss)
  await reset(again, { password: 'another one for ida' })
  expect(await entries('action=password-reset.create&user=boss3')).toMatchObject([{ target: 'ida' }])
  expect(await entries('action=password-reset.accept&user=ida')).toMatchObject([{ result: 'success' }])
  const everything = JSON.stringify(await entries('limit=100')) + service.output()
  for (const { secret } of [link, again]) expect(everything).not.toContain(secret)
})

test('[USER-5] only admins create, list and revoke links', async () => {
  const vera = await service.user('vera2')
  expect((await vera.post('/api/invitations', { role: 'viewer' })).status).toBe(403)
  expect((await vera.post('/api/users/vera2/password-reset')).status).toBe(403)
  expect((await vera.get('/api/invitations')).status).toBe(403)
  expect((await vera.delete(`/api/invitations/${'0'.repeat(32)}`)).status).toBe(403)
  expect((await admin.post('/api/users/absent/password-reset')).status).toBe(404)
})
