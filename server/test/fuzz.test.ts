import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows, expectedStatus, type TestCaller } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'

const cameras = ['yard', 'door', 'office']
/** Milliseconds for each kind of caller. */
const timeout = 8_000

let service: InProcessService
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null, roles: { guard: ['yard'], other: ['door'] } },
    },
  })
})
afterAll(stopAll)

test('[ERR-2] every route is in the documented table, and every row of the table is a route', async () => {
  const { paths } = (await service.internal.get('/api/openapi.json')).json as { paths: Record<string, object> }
  const running = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'head')
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(running.toSorted()).toEqual(accessRows.map(({ method, path }) => `${method} ${path}`).toSorted())
})

/** Names that are known from attacks or crashes. */
const hostile = [
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e999',
  '9'.repeat(400),
  "' or 1=1 --",
  '"; drop table user; --',
  '${7*7}',
  '{{7*7}}',
  '$(id)',
  '`id`',
  '../../etc/passwd',
  '..',
  '.',
  '/',
  '\\',
  '%2f',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: a=b',
  '\0',
  '\u202e',
  '\ud800',
  '\ufeff',
  'é',
  'e\u0301',
  '💥',
  'ﬀ',
  'İ',
  'x'.repeat(3000),
  '{SERVICE_JWT_SECRET}',
  'exec:id',
  'concat:/etc/passwd',
  'file:/etc/passwd',
  'file:../../../etc/passwd',
  'demo:../x',
  '[]',
  '{}',
  'true',
  'admin',
  'viewer',
  'guard',
  'vera',
  'VERA',
  'anonymous',
  'yard',
  'office',
]
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 20 }),
)
const fields = [
  'user',
  'username',
  'password',
  'old_password',
  'role',
  'cameras',
  'source',
  'headers',
  'camera',
  'start',
  'end',
  '__proto__',
  'name',
  'seen',
  'ids',
  'filter',
]
const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(text, { maxLength: 4 }),
  fc.constantFrom(
    'correct horse battery staple',
    'viewer',
    'guard',
    ['yard'],
    ['yard', 'ghost'],
    1e308,
    -0,
    null,
    true,
  ),
)
/** JSON as text, because it can contain `__proto__` and duplicate keys. */
const nearly = fc
  .array(fc.tuple(fc.constantFrom(...fields), value), { maxLength: 5 })
  .map((pairs) => `{${pairs.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(',')}}`)
const body = fc.oneof(
  { weight: 3, arbitrary: nearly },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', '[]', 'null', '"', '[[[[[[', '\ufeff{}', '{"user":"\\ud800","password":"x"}'),
  },
  // Never valid, and so never applied: `nothing` is no key.
  { weight: 1, arbitrary: text.map((each) => `nothing: ${each}\n${each}`) },
)
const contentType = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/yaml',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
  '',
)
const printable = text.map((each) =>
  Buffer.from(each, 'utf8')
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
)
const extraHeaders = fc.dictionary(
  fc.constantFrom(
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-prefix',
    'x-real-ip',
    'forwarded',
    'x-http-method-override',
    'remote-user',
    'remote-role',
    'x-forwarded-user',
    'x-forwarded-groups',
    'x-proxy-secret',
    'if-match',
    'if-none-match',
    'range',
    'accept',
    'accept-encoding',
    'user-agent',
    'referer',
    'x-rewrite-url',
    'te',
    'via',
    'prefer',
    'cache-control',
    'content-encoding',
    'last-event-id',
    'if-modified-since',
  ),
  printable,
  { maxKeys: 4 },
)
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom(
              'user',
              'others',
              'limit',
              'after',
              'before',
              'cursor',
              'level',
              'logger',
              'height',
              'action',
              'result',
              'cameras',
              'severity',
              'seen',
              'timezone',
            ),
            text,
          ),
          text,
        ),
        { maxLength: 4 },
      )
      .map((pairs) => `?${pairs.map((pair) => pair.map(encoded).join('=')).join('&')}`),
  },
  { weight: 1, arbitrary: text.map((each) => `?${encodeURI(each.toWellFormed()).replaceAll('#', '')}`) },
)
const encoded = (each: string) => encodeURIComponent(each.toWellFormed())

const someRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  declared: fc.integer({ min: 0, max: 4 }).map((dice) => dice > 0),
  row: fc.constantFrom(...accessRows),
  name: text,
  path: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: text.map((each) => `/api/${encoded(each)}`) },
    { weight: 1, arbitrary: text.map((each) => `/${encodeURI(each.toWellFormed()).replaceAll(/[?#]/g, '')}`) },
  ),
  query,
  headers: extraHeaders,
  contentType,
  body,
  /** Values for the fields that the route requires; undefined: the body unchanged. */
  fitting: fc.option(fc.tuple(value, value, value), { nil: undefined }),
})

type Asked = typeof someRequest extends fc.Arbitrary<infer T> ? T : never

/** An independent implementation of what PATH-1 calls unsafe. */
function isUnsafe(path: string): boolean {
  if (/%(?:2f|5c|00)|[\\#]/i.test(path)) return true
  const segments = path.split('/').slice(1)
  return segments.some((segment, at) => {
    try {
      const name = decodeURIComponent(segment)
      return name === '.' || name === '..' || (name === '' && at < segments.length - 1)
    } catch {
      return true
    }
  })
}

const isForwardAuth = (path: string): boolean => /^\/(?:api\/)?auth$/.test(decodedOrNot(path))

const codeOf = (response: Reply): string => {
  try {
    return (response.json as { code?: string }).code ?? ''
  } catch {
    return ''
  }
}

/** Fields of valid bodies, so that many requests reach the handlers. */
const required = new Map([
  ['POST /api/login', ['user', 'password']],
  ['POST /api/users', ['username', 'password', 'role']],
  ['PUT /api/users/:username/role', ['role']],
  ['PUT /api/users/:username/password', ['password', 'old_password']],
  ['PUT /api/roles/:name', ['cameras']],
  ['POST /api/access/try', ['user']],
  ['POST /api/cameras/test', ['source']],
  ['POST /api/exports', ['camera', 'start', 'end']],
  ['PUT /api/review/seen', ['seen', 'ids', 'filter']],
  ['PUT /api/review/:id/seen', ['seen']],
])

/** Sends a request, and compares the response with the table. */
async function holds(requested: Asked, caller: TestCaller, at: TestClient): Promise<void> {
  const { row, declared, query: search, headers, fitting } = requested
  const method = declared ? row.method : requested.method
  const asksFor = declared && requested.path === undefined ? required.get(`${row.method} ${row.path}`) : undefined
  const fits = fitting && asksFor
  const sent = fits
    ? JSON.stringify(Object.fromEntries(asksFor.map((name, at) => [name, fitting[at]])))
    : requested.body
  const type = fits ? 'application/json' : requested.contentType
  const path = requested.path ?? row.path.replace(/:\w+/, () => encoded(requested.name))
  // Would sign the caller out; other tests cover that.
  if (caller.name !== undefined && /logout/i.test(decodedOrNot(path))) return
  // Always allowed by design, and changes of permissions are not the subject here.
  if (caller.role === 'admin' && /^\/(?:api|%)/i.test(path) && /boss|admin/i.test(decodedOrNot(path))) return
  const url = `${path}${search}`
  const bodiless = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const response = await at.request(method, url, {
    headers: {
      ...headers,
      // Node's client omits the header for DELETE, and the body would make the next request invalid.
      ...(!bodiless && { 'content-length': Buffer.byteLength(sent) }),
      ...(!bodiless && type !== '' && { 'content-type': type }),
    },
    ...(!bodiless && { body: sent }),
    headOnly: true,
  })
  const { status } = response
  const code = status >= 400 && method !== 'HEAD' ? codeOf(response) : ''
  const reported = `${method} ${url} ${status} ${code}`
  // Admins see the log unchanged.
  if (!path.includes('logs'))
    expect(response.text, reported).not.toMatch(/\n\s+at .*:\d+:\d+|node_modules|SQLITE_|\/work\//)
  expect(Object.keys(response.headers), reported).not.toContain('a')
  if (status >= 400 && method !== 'HEAD') {
    expect(response.headers['content-type'], reported).toContain('application/problem+json')
    expect(code, reported).not.toBe('internal')
  }
  if (isUnsafe(path)) {
    expect(status, reported).toBe(400)
    return
  }
  const expected = expectedStatus(caller, method, url, cameras)
  if (expected === 'by body') {
    expect([400, 403, 404, 413, 415, ...(path.startsWith('/api/review/') ? [204] : [])], reported).toContain(status)
    return
  }
  if (expected !== 'pass') {
    expect(status, reported).toBe(expected)
    return
  }
  if (status === 401) {
    expect([method, code], reported).toEqual(['POST', 'login-failed'])
    return
  }
  if (status === 403 && isForwardAuth(path)) {
    // An unreadable body is 403 there, without the caller's identity (PROXY-14).
    expect([bodiless, code], reported).toEqual([false, 'forbidden'])
    expect((await at.get(path, headers)).status, reported).toBe(202)
    return
  }
  if (status === 403) {
    expect(code, reported).toBe('wrong-password')
    expect(method === 'PUT' || path === '/api/account/confirm', reported).toBe(true)
    return
  }
  // A disabled camera has no snapshot, and many logins are rate-limited.
  if (status >= 500) expect([status, /latest\.jpg|mjpeg|live|login/.test(path)], reported).toEqual([503, true])
}

const decodedOrNot = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const stateOf = async () => {
  const responses = await Promise.all(
    ['/api/users', '/api/roles', '/api/config/raw'].map((path) => service.internal.get(path)),
  )
  return responses.map(({ text: each }) => each)
}

async function isWell(): Promise<void> {
  expect((await service.gate.get('/api/health')).status).toBe(200)
  expect((await service.internal.get('/api/cameras')).status).toBe(200)
  const failures = service
    .output()
    .split('\n')
    .filter((line) => /request failed|uncaught exception/.test(line))
    // Every 503 is logged as well.
    .filter((line) => !/"code":"(?:unavailable|busy)"/.test(line))
  expect(failures).toEqual([])
}

describe('[ERR-3] [ERR-2] random requests', () => {
  const callers: readonly [string, TestCaller, () => TestClient | Promise<TestClient>][] = [
    ['an unauthenticated caller', {}, () => service.gate],
    [
      'a caller with an invalid token',
      {},
      () => service.gate.with({ authorization: 'Bearer a.b.c', cookie: 'gatehouse_token=x' }),
    ],
    ['a custom role', { name: 'gill', role: 'custom', cameras: ['yard'] }, () => service.user('gill', 'guard')],
    ['a viewer', { name: 'vera', role: 'viewer' }, () => service.user('vera')],
  ]
  test.each(callers)('by %s: the table is right, nothing breaks, nothing changes', async (_who, caller, open) => {
    for (const [name, role] of [
      ['gill', 'guard'],
      ['vera', 'viewer'],
    ] as const)
      await service.user(name, role)
    const at = await open()
    const before = await stateOf()
    await fc.assert(
      fc.asyncProperty(someRequest, (requested) => holds(requested, caller, at)),
      { numRuns: 1500, interruptAfterTimeLimit: timeout },
    )
    expect(await stateOf()).toEqual(before)
    await isWell()
  })

  test('by an admin: nothing breaks', async () => {
    const boss = await service.user('boss', 'admin')
    await fc.assert(
      fc.asyncProperty(someRequest, (requested) => holds(requested, { name: 'boss', role: 'admin' }, boss)),
      { numRuns: 1500, interruptAfterTimeLimit: timeout },
    )
    expect((await boss.get('/api/profile')).json).toMatchObject({ username: 'boss', role: 'admin' })
    await isWell()
  })

  // A few strings at a time: each costs a password check, which is slow on a busy machine.
  const some = Array.from({ length: 6 }, (_, nth) => ({ words: hostile.filter((_word, at) => at % 6 === nth) }))
  test.each(some)('hostile strings in every field, on the internal port: nothing breaks (%#)', async ({ words }) => {
    const secret = 'correct horse battery staple'
    const broken: string[] = []
    for (const word of words) {
      const name = encoded(word)
      const responses = await Promise.all([
        service.internal.post('/api/login', { user: word, password: word }),
        service.internal.post('/api/users', { username: word, password: 'short', role: word }),
        service.internal.post('/api/users', { username: 'new', password: secret, role: word }),
        service.internal.put('/api/users/unknown/role', { role: word }),
        service.internal.put('/api/roles/fresh', { cameras: [word] }),
        service.internal.put(`/api/roles/${name}`, { cameras: ['yard'] }),
        service.internal.delete(`/api/roles/${name}`),
        service.internal.delete(`/api/sessions/${name}`),
        service.internal.get(`/api/cameras/${name}`),
        service.internal.post('/api/access/try', { user: word }),
        service.internal.post('/api/access/try', { screen: word }),
        service.internal.post('/api/access/try', { token: word }),
        service.internal.post('/api/access/try', { headers: { [word]: word } }),
        service.internal.post('/api/cameras/test', { source: word }),
        ...['sessions?user', 'audit?user', 'audit?cursor', 'audit?after', 'logs?logger', 'logs?level'].map((query) =>
          service.internal.get(`/api/${query}=${name}`),
        ),
      ])
      broken.push(...responses.filter(({ status }) => status >= 500).map(({ text: each }) => `${word}: ${each}`))
    }
    expect(broken).toEqual([])
    await isWell()
  })

  test('on the internal port: nothing breaks there either', async () => {
    const inside: TestCaller = { name: 'anonymous', role: 'admin' }
    await fc.assert(
      fc.asyncProperty(someRequest, (requested) => holds(requested, inside, service.internal)),
      { numRuns: 500, interruptAfterTimeLimit: timeout },
    )
    await isWell()
  })
})
