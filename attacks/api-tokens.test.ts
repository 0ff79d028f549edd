/** API tokens: more than they allow, in places where none belongs, sent by another site's page, changed in their text, or guessed. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { basic, bearer, createToken } from '../server/test/support/create-token.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const cameraOnly = { cameras: ['yard'], actions: ['live'] }

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: '5/minute' } } })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const statusOf = async (headers: Record<string, string>, path = '/api/profile') =>
  (await service.gate.get(path, headers)).status

/** What it reaches; all other rows are 403. */
const reached = (access: string): boolean =>
  access.startsWith('open:') ||
  /^signed in(?:, without a token.*)?$/.test(access) ||
  /^(?:any action|`live`)(?: on the camera|, filtered)/.test(access) ||
  // 401: a token isn't a link.
  access.includes('by a share link')

const hasBody = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method)

describe('[KEY-2] [KEY-4] a token for live video of one camera, of an admin', () => {
  /** An unreadable body, so that a request which is allowed by mistake changes nothing. */
  const unreadable = { headers: { 'content-type': 'application/json' }, body: '{' }

  let by: TestClient
  beforeAll(async () => {
    by = service.gate.with(bearer((await createToken(admin, cameraOnly)).token))
  })

  const refused = accessRows.filter(({ access }) => !reached(access))
  test.each(refused.map(({ method, path, access }) => [method, path, access] as const))(
    'ASVS 8.2.1: %s %s (%s) is 403',
    async (method, path) => {
      const url = path.replace(':camera', 'yard').replaceAll(/:\w+/g, '1')
      const { status } = await by.request(method, url, hasBody(method) ? unreadable : {})
      expect(status).toBe(403)
    },
  )

  const ofCameras = accessRows.filter(({ path, access }) => path.includes(':camera') && reached(access))
  test.each(ofCameras.map(({ method, path }) => [method, path] as const))(
    'ASVS 8.2.2: %s %s of another camera is 403',
    async (method, path) => {
      const url = path.replace(':camera', 'office').replaceAll(/:\w+/g, '1')
      expect((await by.request(method, url, hasBody(method) ? unreadable : {})).status).toBe(403)
    },
  )

  test('ASVS 8.2.2: no list has another camera', async () => {
    expect((await by.get('/api/cameras')).json).toMatchObject([{ name: 'yard' }])
    expect((await by.get('/api/profile')).json).toMatchObject({ allowed_cameras: ['yard'], actions: ['live'] })
  })

  test.each<[source: string, header: string, value: string]>([
    ['CVE-2025-29927', 'x-middleware-subrequest', 'middleware'],
    ['ASVS 4.1.3', 'remote-user', 'admin'],
    ['ASVS 4.1.3', 'x-forwarded-user', 'admin'],
    ['ASVS 4.1.4', 'x-http-method-override', 'GET'],
    ['ASVS 8.3.2', 'x-original-url', '/api/profile'],
  ])('%s: %s makes no difference', async (_source, header, value) => {
    expect((await by.get('/api/users', { [header]: value })).status).toBe(403)
  })
})

const forwardAuth = async (by: TestClient, url: string | undefined) => {
  const { status, headers } = await by.get('/api/auth', url === undefined ? {} : { 'x-original-url': url })
  return [status, headers['remote-user'], headers['remote-role']]
}

describe('[KEY-2] [PROXY-14] by /api/auth, a token', () => {
  test.each<[source: string, what: string, limits: object]>([
    ['ASVS 8.2.1', 'for live video of one camera', cameraOnly],
    ['ASVS 8.2.1', 'without limits', {}],
    ['ASVS 8.2.1', 'that can change the configuration', { actions: ['live', 'config.manage'] }],
  ])('%s: %s opens no other program as its owner', async (_source, _what, limits) => {
    const by = service.gate.with(bearer((await createToken(admin, limits)).token))
    for (const url of [
      undefined,
      '/',
      '/grafana/',
      'https://other.example/grafana/',
      '/api/nothing',
      '/api/cameras/yard/nothing',
    ]) {
      expect([url, ...(await forwardAuth(by, url))]).toEqual([url, 403, undefined, undefined])
      expect([url, ...(await forwardAuth(admin, url))]).toEqual([url, 202, 'boss', 'admin'])
    }
    // What could as well be a path of another program names no one.
    for (const url of ['https://other.example/api/health', '/api/profile', '/api/cameras/yard/latest.jpg']) {
      expect([url, ...(await forwardAuth(by, url))]).toEqual([url, 202, '', ''])
    }
  })
})

describe('[KEY-3] a token counts in no other place', () => {
  let token: string
  beforeAll(async () => void ({ token } = await createToken(admin)))

  test.each<[source: string, what: string, path: (token: string) => string, headers?: (token: string) => object]>([
    ['ASVS 14.2.1', 'in the query', (text) => `/api/profile?token=${text}`],
    ['RFC 6750 2.3', 'in the query, as OAuth names it', (text) => `/api/profile?access_token=${text}`],
    ['ASVS 14.2.1', 'in the query, as other camera programs name it', (text) => `/api/profile?api_key=${text}`],
    ['ASVS 14.2.1', 'in the path', (text) => `/api/profile/${text}`],
    ['ASVS 14.2.1', 'as a matrix parameter', (text) => `/api/profile;token=${text}`],
    ['CWE-384', 'as the cookie of a session', () => '/api/profile', (text) => ({ cookie: `gatehouse_token=${text}` })],
    ['CWE-384', 'as the cookie of a screen', () => '/api/profile', (text) => ({ cookie: `gatehouse_screen=${text}` })],
    ['CWE-384', 'as another cookie', () => '/api/profile', (text) => ({ cookie: `token=${text}` })],
    ['CWE-287', 'in X-API-Key', () => '/api/profile', (text) => ({ 'x-api-key': text })],
    ['CWE-287', 'in X-Auth-Token', () => '/api/profile', (text) => ({ 'x-auth-token': text })],
    [
      'CWE-287',
      'in Proxy-Authorization',
      () => '/api/profile',
      (text) => ({ 'proxy-authorization': `Bearer ${text}` }),
    ],
    ['CWE-287', 'as a username', () => '/api/profile', (text) => basic('', text)],
    ['CWE-287', 'under another scheme', () => '/api/profile', (text) => ({ authorization: `Token ${text}` })],
    [
      'CWE-287',
      'as a Digest',
      () => '/api/profile',
      (text) => ({ authorization: `Digest username="x", response="${text}"` }),
    ],
    ['CWE-287', 'without a scheme', () => '/api/profile', (text) => ({ authorization: text })],
  ])('%s: %s it is 401', async (_source, _what, path, headers = () => ({})) => {
    expect(await statusOf({ ...headers(token) }, path(token))).toBe(401)
  })

  test('ASVS 14.2.1: in a body it is 401', async () => {
    const body = { token, access_token: token }
    expect((await service.gate.post('/api/tokens', { name: 'x', ...body })).status).toBe(401)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `access_token=${token}` }
    expect((await service.gate.request('POST', '/api/tokens', form)).status).toBe(401)
  })

  test('CWE-287: as a password it signs no one in', async () => {
    const { status, cookies } = await service.gate.post('/api/login', { user: 'boss', password: token })
    expect([status, cookies]).toEqual([401, []])
  })

  test('ASVS 14.2.1: its secret is in no list, log or audit entry', async () => {
    await service.gate.get(`/api/profile`, bearer(token))
    const paths = ['/api/tokens/all', '/api/tokens?user=boss', '/api/audit', '/api/logs']
    for (const { text } of await Promise.all(paths.map((path) => admin.get(path)))) {
      expect(text).not.toContain(token.slice(-43))
    }
  })
})

const otherLetter = (letter: string) => (letter === 'A' ? 'B' : 'A')

describe('[KEY-3] another text is another token', () => {
  let token: string
  let id: string
  let secret: string
  beforeAll(async () => {
    ;({ token, id } = await createToken(admin))
    secret = token.slice(-43)
  })

  test.each<[source: string, what: string, text: () => string]>([
    ['CWE-178', 'in capitals', () => token.toUpperCase()],
    ['CWE-178', 'with an id in capitals', () => `gh_${id.toUpperCase()}_${secret}`],
    ['CWE-178', 'with a prefix in capitals', () => `GH_${id}_${secret}`],
    ['CWE-697', 'without its last character', () => token.slice(0, -1)],
    ['CWE-697', 'with one character more', () => `${token}A`],
    ['CWE-697', 'with another last character', () => token.slice(0, -1) + otherLetter(token.at(-1)!)],
    // The last character of 43 has two unused bits: a decoder would ignore them.
    [
      'RFC 4648 3.5',
      'with the last bits set',
      () => token.slice(0, -1) + String.fromCodePoint(token.codePointAt(token.length - 1)! + 1),
    ],
    ['RFC 4648 3.2', 'with padding', () => `${token}=`],
    ['RFC 4648 5', 'in the other base64 alphabet', () => `gh_${id}_+/${secret.slice(2)}`],
    ['CWE-697', 'without a secret', () => `gh_${id}_`],
    ['CWE-697', 'without an id', () => `gh__${secret}`],
    ['CWE-697', 'with the id of none', () => `gh_${'0'.repeat(32)}_${secret}`],
    ['CWE-89', 'with a wildcard as id', () => `gh_${'%'.repeat(32)}_${secret}`],
    ['CWE-89', 'with SQL', () => `gh_${id}_' or 1=1 --`],
    ['CWE-158', 'with an encoded NUL', () => `${token}%00`],
    ['CWE-141', 'with a comma and another one', () => `${token}, Bearer ${token}`],
    ['CWE-235', 'with a second text', () => `${token} ${token}`],
    ['CWE-400', 'of 7,000 characters', () => `gh_${id}_${'A'.repeat(7000)}`],
  ])('%s: a token %s is 401', async (_source, _what, text) => {
    expect(await statusOf(bearer(text()))).toBe(401)
    expect(await statusOf(basic(text()))).toBe(401)
    expect(await statusOf(bearer(token))).toBe(200)
  })

  test.each<[source: string, what: string, value: () => string]>([
    ['RFC 7617 2', 'Basic that isn’t base64', () => `Basic !${Buffer.from(`x:${token}`).toString('base64')}`],
    ['RFC 7617 2', 'Basic without a colon', () => `Basic ${Buffer.from(token).toString('base64')}`],
    [
      'RFC 7617 2',
      'a password that begins with a colon',
      () => `Basic ${Buffer.from(`x::${token}`).toString('base64')}`,
    ],
    ['RFC 7617 2', 'a space before the password', () => `Basic ${Buffer.from(`x: ${token}`).toString('base64')}`],
    ['CWE-158', 'a NUL after the password', () => `Basic ${Buffer.from(`x:${token}\0`).toString('base64')}`],
    ['CWE-93', 'a line break after the password', () => `Basic ${Buffer.from(`x:${token}\r\n`).toString('base64')}`],
  ])('%s: %s is 401', async (_source, _what, value) => {
    expect(await statusOf({ authorization: value() })).toBe(401)
  })
})

describe('[TOK-13] a password that a browser adds to requests by itself', () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = basic((await createToken(admin, { actions: ['live', 'tokens.manage', 'users.manage'] })).token)
  })

  test.each<[source: string, method: string, path: string, body?: object]>([
    ['CWE-352', 'POST', '/api/tokens', { name: 'x' }],
    ['CWE-352', 'POST', '/api/users', { username: 'eve', password: 'correct horse battery', role: 'admin' }],
    ['CWE-352', 'DELETE', '/api/users/boss'],
  ])('%s: %s %s from another site is 403', async (_source, method, path, body) => {
    expect((await service.gate.request(method, path, { headers: { ...headers, ...foreign }, body })).status).toBe(403)
  })

  test('CWE-1385: a WebSocket of another site does not open', async () => {
    const socket = service.gate.socket('/api/events', { headers: { ...headers, ...foreign } })
    socket.on('error', () => {})
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(response.statusCode).toBe(403)
  })
})

const guess = (at: number) => `gh_${String(at).padStart(32, '0')}_${'A'.repeat(43)}`

/** Of a wrong password: 401, unless something else has used up the limit of the address. */
const loginStatus = async () =>
  (await service.gate.post('/api/login', { user: 'boss', password: 'a wrong one' })).status

describe('[KEY-3] [TOK-12] guesses of 256 random bits', () => {
  test('ASVS 6.3.1: are 401, also two hundred at once, and lock no program and no one’s password out', async () => {
    const { token: inUse } = await createToken(admin)
    const { token: unused } = await createToken(admin)
    expect(await statusOf(bearer(inUse))).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 200 }, (_, at) => statusOf(bearer(guess(at)))))
    expect(new Set(guesses)).toEqual(new Set([401]))
    for (const headers of [bearer(inUse), basic(inUse), bearer(unused)]) expect(await statusOf(headers)).toBe(200)
    expect(await loginStatus()).toBe(401)
  })

  test('ASVS 6.3.1: of the secret of a token in use are 401 too', async () => {
    const { id, token } = await createToken(admin)
    expect(await statusOf(bearer(token))).toBe(200)
    const secrets = Array.from({ length: 20 }, (_, at) => `gh_${id}_${String(at).padStart(43, 'A')}`)
    expect(new Set(await Promise.all(secrets.map((text) => statusOf(bearer(text)))))).toEqual(new Set([401]))
    expect(await statusOf(bearer(token))).toBe(200)
    expect(await loginStatus()).toBe(401)
  })

  test('CWE-645: programs that repeat revoked or mistyped tokens lock no one out', async () => {
    const { id, token } = await createToken(admin)
    expect(await statusOf(bearer(token))).toBe(200)
    expect((await admin.delete(`/api/tokens/${id}`)).status).toBe(204)
    for (let at = 0; at < 10; at++) {
      for (const text of [token, `${token}${at}`, `gh_${at}`]) {
        expect([await statusOf(bearer(text)), await statusOf(basic(text))]).toEqual([401, 401])
      }
    }
    expect(await loginStatus()).toBe(401)
  })

  test('CWE-203: the response is the same for a wrong id and a wrong secret', async () => {
    const { id } = await createToken(admin)
    const [one, other] = await Promise.all(
      [`gh_${id}_${'B'.repeat(43)}`, guess(2000)].map((text) => service.gate.get('/api/profile', bearer(text))),
    )
    expect([one!.status, one!.text]).toEqual([other!.status, other!.text])
  })
})
