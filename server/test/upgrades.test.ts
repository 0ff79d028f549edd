import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { route, type Route } from '../src/http/route.ts'
import { ServiceError, type ErrorCode } from '../src/shared/errors.ts'
import { accessRows, socketPaths } from './support/access-oracle.ts'
import { bareServer } from './support/bare-server.ts'
import { stopAll } from './support/cleanups.ts'
import { converse, webSocketHandshake } from './support/raw-request.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { client, type TestClient } from './support/test-client.ts'

let service: InProcessService
let plain: InProcessService
let guard: TestClient
let vera: TestClient
beforeAll(async () => {
  const auth = { failed_login_rate_limit: null, roles: { guard: ['yard'] } }
  ;[service, plain] = await Promise.all([
    startService({ config: { auth } }),
    startService({ config: { auth, tls: { enabled: false } } }),
  ])
  guard = await service.user('gill', 'guard')
  vera = await service.user('vera', 'admin')
})
afterAll(stopAll)

const without = (name: string) => webSocketHandshake.filter((line) => !line.startsWith(name))
const head = (at: TestClient, target: string, headers: readonly string[], method = 'GET') => [
  `${method} ${target} HTTP/1.1`,
  ...(headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${at.port}`]),
  ...Object.entries(at.headers).map(([name, value]) => `${name}: ${String(value)}`),
  ...headers,
]

async function open(at: TestClient) {
  const connection = await converse(at)
  onTestFinished(() => connection.end())
  return connection
}

/** Sends an upgrade that is refused, which ends the connection, so that no client sends another request over it. */
async function refused(at: TestClient, target: string, headers: readonly string[], status: number): Promise<void> {
  const connection = await open(at)
  const response = await connection.ask(head(at, target, headers))
  expect(response.status).toBe(status)
  expect(response.head).toMatch(/^connection: close$/im)
  expect(response.head).toMatch(/^x-content-type-options: nosniff$/im)
  expect(JSON.parse(response.body)).toMatchObject({ status })
  expect(await connection.hungUp()).toBe(true)
}

/** Sends an upgrade to a route without WebSocket: it gets a normal response, and the connection is closed. */
async function ignored(at: TestClient, target: string, headers: readonly string[], status: number, method?: string) {
  const connection = await open(at)
  const requested = head(at, target, [...headers, 'Content-Length: 0'], method)
  const response = await connection.ask([...requested, '', ...head(at, '/api/health', [])])
  expect([target, response.status]).toEqual([target, status])
  // Data right after the request is lost to the parser: the client must know that it was not read.
  expect(response.head).toMatch(/^connection: close$/im)
  expect(await connection.hungUp()).toBe(true)
}

describe('[ERR-2] a refused upgrade ends its connection', () => {
  const live = '/api/cameras/yard/live'
  test.each<[string, () => TestClient, string, readonly string[], number]>([
    ['without an identity, over TLS', () => service.gate, live, webSocketHandshake, 401],
    ['without an identity, without TLS', () => plain.gate, live, webSocketHandshake, 401],
    ['at the event stream', () => service.gate, '/api/events', webSocketHandshake, 401],
    ['for a camera outside the role', () => guard, '/api/cameras/door/live', webSocketHandshake, 403],
    ['from a cross-origin page', () => guard, live, [...webSocketHandshake, 'Origin: https://evil.example'], 403],
    ['for a camera that does not exist', () => vera, '/api/cameras/nothing/live', webSocketHandshake, 404],
    ['without a key', () => guard, live, without('Sec-WebSocket-Key'), 400],
    ['of another version', () => guard, live, [...without('Sec-WebSocket-Version'), 'Sec-WebSocket-Version: 1'], 400],
    [
      'on the internal port, with a foreign hostname',
      () => service.internal,
      live,
      [...webSocketHandshake, 'Host: evil.example'],
      421,
    ],
    [
      'on the internal port, for an unknown camera',
      () => service.internal,
      '/api/cameras/nothing/live',
      webSocketHandshake,
      404,
    ],
    ['on the internal port, without a key', () => service.internal, '/api/events', without('Sec-WebSocket-Key'), 400],
  ])('%s', async (_name, at, target, headers, status) => {
    await refused(at(), target, headers, status)
  })

  test.each<[ErrorCode, number]>([
    ['invalid-request', 400],
    ['too-many-attempts', 429],
    ['busy', 503],
    ['unavailable', 503],
  ])('whatever the reason: %s', async (code, status) => {
    const watch: Route = route({
      path: '/api/watch',
      access: { open: 'a test' },
      schema: { summary: 'A test' },
      socket() {},
    })
    const app = await bareServer({
      routes: [watch],
      headers: { 'x-content-type-options': 'nosniff' },
      guardPort: () => {
        throw new ServiceError(code)
      },
    })
    onTestFinished(() => app.close())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as { port: number }
    await refused(client(port, 'http', {}), '/api/watch', webSocketHandshake, status)
  })

  test('data sent right behind it neither hides the response nor gets one', async () => {
    for (const at of [service.gate, plain.gate, service.internal]) {
      const connection = await open(at)
      const target = at === service.internal ? '/api/cameras/nothing/live' : live
      const response = await connection.ask([
        ...head(at, target, webSocketHandshake),
        '',
        'GET /api/health HTTP/1.1',
        'Host: x',
      ])
      expect(response.status).toBe(at === service.internal ? 404 : 401)
      expect(response.body).not.toContain('"ok"')
      expect(await connection.hungUp()).toBe(true)
    }
  })
})

describe('[PATH-1] an upgrade on a path without a WebSocket is handled as a normal request', () => {
  test('whatever the path, on both ports', async () => {
    for (const [at, target, status] of [
      [service.gate, '/api/health', 200],
      [plain.gate, '/api/health', 200],
      [service.internal, '/api/health', 200],
      [service.gate, '/api/login', 303],
      [service.gate, '/api/cameras', 401],
      [guard, '/api/cameras', 200],
      [guard, '/api/cameras/yard', 200],
      [guard, '/api/cameras/door', 403],
      [vera, '/api/nothing', 404],
      [service.internal, '/api/nothing', 404],
      [service.gate, '/api/nothing', 401],
      [service.gate, '/nothing', 200],
      [service.gate, '/api//events', 400],
      [service.internal, '/api//cameras/yard/live', 400],
      [service.gate, '/api/cameras/yard%2flive', 400],
      [service.gate, '/x/../api/events', 400],
      [service.gate, '/%zz', 400],
    ] as const) {
      await ignored(at, target, webSocketHandshake, status)
    }
  })

  test('whatever the method, and whatever protocol it asks for', async () => {
    await ignored(service.gate, '/api/login', webSocketHandshake, 400, 'POST')
    await ignored(vera, '/api/cameras/yard/live', webSocketHandshake, 405, 'POST')
    for (const upgrade of ['Upgrade: h2c', 'Upgrade: websocket, h2c', 'Upgrade: TLS/1.0', 'Upgrade: ']) {
      await ignored(vera, '/api/cameras/yard/live', [...without('Upgrade'), upgrade], 426)
      await ignored(service.gate, '/api/cameras/yard/live', [...without('Upgrade'), upgrade], 401)
    }
  })

  test('only the declared routes ever respond 101', async () => {
    expect(socketPaths).toEqual([
      '/api/cameras/:camera/live',
      '/api/events',
      '/api/links/:link/events',
      '/api/links/:link/live',
    ])
    for (const { method, path } of accessRows) {
      if (method !== 'GET' || socketPaths.includes(path) || path.endsWith('/mjpeg')) continue
      const connection = await converse(service.internal)
      const target = path.replace(':camera', 'yard').replaceAll(/:\w+/g, '1')
      const { status } = await connection.ask(head(service.internal, target, webSocketHandshake))
      expect([path, status]).not.toEqual([path, 101])
      connection.end()
    }
  })

  test('the declared routes respond 101, in any spelling', async () => {
    for (const target of ['/api/events', '/api/cameras/yard/live', '/%61pi/cameras/%79ard/live']) {
      for (const at of [guard, service.internal]) {
        const connection = await open(at)
        const upper = webSocketHandshake.map((line) => line.replace('Upgrade: websocket', 'UPGRADE: WebSocket'))
        expect((await connection.ask(head(at, target, upper))).status).toBe(101)
      }
    }
  })
})
