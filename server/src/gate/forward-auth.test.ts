import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bareServer } from '../../test/support/bare-server.ts'
import { principalOf, unauthenticated, type Identity } from '../access/identity.ts'
import { fakeRoles } from '../../test/support/fake-roles.ts'
import type { AccessRule } from '../access/rule.ts'
import type { Authentication, SessionToken } from '../http/authentication.ts'
import { createRouteTable } from '../http/route-table.ts'
import { route, type Method, type Route } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'
import { forwardAuthRoutes, ownTarget } from './forward-auth.ts'

const of = (method: Method, path: `/${string}`, access: AccessRule) =>
  route({
    method,
    path,
    access,
    schema: { summary: '', body: Type.Object({}) },
    handle: () => ({}),
    reads: 'snapshot',
  })
const routes = [
  of('GET', '/api/cameras/:camera', { camera: 'live', of: 'path' }),
  of('GET', '/api/config', { service: 'config.manage', about: 'no-camera' }),
  of('PUT', '/api/config', { signedIn: true }),
  of('POST', '/api/exports', { camera: 'history', of: 'body' }),
  of('PUT', '/api/seen', { cameras: 'history', requested: { of: 'body', name: 'cameras' } }),
]

const caller = (role: string | undefined, name = 'ann'): Authentication => {
  const identity: Identity = {
    kind: 'authenticated',
    authMethod: 'password',
    name,
    key: name,
    userId: null,
    role,
    session: undefined,
  }
  const authentication: Authentication = { identity, reauthenticate: () => authentication }
  return authentication
}
const byCredential = (kind: 'screen' | 'token', role: string): Authentication => {
  const credential = { kind, id: 's1', name: 'Hall', limits: {}, expiresAt: null } as const
  const identity: Identity = { ...principalOf(caller(role).identity), credential }
  return { identity, reauthenticate: () => expect.unreachable() }
}
const callers: Readonly<Record<string, Authentication>> = {
  admin: caller('admin'),
  viewer: caller('viewer'),
  guard: caller('guard'),
  screen: byCredential('screen', 'admin'),
  token: byCredential('token', 'admin'),
  unauthenticated: { identity: unauthenticated, reauthenticate: () => expect.unreachable() },
}

async function ask(
  authentication: Authentication,
  headers: Record<string, string | string[]>,
  {
    method = 'GET',
    path = '/api/auth',
    session,
    find = createRouteTable(routes),
  }: { method?: Method; path?: string; session?: SessionToken; find?: ReturnType<typeof createRouteTable> } = {},
) {
  const endpoint = forwardAuthRoutes({
    find,
    cameraExists: (name) => name === 'yard' || name === 'office',
    basePath: '/gate/',
    refresh: () => session,
  })
  const app = await bareServer({
    routes: endpoint,
    authentication,
    roles: fakeRoles(new Map([['guard', ['yard', 'removed']]])),
    cameraExists: (name) => name === 'yard' || name === 'office',
  })
  onTestFinished(() => app.close())
  return app.inject({ method: method as 'GET', url: path, headers })
}

/** One endpoint that is asked several times. */
async function endpoint(more: readonly Route[], exists: (name: string) => boolean) {
  let role = 'admin'
  const app = await bareServer({
    routes: forwardAuthRoutes({
      find: createRouteTable([...routes, ...more]),
      cameraExists: exists,
      basePath: '/',
      refresh: () => undefined,
    }),
    authenticate: () => caller(role),
    roles: fakeRoles(new Map([['guard', ['yard', 'garden']]])),
  })
  onTestFinished(() => app.close())
  return async (as: string, headers: Record<string, string | string[]>) => {
    role = as
    return (await app.inject({ url: '/api/auth', headers })).statusCode
  }
}

const unavailable = () => {
  throw new ServiceError('unavailable')
}

describe('[PROXY-14] the original request decides', () => {
  const url = 'x-original-url'
  const verb = 'x-original-method'

  test.each<[Record<string, string | string[]>, string, string]>([
    // Headers, and who is allowed or not.
    [{}, 'admin viewer guard', 'unauthenticated screen token'],
    [{ [url]: '/' }, 'admin viewer guard', 'unauthenticated screen token'],
    [{ [url]: '/api/config' }, 'admin', 'viewer guard unauthenticated'],
    [{ 'x-original-uri': '/api/config' }, 'admin', 'viewer'],
    [{ 'x-forwarded-uri': '/api/config' }, 'admin', 'viewer'],
    [{ [url]: 'https://gate.example/gate/api/config' }, 'admin', 'viewer'],
    [{ [url]: '/', 'x-forwarded-uri': '/api/config' }, 'admin', 'viewer'],
    [{ [url]: '/api/config', 'x-forwarded-uri': '/' }, 'admin', 'viewer'],
    [{ [url]: '/api/config', 'x-original-uri': '/', 'x-forwarded-uri': '/' }, 'admin', 'viewer'],
    [{ [url]: ['/', '/api/config'] }, 'admin', 'viewer'],
    [{ [url]: ['/api/cameras/yard', '/'] }, 'admin viewer guard', 'token'],
    [{ [url]: '/api/config', [verb]: 'PUT' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/config', 'x-forwarded-method': 'put' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/config', [verb]: ['PUT', 'GET'] }, 'admin', 'viewer'],
    [{ [url]: '/api/config', [verb]: 'PUT', 'x-forwarded-method': 'GET' }, 'admin', 'viewer'],
    [{ [url]: '/api/config', [verb]: 'HEAD' }, 'admin', 'viewer'],
    [{ [url]: '/api/config', [verb]: 'OPTIONS' }, 'admin', 'viewer'],
    [{ [url]: '/api/cameras/yard', [verb]: 'HEAD' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/cameras/yard', [verb]: 'OPTIONS' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/cameras/yard', [verb]: ' ' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/cameras/yard', [verb]: 'GET PUT' }, '', 'admin'],
    [{ [url]: '/api/cameras/yard', [verb]: 'GET,' }, '', 'admin'],
    [{ [url]: '/api/cameras/yard', [verb]: '(GET' }, '', 'admin'],
    [{ [url]: '/api/cameras/../config' }, '', 'admin'],
    // One camera: it must be allowed; a missing one is left to the service.
    [{ [url]: '/api/cameras/yard' }, 'admin viewer guard token', 'unauthenticated screen'],
    [{ [url]: '/api/cameras/office' }, 'admin viewer', 'guard'],
    [{ [url]: '/api/cameras/gone' }, 'admin viewer', 'guard'],
    // The body is not known here: only callers who can see every camera pass.
    [{ [url]: '/api/exports', [verb]: 'POST' }, 'admin viewer', 'guard unauthenticated'],
    [{ [url]: '/api/seen', [verb]: 'PUT' }, 'admin viewer', 'guard unauthenticated'],
    // Unknown paths below /api could be read by another program as existing ones.
    [{ [url]: '/api/cameras/yard/live' }, 'admin viewer guard', 'unauthenticated token'],
    [{ [url]: '/api/cameras/office/live' }, 'admin viewer', 'guard'],
    [{ [url]: '/api/cameras/gone/live' }, 'admin viewer', 'guard'],
    [{ [url]: '/api/cameras/removed/live' }, 'admin viewer', 'guard'],
    [{ [url]: '/api/cameras/%79ard/live' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/cameras/yard;x=1/live' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/api/cameras;x/office/live' }, 'admin viewer', 'guard'],
    [{ [url]: '/api/unknown' }, 'admin', 'viewer guard token'],
    [{ [url]: '/api/unknown/yard/live' }, 'admin', 'viewer guard'],
    [{ [url]: '/api/cameras' }, 'admin', 'viewer guard'],
    [{ [url]: '/api' }, 'admin viewer guard', 'unauthenticated'],
    [{ [url]: '/other/cameras/office/live' }, 'admin viewer guard', 'unauthenticated'],
  ])('%j: %s, not %s', async (headers, allowed, denied) => {
    for (const name of allowed.split(' ').filter((each) => each !== '')) {
      expect([name, (await ask(callers[name]!, headers)).statusCode]).toEqual([name, 202])
    }
    for (const name of denied.split(' ')) {
      const status = name === 'unauthenticated' ? 401 : 403
      expect([name, (await ask(callers[name]!, headers)).statusCode]).toEqual([name, status])
    }
  })

  test('if it cannot be decided, it is denied', async () => {
    for (const path of ['/api/auth', '/auth']) {
      expect((await ask(callers['admin']!, { [url]: '/api/config' }, { path, find: unavailable })).statusCode).toBe(403)
    }
  })

  test('one URL is decided at each request: for each caller, and while cameras come and go', async () => {
    const cameras = new Set(['yard'])
    const status = await endpoint([], (name) => cameras.has(name))
    const headers = { [url]: '/api/cameras/garden' }
    expect([await status('admin', headers), await status('guard', headers)]).toEqual([202, 403])
    cameras.add('garden')
    expect([await status('admin', headers), await status('guard', headers)]).toEqual([202, 202])
    expect(await status('gone', headers)).toBe(403)
    cameras.delete('garden')
    expect([await status('admin', headers), await status('guard', headers)]).toEqual([202, 403])
  })

  test('a method and a URL are never those of another request, however they are divided', async () => {
    const status = await endpoint([], () => true)
    expect(await status('admin', { [url]: '/api/cameras/yard?a /b', [verb]: 'GET' })).toBe(202)
    expect(await status('admin', { [url]: '/b', [verb]: 'GET /api/cameras/yard?a' })).toBe(403)
    expect(await status('admin', { [url]: 'GET /api/cameras/yard' })).toBe(403)
  })

  test('each of several URLs counts, also those after one that has to be looked up', async () => {
    const looked: AccessRule = { camera: 'live', of: ({ item }) => Promise.resolve(item) }
    const status = await endpoint([of('GET', '/api/items/:item', looked)], () => true)
    const both = (...urls: readonly string[]) => status('guard', { [url]: [...urls] })
    expect(await both('/api/items/yard', '/api/cameras/yard')).toBe(202)
    expect(await both('/api/items/yard', '/api/cameras/office')).toBe(403)
    expect(await both('/api/items/office', '/api/cameras/yard')).toBe(403)
    expect(await both('/api/cameras/yard', '/api/items/yard', '/api/items/office')).toBe(403)
  })

  test('an ambiguous header is said to be one', async () => {
    const { message } = (await ask(callers['admin']!, { [url]: '/..' })).json<{ message: string }>()
    expect(message).toContain('ambiguous')
  })
})

test.each<[Method, string]>([
  ['GET', '/api/auth'],
  ['POST', '/api/auth'],
  ['GET', '/auth'],
  ['POST', '/auth'],
])('[PROXY-14] %s %s names the caller', async (method, path) => {
  const { statusCode, headers } = await ask(caller('viewer', 'Jürgen 🎥'), {}, { method, path })
  expect([statusCode, headers['remote-role'], headers['set-cookie']]).toEqual([202, 'viewer', undefined])
  expect(Buffer.from(String(headers['remote-user']), 'latin1').toString()).toBe('Jürgen 🎥')
})

test('[KEY-2] [PROXY-14] a token is not named: another program would take it for its owner', async () => {
  const { statusCode, headers } = await ask(callers['token']!, { 'x-original-url': '/api/cameras/yard' })
  expect([statusCode, headers['remote-user'], headers['remote-role']]).toEqual([202, '', ''])
})

test('[TOK-4] the caller’s session is renewed', async () => {
  const { headers } = await ask(callers['viewer']!, {}, { session: { token: 'abc', maxAge: 60 } })
  expect(headers['set-cookie']).toMatch(/^token=abc;/)
})

test.each([
  // A full URL or a bare path.
  ['/', '/'],
  ['/api/cameras?x=1', '/api/cameras?x=1'],
  ['https://gate.example/', '/'],
  ['http://gate.example:8080/a?b#c', '/a?b#c'],
  ['HTTPS://GATE_1.example./a', '/a'],
  ['https://192.0.2.7/a', '/a'],
  ['https://[2001:db8::1]:8971/a', '/a'],
  ['https://gate.example/https://other.example/a', undefined],
  ['/?https://other.example/a', '/?https://other.example/a'],
  // The configured base path is removed once.
  ['/gate/api/x', '/api/x'],
  ['https://gate.example/gate', '/'],
  ['/gate/gate/x', '/gate/x'],
  ['/gates/x', '/gates/x'],
  // Not a URL with a plain host, or not a path.
  ['', undefined],
  ['?x', undefined],
  ['api/x', undefined],
  ['*', undefined],
  ['//api/x', undefined],
  ['///x', undefined],
  ['http:', undefined],
  ['http:/x', undefined],
  ['http://', undefined],
  ['http:///x', undefined],
  ['https://gate.example', undefined],
  ['https://gate.example?/x', undefined],
  ['https://gate.example#/x', undefined],
  ['https://gate.example\\x', undefined],
  ['https://gate.example\\/x', undefined],
  ['https://cam?/api/cameras/door', undefined],
  ['https://a b/x', undefined],
  ['https://a\tb/x', undefined],
  ['https://[/x', undefined],
  ['https://[::1/x', undefined],
  ['https://[::1]x/x', undefined],
  ['https://user@gate.example/x', undefined],
  ['https://user:word@gate.example/x', undefined],
  ['https://gate.example:/x', undefined],
  ['https://gate.example:x/x', undefined],
  ['https://gate.example:123456/x', undefined],
  ['https://gate.example:1:2/x', undefined],
  ['https://gate%2eexample/x', undefined],
  ['https://gäte.example/x', undefined],
  ['https://gate.example,https://other.example/x', undefined],
  [' /x', undefined],
  ['ws://gate.example/x', undefined],
  ['javascript:/x', undefined],
  // Dot segments, also with path parameters.
  ['/a/../b', undefined],
  ['/a/%2e%2E/b', undefined],
  ['/a/..;/b', undefined],
  ['/a/..;x=1/b', undefined],
  ['/a/.;/b', undefined],
  ['/a/%2e.;/b', undefined],
  ['/a/..%3b/b', undefined],
  ['/a/..%3Bx/b', undefined],
  ['/a/..;', undefined],
  ['/..;/b', undefined],
  ['/;/b', undefined],
  ['/a/;x/b', undefined],
  ['https://gate.example/a/..;/b', undefined],
  ['/a/...;/b', '/a/...;/b'],
  ['/a;x=../b', '/a;x=../b'],
  ['/a;jsessionid=1?b', '/a;jsessionid=1?b'],
  ['/a/;jsessionid=1', '/a/;jsessionid=1'],
  ['/a?x=/..;/', '/a?x=/..;/'],
  // Paths that would change if they were decoded twice.
  ['/a/%252e%252E/b', undefined],
  ['/a/%2500', undefined],
  ['/a%252Fb', undefined],
  ['/%61/%25252e', undefined],
  ['/100%25', '/100%25'],
  ['/100%25/b', '/100%25/b'],
  ['/a?x=%252e', '/a?x=%252e'],
])('[PROXY-14] %j is a request for %j', (requested, target) => {
  expect(ownTarget(requested, '/gate/')).toBe(target)
})
