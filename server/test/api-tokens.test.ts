import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { closeCode } from './support/close-code.ts'
import { basic, bearer, createToken } from './support/create-token.ts'
import { startFakeOidcService } from './support/fake-oidc-service.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const minute = 60_000
const day = 24 * 60 * minute
const roles = { guard: ['yard'], lookout: { cameras: ['yard', 'door'], allow: ['live', 'share'] } }

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
  readonly cameras: readonly string[] | null
  readonly parent: { readonly id: string; readonly name: string } | null
  readonly last_used_at: string | null
  readonly last_used_from: string | null
}

const listed = async (by: TestClient, path = '/api/tokens') => (await by.get(path)).json as Listed[]
const using = (token: string) => service.gate.with(bearer(token))
const audited = async (action: string) =>
  ((await admin.get(`/api/audit?action=${action}`)).json as { entries: Record<string, unknown>[] }).entries
const status = async (token: string, path = '/api/profile') => (await using(token).get(path)).status
const create = (headers: object) => service.gate.post('/api/tokens', { name: 'x' }, { ...headers })
const soon = () => new Date(service.clock.now() + minute).toISOString()
const inAWeek = () => new Date(service.clock.now() + 7 * day).toISOString()

test('[KEY-1] a token is shown once, and listed without its secret', async () => {
  const ann = await service.user('ann', 'viewer')
  const expires_at = inAWeek()
  const created = await ann.post('/api/tokens', {
    name: ' Home ',
    cameras: ['yard', 'yard'],
    actions: ['live'],
    expires_at,
  })
  expect([created.status, created.json]).toMatchObject([
    201,
    {
      name: 'Home',
      owner: 'ann',
      cameras: ['yard'],
      actions: ['live'],
      expires_at,
      ends_with_password: true,
      last_used_at: null,
    },
  ])
  const { id, token } = created.json as { id: string; token: string }
  expect(token).toMatch(new RegExp(`^gh_${id}_[A-Za-z0-9_-]{43}$`))
  const secret = token.slice(-43)
  for (const list of [
    await ann.get('/api/tokens'),
    await admin.get('/api/tokens?user=Ann'),
    await admin.get('/api/tokens/all'),
  ]) {
    expect(list.text).toContain(id)
    expect(list.text).not.toContain(secret)
  }
  expect((await (await service.user('ben', 'viewer')).get('/api/tokens?user=ann')).status).toBe(403)
  expect((await ann.get('/api/tokens/all')).status).toBe(403)
  expect(await audited('token.create')).toMatchObject([{ user: 'ann', target: id, detail: 'Home: yard, yard; live' }])
  expect(service.output()).not.toContain(secret)
})

test.each([
  ['name', { name: '' }],
  ['name', { name: ' ' }],
  ['name', { name: 'a\nb' }],
  ['cameras', { cameras: [] }],
  ['cameras', { cameras: ['door'] }],
  ['cameras', { cameras: ['cellar'] }],
  ['actions', { actions: [] }],
  ['actions', { actions: ['fly'] }],
  ['actions', { actions: ['delete'] }],
  ['actions', { actions: ['system.read'] }],
  ['actions', { actions: ['tokens.manage'] }],
  ['expires_at', { expires_at: 'tomorrow' }],
  ['expires_at', { expires_at: '2099-01-01T23:59:60Z' }],
  ['expires_at', { expires_at: '2001-01-01T00:00:00Z' }],
  ['owner', { owner: 'boss' }],
])('[KEY-1] a guard cannot create a token with another %s: %j', async (field, body) => {
  const guard = await service.user('gus', 'guard')
  const { status, json } = await guard.post('/api/tokens', { name: 'x', ...body })
  const { problems } = json as { problems: { field: string }[] }
  expect([status, problems[0]?.field]).toEqual([400, expect.stringContaining(field)])
})

test('[KEY-1] the refusal says what is allowed, and no camera that the caller cannot see', async () => {
  const guard = await service.user('gus', 'guard')
  const { text } = await guard.post('/api/tokens', { name: 'x', cameras: ['yard', 'nowhere'] })
  expect(text).toContain('Allowed: yard.')
  expect(text).not.toContain('door')
})

test('[KEY-1] a user has at most 100 tokens, also when they are created together', async () => {
  const many = await service.user('manny', 'viewer')
  const responses = await Promise.all(Array.from({ length: 105 }, () => many.post('/api/tokens', { name: 'x' })))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(100)
  expect(responses.find(({ status }) => status !== 201)?.json).toMatchObject({ reason: { code: 'too-many-tokens' } })
})

test('[KEY-1] the internal port has no user who could own a token', async () => {
  const { status, json } = await service.internal.post('/api/tokens', { name: 'x' })
  expect([status, json]).toMatchObject([409, { reason: { code: 'no-account' } }])
  expect(await listed(service.internal)).toEqual([])
})

describe('[KEY-2] a token allows what it says and its owner has', () => {
  test('its cameras and actions', async () => {
    const { token } = await createToken(await service.user('ann', 'viewer'), {
      cameras: ['yard'],
      actions: ['live', 'review'],
    })
    const { json } = await using(token).get('/api/profile')
    expect(json).toMatchObject({
      username: 'ann',
      role: 'viewer',
      allowed_cameras: ['yard'],
      actions: ['live', 'review'],
      token: { name: 'a program' },
    })
    expect(await status(token, '/api/cameras/yard')).toBe(200)
    expect(await status(token, '/api/cameras/door')).toBe(403)
    expect(await status(token, '/api/cameras/yard/recordings?after=0&before=1')).toBe(403)
    expect(await status(token, '/api/exports')).toBe(403)
  })

  test('nothing on the service, unless an admin named it', async () => {
    const plain = await createToken(admin)
    const metrics = await createToken(admin, { actions: ['system.read'] })
    expect(await status(plain.token, '/api/metrics')).toBe(403)
    expect(await status(metrics.token, '/api/metrics')).toBe(200)
    expect(await status(metrics.token, '/api/cameras')).toBe(403)
  })

  test('less at once when its owner is demoted', async () => {
    const dora = await service.user('dora', 'admin')
    const { token } = await createToken(dora, { actions: ['live', 'system.read'] })
    await admin.put('/api/users/dora/role', { role: 'guard' })
    expect(await status(token, '/api/metrics')).toBe(403)
    expect((await using(token).get('/api/profile')).json).toMatchObject({
      allowed_cameras: ['yard'],
      actions: ['live'],
    })
  })
})

describe('[KEY-4] a token manages no account', () => {
  test('it neither reads nor changes its owner’s account or another', async () => {
    const { token } = await createToken(admin)
    const by = using(token)
    const responses = [
      await by.get('/api/tokens'),
      await by.post('/api/tokens', { name: 'x' }),
      await by.get('/api/sessions'),
      await by.delete('/api/sessions?others=true'),
      await by.put('/api/users/boss/password', { password: 'another long password', old_password: password }),
      await by.get('/api/users'),
      await by.get('/api/roles'),
      await by.get('/api/config/raw'),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403))
  })

  test('with tokens.manage it creates tokens with no more, and no longer, than it has', async () => {
    const expires_at = inAWeek()
    const manager = await createToken(admin, { cameras: ['yard'], actions: ['live', 'tokens.manage'], expires_at })
    const by = using(manager.token)
    expect((await by.post('/api/tokens', { name: 'x', cameras: ['door'] })).status).toBe(400)
    expect((await by.post('/api/tokens', { name: 'x', actions: ['history'] })).status).toBe(400)
    const made = await by.post('/api/tokens', { name: 'x', ends_with_password: false })
    expect(made.json).toMatchObject({
      cameras: ['yard'],
      actions: ['live'],
      expires_at,
      ends_with_password: true,
      owner: 'boss',
    })
    const { id } = made.json as { id: string }
    expect((await by.get('/api/tokens')).status).toBe(200)
    expect((await by.delete(`/api/tokens/${id}`)).status).toBe(204)
  })

  test('[KEY-5] tokens that a token created, and those that they created, are revoked with it, and others are not', async () => {
    const owner = await service.user('rotator', 'admin')
    const actions = ['live', 'tokens.manage']
    const first = await createToken(owner, { name: 'first', actions })
    const second = await createToken(using(first.token), { name: 'second', actions })
    const third = await createToken(using(second.token), { name: 'third' })
    const other = await createToken(owner, { name: 'other' })
    const parents = (await listed(owner)).map(({ name, parent }) => [name, parent])
    expect(Object.fromEntries(parents)).toEqual({
      first: null,
      second: { id: first.id, name: 'first' },
      third: { id: second.id, name: 'second' },
      other: null,
    })
    await closeCode(using(third.token), '/api/events', () => owner.delete(`/api/tokens/${first.id}`))
    expect(await Promise.all([first, second, third, other].map(({ token }) => status(token)))).toEqual([
      401, 401, 401, 200,
    ])
    expect((await listed(owner)).map(({ id }) => id)).toEqual([other.id])
    const entries = (await audited('token.revoke')).filter(({ user }) => user === 'rotator')
    expect(Object.fromEntries(entries.map(({ target, detail }) => [target, detail]))).toEqual({
      [first.id]: 'rotator: first',
      [second.id]: 'rotator: second',
      [third.id]: 'rotator: third',
    })
  })

  test('no user creates a token of another user', async () => {
    expect((await admin.post('/api/tokens?user=ann', { name: 'x' })).status).toBe(400)
  })
})

describe('[KEY-3] a token is accepted', () => {
  test('as Bearer and as the password of Basic, with any username', async () => {
    const { token } = await createToken(await service.user('ann', 'viewer'))
    for (const headers of [
      bearer(token),
      basic(token),
      basic(token, ''),
      basic(token, 'änn'),
      { authorization: `bearer  ${token}` },
    ]) {
      expect((await service.gate.get('/api/profile', headers)).status).toBe(200)
    }
  })

  test('nowhere else', async () => {
    const { token } = await createToken(await service.user('ann', 'viewer'))
    const cookie = { cookie: `gatehouse_token=${token}` }
    const responses = [
      await service.gate.get(`/api/profile?token=${token}`),
      await service.gate.get(`/api/profile?access_token=${token}`),
      await service.gate.get('/api/profile', cookie),
      await service.gate.get('/api/profile', { 'x-api-key': token }),
      await service.gate.get('/api/profile', basic('x', token)),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401))
  })

  test('alone: a wrong one is 401 beside a good cookie, and other Basic credentials are ignored', async () => {
    const ann = await signIn(service.gate, 'ann')
    const cookie = { cookie: `gatehouse_token=${ann.token}` }
    expect((await service.gate.get('/api/profile', { ...cookie, ...basic('gh_wrong') })).status).toBe(401)
    expect((await service.gate.get('/api/profile', { ...cookie, ...bearer('gh_wrong') })).status).toBe(401)
    expect((await service.gate.get('/api/profile', { ...cookie, ...basic('another password') })).status).toBe(200)
    const { token } = await createToken(ann)
    const two = ['cookie', cookie.cookie, 'authorization', `Bearer ${token}`, 'authorization', 'Basic YTpi']
    expect((await service.gate.get('/api/profile', two)).status).toBe(401)
  })

  test('as Basic, [TOK-13] not from another site', async () => {
    const { token } = await createToken(admin, { actions: ['tokens.manage'] })
    expect((await create({ ...basic(token), origin: 'https://evil.example' })).status).toBe(403)
    expect((await create({ ...bearer(token), origin: 'https://evil.example' })).status).toBe(201)
    expect((await create(basic(token))).status).toBe(201)
  })

  test('after a challenge, which no browser gets', async () => {
    const { headers } = await service.gate.get('/api/cameras')
    expect(headers['www-authenticate']).toBe('Basic realm="Gatehouse", charset="UTF-8"')
    const browser = await service.gate.get('/api/cameras', { 'sec-fetch-mode': 'cors' })
    expect([browser.status, browser.headers['www-authenticate']]).toEqual([401, undefined])
  })

  test('by /api/auth, which decides by what the token allows, names no one and sets no cookie', async () => {
    const { token } = await createToken(admin, { cameras: ['yard'], actions: ['live'] })
    const decided = (url: string) => using(token).get('/api/auth', { 'x-original-url': url })
    const responses = [
      await decided('/api/cameras/yard/latest.jpg'),
      await decided('/api/cameras/door/latest.jpg'),
      await decided('/api/users'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([202, 403, 403])
    expect([responses[0]!.headers['remote-user'], responses[0]!.cookies]).toEqual(['', []])
    expect((await using(token).get('/api/auth')).status).toBe(403)
  })
})

describe('[KEY-5] an open stream ends within a second', () => {
  const live = '/api/cameras/yard/live'
  const events = '/api/events'

  test('when its token is revoked', async () => {
    const ann = await service.user('ann', 'viewer')
    const { id, token } = await createToken(ann)
    await closeCode(using(token), events, async () => expect((await ann.delete(`/api/tokens/${id}`)).status).toBe(204))
    expect(await status(token)).toBe(401)
    expect((await audited('token.revoke'))[0]).toMatchObject({ user: 'ann', target: id, detail: 'ann: a program' })
    expect((await ann.delete(`/api/tokens/${id}`)).status).toBe(403)
    expect((await admin.delete(`/api/tokens/${id}`)).status).toBe(404)
  })

  test('when an admin revokes it, and no other user can', async () => {
    const { id, token } = await createToken(await service.user('ann', 'viewer'))
    expect((await (await service.user('ben', 'viewer')).delete(`/api/tokens/${id}`)).status).toBe(403)
    await closeCode(using(token), events, () => admin.delete(`/api/tokens/${id}`))
  })

  test('[GRANT-4] when its token expires', async () => {
    const { token } = await createToken(await service.user('ann', 'viewer'), { expires_at: soon() })
    await service.clock.advance(minute - 2000)
    expect(await status(token)).toBe(200)
    await closeCode(using(token), events, () => service.clock.advance(2500))
    expect(await status(token)).toBe(401)
  })

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['disabled', (name) => admin.put(`/api/users/${name}/status`, { disabled: true })],
    ['deleted', (name) => admin.delete(`/api/users/${name}`)],
    ['given a new password', (name) => admin.put(`/api/users/${name}/password`, { password: 'another long password' })],
    [
      'given an end that has passed',
      (name) => admin.put(`/api/users/${name}/status`, { expires_at: '2020-01-01T00:00:00Z' }),
    ],
  ])('[KEY-2] when its owner is %s', async (what, change) => {
    const name = `owner-${what.split(' ').at(-1)}`
    const owner = await service.user(name, 'viewer')
    const { token } = await createToken(owner)
    await closeCode(using(token), events, () => change(name))
    expect(await status(token)).toBe(401)
    if (what !== 'deleted') return
    await admin.post('/api/users', { username: name, password, role: 'viewer' })
    expect(await status(token)).toBe(401)
  })

  test('[KEY-2] when its owner expires', async () => {
    const { token } = await createToken(await service.user('temp', 'viewer'))
    await admin.put('/api/users/temp/status', { expires_at: new Date(service.clock.now() + minute).toISOString() })
    await closeCode(using(token), events, () => service.clock.advance(minute + 500))
  })

  test('[KEY-2] when its owner is demoted', async () => {
    const { token } = await createToken(await service.user('low', 'viewer'), { cameras: ['door'] })
    const socket = using(token).socket('/api/cameras/door/live')
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await admin.put('/api/users/low/role', { role: 'guard' })
    await closed
    expect(await status(token, '/api/cameras/door')).toBe(403)
  })

  test('[CAM-4] when its camera is removed, and a new camera with the name gives it nothing', async () => {
    const other = await startService({ config: { tls: { enabled: false }, cameras: quietCameras } })
    const boss = await other.user('boss', 'admin')
    const one = await createToken(boss, { cameras: ['yard'] })
    const by = other.gate.with(bearer(one.token))
    const { yard: _removed, ...others } = quietCameras
    await closeCode(by, live, () => changeConfig(other, { cameras: others }))
    expect((await by.get('/api/cameras/yard')).status).toBe(403)
    await changeConfig(other, { cameras: { ...others, yard: { source: 'rtsp://127.0.0.1:9/another' } } })
    expect((await boss.get('/api/cameras/yard')).status).toBe(200)
    expect((await by.get('/api/cameras/yard')).status).toBe(403)
    expect((await by.get('/api/cameras')).json).toEqual([])
    expect(await listed(boss)).toMatchObject([{ cameras: [] }])
  })

  test('[KEY-2] but a new password does not end a token that should not end with it', async () => {
    const keeper = await service.user('keeper', 'viewer')
    const { token } = await createToken(keeper, { ends_with_password: false })
    await admin.put('/api/users/keeper/password', { password: 'another long password' })
    expect(await status(token)).toBe(200)
  })
})

test('[KEY-5] shows when and from where a token was last used, and writes it at most once a minute', async () => {
  const ann = await service.user('uma', 'viewer')
  const { token } = await createToken(ann)
  expect(await status(token)).toBe(200)
  expect(await listed(ann)).toMatchObject([{ last_used_from: '127.0.0.1' }])
  const before = (await listed(ann))[0]?.last_used_at
  await service.clock.advance(minute)
  expect(await listed(ann)).toMatchObject([{ last_used_at: before, last_used_from: '127.0.0.1' }])
})

test('a token goes on after a restart', async () => {
  const other = await startService({ config: { tls: { enabled: false } } })
  const { token } = await createToken(await other.user('boss', 'admin'))
  expect((await other.gate.get('/api/profile', bearer(token))).status).toBe(200)
  const again = await other.restart()
  expect((await again.gate.get('/api/profile', bearer(token))).status).toBe(200)
  const boss = await signIn(again.gate, 'boss')
  expect(await listed(boss)).toMatchObject([{ last_used_from: '127.0.0.1' }])
})

describe("[LINK-1] [LINK-4] what a token of a provider's user creates", () => {
  const hour = 60 * minute
  test.each<[what: string, lasts: number | undefined, invitation: number, reset: number, link: number]>([
    ['lasts as usual, if the token has no end', undefined, 7 * day, day, day],
    ['ends with the token, if that ends in an hour', hour, hour, hour, hour],
    ['ends with the token, if that ends in three hours', 3 * hour, 3 * hour, 3 * hour, 3 * hour],
  ])('%s', async (_what, lasts, invitation, reset, link) => {
    const there = await startFakeOidcService({ more: { cameras: quietCameras } })
    there.provider.claims = { groups: ['sysadmins'] }
    const owner = await there.signedIn()
    await there.service.user('fay')
    const now = there.service.clock.now()
    const { token } = await createToken(owner, {
      actions: ['users.manage', 'share', 'live'],
      ...(lasts !== undefined && { expires_at: new Date(now + lasts).toISOString() }),
    })
    const program = there.service.gate.with(bearer(token))
    const made = [
      await program.post('/api/invitations', { role: 'viewer' }),
      await program.post('/api/users/fay/password-reset'),
      await program.post('/api/links', { kind: 'live', camera: 'yard' }),
      await program.post('/api/links', {
        kind: 'live',
        camera: 'yard',
        expires_at: new Date(now + 2 * hour).toISOString(),
      }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const ends = made.map(({ json }) => Date.parse((json as { expires_at: string }).expires_at) - now)
    const expected = [invitation, reset, link, Math.min(link, 2 * hour)]
    for (const [n, end] of ends.entries()) expect(Math.abs(end - expected[n]!)).toBeLessThan(minute)
  })
})
