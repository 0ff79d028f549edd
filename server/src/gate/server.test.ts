import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect as connectTo, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { bareServer, log, type BareServerOptions } from '../../test/support/bare-server.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { unaudited } from '../../test/support/unaudited.ts'
import { internalAdmin, known, unauthenticated, type Identity } from '../access/identity.ts'
import { emptyGrant, narrowScope, scopeOf } from '../access/grant.ts'
import { fakeRole, fakeRoles } from '../access/fake-roles.ts'
import type { CameraAction } from '../access/action.ts'
import { rolesFrom, type CustomRole, type Roles } from '../access/role.ts'
import type { AccessRule } from '../access/rule.ts'
import type { Authentication } from '../http/authentication.ts'
import {
  answer,
  route,
  type Caller,
  type EndReason,
  type LiveSocket,
  type RequestSpec,
  type Route,
  type RouteSchema,
} from '../http/route.ts'
import { pieceSize } from '../shared/http/chunks.ts'
import { systemClock } from '../shared/time/clock.ts'
import { ServiceError, type ErrorCode } from '../shared/errors.ts'
import { createStreamRegistry, type OpenStream, type StreamRegistry } from './stream-registry.ts'

const named = (name: string, role: string | undefined, authMethod: 'password' | 'proxy' = 'password'): Identity => ({
  kind: 'known',
  authMethod,
  name,
  key: name,
  userId: null,
  role,
  session: undefined,
})
const as = (identity: Identity, more: Partial<Authentication> = {}): Authentication => {
  const authentication: Authentication = { identity, reauthenticate: () => authentication, ...more }
  return authentication
}
/** By an API token for the live video of the yard. */
const withToken = (identity: Identity): Identity => {
  const limits = { cameras: new Set(['yard']), actions: new Set(['live'] as const) }
  return { ...known(identity), credential: { kind: 'token', id: 't1', name: 'a program', limits, expiresAt: null } }
}
const viewer = as(named('ann', 'viewer'))
const noOne = as(unauthenticated)

type Handle = RequestSpec<RouteSchema>['handle']
const routeTo = (handle: Handle, more: Partial<RequestSpec<RouteSchema>> = {}): Route =>
  route({
    method: ['GET', 'POST'],
    path: '/api/x',
    access: { signedIn: true },
    confirm: { never: 'a test' },
    schema: { summary: '' },
    handle,
    ...more,
  })
const ok = routeTo(() => ({ ok: true }))
const at = (path: `/${string}`, more: Partial<RequestSpec<RouteSchema>> = {}): Route =>
  routeTo(() => ({}), { path, ...more })

const forbid = () => {
  throw new ServiceError('forbidden')
}

interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'OPTIONS' | 'DELETE' | 'TRACE' | 'QUERY'
  readonly url?: string
  readonly headers?: Record<string, string | string[]>
  readonly payload?: object | string
}

/** A port with one route, which keeps what is written to the audit log and to the log. */
async function port(more: Partial<BareServerOptions> = {}) {
  const entries: unknown[][] = []
  const logged: [level: string, text: string, fields: object][] = []
  const openStreams = createStreamRegistry({ clock: systemClock, log, isListening: () => true })
  const app = await bareServer({
    routes: [ok],
    authentication: viewer,
    headers: { 'x-every': 'response' },
    openStreams,
    audit: {
      ...unaudited,
      record: (...given) => void entries.push(given),
      use: (...given) => {
        entries.push(given)
        return () => void entries.push(['end'])
      },
    },
    log: {
      ...log,
      warn: (fields: object, text: string) => void logged.push(['warn', text, fields]),
      error: (fields: object, text: string) => void logged.push(['error', text, fields]),
      debug: (fields: object, text: string) => void logged.push(['debug', text, fields]),
    },
    ...more,
  })
  onTestFinished(async () => {
    await app.close()
    openStreams.stop()
  })
  const send = async ({ method = 'GET', url = '/api/x', headers = {}, payload }: Sent = {}) => {
    const response = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    const { statusCode: status, body } = response
    return { status, body, headers: response.headers, code: codeIn(body) }
  }
  return { app, send, entries, logged, openStreams }
}

const codeIn = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as { code?: string }).code
  } catch {
    return undefined
  }
}

describe('admission', () => {
  test('[CAM-1] a camera’s request is rejected, and logged once a minute', async () => {
    const { send, logged } = await port()
    const headers = { 'x-gatehouse-camera': '' }
    expect([(await send({ headers })).status, (await send({ headers, url: '/page' })).status]).toEqual([403, 403])
    expect(logged).toEqual([['warn', 'request rejected: sent by a camera', { address: '' }]])
  })

  test.each<[string, number]>([
    ['/api/x', 200],
    ['/api/x?a=..//', 200],
    ['/%61pi/x', 200],
    ['/api//x', 400],
    ['/api/x%2fy', 400],
    ['/api/%zz', 400],
    ['/%', 400],
    ['/page//', 400],
  ])('[PATH-1] the path %s gets %i', async (url, status) => {
    const { send } = await port()
    const response = await send({ url })
    expect([response.status, response.headers['x-every']]).toEqual([status, 'response'])
    if (status === 400) expect(response.code).toBe('unsafe-path')
  })

  test.each([
    ['/gate/api/x', 200],
    ['/api/x', 200],
    ['/gate/gate/api/x', 200],
    ['/gate//api/x', 400],
  ])('[PATH-3] below the base path, %s gets %i', async (url, status) => {
    const { send } = await port({ basePath: '/gate/' })
    const { status: found, body } = await send({ url })
    expect([found, body === 'page']).toEqual([status, url === '/gate/gate/api/x'])
  })

  test.each([
    ['GET /api/x HTTP/1.1\r\nHost: a\r\n', 200],
    ['GET /api/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
    ['GET /api/x HTTP/1.1\r\nHost: a\r\nHost: a\r\n', 400],
    ['GET /api/x HTTP/1.1\r\n', 400],
    ['GET /api/x HTTP/1.0\r\n', 200],
    ['GET /api/x HTTP/1.0\r\nHost: a\r\nHost: b\r\n', 400],
    ['GET /api/y/../x HTTP/1.1\r\nHost: a\r\n', 400],
    ['GET /api/%2e%2e/x HTTP/1.1\r\nHost: a\r\n', 400],
    ['GET /gate/../api/x HTTP/1.1\r\nHost: a\r\n', 400],
  ])('[PATH-1] %j gets %i', async (head, status) => {
    const { app } = await port({ basePath: '/gate/' })
    const client = connectTo({ host: '127.0.0.1', port: await portOf(app) })
    onTestFinished(() => void client.destroy())
    client.write(`${head}Connection: close\r\n\r\n`)
    const [first] = (await once(client, 'data')) as [Buffer]
    expect(first.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('the port’s own guard comes before authentication, for pages too', async () => {
    const { send } = await port({
      authentication: noOne,
      guardPort: () => {
        throw new ServiceError('misdirected')
      },
    })
    expect([(await send()).status, (await send({ url: '/page' })).status]).toEqual([421, 421])
  })
})

describe('access', () => {
  const open: AccessRule = { open: 'for a test' }

  test.each<[string, Authentication, AccessRule, number, string | undefined]>([
    ['a signed-in caller', viewer, { signedIn: true }, 200, undefined],
    ['an unauthenticated caller', noOne, { signedIn: true }, 401, 'unauthenticated'],
    ['an unauthenticated caller of an open route', noOne, open, 200, undefined],
    ['a viewer', viewer, { service: 'config.manage' }, 403, 'forbidden'],
    ['a camera that does not exist', viewer, { camera: 'live', of: async () => 'gone' }, 404, 'not-found'],
    ['a camera that exists', viewer, { camera: 'live', of: async () => 'yard' }, 200, undefined],
  ])('%s: with the rule %#', async (_who, authentication, access, status, code) => {
    const { send } = await port({
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
      const { send } = await port({ authentication, routes, roles: fakeRoles(new Map([['guard', ['door']]])) })
      return (await send({ method: 'POST', payload: { camera } })).status
    }
    expect(await status(viewer, 'yard')).toBe(200)
    expect(await status(viewer, 'gone')).toBe(404)
    expect(await status(as(named('gil', 'guard')), 'yard')).toBe(403)
    expect(await status(noOne, 'yard')).toBe(401)
  })

  test('a route outside of the API is checked like any other', async () => {
    const routes = [routeTo(() => ({ ok: true }), { path: '/metrics' })]
    for (const [authentication, status] of [
      [noOne, 401],
      [viewer, 200],
    ] as const) {
      const { send } = await port({ authentication, routes })
      expect((await send({ url: '/metrics' })).status).toBe(status)
    }
  })

  test('an unauthenticated request causes no lookup', async () => {
    const access = { camera: 'live', of: () => expect.unreachable() } as const
    const { send } = await port({ authentication: noOne, routes: [routeTo(() => ({}), { access, reads: 'snapshot' })] })
    expect((await send()).status).toBe(401)
  })

  test('the credentials of a caller are not read for an open route', async () => {
    const found: Identity[] = []
    const handle = (_input: unknown, { identity }: Caller) => {
      found.push(identity)
      return {}
    }
    const { send } = await port({ routes: [routeTo(handle, { access: open })] })
    await send()
    expect(found).toEqual([unauthenticated])
  })

  test.each<[Authentication, string]>([
    [as(named('ann', undefined, 'proxy')), 'no-role-from-proxy'],
    [as(named('ann', 'gone', 'proxy')), 'no-role-from-proxy'],
    [as(named('ann', 'gone')), 'role-deleted'],
  ])('[PROXY-5] a caller without a role gets 403 with the reason', async (authentication, reason) => {
    const { send } = await port({ authentication })
    const { status, body } = await send()
    expect([status, JSON.parse(body)]).toMatchObject([403, { reason: { code: reason } }])
  })

  test('[PROXY-5] a token whose owner has no role gets 403 without a reason', async () => {
    const { send } = await port({ authentication: as(withToken(named('ann', 'gone'))) })
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
    const routes = [routeTo(() => ({}), { access: { service: 'config.manage' } })]
    const { send } = await port({ authentication: as(named('gil', 'guard')), roles, routes })
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
      { access: { service: 'config.manage' } },
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
    const { send } = await port({
      clock: { ...clock, now: () => 300_000 },
      authentication: as(named('ann', 'viewer'), more),
      routes: [routeTo(() => ({}), { confirm: true, ...spec })],
    })
    expect((await send({ method: 'POST' })).code).toBe(code)
  })

  test('[LINK-2] a route for links asks for a link, and any other does not', async () => {
    const links: string[] = []
    const access = { camera: 'live', of: async () => 'yard', link: true } as const
    const { send } = await port({
      authenticateLink: (_meta, link) => {
        links.push(link)
        return noOne
      },
      routes: [ok, routeTo(() => ({}), { path: '/api/y/:link', access, reads: 'snapshot' })],
    })
    expect([(await send()).status, (await send({ url: '/api/y/l1' })).status]).toEqual([200, 401])
    expect(links).toEqual(['l1'])
  })

  test.each<[isProxied: boolean, agent: string, challenge: string | undefined]>([
    [false, 'Lavf/60.16.100', 'Basic realm="Gatehouse", charset="UTF-8"'],
    [false, 'Mozilla/5.0', undefined],
    [true, 'Lavf/60.16.100', undefined],
  ])('[KEY-3] by a proxy %s, %s gets the challenge %s', async (isProxied, agent, challenge) => {
    const { send } = await port({ authentication: noOne, isProxied: () => isProxied })
    const { status, headers } = await send({ headers: { 'user-agent': agent } })
    expect([status, headers['www-authenticate']]).toEqual([401, challenge])
  })

  test('[ROLE-10] an identity that cannot be looked up is an error, and not allowed', async () => {
    const { send } = await port({ authenticate: () => Promise.reject(new ServiceError('unavailable')) })
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
    const { send } = await port({ authentication })
    const response = await send(sent)
    expect(response.status).toBe(status)
    expect(response.headers['cache-control']).toBe(sent.url === '/page' && status === 200 ? undefined : 'no-store')
  })

  test.each(['DELETE', 'OPTIONS', 'TRACE', 'QUERY'] as const)(
    '[ERR-2] RFC 9110 15.5.6: %s where it has no route is 405 with the methods that have one',
    async (method) => {
      const { send } = await port({
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

  test('[ERR-2] the methods of a path are only for authenticated callers', async () => {
    const { send } = await port({ authentication: noOne })
    const { status, headers } = await send({ method: 'DELETE' })
    expect(status).toBe(401)
    expect(headers).not.toHaveProperty('allow')
  })
})

describe('[TOK-13] a request that changes state', () => {
  const site = {
    allowedOrigins: () => ['https://panel.example'],
    clientOf: () => ({ address: '', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }),
  }
  const foreign = { origin: 'https://elsewhere' }
  const ambient = as(named('ann', 'viewer'), { ambient: true })
  const plain = { access: { signedIn: true } } as const
  const open = { access: { open: 'for a test' } } as const
  const byGet = { ...open, sameOriginOnly: true } as const
  const bearer = { authorization: 'Bearer x' }

  test.each<[Sent, Authentication, Partial<RequestSpec<RouteSchema>>, number]>([
    [{ method: 'POST' }, ambient, plain, 200],
    [{ method: 'POST', headers: { origin: 'https://here' } }, ambient, plain, 200],
    [{ method: 'POST', headers: { origin: 'http://here' } }, ambient, plain, 403],
    [{ method: 'POST', headers: { origin: 'https://panel.example' } }, ambient, plain, 200],
    [{ method: 'POST', headers: foreign }, ambient, plain, 403],
    [{ method: 'POST', headers: foreign }, viewer, plain, 200],
    [{ method: 'GET', headers: foreign }, ambient, plain, 200],
    [{ method: 'HEAD', headers: foreign }, ambient, plain, 200],
    [{ method: 'OPTIONS', headers: foreign }, ambient, plain, 405],
    [{ method: 'GET', headers: { ...foreign, upgrade: 'x' } }, ambient, plain, 403],
    [{ method: 'POST', headers: foreign }, noOne, open, 403],
    [{ method: 'POST', headers: { ...foreign, ...bearer } }, noOne, open, 200],
    [{ method: 'POST', headers: { ...foreign, authorization: 'bearer x' } }, noOne, open, 200],
    [{ method: 'POST', headers: { ...foreign, authorization: 'Basic bearer x' } }, noOne, open, 403],
    [{ method: 'POST', headers: { ...foreign, authorization: 'Basic x' } }, noOne, open, 403],
    [{ method: 'GET', headers: foreign }, noOne, open, 200],
    [{ method: 'GET', headers: foreign }, noOne, byGet, 403],
  ])('%j: %#', async (sent, authentication, of, status) => {
    const { send } = await port({ ...site, authentication, routes: [routeTo(() => ({ ok: true }), of)] })
    const response = await send(sent)
    expect(response.status).toBe(status)
    if (status === 403) expect(response.code).toBe('cross-origin')
  })

  test('is not checked again if the port’s guard checks it', async () => {
    const { send } = await port({ authentication: ambient, allowedOrigins: undefined })
    expect((await send({ method: 'POST', headers: foreign })).status).toBe(200)
  })
})

describe('the session cookie', () => {
  const renewed = { token: 'abc', maxAge: 60 }

  test('[TOK-5] is set if it was renewed, and cleared if it can never become valid', async () => {
    const { send } = await port({ authentication: as(named('ann', 'viewer'), { renewed }) })
    const { headers } = await send()
    expect([headers['set-cookie'], headers['clear-site-data']]).toEqual([
      'token=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      undefined,
    ])
    const cleared = await (await port({ authentication: as(unauthenticated, { clearCookie: true }) })).send()
    expect(cleared.headers['set-cookie']).toContainEqual(expect.stringMatching(/^token=; Max-Age=0; Path=\/api\/x/))
    expect([cleared.status, cleared.headers['clear-site-data']]).toEqual([401, '"cookies"'])
    expect((await (await port()).send()).headers['set-cookie']).toBeUndefined()
  })

  test('[TOK-4] [TOK-6] that a handler sets or clears replaces a renewed one', async () => {
    const authentication = as(named('ann', 'viewer'), { renewed })
    for (const [session, start] of [
      [{ token: 'new', maxAge: 60 }, 'token=new;'],
      ['clear', 'token=;'],
    ] as const) {
      const routes = [routeTo(() => answer({ status: 204, session }))]
      const { headers } = await (await port({ authentication, routes })).send()
      expect([headers['set-cookie']].flat()).toEqual([expect.stringMatching(`^${start}`)])
    }
  })
})

const readOf = (status: number, body: unknown) =>
  routeTo(() => answer({ status, body, range: { start: 1, end: 2 } }), {
    path: '/api/cameras/:camera/x',
    access: { camera: 'live', of: 'path' },
    reads: 'snapshot',
  })

describe('the audit log', () => {
  test('[AUD-2] has denied requests, with the path, merged by route', async () => {
    const { send, entries } = await port({
      routes: [routeTo(() => ({}), { path: '/api/x/:id', access: { service: 'config.manage' } })],
    })
    await send({ url: '/api/x/1' })
    expect(entries).toEqual([
      [
        {
          action: 'request.denied',
          result: 'denied',
          user: 'ann',
          auth_method: 'password',
          address: '',
          target: 'GET /api/x/1',
          detail: 'forbidden',
        },
        'GET /api/x/:id',
      ],
    ])
  })

  test('[AUD-2] has no path of an open route, which can contain a secret', async () => {
    const { send, entries } = await port({
      routes: [routeTo(forbid, { path: '/api/x/:id', access: { open: 'for a test' } })],
    })
    await send({ url: '/api/x/secret' })
    expect(entries).toMatchObject([[{ target: 'GET /api/x/:id' }, 'GET /api/x/:id']])
  })

  test.each<[ServiceError | Error, number]>([
    [new ServiceError('wrong-password'), 0],
    [new ServiceError('not-found'), 0],
    [new Error('a fault'), 0],
    [new ServiceError('forbidden'), 1],
  ])('a handler that throws %s: %i entries', async (error, count) => {
    const handle = () => {
      throw error
    }
    const { send, entries } = await port({ routes: [routeTo(handle)] })
    await send()
    expect(entries).toHaveLength(count)
  })

  test.each([
    [
      { reason: 'bad-token', user: null, ambient: true },
      { user: null, auth_method: null, target: 'Cookie' },
    ],
    [
      { reason: 'revoked-token', user: 'ann', ambient: false },
      { user: 'ann', auth_method: 'password', target: 'Authorization' },
    ],
  ] as const)('[AUD-2] has the rejected token %j', async (refusedToken, entry) => {
    const { send, entries } = await port({ authentication: as(unauthenticated, { refusedToken }) })
    await send()
    expect(entries).toEqual([
      [
        { action: 'request.denied', result: 'denied', address: '', detail: refusedToken.reason, ...entry },
        refusedToken.reason,
      ],
    ])
  })

  test('[AUD-3] has reads until their end, with the camera, but no failed ones', async () => {
    const by = { user: 'ann', auth_method: 'password', address: '' }
    const entry = [
      { action: 'snapshot', result: 'success', ...by, target: 'yard', owner: 'password ann' },
      { start: 1, end: 2 },
    ]
    for (const [status, body, expected] of [
      [200, { ok: true }, [entry, ['end']]],
      [200, () => Readable.from(['a', 'b']), [entry, ['end']]],
      [399, { ok: true }, [entry, ['end']]],
      [400, { ok: true }, []],
    ] as const) {
      const { send, entries } = await port({ routes: [readOf(status, typeof body === 'function' ? body() : body)] })
      await send({ url: '/api/cameras/yard/x' })
      expect(entries).toEqual(expected)
    }
  })

  test('a read that names no camera has no target, and other routes no entry', async () => {
    for (const result of [answer({ body: {} }), {}]) {
      const { send, entries } = await port({ routes: [routeTo(() => result, { reads: 'config.read' })] })
      await send()
      expect(entries).toMatchObject([[{ action: 'config.read', target: null }, undefined], ['end']])
    }
    const other = await port({ routes: [routeTo(() => answer({ body: {} }))] })
    await other.send()
    expect(other.entries).toEqual([])
  })

  test('a read by no user belongs to no one', async () => {
    const routes = [routeTo(() => ({}), { access: { open: 'for a test' }, reads: 'config.read' })]
    const { send, entries } = await port({ authentication: noOne, routes })
    await send()
    const ownerless = expect.not.objectContaining({ owner: expect.anything() as string }) as object
    expect(entries).toEqual([[ownerless, undefined], ['end']])
  })

  test('has the use of the internal port, except of open routes', async () => {
    const authentication = as(internalAdmin)
    const { send, entries } = await port({ authentication })
    await send()
    expect(entries).toMatchObject([
      [{ action: 'internal.use', result: 'success', user: 'anonymous', target: null }],
      ['end'],
    ])
    const routes = [routeTo(() => ({}), { access: { open: 'for a test' } })]
    const other = await port({ authentication, routes })
    await other.send()
    expect(other.entries).toEqual([])
  })
})

/** What the handler saw of its caller. */
async function seen<T>(
  of: (caller: Caller, header: (name: string) => string | undefined) => T,
  more: Partial<BareServerOptions> = {},
  { access = { signedIn: true }, url = '/api/x' }: { access?: AccessRule; url?: string } = {},
): Promise<T | undefined> {
  let result: T | undefined
  const reads = 'camera' in access && { reads: 'snapshot' as const }
  const schema = {
    summary: '',
    querystring: Type.Object({ user: Type.Optional(Type.String()), cameras: Type.Optional(Type.String()) }),
  }
  const handle: Handle = ({ header }, caller) => {
    result = of(caller, header)
    return {}
  }
  const { send } = await port({ routes: [routeTo(handle, { access, schema, ...reads })], ...more })
  await send({ url, headers: { 'x-own': 'a', 'set-cookie': ['b', 'c'] } })
  return result
}

const scopesOfParts = (caller: Caller) =>
  (['live', 'delete'] as const).map((part) => [caller.hasPart(part), caller.scopeOfPart(part)])

const errorOf = (use: (caller: Caller) => unknown) => (caller: Caller) => {
  try {
    use(caller)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const findBob = async () => ({ authMethod: 'password', key: 'bob', userId: null }) as const

describe('what a handler gets', () => {
  test('is the grant of its caller, as a scope and as actions', async () => {
    const roles = fakeRoles(new Map([['guard', ['yard']]]))
    const grant = roles.grantOf('guard')
    const authentication = as(named('gil', 'guard'))
    const found = await seen(({ scope, actions }) => [scope, actions], { authentication, roles })
    expect(found).toEqual([scopeOf(grant), [...grant.actions]])
  })

  test.each([true, false])('is whether a proxy authenticates the request: %s', async (isProxied) => {
    expect(await seen((caller) => caller.isProxied, { isProxied: () => isProxied })).toBe(isProxied)
  })

  test.each([
    ['/api/x', true],
    ['/api/x?user=bob', false],
  ])('is whether the resource is the caller’s own: at %s %s', async (url, isOwn) => {
    const access: AccessRule = { own: { of: 'query', name: 'user', find: findBob }, or: 'users.manage' }
    const authentication = as(named('ada', 'admin'))
    expect(await seen((caller) => caller.isOwn, { authentication }, { access, url })).toBe(isOwn)
  })

  test('[GRANT-2] is the scope of a part, within the requested cameras', async () => {
    const roles = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const inQuery = { of: 'query', name: 'cameras' } as const
    const access: AccessRule = { cameras: 'any', requested: inQuery, parts: ['live', 'delete'] }
    const options = { authentication: as(named('gil', 'guard')), roles }
    const grant = roles.grantOf('guard')
    const of = (cameras: string[] | undefined) => [
      [true, narrowScope(scopeOf(grant), cameras)],
      [false, narrowScope(scopeOf(emptyGrant), cameras)],
    ]
    expect(await seen(scopesOfParts, options, { access })).toEqual(of(undefined))
    expect(await seen(scopesOfParts, options, { access, url: '/api/x?cameras=yard' })).toEqual(of(['yard']))
  })

  test('[GRANT-2] is no part that its rule does not declare, and no camera if the rule is not one of a camera', async () => {
    const access: AccessRule = { cameras: 'any', parts: ['live'] }
    for (const use of [
      (caller: Caller) => caller.scopeOfPart('audio'),
      (caller: Caller) => caller.hasPart('audio'),
      (caller: Caller) => caller.camera,
    ]) {
      expect(await seen(errorOf(use), {}, { access })).toMatch(/^the rule /)
    }
    const ofCamera: AccessRule = { camera: 'live', of: async () => 'yard' }
    expect(await seen((caller) => caller.camera, {}, { access: ofCamera })).toBe('yard')
  })

  test('is a header as it was sent, or the first of several', async () => {
    const headers = await seen((_caller, header) => ['x-own', 'set-cookie', 'x-other'].map((name) => header(name)))
    expect(headers).toEqual(['a', 'b', undefined])
  })
})

const addSneaky = async (app: FastifyInstance) => {
  app.get('/sneaky', async () => 'hi')
}

describe('the server', () => {
  test('does not start with a route that declares no access', async () => {
    await expect(bareServer({ routes: [], register: addSneaky })).rejects.toThrow('GET /sneaky declares no access')
  })

  test('has no log of its own', async () => {
    expect((await port()).app.log.level).toBeUndefined()
  })

  test('logs once a minute that it drops connections', async () => {
    const clock = createTestClock()
    const { app, logged } = await port({ clock })
    app.server.maxConnections = 7
    const line = ['warn', 'connections dropped: too many are open', { max_connections: 7 }]
    for (const expected of [[line], [line], [line, line]]) {
      app.server.emit('drop')
      expect(logged).toEqual(expected)
      if (expected.length === 1) await clock.advance(30_000)
    }
  })

  test('refuses requests while it closes', async () => {
    const closing = Promise.withResolvers<void>()
    const { app, send } = await port({
      register: async (server) => {
        server.addHook('preClose', async () => closing.promise)
      },
    })
    const closed = app.close()
    expect((await send()).status).toBe(503)
    closing.resolve()
    await closed
  })
})

describe('a response', () => {
  test.each<[unknown, number, string]>([
    [undefined, 204, ''],
    [{ ok: true }, 200, '{"ok":true}'],
    [Promise.resolve({ ok: true }), 200, '{"ok":true}'],
    [answer({}), 204, ''],
    [answer({ status: 202 }), 202, ''],
    [answer({ body: { ok: true } }), 200, '{"ok":true}'],
    [answer({ status: 201, body: { ok: true } }), 201, '{"ok":true}'],
  ])('of %j is %i', async (result, status, body) => {
    const { send } = await port({ routes: [routeTo(() => result)] })
    const response = await send()
    expect([response.status, response.body, response.headers['x-every']]).toEqual([status, body, 'response'])
  })

  test('has the headers of its handler', async () => {
    const { send } = await port({ routes: [routeTo(() => answer({ status: 204, headers: { 'x-own': '1' } }))] })
    expect((await send()).headers).toMatchObject({ 'x-own': '1', 'cache-control': 'no-store' })
  })

  test('has only what its schema has, and a request what its schema demands', async () => {
    const schema = {
      summary: '',
      body: Type.Object({ a: Type.Integer() }),
      response: { 200: Type.Object({ a: Type.Integer() }) },
    }
    const { send } = await port({
      routes: [routeTo(({ body }) => Object.assign({ b: 2 }, body), { method: 'POST', schema })],
    })
    expect(await send({ method: 'POST', payload: { a: 1 } })).toMatchObject({ status: 200, body: '{"a":1}' })
    expect(await send({ method: 'POST', payload: { a: 'x' } })).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await send({ method: 'POST', payload: { a: '1' } })).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await send({ method: 'POST' })).toMatchObject({ status: 400 })
  })

  test('does not depend on a body that its route does not take', async () => {
    const { send } = await port()
    const headers = { 'content-type': 'application/json' }
    expect((await send({ method: 'POST', headers, payload: 'nonsense' })).status).toBe(200)
  })

  test.each<[Error, number, unknown[]]>([
    [new ServiceError('conflict'), 409, []],
    [
      new ServiceError('unavailable'),
      503,
      [['debug', 'request rejected: unavailable', { code: 'unavailable', route: '/api/x' }]],
    ],
    [new ServiceError('unavailable', { cause: 'a fault' }), 503, [['error', 'request failed', { route: '/api/x' }]]],
    [new Error('a fault'), 500, [['error', 'request failed', { route: '/api/x' }]]],
  ])('of %s is %i, and the log has %j', async (error, status, lines) => {
    const handle = () => {
      throw error
    }
    const { send, logged } = await port({ routes: [routeTo(handle)] })
    const response = await send()
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['retry-after']).toBeUndefined()
    expect(response.body).not.toContain('a fault')
    expect(logged).toMatchObject(lines)
    expect(logged).toHaveLength(lines.length)
  })

  test('an error outside of a route names none in the log', async () => {
    const { send, logged } = await port({
      webFiles: () => {
        throw new Error('a fault')
      },
    })
    expect((await send({ url: '/page' })).status).toBe(500)
    expect(logged).toMatchObject([['error', 'request failed', { route: null }]])
  })

  test.each<[ErrorCode, number]>([
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['unavailable', 403],
    ['not-found', 403],
  ])('[PROXY-14] of a route that fails closed with %s is %i', async (code, status) => {
    const handle = () => {
      throw new ServiceError(code)
    }
    const { send } = await port({ routes: [routeTo(handle, { failsClosed: true })] })
    const response = await send()
    expect(response.status).toBe(status)
    const isUndecided = code !== 'unauthenticated' && code !== 'forbidden'
    expect(response.body.includes('be decided right now')).toBe(isUndecided)
  })

  test('says when to try again', async () => {
    const error = new ServiceError('busy', { retryAfter: 7 })
    const { send } = await port({ routes: [routeTo(() => Promise.reject(error))] })
    expect((await send()).headers['retry-after']).toBe('7')
  })
})

/** A body that ends when the test says so. */
const endless = () => {
  const body = new Readable({ read: () => undefined })
  body.push('first')
  return body
}

const rolesWith = (changed: Partial<CustomRole>) =>
  rolesFrom(new Map([['guard', fakeRole(['yard'], changed)]]), {
    now: () => 0,
    wallClock: () => ({ weekday: 'thu', minute: 0 }),
  })

/** The stream that a request of a guard opens, with a role that can change. */
async function streamOf(limits: Partial<CustomRole>, more: Partial<RequestSpec<RouteSchema>> = {}) {
  let roles = rolesWith(limits)
  const current: Roles = { ...roles, grantOf: (role, at) => roles.grantOf(role, at) }
  const found: OpenStream[] = []
  const openStreams = createStreamRegistry({ clock: systemClock, log, isListening: () => true })
  const { send } = await port({
    authentication: as(gil),
    routes: [routeTo(() => answer({ body: Readable.from(['a']) }), more)],
    roles: current,
    openStreams: {
      ...openStreams,
      register: (stream) => {
        found.push(stream)
        return () => undefined
      },
    },
  })
  await send()
  const [stream] = found
  if (!stream) throw new Error('no stream is open')
  return { stream, change: (changed: Partial<CustomRole>) => void (roles = rolesWith(changed)) }
}
const gil = named('gil', 'guard')

describe('an open stream', () => {
  test('[GRANT-4] has a grant that ends with its role', async () => {
    const { stream } = await streamOf({ validUntil: 1000 })
    expect([999, 1000].map((now) => stream.isCurrent(now))).toEqual([true, false])
  })

  test.each<[had: CameraAction[], has: CameraAction[], decision: string]>([
    [['live', 'audio'], ['live', 'audio'], 'allow'],
    [['live', 'audio'], ['live'], 'recheck'],
    [['live'], ['live'], 'allow'],
    [['live'], ['live', 'audio'], 'allow'],
    [['live'], ['audio'], 'forbidden'],
  ])('[GRANT-2] of a caller who could do %j, and now %j: %s', async (had, has, decision) => {
    const access = { camera: 'live', of: async () => 'yard', parts: ['audio'] } as const
    const { stream, change } = await streamOf({ allow: had }, { access, reads: 'snapshot' })
    change({ allow: has })
    expect(stream.reauthorize(gil)).toBe(decision)
  })

  test('[GRANT-2] of a list goes on without the part that its caller has lost', async () => {
    const access = { cameras: 'live', parts: ['audio'] } as const
    const { stream, change } = await streamOf({ allow: ['live', 'audio'] }, { access, reads: 'snapshot' })
    change({ allow: ['live'] })
    expect(stream.reauthorize(gil)).toBe('allow')
  })

  test('is decided again; any other response is not', async () => {
    let decisions = 0
    const identity = named('ann', 'viewer')
    const authentication: Authentication = {
      identity,
      reauthenticate: () => {
        decisions += 1
        return authentication
      },
    }
    const { send } = await port({ authentication, routes: [routeTo(() => answer({ body: { ok: true } }))] })
    expect([(await send()).status, decisions]).toEqual([200, 0])
    for (const [body, expected] of [
      [Buffer.alloc(pieceSize), 0],
      [Buffer.alloc(pieceSize + 1), 1],
      [Readable.from(['a']), 1],
    ] as const) {
      decisions = 0
      const streamed = await port({ authentication, routes: [routeTo(() => answer({ body }))] })
      expect([(await streamed.send()).status, decisions]).toEqual([200, expected])
    }
  })

  test('[NODE-3] a small body that took long, as one from another instance can, is decided again before it is sent', async () => {
    const clock = createTestClock()
    let decisions = 0
    const allowed: Authentication = {
      identity: named('ann', 'viewer'),
      reauthenticate: () => {
        decisions += 1
        return noOne
      },
    }
    const after = (milliseconds: number) => async () => {
      await clock.advance(milliseconds)
      return answer({ body: Buffer.from('recorded') })
    }
    const { send } = await port({ authentication: allowed, clock, routes: [routeTo(after(100))] })
    expect([(await send()).body, decisions]).toEqual(['recorded', 0])
    const late = await port({ authentication: allowed, clock, routes: [routeTo(after(300))] })
    await late.app.listen({ port: 0, host: '127.0.0.1' })
    const { port: number } = late.app.server.address() as AddressInfo
    const sent = await fetch(`http://127.0.0.1:${number}/api/x`)
      .then((response) => response.text())
      .catch(() => '')
    expect([sent, decisions]).toEqual(['', 1])
  })

  test('is counted for its user while it is sent, and its end frees it', async () => {
    const bodies = [endless(), endless()]
    const waiting = [...bodies]
    const { send, openStreams } = await port({
      routes: [routeTo(() => answer({ body: waiting.shift() }))],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf('password ann')).toBe(1)
    expect(await send()).toMatchObject({ status: 429, code: 'too-many-attempts' })
    bodies[0]!.push(null)
    expect(await sent).toMatchObject({ status: 200, body: 'first' })
    expect([openStreams.count, openStreams.countOf('password ann')]).toEqual([0, 0])
  })

  test('beyond the limit is refused, and its source is closed; a small response is not counted', async () => {
    const bodies: Readable[] = []
    let next: () => unknown = () => {
      const body = endless()
      bodies.push(body)
      return body
    }
    const { send } = await port({ routes: [routeTo(() => answer({ body: next() }))], streamsPerUser: () => 0 })
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect(JSON.parse(refused.body)).toMatchObject({ reason: { code: 'too-many-streams', values: { max: 0 } } })
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true])
    next = () => Buffer.alloc(pieceSize + 1)
    expect((await send()).status).toBe(429)
    next = () => Buffer.alloc(pieceSize)
    expect((await send()).status).toBe(200)
    next = () => ({ ok: true })
    expect((await send()).status).toBe(200)
  })

  test('without a limit is not counted', async () => {
    const body = endless()
    const { send, openStreams } = await port({ routes: [routeTo(() => answer({ body }))] })
    const sent = send()
    await expect.poll(() => openStreams.count).toBe(1)
    expect(openStreams.countOf('password ann')).toBe(0)
    body.push(null)
    await sent
  })

  test('HEAD opens none, and closes its source', async () => {
    const bodies: Readable[] = []
    const handle = () => {
      const body = endless()
      bodies.push(body)
      return answer({ body, headers: { 'x-own': '1' } })
    }
    const { send, openStreams } = await port({ routes: [routeTo(handle)], streamsPerUser: () => 0 })
    expect(await send({ method: 'HEAD' })).toMatchObject({ status: 200, body: '', headers: { 'x-own': '1' } })
    expect([bodies.map(({ destroyed }) => destroyed), openStreams.count]).toEqual([[true], 0])
  })

  test.each([pieceSize, pieceSize + 1, 3 * pieceSize])('%i bytes are sent whole, with their length', async (length) => {
    const { send } = await port({ routes: [routeTo(() => answer({ body: Buffer.alloc(length, 'x') }))] })
    const { headers, body } = await send()
    expect([headers['content-length'], body.length]).toEqual([String(length), length])
    expect((await send({ method: 'HEAD' })).headers).toMatchObject({
      'content-length': String(length),
      'content-type': 'application/octet-stream',
    })
  })

  test.each([
    ['password bob', named('bob', 'viewer')],
    ['proxy bob', named('bob', 'viewer', 'proxy')],
    ['proxy anonymous 192.0.2.7', named('anonymous', 'viewer', 'proxy')],
    ['internal anonymous 192.0.2.7', internalAdmin],
    ['token t1', withToken(named('bob', 'viewer'))],
  ])('belongs to %s', async (owner, identity) => {
    const access = { camera: 'live', of: async () => 'yard' } as const
    const body = endless()
    const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
    const { send, openStreams } = await port({
      authentication: as(identity),
      clientOf: () => client,
      routes: [routeTo(() => answer({ body }), { access, reads: 'snapshot' })],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf(owner)).toBe(1)
    body.push(null)
    await sent
  })

  test('of an unauthenticated caller belongs to the address', async () => {
    const body = endless()
    const client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
    const { send, openStreams } = await port({
      clientOf: () => client,
      routes: [routeTo(() => answer({ body }), { access: { open: 'for a test' } })],
      streamsPerUser: () => 1,
    })
    const sent = send()
    await expect.poll(() => openStreams.countOf('address 192.0.2.7')).toBe(1)
    body.push(null)
    await sent
  })

  test('[ROLE-10] gets the new grant of its role, and is aborted when that no longer allows it', async () => {
    let known = fakeRoles(new Map([['guard', ['yard']]]))
    const seen: unknown[] = []
    const handle = (_input: unknown, caller: Caller) => {
      caller.onGrantChange(() => void seen.push([caller.scope, caller.grant]))
      return answer({ body: endless() })
    }
    const { app, openStreams } = await port({
      authentication: as(named('gil', 'guard')),
      roles: { ...known, grantOf: (role) => known.grantOf(role) },
      routes: [routeTo(handle, { access: { cameras: 'live' } })],
    })
    const { received, closed } = await opened(app)
    await openStreams.decideAllAgain()
    expect(seen).toEqual([])
    known = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const grant = known.grantOf('guard')
    await openStreams.decideAllAgain()
    expect(seen).toEqual([[scopeOf(grant), grant]])
    known = fakeRoles(new Map())
    await openStreams.decideAllAgain()
    await closed
    expect([received(), seen.length, openStreams.count]).toEqual(['first', 1, 0])
  })

  test('[ROLE-10] of named cameras has only those in its scope, also with a new grant', async () => {
    let known = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const scopes: unknown[] = []
    const handle = (_input: unknown, caller: Caller) => {
      scopes.push(caller.scope)
      caller.onGrantChange(() => void scopes.push(caller.scope))
      return answer({ body: endless() })
    }
    const requested = { of: 'query', name: 'cameras' } as const
    const schema = { summary: '', querystring: Type.Object({ cameras: Type.String() }) }
    const { app, openStreams } = await port({
      authentication: as(named('gil', 'guard')),
      roles: { ...known, grantOf: (role) => known.grantOf(role) },
      routes: [routeTo(handle, { access: { cameras: 'live', requested }, schema })],
    })
    await opened(app, '/api/x?cameras=yard')
    known = fakeRoles(new Map([['guard', ['yard']]]))
    await openStreams.decideAllAgain()
    const yard = narrowScope(scopeOf(known.grantOf('guard')), ['yard'])
    expect(scopes).toEqual([yard, yard])
  })

  test('[ROLE-10] of a camera is aborted when the camera is removed', async () => {
    let exists = true
    const { app, openStreams } = await port({
      cameraExists: () => exists,
      routes: [
        routeTo(() => answer({ body: endless() }), {
          path: '/api/cameras/:camera/x',
          access: { camera: 'live', of: 'path' },
          reads: 'snapshot',
        }),
      ],
    })
    const { closed } = await opened(app, '/api/cameras/yard/x')
    await openStreams.decideAllAgain()
    expect(openStreams.count).toBe(1)
    exists = false
    await openStreams.decideAllAgain()
    await closed
  })

  test('sends its last words, and is aborted if a client does not read them', async () => {
    const clock = createTestClock()
    let words = 'bye'
    const { app, openStreams } = await port({
      clock,
      routes: [
        routeTo(() => answer({ body: endless(), lastWords: (reason) => (reason === 'stopping' ? words : undefined) })),
      ],
    })
    const first = await opened(app)
    openStreams.stop()
    await first.closed
    expect(first.received()).toBe('firstbye')
    words = 'x'.repeat(50_000_000)
    const second = await opened(app)
    second.pause()
    openStreams.stop()
    await clock.advance(500)
    second.resume()
    await second.closed
    expect(second.received().length).toBeLessThan(words.length)
  })

  test('of a client that disconnects is closed at its source', async () => {
    const body = endless()
    const { app, entries, openStreams } = await port({
      routes: [routeTo(() => answer({ body }), { reads: 'config.read' })],
    })
    const { end } = await opened(app)
    expect(entries).toHaveLength(1)
    end()
    await expect.poll(() => [body.destroyed, openStreams.count, entries.length]).toEqual([true, 0, 2])
  })

  test('of a client that disconnected before its handler was done is not opened', async () => {
    const body = endless()
    const handling = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const { app, entries, openStreams } = await port({
      routes: [
        routeTo(
          async () => {
            handling.resolve()
            await done.promise
            return answer({ body })
          },
          { reads: 'config.read' },
        ),
      ],
    })
    await portOf(app)
    const connections = once(app.server, 'connection') as Promise<[Socket]>
    const { client } = await connected(app)
    const [connection] = await connections
    await handling.promise
    client.destroy()
    await once(connection, 'close')
    done.resolve()
    await expect.poll(() => [body.destroyed, openStreams.count, entries.length]).toEqual([true, 0, 2])
  })
})

const portOf = async (app: FastifyInstance): Promise<number> => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

const connected = async (app: FastifyInstance, path = '/api/x') => {
  const client = get({ host: '127.0.0.1', port: await portOf(app), path })
  client.on('error', () => undefined)
  return { client }
}

/** A response over a real connection, once its first part has arrived. */
async function opened(app: FastifyInstance, path?: string) {
  const { client } = await connected(app, path)
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  const closed = new Promise<void>((resolve) => void response.once('close', resolve))
  response.on('error', () => undefined).on('data', (part: Buffer) => void parts.push(part))
  await expect.poll(() => parts.length).toBeGreaterThan(0)
  return {
    closed,
    received: () => Buffer.concat(parts).toString(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    end: () => void client.destroy(),
  }
}

/** A connection that has requested a WebSocket, and speaks no protocol by itself. */
async function upgraded(port: number): Promise<Socket> {
  const client = connectTo({ host: '127.0.0.1', port })
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  await once(client, 'connect')
  const lines = [
    'GET /api/x HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  client.resume().write(`${lines.join('\r\n')}\r\n\r\n`)
  return client
}

describe('a WebSocket', () => {
  interface Opened {
    readonly socket: LiveSocket
    readonly caller: Caller
  }

  /** A port with one WebSocket, and what its handler got. */
  async function socketPort(more: Partial<BareServerOptions> = {}, of: { readonly lastWords?: string } = {}) {
    const clock = createTestClock()
    const sockets: Opened[] = []
    const socketRoute = route({
      path: '/api/x',
      access: { signedIn: true },
      schema: { summary: '' },
      reads: 'watch',
      socket: (socket, _input, caller) => {
        sockets.push({ socket, caller })
        if (of.lastWords !== undefined) socket.onEnding(() => of.lastWords)
      },
    })
    const made = await port({ clock, routes: [socketRoute], ...more })
    const url = `ws://127.0.0.1:${await portOf(made.app)}/api/x`
    const connect = async () => {
      const client = new WebSocket(url)
      onTestFinished(() => client.terminate())
      const messages: string[] = []
      client.on('message', (data: Buffer) => void messages.push(data.toString()))
      const closed = new Promise<[number, string]>((resolve) => {
        client.once('close', (code, reason) => resolve([code, reason.toString()]))
        client.on('error', () => undefined)
      })
      await once(client, 'open')
      return { client, messages, closed }
    }
    return { ...made, clock, sockets, url, connect }
  }

  test('sends and receives texts, and reports its end', async () => {
    const { sockets, connect, openStreams, entries, logged } = await socketPort()
    const { client, messages, closed } = await connect()
    const { socket, caller } = sockets[0]!
    const received: string[] = []
    let ends = 0
    socket.onMessage((text) => void received.push(text))
    socket.onClose(() => void (ends += 1))
    client.send(Buffer.from('binary'), { binary: true })
    client.send('text')
    socket.send('answer')
    await expect.poll(() => [received, messages]).toEqual([['text'], ['answer']])
    expect([socket.waiting, caller.identity, openStreams.count]).toEqual([0, viewer.identity, 1])
    expect(openStreams.countOf('password ann')).toBe(0)
    expect(entries).toMatchObject([[{ action: 'watch', result: 'success', user: 'ann', target: null }, undefined]])
    socket.close(1011, 'a fault')
    expect(await closed).toEqual([1011, 'a fault'])
    await expect.poll(() => [ends, openStreams.count, entries.length]).toEqual([1, 0, 2])
    socket.send('too late')
    await new Promise(setImmediate)
    expect(logged).toEqual([])
  })

  test.each<[EndReason, number, string]>([
    ['unauthenticated', 4401, 'session expired or revoked'],
    ['forbidden', 4403, 'role no longer allows this'],
    ['not-found', 4404, 'not found'],
    ['recheck', 4408, 'reconnect: access must be decided again'],
    ['undecided', 1013, 'try again later'],
    ['stopping', 1001, 'service stopping'],
  ])('[ROLE-10] that is closed for %s gets %i, after its last words', async (reason, code, text) => {
    let end: ((reason: EndReason) => void) | undefined
    const openStreams = {
      ...createStreamRegistry({ clock: systemClock, log, isListening: () => true }),
      register: (stream: OpenStream) => {
        end = stream.end
        return () => undefined
      },
    } as StreamRegistry
    const { connect } = await socketPort({ openStreams }, { lastWords: 'bye' })
    const { messages, closed } = await connect()
    end!(reason)
    expect(await closed).toEqual([code, text])
    expect(messages).toEqual(['bye'])
  })

  test('whose client does not answer the closing handshake is aborted after half a second', async () => {
    const { app, openStreams, clock } = await socketPort()
    const client = await upgraded(await portOf(app))
    const closed = new Promise<void>((resolve) => void client.once('close', resolve))
    await expect.poll(() => openStreams.count).toBe(1)
    openStreams.stop()
    await clock.advance(500)
    await closed
  })

  test('to a slow client is cut without a message', async () => {
    const { sockets, connect, openStreams } = await socketPort({}, { lastWords: 'bye' })
    const { client, messages, closed } = await connect()
    client.pause()
    const { socket } = sockets[0]!
    for (let sent = 0; socket.waiting <= 64 * 1024 && sent < 1000; sent += 1) socket.send(Buffer.alloc(1024 * 1024))
    openStreams.stop()
    client.resume()
    expect(await closed).toEqual([1006, ''])
    expect(messages).not.toContain('bye')
  })

  test('whose client stops answering pings is terminated', async () => {
    const { clock, connect, openStreams } = await socketPort()
    const { client, closed } = await connect()
    let pings = 0
    client.on('ping', () => void (pings += 1))
    for (const count of [1, 2, 3]) {
      await clock.advance(30_000)
      await expect.poll(() => pings).toBe(count)
      await new Promise(setImmediate)
    }
    expect(openStreams.count).toBe(1)
    client.pong = () => undefined
    await clock.advance(30_000)
    await clock.advance(30_000)
    expect(await closed).toEqual([1006, ''])
    await expect.poll(() => clock.pending()).toBe(0)
  })

  test('whose client reads slowly, and answers a ping late, stays open; one that reads nothing more is terminated', async () => {
    const { clock, sockets, connect, openStreams } = await socketPort()
    const { client, messages } = await connect()
    const { socket } = sockets[0]!
    client.pong = () => undefined
    client.on('message', () => messages.length % 4 === 0 && client.pause())
    client.pause()
    // Far more than the buffers of the kernel hold.
    for (let sent = 0; sent < 64; sent += 1) socket.send(Buffer.alloc(1 << 20))
    await clock.advance(30_000)
    for (let tick = 1; tick <= 3; tick += 1) {
      client.resume()
      await expect.poll(() => messages.length).toBe(tick * 4)
      await clock.advance(30_000)
      expect([openStreams.count, socket.waiting > 0]).toEqual([1, true])
    }
    // Nothing is read until the next ping, but an earlier one is answered.
    await clock.advance(10_000)
    WebSocket.prototype.pong.call(client)
    // After the pong, so that it has arrived once this has.
    const texts: string[] = []
    socket.onMessage((text) => void texts.push(text))
    client.send('text')
    await expect.poll(() => texts).toEqual(['text'])
    await clock.advance(20_000)
    expect(openStreams.count).toBe(1)
    // The kernel can still accept some data.
    await expect.poll(async () => (await clock.advance(30_000), openStreams.count)).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  test('counts as an open stream; beyond the limit it is refused, and a plain request says why', async () => {
    const { connect, url, openStreams, send } = await socketPort({ streamsPerUser: () => 1 })
    expect(await send()).toMatchObject({ status: 426, code: 'upgrade-required' })
    const { messages, closed } = await connect()
    expect(openStreams.countOf('password ann')).toBe(1)
    const [refused] = (await once(new WebSocket(url), 'error')) as [Error]
    expect(refused.message).toContain('429')
    expect(await send()).toMatchObject({ status: 429 })
    openStreams.stop()
    expect([await closed, messages]).toEqual([[1001, 'service stopping'], []])
  })

  test('is closed with the server', async () => {
    const { app, connect } = await socketPort()
    const { closed } = await connect()
    await app.close()
    expect((await closed)[0]).toBeGreaterThanOrEqual(1000)
  })

  test('whose upgrade is still being decided does not delay closing the server, and is not accepted later', async () => {
    const decided = Promise.withResolvers<Authentication>()
    const deciding = Promise.withResolvers<void>()
    const { app, sockets, openStreams } = await socketPort({
      authenticate: () => (deciding.resolve(), decided.promise),
    })
    const client = await upgraded(await portOf(app))
    const received: Buffer[] = []
    client.on('data', (data: Buffer) => void received.push(data))
    const cut = new Promise<void>((resolve) => void client.once('close', resolve))
    await deciding.promise
    let closed = false
    const closing = app.close().then(() => (closed = true))
    onTestFinished(() => decided.resolve(viewer))
    await expect.poll(() => closed).toBe(true)
    decided.resolve(viewer)
    await Promise.all([closing, cut])
    await new Promise(setImmediate)
    expect([sockets, openStreams.count, Buffer.concat(received).toString()]).toEqual([[], 0, ''])
  })

  test('is not accepted once the server closes', async () => {
    const decided = Promise.withResolvers<Authentication>()
    const deciding = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const stopping = Promise.withResolvers<void>()
    const { app, sockets, openStreams } = await socketPort({
      authenticate: () => (deciding.resolve(), decided.promise),
      // After the server's own hook, so that its connections are still open.
      register: async (server) => void server.addHook('preClose', async () => (begun.resolve(), stopping.promise)),
    })
    const client = await upgraded(await portOf(app))
    const answered = once(client, 'data') as Promise<[Buffer]>
    await deciding.promise
    const closing = app.close()
    onTestFinished(() => stopping.resolve())
    await begun.promise
    decided.resolve(viewer)
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 503 /)
    expect([sockets, openStreams.count]).toEqual([[], 0])
    stopping.resolve()
    await closing
  })

  test('that sends nonsense is closed, and only that', async () => {
    const { app, openStreams, logged } = await socketPort()
    const client = await upgraded(await portOf(app))
    await expect.poll(() => openStreams.count).toBe(1)
    client.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    await expect.poll(() => openStreams.count).toBe(0)
    expect(logged).toMatchObject([['debug', 'WebSocket failed', {}]])
  })

  test('of the internal port is in the audit log', async () => {
    const { connect, entries } = await socketPort({ authentication: as(internalAdmin) })
    await connect()
    expect(entries).toMatchObject([
      [{ action: 'internal.use', user: 'anonymous' }],
      ['end'],
      [{ action: 'watch', user: 'anonymous' }, undefined],
    ])
  })
})
