import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UserResponse } from '../src/users/user-response.ts'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { createToken } from './support/create-token.ts'
import {
  cookieOf,
  oidcKeys,
  openSocket,
  sessionOf,
  startOidcService,
  type OidcService,
} from './support/oidc-service.ts'
import { signInAtProvider } from './support/openid-provider.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { changeDatabase, openDatabase } from './support/service-database.ts'
import { password, signIn as signInHere } from './support/sign-in.ts'
import type { InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const events = '/api/events'
const live = '/api/cameras/yard/live'

let at: OidcService
beforeAll(async () => {
  at = await startOidcService({ config: { cameras: quietCameras } })
})
afterAll(stopAll)

let subjects = 0
/** A new user at the provider. @returns the login */
const person = (name: string, ...groups: readonly string[]): string => {
  subjects += 1
  const login = `u${subjects}`
  at.provider.users.set(login, { preferred_username: name, groups })
  return login
}
const setGroups = (login: string, ...groups: readonly string[]) =>
  at.provider.users.set(login, { preferred_username: at.provider.users.get(login)!.preferred_username, groups })
const profileOf = async (client: TestClient) => (await client.get('/api/profile')).json
const failureOf = (location: unknown): string | null =>
  new URL(String(location), 'http://a').searchParams.get('failure')
/** Milliseconds until the provider is asked about a session again. */
const recheck = 301_000
/** Waits until no re-check is under way: until then, the service looks for no other due session. */
const rechecked = (service: InProcessService) =>
  expect
    .poll(() => {
      const database = openDatabase(service, { readOnly: true })
      const found = database.prepare('select id from session where recheck_lease is not null').all()
      database.close()
      return found
    })
    .toEqual([])

describe('[OIDC-1] signing in with the provider', () => {
  test('gives a session with the role of the groups, and returns to the page', async () => {
    const { done } = await at.signIn(person('Ann', 'family'), '?return_to=/history')
    expect([done.status, done.headers.location]).toEqual([303, '/history'])
    const cookie = sessionOf(done)
    expect((await at.service.gate.get('/api/profile', { cookie })).json).toMatchObject({
      username: 'Ann',
      role: 'viewer',
      auth: 'oidc',
      must_change_password: false,
      password_origin: null,
      second_factor: null,
    })
  })

  test('is offered to the login page, by the name that is configured', async () => {
    const offered = async () => (await at.service.gate.get('/api/login/methods')).json
    expect(await offered()).toMatchObject({
      password: true,
      oidc: { name: new URL(at.provider.issuer).host, login_url: '/api/oidc/login' },
    })
  })

  test('asks with PKCE, a state and a nonce', async () => {
    const { begun } = await at.begin()
    const sent = new URL(String(begun.headers.location)).searchParams
    expect(sent.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(sent.get(name)).toMatch(/^[\w-]{43}$/)
  })

  test('is refused in another browser', async () => {
    const { path } = await at.signIn(person('Bea', 'family'))
    const done = await at.service.gate.get(path)
    expect([done.status, failureOf(done.headers.location), sessionOf(done)]).toEqual([303, 'sign-in-expired', ''])
  })

  test('is refused a second time with the same code', async () => {
    const { path, cookie } = await at.signIn(person('Cal', 'family'))
    const again = await at.service.gate.get(path, { cookie })
    expect([failureOf(again.headers.location), sessionOf(again)]).toEqual(['sign-in-expired', ''])
  })

  test('clears the cookie of the request, after success and after failure', async () => {
    const { done, path } = await at.signIn(person('Dan', 'family'))
    const failed = await at.service.gate.get(path)
    // [TOK-11] Some clients read only the first one.
    expect(done.cookies[0]).toMatch(/^gatehouse_token=[\w.-]+; /)
    for (const { cookies } of [done, failed]) {
      expect(cookies.some((line) => line.startsWith('gatehouse_sign_in=; Max-Age=0; Path=/api/oidc;'))).toBe(true)
    }
  })

  test('[TOK-12] ends the session that the browser had', async () => {
    const earlier = await signInHere(at.service.gate, await userNamed('earlier'))
    const { path, cookie } = await begunSignIn(person('Eli', 'family'))
    const done = await at.service.gate.get(path, { cookie: `${cookie}; gatehouse_token=${earlier.token}` })
    expect([sessionOf(done) === '', await statusOf(earlier)]).toEqual([false, 401])
  })

  test('[TOK-12] that cannot end the session that the browser had begins no other one', async () => {
    const earlier = await signInHere(at.service.gate, await userNamed('kept'))
    const { path, cookie } = await begunSignIn(person('Kit', 'family'))
    const trigger = "before delete on session begin select raise(abort, 'refused'); end"
    const sessions = () => {
      const database = openDatabase(at.service, { readOnly: true })
      const found = database.prepare('select id from session order by id').all()
      database.close()
      return found
    }
    const before = sessions()
    await changeDatabase(at.service, (database) => database.exec(`create trigger refused ${trigger}`))
    const done = await at.service.gate.get(path, { cookie: `${cookie}; gatehouse_token=${earlier.token}` })
    await changeDatabase(at.service, (database) => database.exec('drop trigger refused'))
    expect([sessionOf(done), await statusOf(earlier), sessions()]).toEqual(['', 200, before])
  })

  test('[AUD-1] is in the audit log, and so is a failure', async () => {
    await at.signIn(person('Flo', 'family'))
    await at.signIn(person('Gus'))
    const entries = async () =>
      ((await at.service.internal.get('/api/audit?action=login&limit=100')).json as { entries: object[] }).entries
    expect(await entries()).toContainEqual(
      expect.objectContaining({ user: 'Flo', result: 'success', auth_method: 'oidc' }),
    )
    const failure = { user: null, result: 'failure', detail: 'no-role' }
    await vi.waitFor(async () => expect(await entries()).toContainEqual(expect.objectContaining(failure)), 60_000)
  })

  test('[OIDC-3] is refused to a user without a role', async () => {
    const { done } = await at.signIn(person('Hal', 'none'))
    expect([failureOf(done.headers.location), sessionOf(done)]).toEqual(['no-role', ''])
  })

  test('[OIDC-1] keeps the page to return to when it fails, for another attempt', async () => {
    const { done } = await at.signIn(person('Tim'), '?return_to=/history%3Fcamera%3Dyard')
    expect(done.headers.location).toBe('/login?failure=no-role&return=%2Fhistory%3Fcamera%3Dyard')
    const { done: crafted } = await at.signIn(person('Tom'), '?return_to=//evil.example')
    expect(crafted.headers.location).toBe('/login?failure=no-role')
  })
})

const userNamed = async (name: string): Promise<string> => {
  await at.service.user(name)
  return name
}

/** A sign-in whose last step is not done. */
async function begunSignIn(login: string) {
  const { begun, cookie } = await at.begin()
  const { pathname, search } = await signInAtProvider(String(begun.headers.location), login)
  return { path: pathname + search, cookie }
}

describe("[OIDC-2] a provider's user", () => {
  test('is another user than a local one with the same name', async () => {
    const local = await at.service.user('carl', 'admin')
    const theirs = await at.signedIn(person('carl', 'family'))
    expect(await profileOf(theirs)).toMatchObject({ username: 'carl', role: 'viewer', auth: 'oidc' })
    expect(await profileOf(local)).toMatchObject({ username: 'carl', key: 'carl', role: 'admin', auth: 'password' })
    const users = (await local.get('/api/users?search=carl')).json as { key: string; provider: unknown }[]
    expect(await profileOf(theirs)).toMatchObject({ key: users.find(({ provider }) => provider !== null)?.key })
  })

  test('is the same after a new name, and another one with another subject', async () => {
    const login = person('Ida', 'family')
    const { token } = await createToken(await at.signedIn(login))
    at.provider.users.set(login, { preferred_username: 'Ida Q', groups: ['family'] })
    expect(await profileOf(await at.signedIn(login))).toMatchObject({ username: 'Ida Q' })
    expect(await tokensOf(await at.signedIn(login))).toHaveLength(1)
    expect(await tokensOf(await at.signedIn(person('Ida', 'family')))).toEqual([])
    expect(await profileOf(bearing(token))).toMatchObject({ username: 'Ida Q' })
  })

  test("is managed by key; role and password are the provider's", async () => {
    const login = person('Joy', 'family')
    const joy = await at.signedIn(login)
    const admin = await at.service.admin()
    const [user] = (await admin.get('/api/users?search=joy')).json as { key: string }[]
    expect(user).toMatchObject({ username: 'Joy', provider: { issuer: at.provider.issuer, subject: login } })
    const path = `/api/users/${user?.key}`
    const conflict = { status: 409, reason: { code: 'provider-user' } }
    expect((await admin.put(`${path}/role`, { role: 'admin' })).json).toMatchObject(conflict)
    expect((await admin.put(`${path}/password`, { password })).json).toMatchObject(conflict)
    expect((await admin.post(`${path}/password-reset`)).json).toMatchObject(conflict)
    expect([(await admin.put(`${path}/status`, { disabled: true })).status, await statusOf(joy)]).toEqual([200, 401])
    expect(failureOf((await at.signIn(login)).done.headers.location)).toBe('no-role')
    expect((await admin.delete(path)).status).toBe(204)
  })

  test('[ROLE-7] whose role is deleted is a viewer from the next request on', async () => {
    const there = await startOidcService({
      config: { cameras: quietCameras },
      auth: { roles: { guard: ['yard'] } },
      oidc: { role_map: {} },
    })
    there.provider.users.set('k', { preferred_username: 'Kim', groups: ['guard'] })
    const kim = await there.signedIn('k')
    expect(await profileOf(kim)).toMatchObject({ role: 'guard', allowed_cameras: ['yard'] })
    expect((await there.service.internal.delete('/api/roles/guard')).json).toEqual({ reassigned: ['Kim'] })
    expect(await profileOf(kim)).toMatchObject({ role: 'viewer' })
  })

  test('has no second factor here', async () => {
    const kay = await at.signedIn(person('Kay', 'sysadmins'))
    const elsewhere = { status: 409, reason: { code: 'factors-elsewhere' } }
    for (const path of ['totp', 'passkeys/options', 'recovery-codes']) {
      expect((await kay.post(`/api/account/${path}`)).json).toMatchObject(elsewhere)
    }
  })
})

const bearing = (token: string) => at.service.gate.with({ authorization: `Bearer ${token}` })
const tokensOf = async (client: TestClient) => (await client.get('/api/tokens')).json as unknown[]

describe('[OIDC-3] asking the provider again', () => {
  test('changes the role with the groups, and ends what is open without a group', async () => {
    const login = person('Lea', 'family')
    const lea = await at.signedIn(login)
    const { token } = await createToken(lea, { ends_with_password: false })
    const streams = [await openSocket(lea, events), await openSocket(lea, live), await openSocket(bearing(token), live)]
    setGroups(login, 'sysadmins')
    await at.service.clock.advance(recheck)
    await vi.waitFor(async () => expect(await profileOf(lea)).toMatchObject({ role: 'admin' }), 60_000)
    await rechecked(at.service)
    setGroups(login)
    await at.service.clock.advance(recheck)
    await Promise.all(streams.map(({ closed }) => closed))
    expect([await statusOf(lea), await statusOf(bearing(token))]).toEqual([401, 401])
  })

  test('ends the session of a user whom the provider no longer knows', async () => {
    const login = person('Mia', 'family')
    const mia = await at.signedIn(login)
    const { closed } = await openSocket(mia, live)
    at.provider.users.delete(login)
    await at.service.clock.advance(recheck)
    await closed
    expect(await statusOf(mia)).toBe(401)
  })

  test('a role that the configuration no longer gives ends the session', async () => {
    const there = await startOidcService({ refreshTokens: true })
    there.provider.users.set('n', { preferred_username: 'Nan', groups: ['family'] })
    const nan = await there.signedIn('n')
    await changeConfig(there.service, {
      auth: { oidc: { ...oidcKeys(there.provider), role_map: { admin: ['sysadmins'] } } },
    })
    await there.service.clock.advance(recheck)
    await vi.waitFor(async () => expect(await statusOf(nan)).toBe(401), 60_000)
  })

  test('uses the refresh token, and keeps the one that replaces it', async () => {
    const there = await startOidcService({ refreshTokens: true })
    there.provider.users.set('o', { preferred_username: 'Ona', groups: ['family'] })
    const ona = await there.signedIn('o')
    const count = () => there.provider.requests.filter((path) => path === '/token').length
    for (const times of [2, 3]) {
      await there.service.clock.advance(recheck)
      await vi.waitFor(() => expect(count()).toBe(times), 60_000)
      await rechecked(there.service)
      expect(await statusOf(ona)).toBe(200)
    }
  })
})

describe('[OIDC-4] back-channel logout', () => {
  test('ends the sessions of the user and their streams, once for each token', async () => {
    const login = person('Pia', 'family')
    const pia = await at.signedIn(login)
    const streams = [await openSocket(pia, events), await openSocket(pia, live)]
    const token = await at.logoutToken({ sub: login })
    expect(await at.sendLogout(token)).toBe(200)
    await Promise.all(streams.map(({ closed }) => closed))
    expect(await statusOf(pia)).toBe(401)
    const { entries } = (await at.service.internal.get('/api/audit?action=logout&limit=5')).json as {
      entries: object[]
    }
    const entry = { user: 'Pia', result: 'success', auth_method: 'oidc', detail: 'provider' }
    expect(entries).toContainEqual(expect.objectContaining(entry))
    const again = await at.signedIn(login)
    expect([await at.sendLogout(token), await statusOf(again)]).toEqual([400, 200])
  })

  test('by the provider itself ends only the session that it names', async () => {
    const there = await startOidcService({ sid: true })
    there.provider.users.set('q', { preferred_username: 'Quin', groups: ['family'] })
    const [first, second] = [await there.signedIn('q'), await there.signedIn('q')]
    const sids = there.provider.sessionIds
    expect(sids).toHaveLength(2)
    expect(await there.sendLogout(await there.logoutToken({ sid: sids[0]! }))).toBe(200)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  test('is refused with a token that isn’t a logout token of the provider for this client', async () => {
    const login = person('Ray', 'family')
    const ray = await at.signedIn(login)
    const other = await generateKeyPair('RS256')
    const now = Math.floor(at.service.clock.now() / 1000)
    const wrong = [
      await at.logoutToken({ sub: login }, other.privateKey),
      await at.logoutToken({ sub: login, iss: 'https://other.example' }),
      await at.logoutToken({ sub: login, aud: 'other' }),
      await at.logoutToken({ sub: login, iat: now - 600 }),
      await at.logoutToken({ sub: login, iat: now + 600 }),
      await at.logoutToken({ sub: login, nonce: 'n' }),
      await at.logoutToken({ sub: login, events: {} }),
      await at.logoutToken({ sub: login, jti: '' }),
      await at.logoutToken({}),
      'x.y.z',
      '',
    ]
    for (const token of wrong) expect(await at.sendLogout(token), token).toBe(400)
    expect(await statusOf(ray)).toBe(200)
  })

  test("signing out leads to the provider's page", async () => {
    const sue = await at.signedIn(person('Sue', 'family'))
    expect(await profileOf(sue)).toMatchObject({ logout_url: '/api/logout' })
    const { status, headers } = await sue.get('/api/logout')
    const target = new URL(String(headers.location))
    expect([status, target.origin + target.pathname]).toEqual([303, `${at.provider.issuer}/session/end`])
    expect(target.searchParams.get('post_logout_redirect_uri')).toBe(`${at.service.gate.base}/login`)
    expect(await statusOf(sue)).toBe(401)
  })
})

test("[KEY-2] [LINK-3] a token and a link of a provider's user end when the provider doesn't confirm the user in time", async () => {
  const login = person('Ted', 'sysadmins')
  const ted = await at.signedIn(login)
  const { token } = await createToken(ted, { ends_with_password: false })
  const made = await ted.post('/api/links', { kind: 'live', camera: 'yard', expires_at: hoursFrom(at, 20) })
  const { id, url } = made.json as { id: string; url: string }
  const open = () => at.service.gate.post(`/api/links/${id}/open`, { secret: new URL(url).hash.slice(1) })
  expect([await statusOf(bearing(token)), (await open()).status]).toEqual([200, 200])
  // Without a session, no one asks the provider.
  expect((await ted.post('/api/logout')).status).toBe(204)
  await at.service.clock.skip(recheck + 3_600_000)
  expect([await statusOf(bearing(token)), (await open()).status]).toEqual([401, 410])
})

const hoursFrom = ({ service }: OidcService, hours: number) =>
  new Date(service.clock.now() + hours * 3_600_000).toISOString()

describe('[OIDC-1] with `only`', () => {
  test('passwords, sessions, tokens and links of local users end, but for the emergency user', async () => {
    const there = await startOidcService({ config: { cameras: quietCameras } })
    const chief = await there.service.user('chief', 'admin')
    const ann = await there.service.user('ann', 'admin')
    const { token } = await createToken(ann)
    const { closed } = await openSocket(ann, live)
    const made = (await ann.post('/api/links', { kind: 'live', camera: 'yard' })).json as { id: string; url: string }
    const oidc = { ...oidcKeys(there.provider), only: true, emergency_user: 'Chief' }
    await changeConfig(there.service, { auth: { oidc } })
    await closed
    const byToken = there.service.gate.with({ authorization: `Bearer ${token}` })
    expect([await statusOf(ann), await statusOf(byToken), await statusOf(chief)]).toEqual([401, 401, 200])
    const secret = new URL(made.url).hash.slice(1)
    expect((await there.service.gate.post(`/api/links/${made.id}/open`, { secret })).status).toBe(410)
    const preview = async (user: string) => (await there.service.internal.post('/api/access/try', { user })).json
    expect(await preview('ann')).toMatchObject({ role: null, reason: { code: 'user-not-accepted' } })
    expect(await preview('chief')).toMatchObject({ role: 'admin' })
    const users = async (query = '') => (await chief.get(`/api/users${query}`)).json as UserResponse[]
    const blocked = new Map((await users()).map((each) => [each.key, each.blocked]))
    expect([blocked.get('ann'), blocked.get('chief')]).toEqual(['not-accepted', null])
    expect((await users('?camera=yard')).map(({ key }) => key)).toEqual(['chief'])
    const login = async (user: string) => (await there.service.gate.post('/api/login', { user, password })).status
    expect([await login('ann'), await login('chief')]).toEqual([401, 200])
    expect((await there.service.gate.get('/api/login/methods')).json).toMatchObject({ password: false })
    const refused = { status: 409, reason: { code: 'provider-only' } }
    expect((await chief.post('/api/invitations', { role: 'viewer' })).json).toMatchObject(refused)
    expect((await chief.post('/api/users/ann/password-reset')).json).toMatchObject(refused)
  })

  test('an emergency user who isn’t an admin is refused', async () => {
    const there = await startOidcService()
    await there.service.user('ann', 'viewer')
    await changeConfig(there.service, {
      auth: { oidc: { ...oidcKeys(there.provider), only: true, emergency_user: 'ann' } },
    })
    expect((await there.service.gate.post('/api/login', { user: 'ann', password })).status).toBe(401)
  })
})

describe('[OIDC-5] without the provider', () => {
  test('sessions live for an hour more, sign-in says what happened, and local passwords work', async () => {
    const there = await startOidcService()
    there.provider.users.set('v', { preferred_username: 'Val', groups: ['family'] })
    const val = await there.signedIn('v')
    const { closed } = await openSocket(val, events)
    there.provider.failure = 'refused'
    await there.service.clock.advance(3_600_000)
    expect(await statusOf(val)).toBe(200)
    await there.service.clock.advance(recheck)
    await closed
    expect(await statusOf(val)).toBe(401)
    const { begun } = await there.begin()
    expect(begun.status).toBe(303)
    const local = await there.service.user('kim')
    expect(await statusOf(local)).toBe(200)
  })

  test.each(['refused', 'error'] as const)('a new sign-in leads to the login page: %s', async (failure) => {
    const there = await startOidcService()
    there.provider.failure = failure
    const { begun } = await there.begin()
    expect(failureOf(begun.headers.location)).toBe('provider-unavailable')
    expect(cookieOf(begun, 'gatehouse_sign_in')).toBe('')
    there.provider.failure = undefined
    // Not asked again at once.
    expect(failureOf((await there.begin()).begun.headers.location)).toBe('provider-unavailable')
    await there.service.clock.advance(2_001)
    there.provider.users.set('w', { preferred_username: 'Wes', groups: ['family'] })
    expect(await statusOf(await there.signedIn('w'))).toBe(200)
  })

  test('a provider that recovers confirms the sessions that wait for it', async () => {
    const there = await startOidcService()
    there.provider.users.set('x', { preferred_username: 'Xia', groups: ['family'] })
    const xia = await there.signedIn('x')
    there.provider.failure = 'error'
    await there.service.clock.advance(recheck)
    there.provider.failure = undefined
    there.provider.users.set('x', { preferred_username: 'Xia', groups: ['sysadmins'] })
    await there.service.clock.advance(62_000)
    await vi.waitFor(async () => expect(await profileOf(xia)).toMatchObject({ role: 'admin' }), 60_000)
  })
})
