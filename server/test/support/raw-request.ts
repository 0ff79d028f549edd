import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { TestClient } from './test-client.ts'

/** A response, parsed from its bytes. */
export interface RawResponse {
  /** 0 if the connection was closed without a response. */
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Header lines of a valid WebSocket handshake. */
export const webSocketHandshake: readonly string[] = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

/** The statuses of all responses in what a connection sent. */
export const statusesIn = ({ head, body }: RawResponse): number[] =>
  [...`${head}\r\n\r\n${body}`.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

export interface RawRequest {
  readonly method?: string
  /** The path in the request line, sent without normalization. */
  readonly target: string
  /** Lines as `Name: value`. */
  readonly headers?: readonly string[]
  readonly body?: string
  /** The loopback address that the request comes from, for example `127.0.0.2`. */
  readonly from?: string
  /** Reads no further than the head, for a response that may not end. */
  readonly headOnly?: boolean
}

/** Sends a request over its own socket, byte by byte as given, and reads to the end of the connection. */
export async function rawRequest(client: TestClient, request: RawRequest): Promise<RawResponse> {
  const { method = 'GET', target, headers = [], body = '', from, headOnly } = request
  const named = headers.some((line) => /^host:/i.test(line))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(named ? [] : [`Host: 127.0.0.1:${client.port}`]),
    ...Object.entries(client.headers).map(([name, value]) => `${name}: ${String(value)}`),
    ...headers,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ]
  return rawBytes(client, `${lines.join('\r\n')}\r\n\r\n${body}`, from, headOnly)
}

/** Sends exactly these bytes, and reads to the end of the connection, or of the first head. */
export async function rawBytes(
  client: TestClient,
  bytes: string,
  from?: string,
  headOnly = false,
): Promise<RawResponse> {
  const where = { host: '127.0.0.1', port: client.port, ...(from !== undefined && { localAddress: from }) }
  const plain = client.base.startsWith('http:')
  const socket: Socket = plain ? connectPlain(where) : connectTls({ ...where, rejectUnauthorized: false })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (headOnly && Buffer.concat(chunks).includes('\r\n\r\n')) socket.destroy()
  })
  // A reset connection is a result too.
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  socket.setTimeout(10_000, () => socket.destroy())
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString('utf8')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') }
}

/** One connection for several consecutive requests. */
export interface Conversation {
  /** Sends a request unchanged, given without its last empty line. @returns the next response, status 0 for none. */
  ask(lines: readonly string[], body?: string): Promise<RawResponse>
  /** Whether the other end has closed the connection, or does so within two seconds. */
  hungUp(): Promise<boolean>
  end(): void
}

/** Opens a connection. Responses need a content-length. */
export async function converse(client: TestClient): Promise<Conversation> {
  const where = { host: '127.0.0.1', port: client.port }
  const plain = client.base.startsWith('http:')
  const socket: Socket = plain ? connectPlain(where) : connectTls({ ...where, rejectUnauthorized: false })
  let received = ''
  let over = false
  const wake = new Set<() => void>()
  const notify = () => {
    for (const each of wake) each()
  }
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    notify()
  })
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      over = true
      notify()
    })
  }
  socket.on('error', () => undefined)
  await once(socket, plain ? 'connect' : 'secureConnect')

  const until = async (done: () => boolean, milliseconds: number) => {
    const timeout = AbortSignal.timeout(milliseconds)
    timeout.addEventListener('abort', notify)
    while (!done() && !timeout.aborted) await new Promise<void>((next) => wake.add(next))
  }
  const whole = (isHead: boolean) => {
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const head = received.slice(0, end)
    const length = isHead ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    return received.length >= end + 4 + length ? { head, end: end + 4 + length, start: end + 4 } : undefined
  }
  return {
    async ask(lines, sent = '') {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`, 'latin1')
      const isHead = lines[0]?.startsWith('HEAD ') === true
      await until(() => over || whole(isHead) !== undefined, 10_000)
      const found = whole(isHead)
      if (!found) return { status: 0, head: received, body: '' }
      const body = received.slice(found.start, found.end)
      received = received.slice(found.end)
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(found.head)?.[1] ?? 0), head: found.head, body }
    },
    async hungUp() {
      await until(() => over, 2000)
      return over
    },
    end: () => socket.destroy(),
  }
}
