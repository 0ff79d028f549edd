import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import {
  authenticated,
  named,
  noOne,
  okRoute,
  routeTo,
  testPort,
  viewer,
  withToken,
  type Sent,
} from '../../test/support/test-port.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { unauthenticated, type Identity, type Owner } from '../access/identity.ts'
import { fakeRole, fakeRoles } from '../../test/support/fake-roles.ts'
import { rolesFrom, type CustomRole } from '../access/role.ts'
import type { Confirm } from '../access/confirmation.ts'
import type { AccessRule, OwnerOf } from '../access/rule.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Caller } from '../http/caller.ts'
import type { RequestSpec, Route, RouteSchema } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'

const at = (path: `/${string}`, more: Partial<RequestSpec<RouteSchema>> = {}): Route =>
  routeTo(() => ({}), { path, ...more })

const userRule = (user: OwnerOf): AccessRule => ({ service: 'users.manage', about: 'no-camera', user })
const ownRule = (own: OwnerOf): AccessRule => ({ own, or: 'users.manage' })

describe('access', () => {
  const open: AccessRule = { open: 'for a test' }

  test.each<[string, Authentication, AccessRule, number, string | undefined]>([
    ['a signed-in caller', viewer, { signedIn: true }, 200, undefined],
    ['an unauthenticated caller', noOne, { signedIn: true }, 401, 'unauthenticated'],
    ['an unauthenticated caller of an open route', noOne, open, 200, undefined],
    ['a viewer', viewer, { service: 'config.manage', about: 'no-camera' }, 403, 'forbidden'],
    ['a camera that does not exist', viewer, { camera: 'live', of: async () => 'gone' }, 404, 'not-found'],
    ['a camera that exists', viewer, { camera: 'live', of: async () => 'yard' }, 200, undefined],
  ])('%s: with the rule %#', async (_who, authentication, access, status, code) => {
    const { send } = await testPort({
      authentication,
      routes: [routeTo(() => ({ ok: true }), { access, reads: 'snapshot' })],
    })
    const response = await send()
    expect(response).toMatchObject({ status, code })
    expect((JSON.parse(response.body) as { reason?: object }).reason).toBeUndefined()
  })

  test('[ROLE-4] a camera that only the body names is checked once the body is read', async () => {
    const schema = { summary: '', body: Type.Object({ camera: Type.String() }) }
    const access = { camera: 'history', of: 'body' } as const
    const routes = [routeTo(() => ({ ok: true }), { method: 'POST', access, schema })]
    const status = async (authentication: Authentication, camera: string) => {
      const { send } = await testPort({ authentication, routes, roles: fakeRoles(new Map([['guard', ['door']]])) })
      return (await send({ method: 'POST', payload: { camera } })).status
    }
    expect(await status(viewer, 'yard')).toBe(200)
    expect(await status(viewer, 'gone')).toBe(404)
    expect(await status(authenticated(named('gil', 'guard')), 'yard')).toBe(403)
    expect(await status(noOne, 'yard')).toBe(401)
  })

  test('a route outside of the API is checked like any other', async () => {
    const routes = [routeTo(() => ({ ok: true }), { path: '/metrics' })]
    for (const [authentication, status] of [
      [noOne, 401],
      [viewer, 200],
    ] as const) {
      const { send } = await testPort({ authentication, routes })
      expect((await send({ url: '/metrics' })).status).toBe(status)
    }
  })

  test('an unauthenticated request causes no lookup', async () => {
    const access = { camera: 'live', of: () => expect.unreachable() } as const
    const { send } = await testPort({
      authentication: noOne,
      routes: [routeTo(() => ({}), { access, reads: 'snapshot' })],
    })
    expect((await send()).status).toBe(401)
  })

  test('the credentials of a caller are not read for an open route', async () => {
    const found: Identity[] = []
    const handle = (_input: unknown, { identity }: Caller) => {
      found.push(identity)
      return {}
    }
    const { send } = await testPort({ routes: [routeTo(handle, { access: open })] })
    await send()
    expect(found).toEqual([unauthenticated])
  })

  test.each<[Authentication, string]>([
    [authenticated(named('ann', undefined, 'proxy')), 'no-role-from-proxy'],
    [authenticated(named('ann', 'gone', 'proxy')), 'no-role-from-proxy'],
    [authenticated(named('ann', 'gone')), 'role-deleted'],
  ])('[PROXY-5] a caller without a role gets 403 with the reason', async (authentication, reason) => {
    const { send } = await testPort({ authentication })
    const { status, body } = await send()
    expect([status, JSON.parse(body)]).toMatchObject([403, { reason: { code: reason } }])
  })

  test('[PROXY-5] a token whose owner has no role gets 403 without a reason', async () => {
    const { send } = await testPort({ authentication: authenticated(withToken(named('ann', 'gone'))) })
    const { status, body } = await send()
    expect([status, (JSON.parse(body) as { reason?: object }).reason]).toEqual([403, undefined])
  })

  test.each<[Partial<CustomRole>, string | undefined]>([
    [{}, undefined],
    [{ hours: [{ days: ['fri'], from: 0, to: 60 }] }, 'outside-hours'],
    [{ validFrom: 1 }, 'role-not-yet-valid'],
    [{ validUntil: 0 }, 'role-expired'],
  ])('[GRANT-4] with the role %j, a denied caller gets the reason %s', async (limits, reason) => {
    const roles = rolesFrom(new Map([['guard', fakeRole(['yard'], limits)]]), {
      now: () => 0,
      wallClock: () => ({ weekday: 'thu', minute: 0 }),
    })
    const routes = [routeTo(() => ({}), { access: { service: 'config.manage', about: 'no-camera' } })]
    const { send } = await testPort({ authentication: authenticated(named('gil', 'guard')), roles, routes })
    const { status, body } = await send()
    expect([status, (JSON.parse(body) as { reason?: { code: string } }).reason?.code]).toEqual([403, reason])
  })

  test.each<[string, Partial<Authentication>, Partial<RequestSpec<RouteSchema>>, string | undefined]>([
    ['never', { confirmed: { at: null, hasFactor: true } }, {}, 'confirm-required'],
    ['too long ago', { confirmed: { at: 0, hasFactor: true } }, {}, 'confirm-required'],
    ['just now', { confirmed: { at: 1, hasFactor: true } }, {}, undefined],
    ['never, and has no factor', { confirmed: { at: null, hasFactor: false } }, {}, undefined],
    ['never, and has no session', {}, {}, undefined],
    [
      'never, and is not allowed',
      { confirmed: { at: null, hasFactor: true } },
      { access: { service: 'config.manage', about: 'no-camera' } },
      'forbidden',
    ],
    [
      'never, for a route that does not ask',
      { confirmed: { at: null, hasFactor: true } },
      { confirm: { never: 'a test' } },
      undefined,
    ],
  ])('[MFA-4] a caller who confirmed %s', async (_when, more, spec, code) => {
    const clock = createTestClock()
    const { send } = await testPort({
      clock: { ...clock, now: () => 300_000 },
      authentication: authenticated(named('ann', 'viewer'), more),
      routes: [routeTo(() => ({}), { confirm: true, ...spec })],
    })
    expect((await send({ method: 'POST' })).code).toBe(code)
  })

  const unconfirmed = authenticated(named('ann', 'viewer'), { confirmed: { at: null, hasFactor: true } })

  test('[MFA-4] a caller has to confirm before the route reads the body or says what it does not offer', async () => {
    const schema = { summary: '', body: Type.Object({ name: Type.String() }) }
    const unreached = { handle: () => expect.unreachable(), requireOffered: () => expect.unreachable() }
    const { send } = await testPort({
      authentication: unconfirmed,
      routes: [routeTo(unreached.handle, { method: 'POST', schema, confirm: true, ...unreached })],
    })
    expect((await send({ method: 'POST', payload: {} })).code).toBe('confirm-required')
  })

  test.each<[who: string, Authentication, payload: object, code: string]>([
    ['an allowed caller', viewer, { name: 'x' }, 'conflict'],
    ['an allowed caller, whatever the body is', viewer, {}, 'conflict'],
    ['a caller who is not allowed', noOne, { name: 'x' }, 'unauthenticated'],
  ])('[PROXY-1] to %s, the route says what it does not offer', async (_who, authentication, payload, code) => {
    const callers: Identity[] = []
    const requireOffered = ({ identity }: Caller) => {
      callers.push(identity)
      throw new ServiceError('conflict')
    }
    const schema = { summary: '', body: Type.Object({ name: Type.String() }) }
    const routes = [routeTo(() => expect.unreachable(), { method: 'POST', schema, requireOffered })]
    const { send } = await testPort({ authentication, routes })
    expect((await send({ method: 'POST', payload })).code).toBe(code)
    expect(callers).toEqual(authentication === viewer ? [viewer.identity] : [])
  })

  test.each<
    [milliseconds: number, what: string, state: string, confirm: Confirm, Authentication, code: string | undefined]
  >([
    [250, 'something else', 'has lost access', { never: 'a test' }, noOne, undefined],
    [251, 'something else', 'has lost access', { never: 'a test' }, noOne, 'unauthenticated'],
    [251, 'what is confirmed', 'has access', true, viewer, undefined],
    [0, 'what is confirmed', 'has access', true, viewer, undefined],
    [0, 'what is confirmed', 'has lost access', true, noOne, 'unauthenticated'],
    [0, 'what is always confirmed', 'has lost access', 'always', noOne, 'unauthenticated'],
    [0, 'what is confirmed', 'has to confirm', true, unconfirmed, 'confirm-required'],
  ])('[ROLE-10] after a body that took %i ms, of %s, a caller who %s', async (...row) => {
    const [milliseconds, , , confirm, later, code] = row
    let elapsed = 0
    // Called after the caller was authenticated, and before the body is read.
    const requireOffered = () => void (elapsed += milliseconds)
    const { send } = await testPort({
      clock: { ...createTestClock(), elapsed: () => elapsed },
      authentication: authenticated(named('ann', 'viewer'), { reauthenticate: () => later }),
      routes: [routeTo(() => ({}), { confirm, requireOffered })],
    })
    expect((await send({ method: 'POST' })).code).toBe(code)
  })

  const bob = { authMethod: 'password', key: 'bob', userId: 'id of bob' } as const
  const replaced = { ...bob, userId: 'id of the next bob' }
  test.each<[what: string, (of: OwnerOf) => AccessRule, later: Owner | undefined, status: number, reason?: string]>([
    ['changes a user, who is the same', userRule, { ...bob }, 200],
    ['changes a user, who was replaced by another one with the same name', userRule, replaced, 404, 'no-such-user'],
    ['changes a user, who was deleted', userRule, undefined, 404, 'no-such-user'],
    ['names an owner, who is the same', ownRule, { ...bob }, 200],
    ['names an owner, who was replaced by another one with the same name', ownRule, replaced, 404],
    ['names an owner, who was deleted', ownRule, undefined, 404],
  ])('[ROLE-10] decided again, a request that %s', async (_what, accessTo, later, status, reason) => {
    const owners = [bob, later]
    const access = accessTo({ of: 'query', name: 'user', find: async () => owners.shift() })
    const schema = { summary: '', querystring: Type.Object({ user: Type.String() }) }
    const { send } = await testPort({
      authentication: authenticated(named('ada', 'admin')),
      routes: [routeTo(() => ({}), { access, schema, confirm: true })],
    })
    const response = await send({ method: 'POST', url: '/api/x?user=bob' })
    const body = JSON.parse(response.body) as { reason?: { code: string } }
    expect([response.status, body.reason?.code]).toEqual([status, reason])
    expect(owners).toEqual([])
  })

  test('[LINK-2] a route for links asks for a link, and any other does not', async () => {
    const links: string[] = []
    const access = { camera: 'live', of: async () => 'yard', link: true } as const
    const { send } = await testPort({
      authenticateLink: (_meta, link) => {
        links.push(link)
        return noOne
      },
      routes: [okRoute, routeTo(() => ({}), { path: '/api/y/:link', access, reads: 'snapshot' })],
    })
    expect([(await send()).status, (await send({ url: '/api/y/l1' })).status]).toEqual([200, 401])
    expect(links).toEqual(['l1'])
  })

  test.each<[isProxied: boolean, agent: string, challenge: string | undefined]>([
    [false, 'Lavf/60.16.100', 'Basic realm="Gatehouse", charset="UTF-8"'],
    [false, 'Mozilla/5.0', undefined],
    [true, 'Lavf/60.16.100', undefined],
  ])('[KEY-3] by a proxy %s, %s gets the challenge %s', async (isProxied, agent, challenge) => {
    const { send } = await testPort({ authentication: noOne, isProxied: () => isProxied })
    const { status, headers } = await send({ headers: { 'user-agent': agent } })
    expect([status, headers['www-authenticate']]).toEqual([401, challenge])
  })

  test('[ROLE-10] an identity that cannot be looked up is an error, and not allowed', async () => {
    const { send } = await testPort({ authenticate: () => Promise.reject(new ServiceError('unavailable')) })
    expect((await send()).status).toBe(503)
  })

  test.each<[string, Sent, Authentication, number]>([
    ['an unknown API path', { url: '/api/none' }, viewer, 404],
    ['an unknown API path', { url: '/api/none' }, noOne, 401],
    ['an unknown API path', { url: '/api/none', method: 'POST' }, viewer, 404],
    ['a method without a route', { method: 'DELETE' }, viewer, 405],
    ['a method without a route', { method: 'QUERY' }, viewer, 405],
    ['a method without a route', { method: 'QUERY' }, noOne, 401],
    ['a page', { url: '/page' }, noOne, 200],
    ['a page', { url: '/page', method: 'HEAD' }, noOne, 200],
    ['a page', { url: '/page', method: 'POST' }, noOne, 404],
    ['a page', { url: '/page', method: 'QUERY' }, noOne, 404],
  ])('[ERR-2] %s, %j', async (_what, sent, authentication, status) => {
    const { send } = await testPort({ authentication })
    const response = await send(sent)
    expect(response.status).toBe(status)
    expect(response.headers['cache-control']).toBe(sent.url === '/page' && status === 200 ? undefined : 'no-store')
  })

  test.each(['DELETE', 'OPTIONS', 'TRACE', 'QUERY'] as const)(
    '[ERR-2] RFC 9110 15.5.6: %s where it has no route is 405 with the methods that have one',
    async (method) => {
      const { send } = await testPort({
        routes: [
          at('/api/read', { method: 'GET' }),
          at('/api/both'),
          at('/api/things/:name', { method: 'PUT' }),
          at('/api/things/:name', { method: 'PATCH' }),
          at('/outside', { method: 'POST', access: { open: 'for a test' } }),
        ],
        authentication: viewer,
      })
      for (const [url, allow] of [
        ['/api/read', 'GET, HEAD'],
        ['/api/both?x=1', 'GET, HEAD, POST'],
        ['/api/things/b%20c', 'PUT, PATCH'],
        ['/outside', 'POST'],
      ] as const) {
        const { status, code, headers, body } = await send({ method, url })
        expect([status, code, headers['allow']], url).toEqual([405, 'method-not-allowed', allow])
        expect(JSON.parse(body), url).toMatchObject({ status: 405 })
      }
      expect((await send({ method, url: '/api/none' })).headers).not.toHaveProperty('allow')
    },
  )

  test('[TOK-13] where GET changes something, HEAD is 405', async () => {
    let changes = 0
    const counting = routeTo(() => void (changes += 1), { method: 'GET', path: '/api/once/:id', sameOriginOnly: true })
    const { send } = await testPort({ routes: [counting], authentication: viewer })
    const { status, headers } = await send({ method: 'HEAD', url: '/api/once/a' })
    expect([status, headers['allow'], changes]).toEqual([405, 'GET', 0])
    expect((await send({ url: '/api/once/a' })).status).toBe(204)
    expect(changes).toBe(1)
  })

  test('[ERR-2] the methods of a path are only for authenticated callers', async () => {
    const { send } = await testPort({ authentication: noOne })
    const { status, headers } = await send({ method: 'DELETE' })
    expect(status).toBe(401)
    expect(headers).not.toHaveProperty('allow')
  })
})
