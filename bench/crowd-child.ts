import { connect, type Socket } from 'node:net'
import { frameCounter, upgradeRequest } from './raw-websocket.ts'

/** Opens streams and counts what they receive. Uses raw sockets, because thousands of library clients cost too much. */
export interface Crowd {
  readonly port: number
  readonly cookies: readonly string[]
  /** Live views, by path. */
  readonly live: readonly string[]
  /** Event streams: half of them WebSockets, half server-sent events. */
  readonly events: number
}

/** Since the last count. */
export interface Counted {
  /** Messages of each live view. */
  readonly frames: readonly number[]
  /** Event streams that received nothing. */
  readonly silent: number
  /** When the last event arrived; `process.hrtime`, which is the same for all processes, as text. */
  readonly lastEvent: string
  /** Streams that the service has closed so far. */
  readonly closed: number
}

interface Stream {
  readonly kind: 'live' | 'socket' | 'sse'
  readonly path: string
  received: number
}

/** Streams that open at the same time. */
const opening = 50
/** The answer to a ping, masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

const streams: Stream[] = []
let closed = 0
let lastEvent = 0n

process.on('message', (message: Crowd | 'count') => {
  if (message === 'count') process.send?.(count())
  else void openAll(message).then(() => process.send?.('open'))
})
process.on('disconnect', () => process.exit())

function count(): Counted {
  const events = streams.filter(({ kind }) => kind !== 'live')
  const frames = streams.filter(({ kind }) => kind === 'live').map(({ received }) => received)
  const silent = events.filter(({ received }) => received === 0).length
  for (const stream of streams) stream.received = 0
  return { frames, silent, lastEvent: String(lastEvent), closed }
}

async function openAll({ port, cookies, live, events }: Crowd): Promise<void> {
  for (const path of live) streams.push({ kind: 'live', path, received: 0 })
  for (let i = 0; i < events; i += 1)
    streams.push({ kind: i % 2 === 0 ? 'socket' : 'sse', path: '/api/events', received: 0 })
  let next = 0
  const openNext = async () => {
    for (let i = next++; i < streams.length; i = next++) {
      const stream = streams[i]
      if (stream) await open(stream, port, cookies[i % cookies.length] ?? '')
    }
  }
  await Promise.all(Array.from({ length: opening }, openNext))
}

/** Resolves with the response's header. */
function open(stream: Stream, port: number, cookie: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  const request =
    stream.kind === 'sse'
      ? [`GET ${stream.path} HTTP/1.1`, `host: 127.0.0.1:${port}`, 'accept: text/event-stream', `cookie: ${cookie}`]
      : upgradeRequest(port, stream.path, cookie)
  socket.write(`${request.join('\r\n')}\r\n\r\n`)
  socket.on('error', () => undefined)
  socket.once('close', () => (closed += 1))
  const expected = stream.kind === 'sse' ? 'HTTP/1.1 200' : 'HTTP/1.1 101'
  return new Promise((resolve) => {
    socket.once('data', (chunk) => {
      const head = chunk.indexOf('\r\n\r\n')
      if (!chunk.subarray(0, 12).equals(Buffer.from(expected)) || head === -1)
        throw new Error(`${stream.path}: no stream, but ${chunk.toString('latin1', 0, 200)}`)
      const read = readerOf(stream, socket)
      read(chunk.subarray(head + 4))
      socket.on('data', read)
      resolve()
    })
  })
}

function readerOf(stream: Stream, socket: Socket): (chunk: Buffer) => void {
  const received = () => {
    stream.received += 1
    if (stream.kind !== 'live') lastEvent = process.hrtime.bigint()
  }
  if (stream.kind === 'sse') {
    return (chunk) => {
      if (chunk.includes('data: ')) received()
    }
  }
  return frameCounter((opcode) => {
    if (opcode === 9) socket.write(pong)
    else if (opcode < 8) received()
  })
}
