import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Door } from './harness.ts'

/** An answer as its bytes said it. */
export interface RawAnswer {
  /** 0 where the connection was closed without a word. */
  readonly status: number
  readonly head: string
  readonly body: string
}

export interface RawRequest {
  readonly method?: string
  /** What stands in the request line, as it is: nothing normalises it on the way. */
  readonly target: string
  /** Lines as `Name: value`. */
  readonly headers?: readonly string[]
  readonly body?: string
  /** The loopback address that the request comes from, as `127.0.0.2`. */
  readonly from?: string
}

/** Asks over a socket of its own, byte by byte as told, and reads to the end of the connection. */
export async function rawly(door: Door, request: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', target, headers = [], body = '', from } = request
  const named = headers.some((line) => /^host:/i.test(line))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(named ? [] : [`Host: 127.0.0.1:${door.port}`]),
    ...Object.entries(door.headers).map(([name, value]) => `${name}: ${String(value)}`),
    ...headers,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ]
  return rawBytes(door, `${lines.join('\r\n')}\r\n\r\n${body}`, from)
}

/** Sends these very bytes, and reads to the end of the connection, or of the first head. */
export async function rawBytes(door: Door, bytes: string, from?: string, headOnly = false): Promise<RawAnswer> {
  const where = { host: '127.0.0.1', port: door.port, ...(from !== undefined && { localAddress: from }) }
  const plain = door.base.startsWith('http:')
  const socket: Socket = plain ? connectPlain(where) : connectTls({ ...where, rejectUnauthorized: false })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (headOnly && Buffer.concat(chunks).includes('\r\n\r\n')) socket.destroy()
  })
  // A connection that is torn down is an answer too.
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  socket.setTimeout(10_000, () => socket.destroy())
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString('utf8')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') }
}
