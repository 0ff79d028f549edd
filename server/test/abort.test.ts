import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { internalAdmin, unauthenticated } from '../src/access/identity.ts'
import type { Authentication } from '../src/http/authentication.ts'
import { createStreamRegistry } from '../src/gate/stream-registry.ts'
import type { LiveSocket } from '../src/http/response.ts'
import { route } from '../src/http/route.ts'
import { systemClock } from '../src/shared/time/clock.ts'
import { bareServer } from './support/bare-server.ts'
import { stopAll } from './support/cleanups.ts'
import { silent } from './support/null-log.ts'
import { within } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const last = Math.floor(Date.now() / 1000) - 60
const span = { start: last - 110, end: last + 10 }
const clip = (camera: string) => `/api/cameras/${camera}/clip.mp4?start=${span.start}&end=${span.end}`
/** Tolerance in bytes, for late kernel tables and for headers around the body. */
const slack = 256 * 1024

let plain: InProcessService
let secure: InProcessService
/** Responses that take long enough to be aborted, by kind. */
const ways = new Map<string, string>([['a clip', clip('yard')]])

const gateway = (tls: boolean) => ({
  config: { cameras: quietCameras, tls: { enabled: tls }, auth: { failed_login_rate_limit: null } },
})
/** Recorded by both cameras, with one export. */
async function recorded(service: InProcessService, sample: string): Promise<InProcessService> {
  await service.stop()
  for (const camera of ['yard', 'door']) seedRecordings(service, camera, { sample, count: 12, last })
  return service.restart()
}

beforeAll(async () => {
  const first = await startService(gateway(false))
  const second = await startService(gateway(true))
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '1280x720', bitrate: '12M' })
  plain = await recorded(first, sample)
  secure = await recorded(second, sample)
  const { json } = await plain.internal.get(`/api/cameras/yard/recordings?after=${span.start}&before=${span.end}`)
  ways.set(
    'a segment',
    `/api/cameras/yard/segments/${(json as { segments: { id: string }[] }).segments[0]!.id}/video.m4s?at=0`,
  )
  const made = await plain.internal.post('/api/exports', { camera: 'yard', ...span })
  const { id } = made.json as { id: string }
  await vi.waitFor(
    async () => expect((await plain.internal.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }),
    { timeout: 60_000, interval: 100 },
  )
  ways.set('an export', `/api/exports/${id}/video.mp4`)
})
afterAll(() => stopAll())

/** A client that sends a request and then reads nothing until it is told to read everything. */
interface Slow {
  /** Bytes in the kernel: not yet sent by the service, and received but unread here. */
  held(): { readonly unsent: number; readonly arrived: number }
  /** Waits until the buffers are full. */
  full(): Promise<void>
  /** Reads the rest. @returns the number of bytes until nothing more came */
  rest(): Promise<{ readonly bytes: number; readonly ended: 'whole' | 'reset' }>
}

async function ask(client: TestClient, path: string): Promise<Slow> {
  const socket = connect({ host: '127.0.0.1', port: client.port }).pause()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const stream: Socket = client.base.startsWith('http:')
    ? socket
    : connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  if (stream !== socket) await once(stream, 'secureConnect')
  stream.pause()
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${String(client.headers['cookie'])}`,
    'Connection: close',
  ]
  stream.write(`${lines.join('\r\n')}\r\n\r\n`)
  const { localPort = 0 } = socket
  const held = () => ({ unsent: queued(client.port, localPort).sent, arrived: queued(localPort, client.port).received })
  return {
    held,
    full: () => {
      let before = -1
      return vi.waitFor(
        () => {
          const { unsent } = held()
          const grew = unsent !== before
          before = unsent
          if (grew || unsent < 2 * slack) throw new Error(`${unsent} bytes are queued so far`)
        },
        { timeout: 60_000, interval: 150 },
      )
    },
    async rest() {
      let bytes = 0
      let broken = ''
      stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
      for (const each of [stream, socket])
        each.on('error', ({ code }: NodeJS.ErrnoException) => (broken ||= code ?? '?'))
      await new Promise<void>((done) => void stream.once('close', done).resume())
      return { bytes, ended: broken === '' ? 'whole' : 'reset' }
    },
  }
}

/** A port of 127.0.0.1 in the kernel's notation. */
const local = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`

/** Bytes of one loopback connection: sent but not acknowledged, and received but not read. */
function queued(from: number, to: number): { sent: number; received: number } {
  const row = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, mine, theirs]) => mine === local(from) && theirs === local(to))
  const [sent = 0, received = 0] = (row?.[4] ?? '').split(':').map((text) => Number.parseInt(text || '0', 16))
  return { sent, received }
}

const takeYard = (service: InProcessService) => service.internal.put('/api/roles/guard', { cameras: ['door'] })

async function guard(service: InProcessService): Promise<TestClient> {
  await service.internal.put('/api/roles/guard', { cameras: ['yard', 'door'] })
  return service.user('gus', 'guard')
}

test.each([
  ['a clip', 'HTTP'],
  ['a segment', 'HTTP'],
  ['an export', 'HTTP'],
  ['a clip', 'HTTPS'],
])(
  '[ROLE-10] a client of %s over %s, who reads nothing before the abort, gets what had arrived and no more',
  async (what, over) => {
    const service = over === 'HTTP' ? plain : secure
    const slow = await ask(await guard(service), ways.get(what)!)
    await slow.full()
    const { arrived } = slow.held()
    expect((await takeYard(service)).status).toBeLessThan(300)
    // The data queued in the kernel was dropped, too.
    await within(1000, () => expect(slow.held().unsent).toBe(0))
    const { bytes, ended } = await slow.rest()
    expect(ended).toBe('reset')
    expect(bytes).toBeLessThan(arrived + slack)
  },
)

test.each(['HTTP', 'HTTPS'])('over %s, a slow reader whose access remains gets everything', async (over) => {
  const service = over === 'HTTP' ? plain : secure
  const path = clip('yard')
  const client = await guard(service)
  const total = Number((await client.request('HEAD', path)).headers['content-length'])
  const slow = await ask(client, path)
  await slow.full()
  const { bytes, ended } = await slow.rest()
  expect(ended).toBe('whole')
  expect(bytes).toBeGreaterThan(total)
  expect(bytes).toBeLessThan(total + slack)
})

test('[ROLE-10] an abort resets a socket with much unsent data; without unsent data, it sends the reason', async () => {
  const openStreams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  const gone: Authentication = { identity: unauthenticated, reauthenticate: () => gone }
  let again = (): Authentication => authentication
  const authentication: Authentication = { identity: internalAdmin, reauthenticate: () => again() }
  const lines: LiveSocket[] = []
  const open = route({
    path: '/api/line',
    access: { signedIn: true },
    schema: { summary: '' },
    socket: (line) => void lines.push(line),
  })
  const app = await bareServer({ routes: [open], authentication, openStreams })
  onTestFinished(() => app.close())
  const base = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws')
  const listen = async () => {
    const socket = new WebSocket(`${base}/api/line`)
    let bytes = 0
    socket.on('message', (data: Buffer) => (bytes += data.length)).on('error', () => undefined)
    const closed = new Promise<number>((done) => void socket.once('close', done))
    await once(socket, 'open')
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), 60_000)
    return { socket, closed, bytes: () => bytes, line: lines.pop()! }
  }
  const [quiet, slow] = [await listen(), await listen()]
  slow.socket.pause()
  const [piece, count] = [Buffer.alloc(64 * 1024), 512]
  for (let each = 0; each < count; each += 1) slow.line.send(piece)
  let before = 0
  await vi.waitFor(
    () => {
      const { waiting } = slow.line
      const moved = waiting !== before
      before = waiting
      if (moved) throw new Error(`${waiting} bytes are queued`)
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(before).toBeGreaterThan(piece.length)

  again = () => gone
  void openStreams.reauthorizeAll()
  slow.socket.resume()
  expect(await quiet.closed).toBe(4401)
  expect(await slow.closed).toBe(1006)
  expect(slow.bytes()).toBeLessThan(piece.length * count - before + slack)
})
