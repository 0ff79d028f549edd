import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import type WebSocket from 'ws'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { within } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient

beforeAll(async () => {
  service = await startService({ config: configOf({}) })
  ;[guard, viewer] = await Promise.all([service.user('gil', 'guard'), service.user('vera')])
})
afterAll(() => stopAll())

/** All cameras disabled, except those named. */
function configOf(on: Record<string, { source: string }>): Record<string, unknown> {
  return { cameras: { ...quietCameras, ...on }, auth: { roles: { guard: ['yard'], watch: ['office'] } } }
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 })

interface Listening {
  readonly received: { type: string; camera?: string; state?: string }[]
  readonly closed: () => number | undefined
}

async function listen(client: TestClient, query = ''): Promise<Listening> {
  const received: Listening['received'] = []
  let code: number | undefined
  const socket: WebSocket = client.socket(`/api/events${query}`)
  onTestFinished(() => socket.terminate())
  socket.on(
    'message',
    (data: Buffer) => void received.push(JSON.parse(data.toString()) as Listening['received'][number]),
  )
  socket.on('close', (closeCode) => void (code = closeCode))
  await once(socket, 'open')
  return { received, closed: () => code }
}

async function stream(
  client: TestClient,
): Promise<{ text: () => string; ended: () => boolean; response: IncomingMessage }> {
  const request = get({
    host: '127.0.0.1',
    port: client.port,
    path: '/api/events',
    headers: client.headers,
    rejectUnauthorized: false,
    agent: false,
  })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  let ended = false
  response.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  response.on('error', () => {})
  response.on('close', () => void (ended = true))
  return { text: () => text, ended: () => ended, response }
}

/** Enables and disables cameras in the file, as an admin would. */
async function apply(on: Record<string, { source: string }>): Promise<void> {
  const { text } = await service.internal.get('/api/config/raw')
  const changed = text.replace(/^cameras:\n(?:[ ]+.*\n)*/m, '')
  const cameras = Object.entries({ ...quietCameras, ...on }).map(
    ([name, each]) => `  ${name}: ${JSON.stringify(each)}\n`,
  )
  const response = await service.internal.request('PUT', '/api/config/raw', {
    body: `cameras:\n${cameras.join('')}${changed}`,
    headers: { 'content-type': 'text/yaml', 'if-match': '*' },
  })
  expect(response.status, response.text).toBe(200)
}

const reported = ({ received }: Listening) => received.filter(({ type }) => type === 'access')
const names = (received: Listening['received']): string[] =>
  [...new Set(received.flatMap(({ camera }) => camera ?? []))].sort()

test('[ROLE-5] events are sent only for the cameras that the user can see', async () => {
  const [ofGuard, ofViewer, asText] = await Promise.all([listen(guard), listen(viewer), stream(guard)])
  expect(asText.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store',
  })
  await apply({ yard: { source: 'demo:yard' }, office: { source: 'demo:office' } })
  await until(() => expect(names(ofViewer.received)).toEqual(['office', 'yard']))
  await until(() =>
    expect(ofViewer.received.some(({ camera, state }) => camera === 'office' && state === 'online')).toBe(true),
  )
  await until(() => expect(ofGuard.received.some(({ state }) => state === 'online')).toBe(true))
  expect(names(ofGuard.received)).toEqual(['yard'])
  await until(() => expect(asText.text()).toContain('"camera":"yard"'))
  expect(asText.text()).not.toContain('office')
})

test('[ROLE-10] a changed role applies to open event streams: no events of removed cameras, events of added ones', async () => {
  const cara = await service.user('carl', 'guard')
  const listening = await listen(cara)
  await service.internal.put('/api/users/carl/role', { role: 'watch' })
  await apply({})
  await apply({ yard: { source: 'demo:yard' }, office: { source: 'demo:office' } })
  await until(() => expect(listening.received.some(({ state }) => state === 'online')).toBe(true))
  expect(names(listening.received)).toEqual(['office'])
})

test('[ROLE-10] a role change is sent to users with that role, and to no one else', async () => {
  const fred = await service.user('fred', 'guard')
  const [socket, other, text] = await Promise.all([listen(fred), listen(guard), stream(fred)])
  const change = async (role: string) => {
    expect((await service.internal.put('/api/users/fred/role', { role })).status).toBe(200)
  }
  await change('watch')
  await within(1000, () => expect(reported(socket)).toEqual([{ type: 'access' }]))
  await until(() => expect(text.text()).toContain('data: {"type":"access"}'))
  await change('viewer')
  await until(() => expect(reported(socket)).toHaveLength(2))
  // A change that allows the same makes no event.
  await change('viewer')
  await service.internal.put('/api/users/gil/role', { role: 'guard' })
  await apply({ yard: { source: 'demo:yard' } })
  await until(() => expect(other.received.some(({ camera }) => camera === 'yard')).toBe(true))
  expect(reported(socket)).toHaveLength(2)
  expect(reported(other)).toEqual([])
})

test('[ROLE-4] events of named cameras contain only these, and naming a camera outside the role is refused', async () => {
  const named = await listen(viewer, '?cameras=office')
  await apply({})
  await apply({ yard: { source: 'demo:yard' }, office: { source: 'demo:office' } })
  await until(() => expect(named.received.some(({ state }) => state === 'online')).toBe(true))
  expect(names(named.received)).toEqual(['office'])
  for (const query of ['?cameras=office', '?cameras=yard,office', '?cameras=nowhere']) {
    expect((await guard.request('HEAD', `/api/events${query}`)).status, query).toBe(403)
  }
  expect((await viewer.request('HEAD', '/api/events?cameras=yard,nowhere')).status).toBe(404)
})

test('[ROLE-10] an event stream of a camera is closed once the role loses that camera', async () => {
  const eve = await service.user('eve', 'guard')
  const [named, all] = await Promise.all([listen(eve, '?cameras=yard'), listen(eve)])
  await service.internal.put('/api/users/eve/role', { role: 'watch' })
  await within(1000, () => expect(named.closed()).toBe(4403))
  expect(all.closed()).toBeUndefined()
})

test('[TOK-6] the end of a session is the last event, and both transports are closed', async () => {
  const dora = await service.user('dora', 'guard')
  const [socket, text] = await Promise.all([listen(dora), stream(dora)])
  await dora.post('/api/logout')
  await until(() => expect(socket.closed()).toBe(4401))
  expect(socket.received.at(-1)).toEqual({ type: 'session-ended' })
  await until(() => expect(text.ended()).toBe(true))
  expect(text.text()).toContain('data: {"type":"session-ended"}')
})

test('[ERR-1] unauthenticated callers get no events; HEAD gets a response that ends', async () => {
  expect((await service.gate.get('/api/events')).status).toBe(401)
  const head = await guard.request('HEAD', '/api/events')
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
})
