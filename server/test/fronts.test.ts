import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { onTestFinishedOrLater, stopAll } from './support/cleanups.ts'
import { bearer, createToken } from './support/create-token.ts'
import { anotherAuthority, filledIn, type FrontName } from './support/fronts.ts'
import {
  describeFronts,
  firstBytes,
  frontNames as names,
  frontsHere as here,
  inPlaceOfGate,
  startFront,
  startGuard,
  type FrontOptions,
} from './support/guide-fronts.ts'
import { rawBytes, rawRequest, statusesIn } from './support/raw-request.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

let service: InProcessService
let guard: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      auth: { failed_login_rate_limit: null, roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.0/8', '::1'] },
    },
  })
  guard = await service.user('gill', 'guard')
  await service.user('vera')
})
afterAll(stopAll)

const start = (name: FrontName, options: FrontOptions = {}) => startFront(name, service, options)

const profile = (version: string, ...lines: string[]) =>
  `GET /api/profile HTTP/${version}\r\n${['Host: 127.0.0.1', ...lines].join('\r\n')}\r\n\r\n`

/** What a client can name as the host. */
const oddHosts = [
  'Host:',
  'Host: evil.example',
  'Host: evil.example:1',
  'Host: EVIL.example.',
  'Host: [::1]:8971',
  'Host: 127.0.0.1:',
  'Host: evil@127.0.0.1',
  'Host: 127.0.0.1/evil',
  'Host: 127.0.0.1, evil.example',
  'Host: 127.0.0.1\r\nHost: evil.example',
]

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describeFronts(names, 'behind %s, configured as in the guide', (name) => {
  let site: TestClient
  beforeAll(async () => {
    site = await start(name)
  })

  test('[TOK-11] [TOK-13] users sign in over TLS, watch, and get events, and identity headers of a client are not forwarded', async () => {
    expect((await site.get('/')).text).toContain('<base href="/"')
    const signedIn = await site.post('/api/login', { user: 'gill', password }, { origin: site.base })
    expect(signedIn.status).toBe(200)
    expect(signedIn.cookies[0]).toMatch(/; Path=\/;.*; Secure/)
    const gill = site.with({ cookie: signedIn.cookies[0]!.split(';')[0]! })

    const socket = gill.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
    await once(socket, 'open')
    socket.terminate()
    expect(await firstBytes(gill, '/api/events')).toContain(': welcome')
    for (const path of ['/api/cameras/door/live', '/api/cameras/nothing/live']) {
      const [error] = (await once(gill.socket(path, { headers: { origin: site.base } }), 'error')) as [Error]
      expect(error.message).toContain('403')
    }

    const lies = {
      'x-forwarded-prefix': '/evil/',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-port': '1',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-server': 'evil.example',
      'x-forwarded-ssl': 'off',
      'x-forwarded-scheme': 'http',
      'x-forwarded-path': '/evil/',
      'x-forwarded-user': 'admin',
      forwarded: 'for=192.0.2.9;host=evil.example;proto=http',
      'front-end-https': 'off',
      'x-real-ip': '192.0.2.9',
    }
    expect((await site.get('/', lies)).text).toContain('<base href="/"')
    const again = await site.post('/api/login', { user: 'gill', password }, { ...lies, origin: site.base })
    expect(again.cookies[0]).toMatch(/; Path=\/;.*; Secure/)
    const otherPath = { 'x-original-url': '/api/profile', 'x-rewrite-url': '/api/profile', 'x-forwarded-uri': '/' }
    expect((await gill.get('/api/profile', lies)).json).toMatchObject({ username: 'gill', role: 'guard' })
    expect((await gill.get('/api/users', { ...lies, ...otherPath })).status).toBe(403)
    expect((await gill.post('/api/auth', undefined, { ...lies, origin: 'https://evil.example' })).status).toBe(403)
    expect((await gill.post('/api/auth', undefined, { ...lies, origin: site.base })).status).toBe(202)
    const ofPort = async (headers: readonly string[], origin: string) => {
      const lines = ['Host: 127.0.0.1', `Origin: ${origin}`, ...headers]
      return (await rawRequest(gill, { method: 'POST', target: '/api/auth', headers: lines })).status
    }
    expect(await ofPort(['X-Forwarded-Port: 1'], 'https://127.0.0.1:1')).toBe(403)
    expect(await ofPort(['X-Forwarded-Port: 1'], 'https://127.0.0.1')).toBe(202)
    const plain = site.base.replace('https', 'http')
    expect((await gill.post('/api/auth', undefined, { origin: plain })).status).toBe(403)
    const sessions = (await service.internal.get('/api/sessions?user=gill')).json as { address: string }[]
    expect(new Set(sessions.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  })

  test('[PROXY-8] whatever host a client names, and over one connection or in HTTP/1.0, each request has its own caller', async () => {
    const { headers } = guard
    const cookie = `Cookie: ${String(headers['cookie'])}`
    for (const host of oddHosts) {
      for (const [target, lines] of [
        ['/api/profile', [cookie]],
        ['/', []],
        ['/api/login', []],
      ] as const) {
        const { status, head, body } = await rawRequest(site, { target, headers: [host, ...lines] })
        expect([host, target, [200, 303, 400, 404, 421].includes(status)], `${status}`).toEqual([host, target, true])
        expect(`${head}${body}`).not.toContain('evil')
        // Caddy responds with an empty 200 to a host that it doesn't serve.
        if (status === 200 && target === '/api/profile' && !(name === 'caddy' && body === ''))
          expect(body).toContain('"username":"gill"')
      }
    }
    const pipelined = [profile('1.1', cookie), profile('1.1'), profile('1.1', cookie, 'Connection: close')]
    const responses = await rawBytes(site, pipelined.join(''))
    expect(statusesIn(responses)).toEqual([200, 401, 200])
    const old = await rawBytes(site, profile('1.0', cookie))
    expect([old.status, old.body]).toEqual([200, expect.stringContaining('"username":"gill"')])
    expect((await rawBytes(site, profile('1.0'))).status).toBe(401)
  })

  test('a gate whose certificate has another authority or name gets no request', async () => {
    const wrong: FrontOptions[] = [{ ca: await anotherAuthority() }]
    // Apache checks the name that it connects to, and has no line for it.
    if (name !== 'apache') wrong.push({ gateName: 'another.example' })
    // It waits a second between its attempts.
    const edit = (block: string) =>
      name === 'haproxy' ? filledIn(block, { 'mode http': 'mode http\n  retries 0' }) : block
    for (const options of wrong) {
      const site = await start(name, { ...options, edit })
      expect((await site.get('/api/health')).status).toBeGreaterThanOrEqual(500)
    }
  })

  test('[ERR-2] a refused upgrade leaves no dead connection for the next user’s request', async () => {
    const site = await start(name, { onePooled: true })
    const gill = site.with(guard.headers)
    for (const [at, path] of [
      [site, '/api/cameras/yard/live'],
      [gill, '/api/cameras/door/live'],
      [gill, '/api/nothing'],
      [site, '/api/health'],
      [site, '/nothing'],
      // Apache merges two slashes into one, so it gets another kind of unsafe path.
      [gill, '/api%5cevents'],
      [gill.with({ origin: 'https://evil.example' }), '/api/events'],
      [gill.with({ 'sec-websocket-key': 'x' }), '/api/events'],
    ] as const) {
      const refused = await at.get(path, { ...upgrade, ...at.headers })
      expect([path, refused.status]).not.toEqual([path, 101])
      const next = await Promise.race([site.get('/api/health'), timeOut()])
      expect([path, next.status]).toEqual([path, 200])
    }
  })
})

test.skipIf(!here.haproxy)('HAProxy accepts the configuration of the guide without a warning', async () => {
  const warnings: string[] = []
  await start('haproxy', { onOutput: (text) => void warnings.push(text) })
  expect(warnings.join('')).not.toMatch(/warning/i)
})

test.skipIf(!here.haproxy)('HAProxy keeps a silent stream for as long as the guide says', async () => {
  const short = { 'timeout client 75s': 'timeout client 1s', 'timeout server 75s': 'timeout server 1s' }
  const site = (await start('haproxy', { edit: (block) => filledIn(block, short) })).with(guard.headers)
  const socket = site.socket('/api/events', { headers: { origin: site.base } })
  const closed = once(socket, 'close')
  await once(socket, 'open')
  expect(await Promise.race([closed, wait(2500, 'HAProxy has its own clock')])).toBeUndefined()
  socket.terminate()
})

const timeOut = async (): Promise<{ status: number }> => {
  await new Promise((done) => setTimeout(done, 5000).unref())
  return { status: 0 }
}

/** Requests that a guard of the yard sends through a proxy that asks `/api/auth` first. */
const attacks: readonly (readonly [target: string, headers: readonly string[]])[] = [
  ['/api/cameras/door/latest.jpg', []],
  ['/api/cameras/door/latest.jpg', ['Host: cam?']],
  ['/api/cameras/door/latest.jpg', ['Host: cam#']],
  ['/api/cameras/door/latest.jpg', ['Host: cam\\']],
  ['/api/cameras/door/latest.jpg', ['Host: a@cam']],
  ['/api/cameras/door/latest.jpg', ['Host: cam:']],
  ['/api/cameras/door/latest.jpg', ['X-Forwarded-Prefix: /api']],
  ['/api/cameras/door/latest.jpg', ['X-Forwarded-Prefix: /api/cameras/door/']],
  ['/api/cameras/door/latest.jpg', ['X-Original-URL: /']],
  ['/api/cameras/door/latest.jpg', ['X-Original-URI: /api/cameras/yard']],
  ['/api/cameras/door/latest.jpg', ['X-Forwarded-Uri: /']],
  ['/api/cameras/door/latest.jpg', ['X-Original-Method: POST', 'X-Forwarded-Method: POST']],
  ['/api/cameras/door/latest.jpg', ['X-Forwarded-Host: cam?', 'X-Forwarded-Proto: gopher']],
  ['/api/cameras/door/latest.jpg', ['Connection: x-forwarded-uri, x-forwarded-method, x-original-url']],
  ['/api/cameras/door/latest.jpg', ['Connection: X-Forwarded-Uri', 'X-Forwarded-Uri: /']],
  ['/api/cameras/door/other', []],
  ['/api/cameras/door/live/index.m3u8', []],
  ['/api/cameras/door/mjpeg', []],
  ['/api/cameras/door/live', ['Connection: Upgrade', 'Upgrade: websocket']],
  ['/api/cameras/door/clip.mp4?start=1&end=2', ['Range: bytes=0-99']],
  ['/api/cameras/yard/..;/door/latest.jpg', []],
  ['/api/cameras/yard/%2e%2e/door/latest.jpg', []],
  ['/api/cameras/yard/..%2fdoor/latest.jpg', []],
  ['/api//cameras/door/latest.jpg', []],
  ['/api/users', []],
  ['/%61pi/users', []],
  ['http://cam/api/users', []],
]

/** A program that is protected. @returns its port, and the headers of each request */
async function startOther(): Promise<{ readonly port: number; readonly seen: readonly IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = []
  const program = createServer((request, response) => {
    seen.push(request.headers)
    // A response before the whole body has arrived would reset the connection, on which the proxy still sends.
    request.resume().once('end', () => response.setHeader('set-cookie', 'own=1').end())
  }).listen(0, '127.0.0.1')
  onTestFinishedOrLater(() => {
    program.closeAllConnections()
    program.close()
  })
  await once(program, 'listening')
  return { port: (program.address() as AddressInfo).port, seen }
}

/** Headers of a client that concern the response of the other program, and not whether it is reached. */
const ofTheResponse = [
  'Range: bytes=0-0',
  'If-None-Match: *',
  'If-Match: "x"',
  'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT',
  'Accept: text/event-stream',
  'Accept-Encoding: br',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'TE: trailers',
]

const guards = ['nginx', 'caddy'] as const

// HAProxy and Apache can't ask another server about each request. What streams through a guard comes from the other
// program: `/api/auth` decides when a response begins, and not when it ends.
describeFronts(guards, '/api/auth as a guard in %s, configured as in the guide', (name) => {
  /** In front of the internal port: whatever the guard lets through is answered. */
  let inFront: TestClient
  let site: TestClient
  let seen: readonly IncomingHttpHeaders[]
  /** Here, a gate responds that names no one and renews nothing. */
  let unnamed: TestClient
  const lengths: unknown[] = []
  beforeAll(async () => {
    const { port: other, seen: requests } = await startOther()
    seen = requests
    const gate = await inPlaceOfGate(service, ({ headers }, response) => {
      lengths.push(headers['content-length'])
      response.writeHead(202).end()
    })
    inFront = await startGuard(name, service, { other: service.internalPort, upgrades: true })
    site = await startGuard(name, service, { other })
    unnamed = await startGuard(name, service, { other, gate })
  })
  const named = () => [seen.at(-1)!['remote-user'] ?? '', seen.at(-1)!['remote-role'] ?? '']

  test('[PROXY-14] [PATH-3] decides on the path that the proxy serves, whatever a client sends', async () => {
    const gill = inFront.with(guard.headers)
    expect((await rawRequest(gill, { target: '/api/cameras/yard' })).status).toBe(200)
    expect((await rawRequest(gill, { target: '/other?x=/api/users' })).status).toBe(200)
    expect((await rawRequest(inFront, { target: '/other' })).status).toBe(401)
    for (const [target, headers] of attacks) {
      const { status } = await rawRequest(gill, { target, headers })
      expect([400, 403], `${target} ${headers.join()}: ${status}`).toContain(status)
    }
    const recordings = '/api/cameras/yard/recordings?after=0&before=1'
    expect((await rawRequest(gill, { target: recordings })).status).toBe(200)
    const remove = { method: 'DELETE', target: recordings, headers: ['X-Forwarded-For: 192.0.2.9'] }
    expect((await rawRequest(gill, remove)).status).toBe(403)
    // Only nginx itself can ask there.
    if (name === 'nginx') expect((await rawRequest(gill, { target: '/gatehouse-auth' })).status).toBe(404)
    const dora = inFront.with((await service.user(`dora-${name}`, 'guard')).headers)
    expect((await rawRequest(dora, remove)).status).toBe(403)
    const addresses = async () => {
      const path = `/api/audit?action=request.denied&user=dora-${name}`
      return ((await service.internal.get(path)).json as AuditPage).entries.map(({ address }) => address)
    }
    await expect.poll(addresses).toEqual(['127.0.0.1'])
  })

  test('[PROXY-14] decides on WebSockets, and what it refuses leaves no dead connection for the next request', async () => {
    const gill = inFront.with(guard.headers)
    const video = gill.socket('/api/cameras/yard/live')
    await once(video, 'open')
    video.terminate()
    for (const [at, path, status] of [
      [gill, '/api/cameras/door/live', 403],
      [gill, '/api/cameras/nothing/live', 403],
      [inFront, '/api/cameras/yard/live', 401],
      [inFront, '/api/events', 401],
    ] as const) {
      const [error] = (await once(at.socket(path), 'error')) as [Error]
      expect([path, error.message]).toEqual([path, expect.stringContaining(String(status))])
      expect((await at.get(path, upgrade)).status).toBe(status)
      expect((await gill.get('/api/cameras/yard')).status).toBe(200)
    }
  })

  test('[PROXY-14] answers for the other program’s response, in HTTP/1.0, and one request after the other', async () => {
    const gill = site.with(guard.headers)
    for (const line of ofTheResponse) {
      for (const [at, target, status] of [
        [gill, '/page', 200],
        [site, '/page', 401],
        [gill, '/api/cameras/door/clip.mp4?start=1&end=2', 403],
      ] as const) {
        const response = await rawRequest(at, { target, headers: [line] })
        // The last one: the first can be 100.
        expect([line, target, statusesIn(response).at(-1)]).toEqual([line, target, status])
      }
    }
    const page = (version: string, ...lines: string[]) =>
      `GET /page HTTP/${version}\r\n${[`Host: 127.0.0.1:${site.port}`, ...lines].join('\r\n')}\r\n\r\n`
    const cookie = `Cookie: ${String(guard.headers['cookie'])}`
    const before = seen.length
    const responses = await rawBytes(
      site,
      [page('1.1', cookie), page('1.1'), page('1.1', cookie), page('1.1', 'Connection: close')].join(''),
    )
    expect(statusesIn(responses)).toEqual([200, 401, 200, 401])
    expect((await rawBytes(site, page('1.0', cookie))).status).toBe(200)
    expect((await rawBytes(site, page('1.0'))).status).toBe(401)
    expect(seen.slice(before).map((headers) => headers['remote-user'])).toEqual(['gill', 'gill', 'gill'])
  })

  test('[PROXY-14] tells the other program who it is, whatever a client sends', async () => {
    const gill = site.with(guard.headers)
    for (const headers of [
      [],
      ['Remote-User: boss', 'Remote-Role: admin'],
      ['Connection: remote-user, remote-role', 'Remote-User: boss'],
    ]) {
      expect((await rawRequest(gill, { target: '/page', headers })).status).toBe(200)
      expect([headers, named()]).toEqual([headers, ['gill', 'guard']])
    }
    const posted = await rawRequest(gill, { method: 'POST', target: '/page', body: 'x'.repeat(100_000) })
    expect([posted.status, named()]).toEqual([200, ['gill', 'guard']])

    const lies = ['Remote-User: boss', 'Remote-Role: admin']
    expect((await rawRequest(unnamed, { target: '/page', headers: lies })).status).toBe(200)
    expect(named().join()).not.toMatch(/boss|admin/)
    expect((await rawRequest(unnamed, { method: 'POST', target: '/page', body: 'x'.repeat(100) })).status).toBe(200)
    // The body is for the other program.
    expect([undefined, '0']).toContain(lengths.at(-1))
  })

  test('[TOK-4] passes the renewed session on to the user, beside the program’s own cookie', async () => {
    const lie = { 'renewed-cookie': 'gatehouse_token=planted' }
    const { status, cookies } = await site.with(guard.headers).get('/page', lie)
    const renewed = cookies.find((line) => line.startsWith('gatehouse_token='))
    expect([status, cookies.length, cookies.includes('own=1')]).toEqual([200, 2, true])
    expect(renewed).toMatch(/^gatehouse_token=[\w.-]+; Max-Age=86400; Path=\/;.* Secure/)
    const token = renewed!.split(/[=;]/, 2)[1]!
    expect((await service.gate.get('/api/profile', { cookie: `gatehouse_token=${token}` })).status).toBe(200)
    expect(JSON.stringify(seen)).not.toContain(token.slice(-20))
    expect((await unnamed.get('/page', lie)).cookies).toEqual(['own=1'])
  })

  test('[KEY-2] names no one for an API token that can use this path at Gatehouse', async () => {
    const { token } = await createToken(guard)
    const script = site.with(bearer(token))
    expect((await script.get('/page')).status).toBe(403)
    expect((await script.get('/api/profile', { 'remote-user': 'boss', 'remote-role': 'admin' })).status).toBe(200)
    expect(named()).toEqual(['', ''])
  })

  test('ASVS 3.5.4: keeps session, token and password of the user from the other program', async () => {
    const gill = site.with(guard.headers)
    const token = String(guard.headers['cookie']).split('=')[1]!
    const basic = `Basic ${Buffer.from('gill:a password').toString('base64')}`
    for (const headers of [{}, { authorization: `Bearer ${token}` }, { authorization: basic }]) {
      expect((await gill.get('/page', headers)).status).toBe(200)
      expect([seen.at(-1)!.cookie, seen.at(-1)!.authorization]).toEqual([undefined, undefined])
      expect(JSON.stringify(seen.at(-1))).not.toContain(token.slice(-20))
    }
  })

  test('a gate whose certificate has another authority or name lets no one in', async () => {
    for (const options of [{ ca: await anotherAuthority() }, { gateName: 'another.example' }]) {
      const wrong = (await startGuard(name, service, { other: service.internalPort, ...options })).with(guard.headers)
      expect((await wrong.get('/other')).status).toBeGreaterThanOrEqual(500)
    }
  })
})
