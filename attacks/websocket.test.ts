/** WebSockets and event streams: handshakes, frames that no browser sends, messages that ask for more, clients that do not read. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { rawBytes, webSocketHandshake } from '../server/test/support/raw-request.ts'
import { seedReview } from '../server/test/support/review-seed.ts'
import { signIn, type SignedIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const live = '/api/cameras/yard/live'
let service: InProcessService
let guard: SignedIn
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { roles: { guard: ['yard'] } } } })
  await service.user('gill', 'guard')
  guard = await signIn(service.gate, 'gill')
})
afterAll(stopAll)

/** The bytes of a frame, masked unless a mask of length 0 is given. */
function frame(
  opcode: number,
  payload: Buffer | string = '',
  { fin = true, rsv = 0, mask = randomBytes(4) } = {},
): Buffer {
  const data = Buffer.from(payload)
  const masked = Buffer.from(data.map((byte, at) => byte ^ (mask[at % 4] ?? 0)))
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode, ...lengthBytes(data.length)]
  head[1]! |= mask.length > 0 ? 0x80 : 0
  return Buffer.concat([Buffer.from(head), mask, mask.length > 0 ? masked : data])
}

const lengthBytes = (length: number): number[] =>
  length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, ...int32(length)]
const int32 = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)

const text = 1
const binary = 2
const close = 8
const ping = 9
const pong = 10
const more = 0

const handshakeOf = (client: TestClient, path: string, lines: readonly string[] = []): string => {
  const cookie = client.headers['cookie'] === undefined ? [] : [`Cookie: ${String(client.headers['cookie'])}`]
  return [`GET ${path} HTTP/1.1`, 'Host: x', ...cookie, ...webSocketHandshake, ...lines, '', ''].join('\r\n')
}

/** Opens a WebSocket and sends these bytes. @returns the code with which the service closes it; 0 if it accepts them */
async function closeCodeFor(bytes: readonly Buffer[], path = live): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port: service.gatePort })
  onTestFinished(() => void socket.destroy())
  const chunks: Buffer[] = []
  const closed = once(socket, 'close')
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', () => undefined)
  const opened = once(socket, 'data')
  socket.write(handshakeOf(guard, path))
  await opened
  // A service that accepts the bytes answers the ping after them.
  const accepted = Buffer.from([0x80 | pong, 4, ...Buffer.from('done')])
  socket.on('data', () => void (Buffer.concat(chunks).includes(accepted) && socket.destroy()))
  for (const each of [...bytes, frame(ping, 'done')]) socket.write(each)
  await closed
  const received = Buffer.concat(chunks)
  const at = received.indexOf(Buffer.from([0x80 | close, 2]))
  return at === -1 ? 0 : received.readUInt16BE(at + 2)
}

describe('[ERR-3] a frame that breaks the protocol closes the WebSocket', () => {
  const half = Buffer.from('é').subarray(0, 1)
  const part = frame(more, '', { fin: false })
  test.each<[source: string, what: string, bytes: readonly Buffer[], code: number]>([
    ['RFC 6455 5.1', 'no mask', [frame(text, 'x', { mask: Buffer.alloc(0) })], 1002],
    ['RFC 6455 5.2', 'a reserved bit', [frame(text, 'x', { rsv: 1 })], 1002],
    ['RFC 7692 6', 'compression that was not agreed to', [frame(text, 'x', { rsv: 4 })], 1002],
    ['RFC 6455 5.2', 'an unknown kind of data', [frame(3, 'x')], 1002],
    ['RFC 6455 5.2', 'an unknown kind of control', [frame(11, 'x')], 1002],
    ['RFC 6455 5.4', 'a continuation of nothing', [frame(more, 'x')], 1002],
    ['RFC 6455 5.4', 'a message inside of another', [frame(text, 'x', { fin: false }), frame(text, 'y')], 1002],
    ['RFC 6455 5.5', 'a ping in parts', [frame(ping, 'x', { fin: false })], 1002],
    ['RFC 6455 5.5', 'a ping that is too long', [frame(ping, 'x'.repeat(126))], 1002],
    ['RFC 6455 5.5.1', 'half of a close code', [frame(close, 'x')], 1002],
    ['RFC 6455 7.4.1', 'a close code that no one sends', [frame(close, Buffer.from([0x03, 0xed]))], 1002],
    ['RFC 6455 8.1', 'text that is not UTF-8', [frame(text, Buffer.from([0xff, 0xfe]))], 1007],
    ['RFC 6455 8.1', 'text that ends inside of a character', [frame(text, half)], 1007],
    ['RFC 6455 8.1', 'such text in parts', [frame(text, half, { fin: false }), frame(more, 'x')], 1007],
    ['RFC 6455 8.1', 'an overlong character', [frame(text, Buffer.from([0xc0, 0xaf]))], 1007],
    ['RFC 6455 8.1', 'a reason that is not UTF-8', [frame(close, Buffer.from([0x03, 0xe8, 0xff]))], 1007],
    ['RFC 6455 10.4', 'a message of more than 4 KiB', [frame(binary, Buffer.alloc(4097))], 1009],
    ['RFC 6455 10.4', 'one that only says so', [frame(text, Buffer.alloc(70_000)).subarray(0, 14)], 1009],
    [
      'RFC 6455 10.4',
      'one of more than 2^53 bytes',
      [Buffer.from([0x81, 0xff, 0x7f, ...Array<number>(7).fill(255)])],
      1009,
    ],
    [
      'RFC 6455 10.4',
      'such a message in parts',
      [frame(binary, Buffer.alloc(4000), { fin: false }), frame(more, Buffer.alloc(4000))],
      1009,
    ],
    [
      'CVE-2026-48779',
      'a message in many parts',
      [frame(text, 'x', { fin: false }), ...Array<Buffer>(20).fill(part)],
      1008,
    ],
  ])('%s: %s', async (_source, _what, bytes, code) => {
    expect(await closeCodeFor(bytes)).toBe(code)
  })

  test('RFC 6455 5.6: a frame that does not is accepted', async () => {
    expect(await closeCodeFor([frame(ping, 'x'), frame(text, 'x')], '/api/events')).toBe(0)
  })

  test('RFC 6455 5.5: the others are not affected', async () => {
    const socket = guard.socket('/api/events')
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    await closeCodeFor([frame(3, 'x')], '/api/events')
    socket.ping()
    await once(socket, 'pong')
  })
})

const headOf = async (client: TestClient, lines: readonly string[], path = live): Promise<string> =>
  (await rawBytes(client, handshakeOf(client, path, lines), undefined, true)).head

describe('[TOK-1] [TOK-12] a handshake', () => {
  test.each<[source: string, lines: () => readonly string[]]>([
    ['CVE-2026-75607', () => []],
    ['RFC 6455 1.9', () => [`Sec-WebSocket-Protocol: Bearer, ${guard.token}`]],
    ['RFC 6455 1.9', () => [`Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${guard.token}`]],
    ['RFC 6455 10.5', () => ['Sec-WebSocket-Protocol: admin', 'Remote-User: admin', 'Remote-Role: admin']],
    ['CVE-2025-71399', () => ['X-Original-URL: /api/health']],
  ])('%s: without credentials is 401, with %s', async (_source, lines) => {
    for (const path of [live, '/api/events', `${live}?token=${guard.token}`]) {
      expect(await headOf(service.gate, lines(), path)).toMatch(/^HTTP\/1\.1 401 /)
    }
  })

  test('RFC 9110 7.8: in HTTP/1.0 opens nothing', async () => {
    const bytes = handshakeOf(guard, live).replace('HTTP/1.1', 'HTTP/1.0')
    expect((await rawBytes(guard, bytes, undefined, true)).head).toMatch(/^HTTP\/1\.1 426 /)
  })

  test.each([
    ['RFC 6455 4.2.2', 'Sec-WebSocket-Protocol: mqtt, bearer'],
    ['RFC 6455 4.2.2', 'Sec-WebSocket-Protocol: x'],
    ['RFC 7692 5.1', 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'],
    [
      'RFC 7692 5.1',
      'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover, x-webkit-deflate-frame',
    ],
  ])('%s: agrees to nothing that is not spoken: %s', async (_source, line) => {
    const head = await headOf(guard, [line])
    expect(head).toMatch(/^HTTP\/1\.1 101 /)
    expect(head).not.toMatch(/^sec-websocket-(?:protocol|extensions):/im)
  })

  test.each<[source: string, lines: readonly string[], status: number]>([
    ['CVE-2021-32640', [`Sec-WebSocket-Protocol: a${' '.repeat(12_000)}b`], 400],
    ['CVE-2024-37890', Array<string>(1500).fill('a:'), 431],
    ['RFC 6455 4.2.1', ['Sec-WebSocket-Key: short'], 400],
  ])('%s: that is malformed is %j', async (_source, lines, status) => {
    expect(await headOf(guard, lines)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('[ROLE-4] [ROLE-5] a message asks for nothing', () => {
  const commands = [
    '{"topic":"restart","payload":""}',
    '{"type":"subscribe","cameras":["office"]}',
    '{"type":"mse","value":"avc1","camera":"office"}',
    '{"topic":"office/recordings/set","payload":"OFF"}',
    '{"method":"DELETE","path":"/api/users/gill"}',
    '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}',
    '["office"]',
    'null',
    '{',
  ]

  test('CVE-2026-75607: events of other cameras do not come, and nothing changes', async () => {
    const [yard, office] = await seedReview(service, [{ camera: 'yard' }, { camera: 'office' }])
    const socket = guard.socket('/api/events')
    onTestFinished(() => socket.terminate())
    const received: string[] = []
    socket.on('message', (data: Buffer) => void received.push(data.toString()))
    await once(socket, 'open')
    const users = (await service.internal.get('/api/users')).text
    for (const command of commands) {
      socket.send(command)
      socket.send(Buffer.from(command))
    }
    socket.ping()
    await once(socket, 'pong')
    for (const item of [office!, yard!]) {
      expect((await service.internal.delete(`/api/review/${item.id}`)).status).toBe(204)
    }
    await vi.waitFor(() => expect(received.join()).toContain(yard!.id), { timeout: 60_000 })
    expect(received.join()).not.toMatch(new RegExp(`office|${office!.id}`))
    expect((await service.internal.get('/api/users')).text).toBe(users)
  })

  test('CVE-2026-75607: video of another camera does not come', async () => {
    const socket = guard.socket(live)
    onTestFinished(() => socket.terminate())
    const received: string[] = []
    socket.on('message', (data: Buffer) => void received.push(data.toString()))
    await once(socket, 'open')
    for (const command of commands) socket.send(command)
    socket.ping()
    await once(socket, 'pong')
    expect(received.map((each) => JSON.parse(each) as object)).toEqual([expect.objectContaining({ state: 'disabled' })])
  })
})

describe('[ROLE-10] a client that does not read', () => {
  test('CVE-2019-9512: is disconnected, however many pings it sends', async () => {
    const socket = connect({ host: '127.0.0.1', port: service.gatePort })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(handshakeOf(guard, '/api/events'))
    await once(socket, 'data')
    socket.pause()
    const many = Buffer.concat(Array<Buffer>(2000).fill(frame(ping, 'x'.repeat(125))))
    let sent = 0
    while (!socket.closed && sent < 100 * 1024 * 1024) {
      sent += many.length
      if (!socket.write(many)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
    }
    expect(socket.closed).toBe(true)
  })

  test('RFC 6455 5.5.3: that does not answer a ping either is disconnected within a minute', async () => {
    const socket = connect({ host: '127.0.0.1', port: service.gatePort })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(handshakeOf(guard, live))
    await once(socket, 'data')
    socket.resume()
    const closed = once(socket, 'close')
    await service.clock.advance(61_000)
    await closed
  })
})

describe('[ROLE-5] an event stream', () => {
  test.each([
    ['WHATWG HTML 9.2', 'a\n\ndata: {"type":"access"}\n\n'],
    ['WHATWG HTML 9.2', 'a\r\rdata: {"type":"session-ended"}\r\r'],
    ['WHATWG HTML 9.2', 'a\u2028event: x\u2029id: 7'],
  ])('%s: what a user names adds no event: %j', async (_source, name) => {
    const id = randomBytes(16).toString('hex')
    await seedExports(service, { yard: id })
    const { response } = await listen(service.internal)
    let received = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
    const { status, text: body } = await service.internal.request('PATCH', `/api/exports/${id}`, { body: { name } })
    expect([200, 400], body).toContain(status)
    // An event that comes later.
    const [item] = await seedReview(service, [{ camera: 'yard' }])
    await service.internal.delete(`/api/review/${item!.id}`)
    await vi.waitFor(() => expect(received).toContain(item!.id), { timeout: 60_000 })
    const lines = received.split(/\r\n|\r|\n/).filter((line) => line !== '' && !line.startsWith(':'))
    for (const line of lines) expect(JSON.parse(line.replace(/^data: /, ''))).toMatchObject({ camera: 'yard' })
    expect(lines).toHaveLength(status === 200 ? 2 : 1)
  })

  test('WHATWG HTML 9.2: the id of the last event gives nothing that was missed', async () => {
    const [item] = await seedReview(service, [{ camera: 'yard' }])
    await service.internal.delete(`/api/review/${item!.id}`)
    const { response } = await listen(guard, { 'last-event-id': '0' })
    const [first] = (await once(response, 'data')) as [Buffer]
    expect(first.toString()).toBe(': welcome\n\n')
  })
})

/** Opens an event stream. */
async function listen(
  client: TestClient,
  headers: Record<string, string> = {},
): Promise<{ response: IncomingMessage }> {
  const all = { ...client.headers, ...headers }
  const request = get({ host: '127.0.0.1', port: client.port, path: '/api/events', headers: all, agent: false })
  onTestFinished(() => void request.destroy())
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { response }
}
