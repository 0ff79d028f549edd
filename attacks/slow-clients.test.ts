/** Clients that connect and send or read nothing, or a byte at a time. The gate's limits, fifty times shorter. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listenerLimits, plainListener, tlsListener, type ListenerLimits } from '../server/src/http/listener.ts'
import { route, type Route } from '../server/src/http/route.ts'
import { createCertificateAuthority, issueServerCertificate } from '../server/src/tls/generate-certificate.ts'
import { bareServer } from '../server/test/support/bare-server.ts'
import { stopwatch, within } from '../server/test/support/own-time.ts'
import { webSocketHandshake } from '../server/test/support/raw-request.ts'

const factor = 50
const shorter = (milliseconds: number): number => milliseconds / factor
const limits: ListenerLimits = {
  ...listenerLimits,
  headersTimeout: shorter(listenerLimits.headersTimeout),
  requestTimeout: shorter(listenerLimits.requestTimeout),
  keepAliveTimeout: shorter(listenerLimits.keepAliveTimeout),
  connectionsCheckingInterval: shorter(listenerLimits.connectionsCheckingInterval),
  handshakeTimeout: shorter(listenerLimits.handshakeTimeout),
  idleTimeout: shorter(listenerLimits.idleTimeout),
}

const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/large',
    access: { open: 'a test' },
    schema: { summary: 'More than the buffers hold' },
    handle: () => Buffer.alloc(64 * 1024 * 1024),
  }),
  route({
    method: 'POST',
    path: '/api/login',
    access: { open: 'a test' },
    schema: { summary: 'Reads a body', body: { type: 'object' } },
    handle: () => ({}),
  }),
  route({
    path: '/api/watch',
    access: { open: 'a test' },
    schema: { summary: 'A WebSocket' },
    socket() {},
  }),
]

let plain: FastifyInstance
let secure: FastifyInstance
beforeAll(async () => {
  const site = { names: ['localhost'], addresses: ['127.0.0.1'] }
  const tls = await issueServerCertificate(await createCertificateAuthority(site, Date.now()), site, Date.now())
  const certificate = { options: () => tls, onChange: () => undefined }
  plain = await bareServer({ routes: [...routes], listener: plainListener(limits) })
  secure = await bareServer({ routes: [...routes], listener: tlsListener(certificate, limits) })
  for (const app of [plain, secure]) await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await Promise.all([plain, secure].map((app) => app.close()))
})

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port

/** Milliseconds until the service has closed the connection, also by the stopwatch, and what it sent. */
async function closing(socket: Socket): Promise<{ after: number; own: number; received: string }> {
  const [began, elapsed] = [performance.now(), stopwatch()]
  let received = ''
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await new Promise((done) => socket.once('close', done))
  return { after: performance.now() - began, own: elapsed(), received }
}

function open(app: FastifyInstance): Socket {
  const socket = connect({ host: '127.0.0.1', port: portOf(app) })
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends a byte at a time, more often than any limit on silence. */
function drip(socket: Socket, text: string): void {
  const bytes = Array.from(text)
  const timer = setInterval(() => {
    const next = bytes.shift()
    if (next === undefined || socket.destroyed) clearInterval(timer)
    else socket.write(next)
  }, shorter(500))
  onTestFinished(() => clearInterval(timer))
}

const login = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const forever = 'x'.repeat(100_000)
/** What a limit can be late by: its check. */
const slack = 3000

describe('[PORT-1] a connection is closed', () => {
  test.each<[source: string, what: string, begin: (socket: Socket) => void, limit: number, response: RegExp]>([
    ['IncludeSec 2025-09 L4', 'that sends nothing', () => undefined, limits.headersTimeout, /^HTTP\/1\.1 408 /],
    [
      'CVE-2007-6750',
      'that sends half a header',
      (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: '),
      limits.headersTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'CVE-2007-6750',
      'that sends a header byte by byte',
      (socket) => drip(socket, `GET / HTTP/1.1\r\nX: ${forever}`),
      limits.headersTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'CVE-2007-6750',
      'that sends a path byte by byte',
      (socket) => drip(socket, `GET /${forever}`),
      limits.headersTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'CVE-2007-6750',
      'that sends empty lines',
      (socket) => drip(socket, '\r\n'.repeat(5000)),
      limits.headersTimeout,
      /^(?:HTTP\/1\.1 4\d\d |$)/,
    ],
    [
      'R-U-Dead-Yet',
      'that sends half a body',
      (socket) => socket.write(`${login}Content-Length: 100\r\n\r\n{`),
      limits.requestTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'R-U-Dead-Yet',
      'that sends a body byte by byte',
      (socket) => (socket.write(`${login}Content-Length: 90000\r\n\r\n`), drip(socket, forever)),
      limits.requestTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'R-U-Dead-Yet',
      'that sends chunks byte by byte',
      (socket) => (socket.write(`${login}Transfer-Encoding: chunked\r\n\r\nffff\r\n`), drip(socket, forever)),
      limits.requestTimeout,
      /^HTTP\/1\.1 408 /,
    ],
    [
      'CVE-2019-5737',
      'that is kept alive for nothing',
      (socket) => socket.write('GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n'),
      limits.keepAliveTimeout,
      /^HTTP\/1\.1 40\d /,
    ],
    [
      'CVE-2019-5737',
      'that sends half of the next request',
      (socket) => socket.write('GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\nGET /'),
      limits.headersTimeout,
      /^HTTP\/1\.1 40\d /,
    ],
    [
      'CVE-2024-27983',
      'that begins with HTTP/2',
      (socket) => socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      0,
      /^HTTP\/1\.1 400 /,
    ],
    [
      'RFC 6455 4.2',
      'that sends half a handshake',
      (socket) => socket.write(`GET /api/watch HTTP/1.1\r\nHost: x\r\n${webSocketHandshake.join('\r\n')}`),
      limits.headersTimeout,
      /^HTTP\/1\.1 408 /,
    ],
  ])('%s: %s', async (_source, _what, begin, limit, response) => {
    const socket = open(plain)
    begin(socket)
    const { after, own, received } = await closing(socket)
    expect(received).toMatch(response)
    expect(own).toBeLessThan(limit + slack)
    expect(after).toBeGreaterThanOrEqual(limit * 0.8)
  })

  test.each<[source: string, what: string, begin: (socket: Socket) => void]>([
    ['IncludeSec 2025-09 L4', 'that sends nothing', () => undefined],
    ['RFC 8446 4', 'that sends half a handshake', (socket) => socket.write(Buffer.from('160301', 'hex'))],
  ])('%s: over TLS, %s', async (_source, _what, begin) => {
    const socket = open(secure)
    begin(socket)
    const { own } = await closing(socket)
    expect(own).toBeLessThan(limits.handshakeTimeout + slack)
  })

  test('IncludeSec 2025-09 L4: over TLS, that sends nothing after the handshake', async () => {
    const socket = connectTls({ host: '127.0.0.1', port: portOf(secure), rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    expect((await closing(socket)).own).toBeLessThan(limits.headersTimeout + slack)
  })

  test.each([
    ['CVE-2019-9517', 'nothing', 0],
    ['CVE-2019-9517', 'only the beginning', 1],
  ])('%s: that reads %s of a long response', async (_source, _what, reads) => {
    const socket = open(plain)
    socket.write('GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n')
    if (reads > 0) await once(socket, 'data')
    socket.pause()
    const connections = () => new Promise<number>((done) => plain.server.getConnections((_error, count) => done(count)))
    await expect.poll(connections).toBe(1)
    await within(limits.idleTimeout + slack, async () => expect(await connections()).toBe(0))
  })
})

test('[PORT-1] ASVS 13.1.3: the real limits are at most a minute', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, handshakeTimeout, idleTimeout } = listenerLimits
  for (const limit of [headersTimeout, requestTimeout, keepAliveTimeout, handshakeTimeout, idleTimeout]) {
    expect(limit).toBeGreaterThan(0)
    expect(limit).toBeLessThanOrEqual(60_000)
  }
  expect(listenerLimits.connectionsCheckingInterval).toBeLessThanOrEqual(headersTimeout / 2)
})
