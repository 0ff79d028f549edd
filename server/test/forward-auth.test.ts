import { once } from 'node:events'
import { readdirSync, renameSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessRows, isRoute, expectedStatus, expectedForUnknown, type TestCaller } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { filledIn, guideBlock } from './support/fronts.ts'
import { nginx, reachable, startNginx } from './support/nginx.ts'
import { rawRequest } from './support/raw-request.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { client, type TestClient } from './support/test-client.ts'

const cameras = ['yard', 'door', 'office']
const urlHeaders = ['X-Original-URL', 'X-Original-URI', 'X-Forwarded-Uri']
const methodHeaders = ['X-Original-Method', 'X-Forwarded-Method']

let service: InProcessService
let gill: TestClient
let vera: TestClient
let boss: TestClient
beforeAll(async () => {
  service = await startService({
    config: { auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] } } },
  })
  gill = await service.user('gill', 'guard')
  vera = await service.user('vera')
  boss = await service.user('boss', 'admin')
})
afterAll(stopAll)

/** The response of `/api/auth` for that URL, sent in that header. */
const asks = async (who: TestClient, url: string, header = 'X-Original-URL', method?: string): Promise<number> => {
  const headers = [`${header}: ${url}`, ...(method === undefined ? [] : [`X-Original-Method: ${method}`])]
  return (await rawRequest(who, { target: '/api/auth', headers })).status
}

describe('[PROXY-14] /api/auth', () => {
  test('responds 202 with the user, or 401', async () => {
    for (const path of ['/api/auth', '/auth']) {
      for (const method of ['GET', 'POST', 'HEAD']) {
        const response = await gill.request(method, path)
        expect([response.status, response.text]).toEqual([202, ''])
        expect(response.headers).toMatchObject({ 'remote-user': 'gill', 'remote-role': 'guard' })
        expect(response.cookies[0]).toMatch(/^gatehouse_token=/)
        const unauthenticated = await service.gate.request(method, path, {
          headers: { 'remote-user': 'x', 'remote-role': 'admin' },
        })
        expect(unauthenticated.status).toBe(401)
        expect(unauthenticated.headers).not.toHaveProperty('remote-user')
      }
    }
  })

  test('treats a GET with a JSON body, as some proxies send, as a GET', async () => {
    expect((await gill.request('GET', '/api/auth', { body: {} })).status).toBe(202)
  })

  // The requested path, and the status for a guard of the yard, a viewer and an admin.
  test.each<[string, number, number, number]>([
    ['/api/cameras', 202, 202, 202],
    ['/api/cameras/yard', 202, 202, 202],
    ['/api/cameras/office', 403, 202, 202],
    ['/api/cameras/nothing', 403, 202, 202],
    ['/api/cameras/office/live', 403, 202, 202],
    ['/api/users', 403, 403, 202],
    ['/api/config/raw', 403, 403, 202],
    ['/api/sessions', 202, 202, 202],
    ['/api/health', 202, 202, 202],
    ['/api/login', 202, 202, 202],
    // Not our routes: another program's. `attacks/forward-auth.test.ts` has those that look like ours.
    ['/', 202, 202, 202],
    ['/grafana/d/1?x=1', 202, 202, 202],
    ['/API/users', 202, 202, 202],
    ['/apis', 202, 202, 202],
    ['/api', 202, 202, 202],
  ])('for %j', async (url, guard, viewer, admin) => {
    for (const header of urlHeaders) {
      const reported = await Promise.all([gill, vera, boss, service.gate].map((who) => asks(who, url, header)))
      expect(reported, header).toEqual([guard, viewer, admin, 401])
    }
  })

  test.each<[string | undefined, string, number, number, number]>([
    [undefined, '/api/users/unknown', 403, 403, 202],
    ['', '/api/users', 403, 403, 202],
    ['GET', '/api/users', 403, 403, 202],
    ['OPTIONS', '/api/users', 403, 403, 202],
    ['POST', '/api/users', 403, 403, 202],
    ['DELETE', '/api/users/unknown', 403, 403, 202],
    ['PUT', '/api/users/vera/password', 403, 202, 202],
    ['PUT', '/api/users/gill/password', 202, 403, 202],
    ['PUT', '/api/users/unknown/password', 403, 403, 202],
    ['POST', '/api/cameras/test', 403, 403, 202],
    ['POST', '/api/cameras/office', 403, 403, 202],
    ['POST', '/api/cameras/yard/live', 202, 202, 202],
    ['PROPFIND', '/other', 202, 202, 202],
  ])('for %s %s', async (method, url, guard, viewer, admin) => {
    for (const name of methodHeaders) {
      const headers = [`X-Forwarded-Uri: ${url}`, ...(method === undefined ? [] : [`${name}: ${method}`])]
      const reported = [gill, vera, boss].map(
        async (who) => (await rawRequest(who, { target: '/api/auth', headers })).status,
      )
      expect(await Promise.all(reported), name).toEqual([guard, viewer, admin])
    }
  })

  test('decides an unknown path below a camera by the camera, whatever the role can do with it', async () => {
    const roles = { reviewer: { cameras: ['yard'], allow: ['review'] } }
    const restricted = await startService({ config: { auth: { roles } } })
    const rita = await restricted.user('rita', 'reviewer')
    expect(await asks(rita, '/api/cameras/yard/nothing')).toBe(202)
    expect(await asks(rita, '/api/cameras/office/nothing')).toBe(403)
    expect(await asks(rita, '/api/cameras/yard/latest.jpg')).toBe(403)
  })

  test('strips the base path, as the service itself does', async () => {
    const below = await startService({
      config: { http: { base_path: '/gate' }, auth: { roles: { guard: ['yard'] } } },
    })
    await below.user('gill', 'guard')
    const guard = await signIn(below.gate, 'gill')
    const cookie = { cookie: `gatehouse_token=${guard.token}` }
    for (const [url, reported, response] of [
      ['/gate/api/cameras/yard', 202, 200],
      ['/gate/api/cameras/office', 403, 403],
      ['https://x.example/gate/api/users', 403, 403],
      ['/api/users', 403, 403],
      ['/gate/gate/api/users', 202, 200],
      ['/gatex/api/users', 202, 200],
      ['/%67ate/api/users', 202, 200],
      ['/gate', 202, 200],
      ['/gate//api/users', 403, 400],
      ['/gate/../api/users', 403, 400],
    ] as const) {
      expect([url, await asks(below.gate.with(cookie), url)]).toEqual([url, reported])
      const target = url.replace('https://x.example', '')
      expect([url, (await rawRequest(below.gate.with(cookie), { target })).status]).toEqual([url, response])
    }
  })

  test('responds 403 to a proxy’s user without a matching role, and trusts the proxy’s headers', async () => {
    const proxied = await startService({
      config: {
        auth: { enabled: false, roles: { guard: ['yard'] } },
        proxy: { auth_secret: 'shared with the proxy', header_map: { user: 'remote-user', role: 'remote-groups' } },
      },
    })
    const via = (role: string) =>
      proxied.gate.with({
        'x-proxy-secret': 'shared with the proxy',
        'remote-user': Buffer.from('zoë', 'utf8').toString('latin1'),
        'remote-groups': role,
      })
    const welcome = await via('guard').get('/api/auth')
    expect([welcome.status, welcome.headers['remote-role'], welcome.cookies]).toEqual([202, 'guard', []])
    // UTF-8 bytes, each read as one character.
    expect(Buffer.from(welcome.headers['remote-user'] as string, 'latin1').toString('utf8')).toBe('zoë')
    expect((await via('nothing').get('/api/auth')).status).toBe(403)
    expect(await asks(via('guard'), '/api/cameras/office')).toBe(403)
    expect(await asks(via('viewer'), '/api/cameras/office')).toBe(202)
    expect(await asks(proxied.gate.with({ 'remote-user': 'x', 'remote-groups': 'admin' }), '/')).toBe(401)
  })

  test('is 403 while the database is unavailable: undecidable requests are refused', async () => {
    let away = await startService()
    const ann = await away.user('ann')
    // A restart empties the cache of users.
    away = await away.restart()
    for (const name of readdirSync(away.configDir).filter((file) => file.startsWith('gatehouse.db'))) {
      renameSync(join(away.configDir, name), join(away.dir, name))
    }
    expect((await ann.get('/api/profile')).status).toBe(503)
    for (const path of ['/api/auth', '/auth']) {
      const response = await ann.get(path)
      expect([response.status, response.json]).toMatchObject([403, { code: 'forbidden' }])
      expect(response.headers).not.toHaveProperty('remote-user')
      expect((await ann.get(path, { 'x-original-url': '/' })).status).toBe(403)
    }
    expect((await away.gate.get('/api/auth')).status).toBe(401)
  })

  test('ignores a body of any type and length', async () => {
    const sent = { body: 'x'.repeat(1024 * 1024 + 1), headers: { 'content-type': 'text/plain' } }
    expect((await gill.request('POST', '/api/auth', sent)).status).toBe(202)
    const denied = { ...sent, headers: { ...sent.headers, 'x-original-url': '/api/users' } }
    expect((await gill.request('POST', '/api/auth', denied)).status).toBe(403)
  })

  test('is always 202 on the internal port, and renews nothing there', async () => {
    const response = await service.internal.get('/api/auth', { 'x-original-url': '/api/users' })
    expect(response.status).toBe(202)
    expect(response.headers).toMatchObject({ 'remote-user': 'anonymous', 'remote-role': 'admin' })
    expect(response.cookies).toEqual([])
  })
})

/** A letter of a path as it is, or percent-encoded. */
const spelt = (path: string) =>
  fc.array(fc.integer({ min: 0, max: 11 }), { minLength: path.length, maxLength: path.length }).map((dice) =>
    Array.from(path)
      .map((letter, at) => (dice[at] === 0 && /[a-z]/.test(letter) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
      .join(''),
  )

const names = [
  'yard',
  'door',
  'office',
  'nothing',
  'Yard',
  'gill',
  'GILL',
  'unknown',
  '__proto__',
  '%20',
  'a%2Cb',
  'x;y',
]
const queries = [
  '',
  '?',
  '?user=gill',
  '?user=vera',
  '?user=',
  '?user=gill&user=vera',
  '?%75ser=unknown',
  '?User=vera',
  '?camera=office',
  '?user',
  '?others=maybe',
  '?limit=1',
  '?user=gill#',
  '?user=gill;user=vera',
  '?a=1&user=ver%61',
  '?user=vera+',
  '?user[]=vera',
  '?&&user=vera',
  '?user=%zz',
]

/** Requests for each of our routes, in many spellings, and for similar paths. */
const someRequest = fc
  .record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
    // What a share link shows is 401 without its cookie, which an outer proxy does not ask with: 403.
    row: fc.constantFrom(
      ...accessRows.filter(({ path, access }) => !path.endsWith('logout') && !access.includes('by a share link')),
    ),
    own: fc.boolean(),
    name: fc.constantFrom(...names),
    query: fc.constantFrom(...queries),
    tail: fc.constantFrom('', '', '', '', '/', '/x', '/x/y', ';x', '/;x'),
  })
  .chain(({ method, row, own, name, query, tail }) =>
    spelt(row.path.replace(/:\w+/, '~')).map((path) => ({
      method: own ? row.method : method,
      url: `${path.replace('~', name)}${tail}${query}`,
    })),
  )

describe('[PROXY-14] /api/auth agrees with the service', () => {
  // Without TLS, whose handshakes would take most of the time.
  const plain = new Map<string, TestClient>()
  beforeAll(async () => {
    const plainService = await startService({
      config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] } } },
    })
    plain.set('gill', await plainService.user('gill', 'guard'))
    plain.set('vera', await plainService.user('vera'))
    plain.set('boss', await plainService.user('boss', 'admin'))
  })
  const callers: readonly [TestCaller, () => TestClient][] = [
    [{ name: 'gill', role: 'custom', cameras: ['yard'] }, () => plain.get('gill')!],
    [{ name: 'vera', role: 'viewer' }, () => plain.get('vera')!],
    [{ name: 'boss', role: 'admin' }, () => plain.get('boss')!],
  ]
  test.each(callers)('for %j, any method and any path', async (caller, clientOf) => {
    await fc.assert(
      fc.asyncProperty(someRequest, fc.constantFrom(...urlHeaders), async ({ method, url }, header) => {
        // Bodies match no schema, so an allowed request changes nothing. DELETE needs no body, so an admin's is not sent, nor
        // one for the caller's own sessions.
        const endsSessions = decodeURIComponent(url.split('?', 1)[0]!).startsWith('/api/sessions')
        const sent = !(method === 'DELETE' && (caller.role === 'admin' || endsSessions))
        const response = sent
          ? await rawRequest(clientOf(), {
              method,
              target: url,
              headers: ['Content-Type: application/json'],
              body: '{',
              headOnly: true,
            })
          : undefined
        const reported = await asks(clientOf(), url, header, method)
        // /api/auth decides HEAD as GET, also where GET changes something and the service has no HEAD.
        const decided = method === 'HEAD' ? 'GET' : method
        const expected = expectedStatus(caller, decided, url, cameras)
        if (!isRoute(decided, url)) {
          expect(reported).toBe(expectedForUnknown(caller, url, cameras))
          if (response) expect(response.status).toBeOneOf([200, 404, 405])
          return
        }
        expect(reported).toBe(expected === 'pass' ? 202 : expected === 'by body' ? 403 : expected)
        if (!response || expected === 'by body') return
        const refused = response.status === 401 || response.status === 403
        expect(refused ? response.status : 202).toBe(reported)
      }),
      { numRuns: 400 },
    )
  })

  test('for ambiguous paths: 403 here, 400 there', async () => {
    for (const url of ['/api//users', '/x/../api/users', '/api%2fusers', '/%', '/api/cameras/yard%00']) {
      for (const who of [gill, vera, boss]) {
        expect(await asks(who, url)).toBe(403)
        expect((await rawRequest(who, { target: url })).status).toBe(400)
      }
    }
  })
})

/** The configuration from the guide, without TLS. */
const guardBlock = (port: number, gate: number) =>
  filledIn(guideBlock('nginx', 'location = /gatehouse-auth'), {
    'listen 8443 ssl': `listen 127.0.0.1:${port}`,
    '/etc/ssl/cam.example.crt': join(service.configDir, 'tls/server.crt'),
    '/etc/ssl/cam.example.key': join(service.configDir, 'tls/server.key'),
    'https://gatehouse:8971': `https://127.0.0.1:${gate}`,
    'proxy_ssl_name gatehouse': 'proxy_ssl_name localhost',
    '/etc/nginx/gatehouse-ca.crt': join(service.configDir, 'tls/ca.crt'),
  })

describe.skipIf(!nginx)('[PROXY-14] a real nginx', () => {
  test('lets signed-in users through to another program, and passes on who they are', async () => {
    const seen: IncomingHttpHeaders[] = []
    const upstream = createServer((request, response) => {
      seen.push(request.headers)
      response.end(`upstream ${request.url ?? ''}`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void upstream.close())
    await once(upstream, 'listening')
    const port = await freePort()
    const other = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    await startNginx(filledIn(guardBlock(port, service.gatePort), { 'http://other:3000': other }))
    const site = client(port, 'http', {})
    await reachable(site)
    seen.length = 0
    expect((await site.get('/app')).status).toBe(401)
    expect((await site.get('/app', { 'remote-user': 'admin', 'remote-role': 'admin' })).status).toBe(401)
    expect(seen).toEqual([])
    const hers = site.with(gill.headers)
    const page = await hers.get('/app?x=1', { 'remote-user': 'admin', 'remote-role': 'admin' })
    expect([page.status, page.text]).toEqual([200, 'upstream /app?x=1'])
    expect(seen[0]).toMatchObject({ 'remote-user': 'gill', 'remote-role': 'guard' })
    // Headers that a client adds next to nginx's own grant nothing more.
    const more = { 'x-original-uri': '/api/cameras/office' }
    expect((await hers.get('/app', more)).status).toBe(403)
    for (const path of ['//app', '/app/%2e%2e/x', '/app/..%2fx', '/a%5cb']) {
      expect((await rawRequest(hers, { target: path })).status, path).toBeOneOf([400, 403])
    }
    expect(seen).toHaveLength(1)
  })

  test('in front of the service itself, lets through what the service would, and never responds 500', async () => {
    const port = await freePort()
    const [guard] = guardBlock(port, service.gatePort).split('location / {')
    await startNginx(`${guard}
      location / {
        auth_request /gatehouse-auth;
        proxy_set_header Host $http_host;
        proxy_pass https://127.0.0.1:${service.gatePort};
      } }`)
    const site = client(port, 'http', {})
    await reachable(site)
    for (const [who, method, url, status] of [
      [gill, 'GET', '/api/cameras', 200],
      [gill, 'GET', '/api/cameras/yard', 200],
      [gill, 'GET', '/api/cameras/office', 403],
      [gill, 'GET', '/api/cameras/of%66ice', 403],
      [gill, 'GET', '/%61pi/cameras/office', 403],
      [gill, 'HEAD', '/api/cameras/office', 403],
      [gill, 'OPTIONS', '/api/users', 403],
      [gill, 'GET', '/api/users', 403],
      [gill, 'DELETE', '/api/users/vera', 403],
      [gill, 'POST', '/api/cameras/test', 403],
      [vera, 'GET', '/api/cameras/office', 200],
      [vera, 'GET', '/api/cameras/nothing', 404],
      [vera, 'PUT', '/api/users/vera/password', 400],
      [vera, 'PUT', '/api/users/gill/password', 403],
      [boss, 'GET', '/api/users', 200],
      [boss, 'GET', '/api/nothing', 404],
      [boss, 'DELETE', '/api/users/unknown', 404],
      [service.gate, 'GET', '/api/cameras', 401],
      [service.gate, 'GET', '/', 401],
      [gill, 'GET', '/', 200],
    ] as const) {
      const response = await rawRequest(site.with(who.headers), { method, target: url })
      expect([method, url, response.status]).toEqual([method, url, status])
    }
    for (const who of [gill, boss, service.gate]) {
      for (const target of ['//api/users', '/api//users', '/api/%2e%2e/x', '/api%2fusers', '/%', '/api/users%00']) {
        const { status } = await rawRequest(site.with(who.headers), { target })
        expect([400, 401, 403], `${target}: ${status}`).toContain(status)
      }
    }
  })
})
