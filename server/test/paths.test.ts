import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { rawBytes, rawRequest } from './support/raw-request.ts'
import { password } from './support/sign-in.ts'
import { failedStart, startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: { auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] } } },
  })
  guard = await service.user('gill', 'guard')
  viewer = await service.user('vera')
  admin = await service.admin()
})
afterAll(stopAll)

describe('[PATH-1] a path is decoded once, and the routed path is the authorized one', () => {
  test('[PROXY-2] the secret of a proxy is required however the path is spelled', async () => {
    const secret = 'a secret that the proxy shares'
    const shut = await startService({ config: { proxy: { auth_secret: secret } } })
    const anna = await shut.internal
      .post('/api/users', { username: 'anna', password: 'correct horse battery', role: 'admin' })
      .then(() =>
        shut.gate.post('/api/login', { user: 'anna', password: 'correct horse battery' }, { 'x-proxy-secret': secret }),
      )
    const client = shut.gate.with({ cookie: anna.cookies[0]?.split(';')[0] ?? '' })
    for (const path of [
      '/api/users',
      '/%61pi/users',
      '/a%70i/version',
      '/api',
      '/%61pi',
      '/auth',
      '/a%75th',
      '/logout',
    ]) {
      expect((await rawRequest(client, { target: path })).status, path).toBe(401)
    }
    expect((await client.get('/api/users', { 'x-proxy-secret': secret })).status).toBe(200)
    expect((await client.get('/%61pi/users', { 'x-proxy-secret': secret })).status).toBe(200)
    expect((await client.get('/api/health')).status).toBe(200)
  })

  test('no API response is cached, however the path is spelled', async () => {
    for (const path of ['/api/cameras', '/%61pi/cameras', '/a%75th']) {
      expect((await viewer.get(path)).headers['cache-control'], path).toMatch(/no-store/)
    }
  })
})

describe('[PATH-3] a header', () => {
  test('never rewrites the path: X-Forwarded-Prefix of a trusted proxy affects only links, redirects and the cookie', async () => {
    for (const base_path of ['/', '/cams/']) {
      const behind = await startService({
        config: { http: { base_path }, auth: { trusted_proxies: ['127.0.0.0/8'], failed_login_rate_limit: null } },
      })
      const boss = await behind.user('boss', 'admin')
      const prefixed = { 'x-forwarded-prefix': '/assets' }
      for (const at of [boss, behind.internal]) {
        // An outer proxy may block /api/users and allow /assets/.
        const page = await at.get('/assets/api/users', prefixed)
        expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(page.text).toContain('<base href="/assets/"')
        expect((await at.get('/api/api/users', { 'x-forwarded-prefix': '/api' })).status).toBe(404)
        expect((await at.get('/api/users', { 'x-forwarded-prefix': '/api' })).json).toHaveLength(2)
        expect((await at.get('/assets/assets/api/users', prefixed)).text).toContain('<base href="/assets/"')
        // The configured base path is stripped, whatever the header says.
        const below = await at.get('/cams/api/users', prefixed)
        if (base_path === '/') expect(below.headers['content-type']).toBe('text/html; charset=utf-8')
        else expect(below.json).toHaveLength(2)
      }
      const signedIn = await behind.gate.post('/api/login', { user: 'boss', password }, prefixed)
      expect(signedIn.cookies[0]).toMatch(/; Path=\/assets(;|$)/)
      expect((await behind.gate.get('/logout', prefixed)).headers.location).toBe('/assets/login')
    }
  })
})

describe('[PATH-2] a camera', () => {
  test('is named with 1 to 64 letters, digits, _ and -', async () => {
    const good = ['a', 'Z-9_x', '0', '-', 'constructor', 'toString', 'test', 'latest', 'x'.repeat(64)]
    const cameras = Object.fromEntries(good.map((name) => [name, { source: 'demo:yard', enabled: false }]))
    const named = await startService({ config: { cameras, auth: { roles: { one: ['constructor', 'test'] } } } })
    const nina = await named.user('nina', 'one')
    expect(namesOf(await named.internal.get('/api/cameras'))).toEqual(good.toSorted(asListed(good)))
    for (const name of good) {
      expect((await named.internal.get(`/api/cameras/${name}`)).status).toBe(200)
      const hers = name === 'constructor' || name === 'test'
      expect((await nina.get(`/api/cameras/${name}`)).status, name).toBe(hers ? 200 : 403)
    }
    expect(namesOf(await nina.get('/api/cameras')).toSorted()).toEqual(['constructor', 'test'])
    for (const name of ['__proto__', 'hasOwnProperty', 'x'.repeat(65)]) {
      expect((await nina.get(`/api/cameras/${name}`)).status, name).toBe(403)
      expect((await named.internal.get(`/api/cameras/${name}`)).status, name).toBe(404)
    }
  })

  test('with any other name is a configuration error', async () => {
    const bad = ['""', 'a.b', '"a b"', 'a/b', '"ä"', 'x'.repeat(65), '".."', '"a\\n"']
    const config = `cameras:\n${bad.map((name) => `  ${name}: { source: 'demo:yard' }\n`).join('')}`
    const { status, output } = await failedStart({ config })
    expect(status).toBe(78)
    for (const [index] of bad.entries()) expect(output).toContain(`config.yml:${index + 2}:3 `)
  })
})

test('[PATH-2] [GRANT-1] no camera is renamed to `all`, which would give a role all cameras', async () => {
  const roles = { guard: { cameras: ['yard'], allow: ['live'] } }
  const named = await startService({ config: { cameras: quietCameras, auth: { roles } } })
  const gill = await named.user('gill', 'guard')
  const headers = { 'if-match': (await named.internal.get('/api/config/cameras')).headers.etag ?? '' }
  for (const { status, json } of [
    await named.internal.put('/api/cameras/yard', { name: 'all' }, headers),
    await named.internal.post('/api/cameras', { name: 'all', source: 'demo:yard' }, headers),
  ]) {
    expect([status, json]).toMatchObject([400, { code: 'invalid-request' }])
    expect(JSON.stringify(json)).toContain('name')
  }
  expect(namesOf(await gill.get('/api/cameras'))).toEqual(['yard'])
})

const namesOf = (response: Reply) => (response.json as { name: string }[]).map(({ name }) => name)
/** Number-like keys come first in a JavaScript object. */
const asListed = (names: readonly string[]) => (one: string, other: string) =>
  Number(other === '0') - Number(one === '0') || names.indexOf(one) - names.indexOf(other)

describe('[ERR-1] an error', () => {
  const json = { 'content-type': 'application/json' }
  const cases: readonly [status: number, code: string, ask: () => Promise<Reply>][] = [
    [400, 'invalid-request', () => admin.post('/api/users', {})],
    [400, 'invalid-request', () => admin.post('/api/users', '{', json)],
    [400, 'unsafe-path', () => admin.get('/api//users')],
    [401, 'unauthenticated', () => service.gate.get('/api/users')],
    [401, 'login-failed', () => service.gate.post('/api/login', { user: 'x', password: 'y' })],
    [403, 'forbidden', () => guard.get('/api/users')],
    [403, 'cross-origin', () => admin.post('/api/users', {}, { origin: 'https://evil.example' })],
    [
      403,
      'wrong-password',
      () => guard.put('/api/users/gill/password', { password: 'x'.repeat(20), old_password: 'y' }),
    ],
    [404, 'not-found', () => admin.get('/api/nothing')],
    [404, 'not-found', () => admin.get('/api/cameras/nothing')],
    [404, 'not-found', () => service.gate.post('/nothing')],
    [409, 'conflict', () => admin.delete('/api/users/admin')],
    [
      412,
      'precondition-failed',
      () => admin.put('/api/config/raw', '', { 'content-type': 'text/yaml', 'if-match': '"x"' }),
    ],
    [413, 'too-large', () => service.gate.post('/api/login', 'x'.repeat(1024 * 1024 + 1), json)],
    [415, 'unsupported-media-type', () => admin.post('/api/users', 'a=b', { 'content-type': 'text/plain' })],
    [421, 'misdirected', () => service.internal.get('/api/users', { host: 'evil.example' })],
    [426, 'upgrade-required', () => admin.get('/api/cameras/yard/live')],
    [428, 'precondition-required', () => admin.put('/api/config/raw', '', { 'content-type': 'text/yaml' })],
  ]
  test.each(cases)('%i %s is problem+json, for programs and for people', async (status, code, ask) => {
    const response = await ask()
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.headers['cache-control']).toBe('no-store')
    const body = response.json as Record<string, unknown>
    expect(body).toMatchObject({ type: expect.any(String), title: expect.any(String), status, code })
    expect(body['detail']).toMatch(/\S/)
    expect(body['message']).toBe(body['detail'])
    expect(response.text).not.toMatch(/\bat .*\.(?:ts|js):\d|node_modules|Error:/)
  })

  test('is 429 with Retry-After for too many logins, in the same form', async () => {
    const strict = await startService({ config: { auth: { failed_login_rate_limit: '1/hour' } } })
    await strict.gate.post('/api/login', { user: 'x', password: 'y' })
    const response = await strict.gate.post('/api/login', { user: 'x', password: 'y' })
    expect(response.status).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.json).toMatchObject({ status: 429, code: 'too-many-attempts' })
  })

  test('has that form too if the request was not valid HTTP', async () => {
    for (const client of [service.gate, service.internal]) {
      for (const bytes of ['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n']) {
        const { status, head, body } = await rawBytes(client, bytes)
        expect(status).toBe(400)
        expect(head).toMatch(/content-type: application\/problem\+json/i)
        expect(head).toMatch(/x-content-type-options: nosniff/i)
        expect(head).toMatch(/content-security-policy: default-src 'self'/i)
        expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'invalid-request' })
      }
      const long = await rawBytes(client, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`)
      expect([long.status, JSON.parse(long.body)]).toMatchObject([431, { status: 431 }])
    }
  })
})

const concrete = (path: string) => path.replace(':camera', 'yard').replace(/:\w+/, 'vera')

describe('[ERR-2] an unauthenticated caller', () => {
  const open = new Set(accessRows.filter(({ access }) => access.startsWith('open:')).map(({ path }) => path))

  test('is 401 at every existing API path, except the public ones', async () => {
    expect([...open].toSorted()).toEqual([
      '/api/health',
      '/api/invitations/:id/accept',
      '/api/invitations/:id/open',
      '/api/links/:id/open',
      '/api/login',
      '/api/login/methods',
      '/api/login/passkey',
      '/api/login/passkey/options',
      '/api/login/second-factor',
      '/api/logout',
      '/api/oidc/backchannel-logout',
      '/api/oidc/callback',
      '/api/oidc/login',
      '/api/pairings',
      '/api/pairings/:id',
      '/api/password-resets/:id/accept',
      '/api/password-resets/:id/open',
      '/ca.crt',
      '/logout',
    ])
    expect(accessRows.length).toBeGreaterThan(30)
    for (const { method, path } of accessRows) {
      if (open.has(path)) continue
      const response = await service.gate.request(method, concrete(path))
      expect(response.status, `${method} ${path}`).toBe(401)
      expect(response.json).toMatchObject({ code: 'unauthenticated' })
    }
  })

  test('is 401 for any camera name, however long', async () => {
    for (const name of ['x'.repeat(65), 'x'.repeat(8000), '%20', '__proto__']) {
      expect((await service.gate.get(`/api/cameras/${name}`)).status).toBe(401)
      expect((await guard.get(`/api/cameras/${name}`)).status).toBe(403)
      expect((await viewer.get(`/api/cameras/${name}`)).status).toBe(404)
    }
  })

  test('is 401 before a body is read or a field is validated', async () => {
    for (const { method, path } of accessRows) {
      if (open.has(path) || method === 'GET') continue
      const response = await service.gate.request(method, concrete(path), {
        body: '{',
        headers: { 'content-type': 'application/json' },
      })
      expect(response.status, `${method} ${path}`).toBe(401)
    }
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'is 401 for %s on an unknown path, and 404 for authenticated callers',
    async (method) => {
      for (const path of [
        '/api',
        '/api/',
        '/api/nothing',
        '/api/users/x/y/z',
        '/api/cameras/yard/nothing',
        '/api/%20',
        `/api/nothing/${'x'.repeat(8000)}`,
      ]) {
        expect((await service.gate.request(method, path)).status, path).toBe(401)
        expect((await viewer.request(method, path)).status, path).toBe(404)
        expect((await service.internal.request(method, path)).status, path).toBe(404)
      }
    },
  )

  test('is allowed at health, login and logout', async () => {
    expect((await service.gate.get('/api/health')).status).toBe(200)
    expect((await service.gate.post('/api/login', {})).status).toBe(400)
    expect((await service.gate.post('/api/logout')).status).toBe(204)
    expect((await service.gate.get('/logout')).status).toBe(303)
    for (const path of ['/api/auth', '/auth']) {
      expect((await service.gate.get(path)).status).toBe(401)
      expect((await service.gate.post(path)).status).toBe(401)
    }
  })

  test('can load pages, which contain no data', async () => {
    for (const path of [
      '/',
      '/login',
      '/live',
      '/settings/users',
      '/cameras/office',
      '/apis',
      '/api.html',
      '/nothing',
    ]) {
      const [unauthenticated, everything] = await Promise.all([service.gate.get(path), admin.get(path)])
      expect([unauthenticated.status, unauthenticated.headers['content-type']], path).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(unauthenticated.text).toBe(everything.text)
      expect(unauthenticated.text).not.toMatch(/office|vera|gill/)
    }
  })

  test('responds to HEAD wherever there is a GET that changes nothing, with the same access', async () => {
    const changing = ['/api/logout', '/logout', '/api/pairings/:id']
    for (const client of [service.gate, guard, viewer, admin, service.internal]) {
      for (const { method, path } of accessRows) {
        // Event and video streams have no end.
        if (method !== 'GET' || path === '/api/events' || path.endsWith('/mjpeg')) continue
        for (const camera of ['yard', 'office', 'nothing']) {
          if (camera !== 'yard' && !path.includes(':camera')) continue
          const url = path.replace(':camera', camera).replace(/:\w+/, 'x')
          const head = await client.request('HEAD', url)
          const refused = client === service.gate ? 401 : 405
          const { status } = changing.includes(path) ? { status: refused } : await client.get(url)
          expect(head.status, `HEAD ${url}`).toBe(status)
          expect(head.text).toBe('')
        }
      }
    }
  })
})

const state = async () =>
  (await Promise.all(['/api/users', '/api/roles', '/api/config/raw'].map((each) => service.internal.get(each)))).map(
    ({ text }) => text,
  )

describe('[ERR-3] bad input', () => {
  const json = { 'content-type': 'application/json' }
  test.each<[string, string, unknown, string]>([
    ['POST', '/api/users', {}, 'username'],
    ['POST', '/api/users', { username: 'x y', password: 'x'.repeat(20), role: 'viewer' }, 'username'],
    ['POST', '/api/users', { username: 'xy', password: 'short', role: 'viewer' }, 'password'],
    ['POST', '/api/users', { username: 'xy', password: 'x'.repeat(20), role: 'unknown' }, 'role'],
    ['POST', '/api/users', { username: 'xy', password: 'x'.repeat(20), role: 'viewer', admin: true }, 'admin'],
    ['POST', '/api/users', { username: 1, password: 'x'.repeat(20), role: 'viewer' }, 'username'],
    ['POST', '/api/users', { username: ['xy'], password: 'x'.repeat(20), role: 'viewer' }, 'username'],
    ['POST', '/api/users', [], 'body'],
    ['POST', '/api/users', 'null', 'body'],
    ['POST', '/api/users', undefined, 'body'],
    ['PUT', '/api/users/vera/role', { role: null }, 'role'],
    ['PUT', '/api/users/vera/role', { role: '__proto__' }, 'role'],
    ['PUT', '/api/users/vera/password', { password: 7 }, 'password'],
    ['PUT', '/api/roles/x', { cameras: 'yard' }, 'cameras'],
    ['PUT', '/api/roles/x', { cameras: [''] }, 'cameras.0'],
    ['PUT', '/api/roles/x', { cameras: ['yard', 7] }, 'cameras.1'],
    ['PUT', '/api/roles/x-y', { cameras: ['yard'] }, 'name'],
    ['POST', '/api/login', { user: 'x' }, 'password'],
    ['POST', '/api/login', { user: 'x', password: {} }, 'password'],
    ['POST', '/api/access/try', {}, 'user'],
    ['POST', '/api/access/try', { user: 'x', headers: {} }, 'user'],
    ['POST', '/api/access/try', { user: 'x', screen: 'x' }, 'user'],
    ['POST', '/api/access/try', { screen: '' }, 'screen'],
    ['POST', '/api/access/try', { token: '' }, 'token'],
    ['GET', '/api/audit?limit=0', undefined, 'limit'],
    ['GET', '/api/audit?limit=x', undefined, 'limit'],
    ['GET', '/api/audit?limit=true', undefined, 'limit'],
    ['GET', '/api/audit?limit=', undefined, 'limit'],
    ['GET', '/api/audit?limit=1&limit=2', undefined, 'limit'],
    ['GET', '/api/audit?after=never', undefined, 'after'],
    ['GET', '/api/audit?cursor=x', undefined, 'cursor'],
    ['GET', '/api/logs?level=loud', undefined, 'level'],
    ['DELETE', '/api/sessions', undefined, 'user'],
    ['DELETE', '/api/sessions?others=maybe', undefined, 'others'],
    ['GET', '/api/cameras/yard/latest.jpg?height=-1', undefined, 'height'],
    ['GET', '/api/cameras/yard/latest.jpg?height=1e99', undefined, 'height'],
  ])('%s %s %j is 400, names %s, and changes nothing', async (method, path, body, field) => {
    const before = await state()
    const response = await admin.request(method, path, { body, ...(typeof body === 'string' && { headers: json }) })
    expect(response.status).toBe(400)
    const { problems } = response.json as { problems: { field: string }[] }
    expect(problems.map((problem) => problem.field)).toContain(field)
    expect(await state()).toEqual(before)
  })

  test('that is not JSON, or not UTF-8, is 400', async () => {
    for (const body of [
      '{',
      '{"user":',
      'undefined',
      '{"__proto__":{}}',
      '{"user":"x","password":"y","__proto__":1}',
    ]) {
      expect((await service.gate.post('/api/login', body, json)).status, body).toBe(400)
    }
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect((await service.gate.post('/api/login', deep, json)).status).toBe(400)
    const bytes = Buffer.from('{"user":"\xff\xfe","password":"x"}', 'latin1')
    expect((await service.gate.post('/api/login', bytes, json)).status).toBe(400)
  })

  test('[CONF-4] a configuration that is not UTF-8 is 400, and is not saved with other characters', async () => {
    const before = await service.internal.get('/api/config/raw')
    const body = Buffer.concat([Buffer.from(before.text), Buffer.from('# caf\xe9\n', 'latin1')])
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    for (const [method, path] of [
      ['PUT', '/api/config/raw'],
      ['POST', '/api/config/check'],
    ] as const) {
      expect((await service.internal.request(method, path, { body, headers })).status, path).toBe(400)
    }
    expect((await service.internal.get('/api/config/raw')).text).toBe(before.text)
  })

  test('in a GET is ignored: some clients send a body there', async () => {
    const response = await viewer.request('GET', '/api/version', { body: {} })
    expect(response.status).toBe(200)
    expect((await viewer.request('GET', '/api/version', { body: '{', headers: json })).status).toBe(200)
  })
})
