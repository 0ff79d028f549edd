/** What a client can put into the URL and the headers that an outer proxy hands to `/api/auth`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const urlHeaders = ['X-Original-URL', 'X-Original-URI', 'X-Forwarded-Uri']
const methodHeaders = ['X-Original-Method', 'X-Forwarded-Method']

let service: InProcessService
/** A guard of the yard, a viewer and an admin. */
let gill: TestClient
let vera: TestClient
let boss: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null, trusted_proxies: ['127.0.0.0/8'], roles: { guard: ['yard'] } },
    },
  })
  gill = await service.user('gill', 'guard')
  vera = await service.user('vera')
  boss = await service.user('boss', 'admin')
})
afterAll(stopAll)

const reported = async (client: TestClient, ...headers: readonly string[]): Promise<number> =>
  (await rawRequest(client, { target: '/api/auth', headers })).status

/** The status for each of the three, and for an unauthenticated caller. */
const statusesFor = (...headers: readonly string[]): Promise<number[]> =>
  Promise.all([gill, vera, boss, service.gate].map((client) => reported(client, ...headers)))

/** Denied to everyone, because two programs could read it differently. */
const unreadable: Readonly<Record<string, readonly string[]>> = {
  // Unparsable, or no path at all.
  'CVE-2021-32637': [
    '',
    '*',
    '?x',
    'api/users',
    'https:/api/users',
    'ftp://gate.example/api/cameras',
    'javascript:alert(1)',
    'http://',
    'http:///',
    'https:///api/cameras',
    'https://[',
    'https://[::1',
    'https://a b/',
    'https://h\\x',
    'https://gate.example',
    'https://gate.example:port/api/cameras',
    'https://cam?/api/cameras/office',
    'https://user:word@gate.example/api/cameras',
    'https://gate.example/https://other.example/api/users',
    '/api/us ers',
    '/api/us\ters',
    '/api/users%',
    '/api/users%zz',
    '/api/users%ff',
    '/api/users%c0%af',
    '/api/cameras/yard, /api/users',
  ],
  // A fragment.
  'CVE-2026-41059': ['/api/users#x', '/api/cameras/yard#/../office', 'https://gate.example#/api/users', '#/api/users'],
  // Empty segments.
  'CVE-2026-27880': [
    '//api/users',
    '/api//users',
    '/api/cameras//office',
    '///evil.example/api/cameras',
    'https://gate.example//api/users',
  ],
  // Dot segments and encoded slashes.
  'CVE-2023-27482': [
    '/api/./users',
    '/x/../api/users',
    '/x/%2e%2e/api/users',
    '/x/.%2e/api/users',
    '/x/..%2fapi/users',
    '/api%2fusers',
    '/api\\users',
    '/api%5cusers',
    '/api/users%00',
    '/api/cameras/yard/.%252e/office/latest.jpg',
    '/api/cameras/yard/%252e%252e/office/latest.jpg',
    '/api/cameras/%256fffice/latest.jpg',
    '/api/%2575sers',
  ],
  // Matrix parameters before a dot segment.
  'CVE-2026-0976': [
    '/api/cameras/yard/..;/office/latest.jpg',
    '/api/cameras/yard/..;x=1/office',
    '/api/cameras/yard/.;/',
    '/api/cameras/yard/%2e%2e%3b/office',
    '/;/api/users',
    '/api/cameras/yard/;/../office',
  ],
}

describe('[PROXY-14] a URL that cannot be read safely is 403, even for an admin', () => {
  test.each(Object.entries(unreadable))('%s', async (_source, urls) => {
    for (const url of urls) {
      const seen = await Promise.all(urlHeaders.map((header) => statusesFor(`${header}: ${url}`)))
      expect([url, ...seen]).toEqual([url, ...urlHeaders.map(() => [403, 403, 403, 401])])
    }
  })
})

type Decided = readonly [url: string, guard: number, viewer: number, admin: number]

/** Decided as the service itself would, or more strictly. */
const decided: Readonly<Record<string, readonly Decided[]>> = {
  // Other spellings of the same path.
  'CVE-2026-22031': [
    ['/api/cameras/%6fffice', 403, 202, 202],
    ['/%61pi/cameras/office', 403, 202, 202],
    ['/%61%70%69/users', 403, 403, 202],
    ['/%61pi/nothing', 403, 403, 202],
    ['/api/cameras/%6fffice/a/b?c', 403, 202, 202],
  ],
  // Full URLs, whose host decides nothing.
  'CVE-2026-48794': [
    ['https://gate.example/api/cameras/office', 403, 202, 202],
    ['HTTP://gate.example:8080/api/cameras/office?a', 403, 202, 202],
    ['https://GATE.example/api/users', 403, 403, 202],
    ['https://[::1]:8971/api/users?x', 403, 403, 202],
    ['https://gate.example/', 202, 202, 202],
  ],
  // The query, which names other users and cameras, and no path.
  'GHSA-7rh7-c77v-6434': [
    ['/api/cameras/office/latest.jpg?height=100', 403, 202, 202],
    ['/api/cameras/office?/api/health', 403, 202, 202],
    ['/api/cameras/office?x=%3f/api/cameras/yard', 403, 202, 202],
    ['/api/cameras/office%3f/api/cameras/yard', 403, 202, 202],
    ['/api/users%3f/api/health', 403, 403, 202],
    ['/?url=https://gate.example/api/users', 202, 202, 202],
    ['/api/sessions?user=gill', 202, 403, 202],
    ['/api/sessions?user=vera', 403, 202, 202],
    ['/api/sessions?user=gill&user=vera', 403, 403, 202],
    ['/api/sessions?%75ser=boss', 403, 403, 202],
    [`/api/sessions?${'a&'.repeat(1500)}user=boss`, 403, 403, 202],
  ],
  // Below a camera's path, that camera decides, whichever program handles the rest; below `/api/`, nothing is public.
  'CVE-2026-75608': [
    ['/api/cameras/yard/nothing', 202, 202, 202],
    ['/api/cameras/yard/', 202, 202, 202],
    ['/api/cameras/office/nothing', 403, 202, 202],
    ['/api/cameras/office/', 403, 202, 202],
    ['/api/cameras/office/latest.jpg/', 403, 202, 202],
    ['/api/cameras/nothing/nothing', 403, 202, 202],
    ['/api/nothing', 403, 403, 202],
    ['/api/', 403, 403, 202],
    ['/api/users/', 403, 403, 202],
    ['/api/cameras/', 403, 403, 202],
    ['/api/Cameras/yard/nothing', 403, 403, 202],
  ],
  // Matrix parameters elsewhere.
  'CVE-2026-0976': [
    ['/api/cameras/office;x/nothing', 403, 202, 202],
    ['/api/cameras;x/office/nothing', 403, 202, 202],
    ['/api;x/cameras/office/nothing', 403, 202, 202],
    ['/api;x/users', 403, 403, 202],
    ['/api/users;.css', 403, 403, 202],
    ['/api/cameras/office;/latest.jpg', 403, 202, 202],
  ],
}

describe('[PROXY-14] another spelling gives no one more', () => {
  test.each(Object.entries(decided))('%s', async (_source, rows) => {
    for (const [url, ...statuses] of rows) {
      const seen = await Promise.all(urlHeaders.map((header) => statusesFor(`${header}: ${url}`)))
      expect([url, ...seen]).toEqual([url, ...urlHeaders.map(() => [...statuses, 401])])
    }
  })
})

describe('[PROXY-14] a method', () => {
  test.each<[source: string, method: string, url: string, guard: number, viewer: number, admin: number]>([
    ['ASVS 4.1.4', 'HEAD', '/api/users', 403, 403, 202],
    ['ASVS 4.1.4', 'OPTIONS', '/api/cameras/office', 403, 202, 202],
    ['ASVS 4.1.4', 'get', '/api/users', 403, 403, 202],
    ['ASVS 4.1.4', 'delete', '/api/users/unknown', 403, 403, 202],
    ['ASVS 4.1.4', 'DELETE ', '/api/users/unknown', 403, 403, 202],
    ['ASVS 4.1.4', 'PROPFIND', '/api/users', 403, 403, 202],
    ['ASVS 4.1.4', 'POST', '/api/cameras/office/live', 403, 202, 202],
    ['ASVS 4.1.4', 'GET, DELETE', '/api/users/unknown', 403, 403, 403],
    ['ASVS 4.1.4', '\u00a0GET', '/api/cameras', 403, 403, 403],
    ['ASVS 4.1.4', 'GET\t/', '/api/cameras', 403, 403, 403],
    ['ASVS 15.3.6', '__proto__', '/api/users', 403, 403, 403],
  ])('%s: %j %s', async (_source, method, url, ...statuses) => {
    for (const name of methodHeaders) {
      expect(await statusesFor(`X-Forwarded-Uri: ${url}`, `${name}: ${method}`)).toEqual([...statuses, 401])
    }
  })

  test('CVE-2026-40575: one that the client adds has to be allowed as well', async () => {
    const item = 'X-Original-URL: /api/review/1'
    for (const [one, other] of [
      ['X-Original-Method: GET', 'X-Forwarded-Method: DELETE'],
      ['X-Original-Method: DELETE', 'X-Forwarded-Method: GET'],
      ['X-Original-Method: GET', 'X-Original-Method: DELETE'],
    ] as const) {
      expect(await reported(vera, item, one, other)).toBe(403)
    }
    expect(await reported(vera, item, 'X-Original-Method: GET', 'X-Forwarded-Method: GET')).toBe(202)
  })
})

describe('[PROXY-14] a header that the client adds', () => {
  test.each(urlHeaders)('CVE-2026-40575: %s beside the proxy’s only takes access away', async (added) => {
    const [yard, office] = ['/api/cameras/yard', '/api/cameras/office']
    for (const own of urlHeaders) {
      expect(await reported(gill, `${own}: ${yard}`, `${added}: ${yard}`)).toBe(202)
      for (const url of [office, '//x', '']) {
        expect([url, await reported(gill, `${own}: ${yard}`, `${added}: ${url}`)]).toEqual([url, 403])
        expect([url, await reported(gill, `${added}: ${url}`, `${own}: ${yard}`)]).toEqual([url, 403])
      }
      expect(await reported(gill, `${own}: ${office}`, `${added}: ${yard}`)).toBe(403)
    }
  })

  test.each(['/api', '/api/', '/api/cameras', '/api/cameras/door', '/', '/x'])(
    '[PATH-3] CVE-2026-35051: X-Forwarded-Prefix %s strips nothing, even from a trusted proxy',
    async (prefix) => {
      for (const url of ['/api/cameras/door/latest.jpg', 'https://h/api/cameras/door/latest.jpg', '/api/users']) {
        expect(await reported(gill, `X-Original-URL: ${url}`, `X-Forwarded-Prefix: ${prefix}`)).toBe(403)
      }
      expect(await reported(gill, 'X-Original-URL: /api/cameras/yard', `X-Forwarded-Prefix: ${prefix}`)).toBe(202)
    },
  )

  test.each<[source: string, lines: readonly string[]]>([
    ['CVE-2024-45410', ['Connection: close, X-Original-URL', 'X-Original-URL: /api/users']],
    ['CVE-2026-39858', ['X_Original_URL: /api/cameras/yard', 'X-Original-URL: /api/users']],
    ['CVE-2026-88011', ['X.Original.URL: /api/cameras/yard', 'X-Original-URL: /api/users']],
    ['CVE-2026-40575', ['X-Rewrite-URL: /api/cameras/yard', 'X-Original-URL: /api/users']],
    ['GHSA-935r-r3xx-6gmw', ['X-Original-Query: ?x', 'X-Original-URL: /api/users']],
    ['CVE-2026-58044', [...Array<string>(1500).fill('D:'), 'X-Original-URL: /api/users']],
  ])('%s: %j hides none of the proxy’s', async (_source, lines) => {
    expect(await reported(gill, ...lines)).toBeOneOf([403, 431])
    expect(await reported(boss, ...lines)).toBeOneOf([202, 431])
  })

  test.each<[source: string, headers: readonly string[]]>([
    ['CVE-2026-34457', ['User-Agent: GoogleHC/1.0', 'User-Agent: kube-probe/1.30']],
    ['CVE-2026-25748', ['Cookie: gatehouse_token=%00{malformed']],
    ['CVE-2025-64484', ['Remote-User: boss', 'Remote-Role: admin', 'X_Forwarded_User: boss']],
    ['CVE-2026-40575', ['X-Forwarded-Uri: /api/health', 'X-Original-URL: /api/login']],
    ['GHSA-7r4p-vjf4-gxv4', ['Remote-User: boss', 'Remote-Role: admin', 'X-Original-Method: OPTIONS']],
  ])('%s: %j authenticates no one, and no identity is returned', async (_source, headers) => {
    const { status, head } = await rawRequest(service.gate, { target: '/api/auth', headers })
    expect(status).toBe(401)
    expect(head).not.toMatch(/^remote-/im)
  })
})
