import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { stringify } from 'yaml'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { lock } from './support/role-state.ts'
import { signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const live = '/api/cameras/yard/live'

async function open(client: TestClient): Promise<WebSocket> {
  const socket = client.socket(live)
  await once(socket, 'open')
  return socket
}

/** Opens that many streams, a few at a time. */
async function openMany(client: TestClient, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => open(client)))))
  return sockets
}

test('[ROLE-10] a thousand open streams are closed within a second, and only those of that user', async () => {
  const service = await startService({
    config: {
      tls: { enabled: false },
      http: { streams_per_user: 2000 },
      auth: { roles: { guard: ['yard'], other: ['door'] } },
    },
  })
  const [gill, vera] = [await service.user('gill', 'guard'), await service.user('vera')]
  const sockets = await openMany(gill, 1000)
  const stays = await openMany(vera, 50)
  const closed = Promise.all(sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0]))
  const changed = service.internal.put('/api/users/gill/role', { role: 'other' }).then(() => stopwatch())
  const codes = await closed
  const elapsed = await changed
  expect(elapsed()).toBeLessThan(1000)
  expect([codes.length, new Set(codes)]).toEqual([1000, new Set([4403])])
  expect(stays.every((socket) => socket.readyState === socket.OPEN)).toBe(true)
  expect((await vera.get('/api/cameras/yard')).status).toBe(200)
  for (const socket of stays) socket.terminate()
})

test('[ROLE-10] a peer that does not answer the closing handshake is disconnected anyway', async () => {
  const service = await startService({ config: { tls: { enabled: false }, auth: { roles: { guard: ['yard'] } } } })
  const gill = await service.user('gill', 'guard')
  // Reads all data, and never sends anything: not the close frame either.
  const socket = connect({ host: '127.0.0.1', port: service.gatePort })
  const opening = [
    `GET ${live} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${String(gill.headers['cookie'])}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  socket.on('error', () => undefined).write(`${opening.join('\r\n')}\r\n\r\n`)
  const [response] = (await once(socket, 'data')) as [Buffer]
  expect(response.toString('latin1')).toContain(' 101 ')
  // The connection may be reset.
  const gone = new Promise((done) => socket.once('close', done))
  socket.resume()
  expect((await service.internal.delete('/api/users/gill')).status).toBe(204)
  const elapsed = stopwatch()
  await gone
  expect(elapsed()).toBeLessThan(1000)
})

const minutes = 60_000

test('[ROLE-10] a stream ends with its role in the configuration file, though the database does not take the cameras of that file', async () => {
  const tls = { enabled: false }
  const service = await startService({ config: { tls, auth: { roles: { guard: ['yard'] } } } })
  const socket = await open(await service.user('gill', 'guard'))
  const closed = once(socket, 'close') as Promise<[number]>
  const release = await lock(service)
  const cameras = { ...quietCameras, shed: { source: 'demo:office', record: { enabled: false } } }
  writeFileSync(service.configFile, stringify({ tls, cameras, auth: { roles: { guard: ['door'] } } }))
  const [code] = await closed
  const outputThen = service.output()
  await service.printed(/failed to save camera registry/)
  release()
  expect(code).toBe(4403)
  expect(outputThen).not.toContain('failed to save camera registry')
})

test('[TOK-3] a stream ends with its session', async () => {
  const service = await startService({ config: { auth: { session_length: 600 } } })
  await service.user('ann')
  const ann = await signIn(service.gate, 'ann')
  const socket = await open(ann)
  const closed = once(socket, 'close') as Promise<[number]>
  await service.clock.advance(9 * minutes)
  expect(socket.readyState).toBe(socket.OPEN)
  await service.clock.advance(minutes)
  expect((await closed)[0]).toBe(4401)
  expect((await ann.get('/api/profile')).status).toBe(401)
})

test('[TOK-5] unless another request renewed the session in the meantime', async () => {
  const service = await startService({ config: { auth: { session_length: 600 } } })
  await service.user('ann')
  const ann = await signIn(service.gate, 'ann')
  const socket = await open(ann)
  const closed = once(socket, 'close') as Promise<[number]>
  let renewed = ann as TestClient
  for (let round = 0; round < 2; round += 1) {
    await service.clock.advance(6 * minutes)
    const response = await renewed.get('/api/auth')
    expect(response.status).toBe(202)
    renewed = ann.with({ cookie: response.cookies[0]?.split(';')[0] ?? '' })
    expect(socket.readyState).toBe(socket.OPEN)
  }
  // Longer than the lifetime of the token that opened it.
  expect((await ann.get('/api/profile')).status).toBe(401)
  await service.clock.advance(10 * minutes)
  expect((await closed)[0]).toBe(4401)
  expect((await renewed.get('/api/profile')).status).toBe(401)
})

test('[TOK-15] a session that can no longer be renewed ends its streams', async () => {
  const service = await startService({ config: { auth: { session_length: 1800, session_max_length: 2400 } } })
  await service.user('ann')
  const ann = await signIn(service.gate, 'ann')
  const socket = await open(ann)
  const closed = once(socket, 'close') as Promise<[number]>
  await service.clock.advance(20 * minutes)
  const response = await ann.get('/api/auth')
  expect(response.status).toBe(202)
  await service.clock.advance(18 * minutes)
  const renewed = ann.with({ cookie: response.cookies[0]?.split(';')[0] ?? '' })
  expect((await renewed.get('/api/profile')).status).toBe(200)
  expect(socket.readyState).toBe(socket.OPEN)
  await service.clock.advance(2 * minutes)
  expect((await closed)[0]).toBe(4401)
})

test('a stop closes every stream, with the reason', async () => {
  const service = await startService()
  const ann = await service.user('ann')
  const sockets = await Promise.all([ann, ann, service.internal].map(open))
  const codes = sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0])
  expect(await service.stop()).toBe(0)
  expect(await Promise.all(codes)).toEqual([1001, 1001, 1001])
})
