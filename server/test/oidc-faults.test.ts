import type { ServerResponse } from 'node:http'
import { expect, describe, test, vi, onTestFinished } from 'vitest'
import { clientOf, outcomeOf, startFakeOidcService } from './support/fake-oidc-service.ts'
import { fakePaths } from './support/fake-provider.ts'
import { cookieOf, logoutEvent } from './support/oidc-service.ts'
import { openDatabase } from './support/service-database.ts'
import { statusOf } from './support/test-client.ts'

/** Milliseconds until the provider is asked about a session again. */
const recheck = 301_000
const eventually = { timeout: 120_000, interval: 20 }

describe('[OIDC-5] the provider', () => {
  test('that does not respond delays no one else: other sign-ins, requests and re-checks continue', async () => {
    const { service, provider, begin, callback, signedIn } = await startFakeOidcService()
    const ann = await signedIn()
    const { state, nonce, cookie } = await begin()
    provider.instead.set(fakePaths.token, () => {})
    const deadline = new AbortController()
    const deadlines = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    onTestFinished(() => deadlines.mockRestore())
    let isOver = false
    const waiting = callback({ code: nonce, state, iss: provider.issuer }, cookie).finally(() => (isOver = true))
    await vi.waitFor(() => expect(provider.requests.at(-1)?.path).toBe(fakePaths.token), 60_000)
    const kim = await service.user('kim')
    expect([await statusOf(kim), await statusOf(ann), (await begin()).cookie === '']).toEqual([200, 200, false])
    service.clock.advance(recheck).catch(() => {})
    await vi.waitFor(() => expect(provider.requests.at(-1)?.path).toBe(fakePaths.userinfo), eventually)
    expect(isOver).toBe(false)
    expect(deadlines).toHaveBeenCalledWith(10_000)
    deadline.abort(new DOMException('ten seconds have passed', 'TimeoutError'))
    expect(outcomeOf(await waiting)).toBe('provider-unavailable')
  })

  test('whose userinfo endpoint fails after a refresh keeps the session: the new refresh token is used next', async () => {
    const { service, provider, signedIn } = await startFakeOidcService()
    provider.tokens = { refresh_token: 'first' }
    const ann = await signedIn()
    provider.tokens = { refresh_token: 'second', id_token: undefined }
    provider.instead.set(fakePaths.userinfo, (_request, response) => void response.writeHead(503).end())
    await service.clock.advance(recheck)
    const used = () => provider.requests.map(({ body }) => body.get('refresh_token')).filter((token) => token !== null)
    await vi.waitFor(() => expect(used()).toEqual(['first']), eventually)
    await vi.waitFor(() => expect(service.output()).toContain('asking again in a minute'), eventually)
    provider.instead.clear()
    provider.userinfo = { groups: ['sysadmins'] }
    await service.clock.advance(62_000)
    await vi.waitFor(() => expect(used()).toEqual(['first', 'second']), eventually)
    await expect.poll(async () => (await ann.get('/api/profile')).json, eventually).toMatchObject({ role: 'admin' })
  })

  test('that answers a refresh for another user no longer confirms this one', async () => {
    const { service, provider, signedIn } = await startFakeOidcService()
    provider.tokens = { refresh_token: 'first' }
    const ann = await signedIn()
    provider.claims = { sub: 'bob', groups: ['sysadmins'] }
    provider.userinfo = { groups: ['sysadmins'] }
    await service.clock.advance(recheck)
    await expect.poll(() => statusOf(ann), eventually).toBe(401)
    expect(service.output()).toContain('the provider answered for another user')
  })

  test('without a userinfo endpoint and without refresh tokens confirms no one, also with a default role', async () => {
    const { service, provider, signedIn } = await startFakeOidcService({ oidc: { default_role: 'viewer' } })
    provider.metadata = { userinfo_endpoint: undefined }
    await service.clock.skip(3_601_000)
    const ann = await signedIn()
    await service.clock.advance(recheck)
    await expect.poll(() => statusOf(ann), eventually).toBe(401)
  })
})

describe('[OIDC-3] the clock', () => {
  test('set back by a day: the provider is asked within seconds, and not a day later', async () => {
    const { service, provider, signedIn } = await startFakeOidcService()
    const ann = await signedIn()
    service.clock.setWallTime(service.clock.now() - 86_400_000)
    provider.userinfo = { groups: [] }
    await service.clock.advance(4_000)
    await expect.poll(() => statusOf(ann), eventually).toBe(401)
  })

  test('set back while the provider fails: the session has its hour, and no more', async () => {
    const { service, provider, signedIn } = await startFakeOidcService()
    const ann = await signedIn()
    service.clock.setWallTime(service.clock.now() - 86_400_000)
    provider.instead.set(fakePaths.userinfo, (_request, response) => void response.writeHead(503).end())
    await service.clock.advance(4_000)
    await vi.waitFor(() => expect(service.output()).toContain('asking again in a minute'), eventually)
    await service.clock.advance(3_500_000)
    expect(await statusOf(ann)).toBe(200)
    await service.clock.advance(200_000)
    await expect.poll(() => statusOf(ann), eventually).toBe(401)
  })

  test('set back after a failed attempt: the wait before the next one does not last a day', async () => {
    const { service, provider, signedIn } = await startFakeOidcService()
    const ann = await signedIn()
    provider.instead.set(fakePaths.userinfo, (_request, response) => void response.writeHead(503).end())
    await service.clock.advance(recheck)
    await vi.waitFor(() => expect(service.output()).toContain('asking again in a minute'), eventually)
    provider.reset()
    provider.userinfo = { groups: [] }
    service.clock.setWallTime(service.clock.now() - 86_400_000)
    await service.clock.advance(4_000)
    await expect.poll(() => statusOf(ann), eventually).toBe(401)
  })

  test('set forward by a day: sessions whose re-check is overdue are not accepted', async () => {
    const { service, signedIn } = await startFakeOidcService({ auth: { session_length: 864_000 } })
    const ann = await signedIn()
    service.clock.setWallTime(service.clock.now() + 86_400_000)
    expect(await statusOf(ann)).toBe(401)
  })
})

describe('[OIDC-1] in the middle of a sign-in', () => {
  test('a restart changes nothing: the browser still has the sealed request', async () => {
    const { service, provider, begin } = await startFakeOidcService()
    const { state, nonce, cookie } = await begin()
    const next = await service.restart()
    const done = await clientOf(next, provider).callback({ code: nonce, state, iss: provider.issuer }, cookie)
    expect(outcomeOf(done)).toBe('in')
  })

  test('that rejects the client secret, fails and recovers is shown so in the statistics', async () => {
    const { service, provider, signIn } = await startFakeOidcService()
    const shown = async () =>
      ((await service.internal.get('/api/stats')).json as { service: { identity_provider: unknown } }).service
        .identity_provider
    const metric = async () =>
      /^gatehouse_identity_provider_up (.)$/m.exec((await service.internal.get('/api/metrics')).text)?.[1]
    const name = new URL(provider.issuer).host
    await expect.poll(shown, eventually).toEqual({ name, state: 'ok' })
    provider.instead.set(fakePaths.token, (_request, response) => void response.writeHead(503).end())
    await signIn()
    expect([await shown(), await metric()]).toEqual([{ name, state: 'failing', since: expect.any(Number) }, '0'])
    await service.clock.advance(2_001)
    provider.instead.set(
      fakePaths.token,
      (_request, response) =>
        void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
    )
    await signIn()
    expect(await shown()).toMatchObject({ state: 'failing', setting: 'auth.oidc.client_id, auth.oidc.client_secret' })
    await service.clock.advance(2_001)
    provider.instead.clear()
    await signIn()
    expect([await shown(), await metric()]).toEqual([{ name, state: 'ok' }, '1'])
    const { json } = await (await service.user('ann')).get('/api/stats')
    expect(json).not.toHaveProperty('service')
  })

  test('a new JWT secret: the sign-in begins again, and sessions end because their tokens cannot be read', async () => {
    const { service, provider, begin, signedIn } = await startFakeOidcService({
      env: { SERVICE_JWT_SECRET: 'a'.repeat(64) },
    })
    const ann = await signedIn()
    const { state, nonce, cookie } = await begin()
    const next = await service.restart({ env: { SERVICE_JWT_SECRET: 'b'.repeat(64) } })
    const done = await clientOf(next, provider).callback({ code: nonce, state, iss: provider.issuer }, cookie)
    expect(outcomeOf(done)).toBe('sign-in-expired')
    expect(await statusOf(next.gate.with(ann.headers))).toBe(401)
    const before = provider.requests.length
    await next.clock.advance(recheck)
    const revoked = async () => (await next.internal.get('/api/audit?action=session.revoke')).json
    await expect.poll(revoked, eventually).toMatchObject({ entries: [{ detail: 'provider-denied' }] })
    expect(provider.requests.slice(before).filter(({ path }) => path === fakePaths.userinfo)).toEqual([])
  })

  test('a database that fails after the code was used leaves no session and no user, and the next sign-in works', async () => {
    const { service, provider, begin, callback, signIn } = await startFakeOidcService()
    const { state, nonce, cookie } = await begin()
    const database = openDatabase(service)
    onTestFinished(() => database.close())
    provider.instead.set(fakePaths.userinfo, (_request, response) => {
      database.exec('begin immediate')
      response.setHeader('content-type', 'application/json').end('{"sub":"ann"}')
    })
    const done = await callback({ code: nonce, state, iss: provider.issuer }, cookie)
    expect([done.status, outcomeOf(done)]).toEqual([303, 'not-saved'])
    expect(done.cookies.filter((line) => /^gatehouse_token=[^;]/.test(line))).toEqual([])
    database.exec('rollback')
    expect((await service.internal.get('/api/users?search=ann')).json).toEqual([])
    provider.reset()
    expect(outcomeOf(await signIn())).toBe('in')
  })

  test.each<[named: object, outcome: string]>([
    [{ sid: 's1' }, 'no-role'],
    [{ sub: 'ann' }, 'no-role'],
    [{ sub: 'ann', sid: 's2' }, 'in'],
  ])('[OIDC-4] a back-channel logout of %j, before there is a session: %s', async (named, outcome) => {
    const { service, provider, begin, callback, signIn } = await startFakeOidcService()
    provider.claims = { sid: 's1' }
    const { state, nonce, cookie } = await begin()
    const held = Promise.withResolvers<ServerResponse>()
    provider.instead.set(fakePaths.userinfo, (_request, response) => held.resolve(response))
    const waiting = callback({ code: nonce, state, iss: provider.issuer }, cookie)
    const response = await held.promise
    const iat = Math.floor(service.clock.now() / 1000)
    const usual = { iss: provider.issuer, aud: provider.clientId, iat, jti: 'a', events: { [logoutEvent]: {} } }
    const token = await provider.sign({ ...usual, ...named }, { typ: 'logout+jwt' })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await service.gate.post('/api/oidc/backchannel-logout', `logout_token=${token}`, form)
    expect(sent.status).toBe(200)
    response.setHeader('content-type', 'application/json').end('{"sub":"ann"}')
    expect(outcomeOf(await waiting)).toBe(outcome)
    provider.instead.clear()
    expect(outcomeOf(await signIn())).toBe('in')
  })
})

test.each([
  ['at the root', '/', '', '__Host-gatehouse_sign_in', '/'],
  ['below a path', '/cams/', '/cams', '__Secure-gatehouse_sign_in', '/cams/api/oidc'],
])(
  '[OIDC-1] %s of a host with TLS, a sign-in is finished with the cookie that only TLS can set, which is then cleared',
  async (_where, base_path, below, name, path) => {
    const { service, provider } = await startFakeOidcService({
      auth: { trusted_proxies: ['127.0.0.1'] },
      more: { http: { base_path } },
    })
    const browser = service.gate.with({ 'x-forwarded-proto': 'https' })
    const begun = await browser.get(`${below}/api/oidc/login`)
    const attributes = `Path=${path}; HttpOnly; Secure; SameSite=Lax`
    expect(begun.cookies).toEqual([expect.stringMatching(new RegExp(`^${name}=[^;]+; Max-Age=600; ${attributes}$`))])
    const authorization = new URL(String(begun.headers.location)).searchParams
    expect(authorization.get('redirect_uri')).toMatch(new RegExp(`^https://[^/]+${below}/api/oidc/callback$`))
    const [state, code] = [authorization.get('state') ?? '', authorization.get('nonce') ?? '']
    const query = new URLSearchParams({ code, state, iss: provider.issuer }).toString()
    const finish = (cookie: string) => browser.get(`${below}/api/oidc/callback?${query}`, { cookie })
    const cookie = cookieOf(begun, name)
    expect(outcomeOf(await finish(cookie.replace(name, 'gatehouse_sign_in')))).toBe('sign-in-expired')
    const done = await finish(cookie)
    expect(outcomeOf(done)).toBe('in')
    expect(done.cookies).toContain(`${name}=; Max-Age=0; ${attributes}`)
  },
)
