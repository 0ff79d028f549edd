/** Paths that two programs could read differently, that lead out of a folder, or that look like another route. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { rawBytes, rawRequest, webSocketHandshake } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

/** Words of routes, which are valid names of cameras too. */
const routeWords = [
  ...new Set(accessRows.flatMap(({ path }) => path.split('/').filter((word) => /^[a-z-]+$/.test(word)))),
]

let service: InProcessService
let guard: TestClient
/** A custom role with a camera for each word of a route. */
let wordsmith: TestClient
let viewer: TestClient
let admin: TestClient
beforeAll(async () => {
  const words = Object.fromEntries(routeWords.map((name) => [name, { source: 'demo:yard', enabled: false }]))
  service = await startService({
    config: {
      tls: { enabled: false },
      cameras: { ...quietCameras, ...words },
      auth: { failed_login_rate_limit: null, roles: { guard: ['yard'], words: routeWords } },
    },
  })
  guard = await service.user('gill', 'guard')
  wordsmith = await service.user('wes', 'words')
  viewer = await service.user('vera')
  admin = await service.admin()
})
afterAll(stopAll)

const statusOf = async (client: TestClient, target: string, method = 'GET') =>
  (await rawRequest(client, { method, target })).status

/** Ambiguous paths, which two programs could read differently. */
const unsafe: Readonly<Record<string, readonly string[]>> = {
  // Empty segments.
  'CVE-2010-4232': ['/api//cameras', '//api/cameras', '/api/cameras//', '///', '/api/cameras//yard', '//evil.example/'],
  // Encoded slashes.
  'CVE-2026-2880': [
    '/api/cameras%2fyard',
    '/api%2Fcameras',
    '/%2fapi/cameras',
    '/api/cameras%5cyard',
    '/api/cameras%5Cyard',
    '/api\\cameras',
    '/assets/..%2f..%2fpackage.json',
    '/assets%2f..%5c..%5cpackage.json',
  ],
  // Dot segments.
  'CVE-2026-15074': [
    '/api/./cameras',
    '/api/../api/users',
    '/api/cameras/..',
    '/api/%2e/cameras',
    '/api/%2E%2E/api/users',
    '/api/.%2e/users',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/../../../../etc/passwd',
    '/..',
    '/.',
    '/%2e',
  ],
  // Characters that end a path, or that no path contains.
  'CVE-2021-39206': [
    '/api/cameras/yard%00',
    '/api/cameras/%00',
    '/assets/index.js%00.html',
    '/%',
    '/api/cameras/%',
    '/api/cameras/%zz',
    '/api/cameras/%u0079ard',
    '/api/cameras/%c3%28',
    '/api/cameras/%ff',
    '/api/cameras/%c0%ae%c0%ae/users',
    '/api/users#/x',
  ],
  // Targets that aren't paths.
  'RFC 9112 3.2': ['http://127.0.0.1/api/users', 'https://127.0.0.1/api/users', 'HTTP://evil.example/', '*'],
}

describe('[PATH-1] an ambiguous path is 400 before authentication, on both ports', () => {
  test.each(Object.entries(unsafe))('%s', async (_source, targets) => {
    for (const target of targets) {
      for (const client of [service.gate, service.internal, admin, guard]) {
        const { status, body } = await rawRequest(client, { target })
        expect([target, status]).toEqual([target, 400])
        expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'unsafe-path' })
      }
    }
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('CVE-2025-71399: for %s as well', async (method) => {
    for (const client of [service.gate, service.internal]) {
      expect(await statusOf(client, '/api//users/vera', method)).toBe(400)
    }
  })

  test('CVE-2026-2880: opens no WebSocket', async () => {
    for (const client of [service.gate, service.internal]) {
      const lines = ['GET /api//cameras/yard/live HTTP/1.1', `Host: 127.0.0.1:${client.port}`, ...webSocketHandshake]
      expect((await rawBytes(client, `${lines.join('\r\n')}\r\n\r\n`, undefined, true)).status).toBe(400)
    }
  })

  test('GHSA-7rh7-c77v-6434: a query cannot make a path ambiguous', async () => {
    for (const query of ['?x=//', '?x=%2f..%00', '?..', '?#', '?/../']) {
      expect(await statusOf(admin, `/api/version${query}`)).toBe(200)
    }
  })
})

describe('[PATH-1] another spelling of a path has the same access', () => {
  test.each<[source: string, path: string, unauthenticated: number, custom: number, all: number]>([
    ['CVE-2026-22031', '/api/cameras/%79ard', 401, 200, 200],
    ['CVE-2026-22031', '/api/cameras/of%66ice', 401, 403, 200],
    ['CVE-2026-22031', '/%61pi/cameras/office', 401, 403, 200],
    ['CVE-2026-22031', '/%61%70%69/users', 401, 403, 403],
    ['CVE-2026-22031', '/api/%75sers', 401, 403, 403],
    ['CVE-2023-27482', '/api/cameras/%256fffice', 401, 403, 404],
    ['CVE-2023-27482', '/api/%2575sers', 401, 404, 404],
    ['CVE-2023-27482', '/api/.%252e/users', 401, 404, 404],
    ['CVE-2023-27482', '/api/.%09./users', 401, 404, 404],
    ['CVE-2026-15074', '/api/cameras/yard%20', 401, 403, 404],
    ['CVE-2026-0976', '/api/cameras/yard;x', 401, 403, 404],
    ['CVE-2026-0976', '/api/cameras/yard;/../office', 400, 400, 400],
    ['CVE-2026-0976', '/api/users;x=/api/health', 401, 404, 404],
    ['CVE-2026-0976', '/api/cameras/yard/..;/office', 401, 404, 404],
    ['CVE-2026-22031', '/%61pi/nothing', 401, 404, 404],
    ['CVE-2026-22031', '/%61pi', 401, 404, 404],
    ['CVE-2026-22031', '/a%75th', 401, 202, 202],
    // Case, trailing slashes and dots.
    ['CVE-2026-48794', '/api/Cameras', 401, 404, 404],
    ['CVE-2026-48794', '/api/cameras/Yard', 401, 403, 404],
    ['CVE-2026-48794', '/api/Users', 401, 404, 404],
    ['CVE-2026-27880', '/api/cameras/', 401, 404, 404],
    ['CVE-2026-27880', '/api/users/', 401, 404, 404],
    ['CVE-2026-27880', '/api/cameras/yard/', 401, 404, 404],
    ['CVE-2026-15074', '/api/users.', 401, 404, 404],
    ['CVE-2026-15074', '/api/users.json', 401, 404, 404],
    ['CVE-2026-15074', '/api/users%20', 401, 404, 404],
    ['CVE-2026-15074', '/api/users%0a', 401, 404, 404],
    ['CVE-2026-15074', '/api/%ef%bd%95sers', 401, 404, 404],
  ])('%s: %s', async (_source, target, ...statuses) => {
    const seen = await Promise.all([service.gate, guard, viewer].map((client) => statusOf(client, target)))
    expect(seen).toEqual(statuses)
  })

  test('CVE-2026-48794: what is not below /api in this spelling is a page without data', async () => {
    for (const path of ['/API/cameras', '/Api/users', '/AUTH', '/auth/', '/Logout', '/%6cogout/x', '/api;x/users']) {
      const response = await service.gate.get(path)
      expect([path, response.status, response.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(response.text).toBe((await admin.get(path)).text)
    }
  })

  test.each([
    ['CVE-2026-33125', 'DELETE', '/api/users/'],
    ['CVE-2026-33125', 'DELETE', '/api/sessions/'],
    ['CVE-2026-33125', 'DELETE', '/api/roles/'],
    ['CVE-2026-33125', 'PUT', '/api/roles/'],
  ])('%s: %s %s names nothing, so it changes nothing', async (_source, method, path) => {
    const body = method === 'PUT' ? { cameras: ['yard'] } : undefined
    for (const client of [guard, viewer, admin]) {
      expect((await client.request(method, path, { body })).status).toBe(404)
    }
  })
})

describe('[PATH-3] no header changes a method or a path', () => {
  test.each<[source: string, headers: Record<string, string>]>([
    ['ASVS 4.1.4', { 'x-http-method-override': 'DELETE' }],
    ['ASVS 4.1.4', { 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }],
    ['CVE-2026-40575', { 'x-original-url': '/api/health', 'x-forwarded-uri': '/api/health' }],
    ['CVE-2026-40575', { 'x-rewrite-url': '/api/health', 'x-forwarded-path': '/api/health' }],
    ['CVE-2026-35051', { 'x-forwarded-prefix': '/api', 'x-script-name': '/api' }],
    ['CVE-2026-35051', { 'x-envoy-original-path': '/api/health', 'x-accel-redirect': '/config.yml' }],
  ])('%s: %j', async (_source, headers) => {
    expect((await viewer.get('/api/users/vera', headers)).status).toBe(403)
    expect((await admin.get('/api/users/vera', headers)).json).toMatchObject({ username: 'vera' })
    expect((await viewer.post('/api/users', undefined, headers)).status).toBe(403)
    expect((await service.gate.get('/api/users', headers)).status).toBe(401)
  })
})

describe('[ERR-2] outside of the API there is only the web UI', () => {
  test.each<[source: string, paths: readonly string[]]>([
    ['CVE-2022-37109', ['/.jwt_secret', '/config.yml', '/config/config.yml', '/config.yml.previous', '/gatehouse.db']],
    ['CVE-2022-37109', ['/tls/ca.key', '/tls/server.key', '/server.key', '/trusted_headers.conf', '/.env', '/passwd']],
    ['CVE-2026-15074', ['/..%252f..%252fetc%252fpasswd', '/assets/%252e%252e/index.html', '/....//etc', '/~root']],
    ['CVE-2026-15074', ['/assets/..;/index.html', '/assets;/index.html', '/index.html;.js', '/%ef%bc%8e%ef%bc%8e/etc']],
    ['nikto', ['/.git/config', '/.svn/entries', '/.DS_Store', '/server-status', '/WEB-INF/web.xml', '/index.html~']],
    ['CVE-2022-24797', ['/debug/pprof/', '/metrics', '/actuator/env', '/status', '/console', '/graphql', '/trace']],
    ['CVE-2026-8598', ['/media', '/recordings/', '/exports/1.mp4', '/review/1.jpg', '/recordings/.library', '/live']],
  ])('%s: %j get the page', async (_source, paths) => {
    const page = await service.gate.get('/login')
    for (const path of paths) {
      const { status, body } = await rawRequest(service.gate, { target: path })
      if (status === 400) continue
      expect([path, status, body]).toEqual([path, 200, page.text])
    }
  })

  test.each([
    ['CVE-2023-45671', '/%3Cscript%3Ealert(1)%3C/script%3E'],
    ['CVE-2023-45671', '/api/cameras/%3Cscript%3Ealert(1)%3C/script%3E'],
    ['CVE-2024-3850', "/api/'%22%3E%3Csvg%20onload=alert(1)%3E"],
    ['CVE-2024-3850', '/api/cameras/yard/latest.jpg?height=%3Cscript%3Ealert(1)'],
  ])('%s: %s is not sent back as a page', async (_source, path) => {
    for (const client of [service.gate, viewer, admin]) {
      const { text, headers } = await client.get(path)
      expect(text).not.toMatch(/<script>alert|<svg onload|onload=alert/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      if (path.startsWith('/api')) expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    }
  })
})

describe('[ROLE-2] [ROLE-4] a camera whose name is a word of a route gives no one that route', () => {
  test('GHSA-x2ch-x8hv-75xf: every route is decided as without such cameras', async () => {
    expect(routeWords).toEqual(expect.arrayContaining(['test', 'users', 'raw', 'seen', 'live', 'summary', 'health']))
    const denied: string[] = []
    for (const { method, path, access } of accessRows) {
      if (!/^`(?:\w+\.manage|\w+\.read|delete|access\.try)`/.test(access) || path.includes(':camera')) continue
      const target = path.replaceAll(/:\w+/g, 'test')
      const { status } = await wordsmith.request(method, target)
      if (status !== 403) denied.push(`${method} ${target}: ${status}`)
    }
    expect(denied).toEqual([])
  })

  test.each(routeWords)('GHSA-x2ch-x8hv-75xf: %s', async (word) => {
    const camera = `/api/cameras/${word}`
    const seen = await Promise.all([wordsmith, guard, service.gate].map((client) => statusOf(client, camera)))
    expect(seen).toEqual([200, 403, 401])
    for (const [method, target] of [
      ['POST', camera],
      ['PUT', camera],
      ['DELETE', camera],
      ['POST', `${camera}/test`],
      ['DELETE', `${camera}/recordings`],
      ['PUT', `${camera}/motion-settings`],
    ] as const) {
      const status = await statusOf(wordsmith, target, method)
      expect([method, target, status]).toEqual([
        method,
        target,
        method === 'POST' && target === camera && word !== 'test' ? 405 : 403,
      ])
    }
  })
})
