import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { upgradeRequest } from './raw-websocket.ts'

/** Opens streams and reads them until they end. Uses raw sockets, because a thousand library clients cost too much. */
export interface Watch {
  readonly port: number
  readonly path: string
  readonly cookies: readonly string[]
  readonly streams: number
  /** Over TLS, with whatever certificate. */
  readonly tls?: boolean
}

/** `process.hrtime`, which is the same for all processes; as text. */
export interface Ended {
  readonly lastByte: string
  readonly lastEnd: string
}

/** Streams that open at the same time. */
const opening = 50

process.on('message', ({ port, path, cookies, streams, tls = false }: Watch) => {
  const open = new Set<Socket>()
  let opened = 0
  let flowing = 0
  let lastByte = 0n
  const openNext = (): void => {
    if (opened === streams) return
    const i = opened
    opened += 1
    const to = { port, host: '127.0.0.1' }
    const socket = tls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to)
    open.add(socket)
    socket.write(`${upgradeRequest(port, path, cookies[i % cookies.length] ?? '', tls).join('\r\n')}\r\n\r\n`)
    let chunks = 0
    socket.on('data', (chunk) => {
      chunks += 1
      if (chunks === 1) {
        const head = chunk.toString('latin1', 0, 12)
        if (head !== 'HTTP/1.1 101') throw new Error(`no stream, but ${head}`)
        openNext()
        return
      }
      // After the initial burst that a new viewer gets: live frames.
      if (chunks === 10) {
        flowing += 1
        if (flowing === streams) process.send?.('flowing')
      }
      if (chunk.length > 64) lastByte = process.hrtime.bigint()
      // A close frame, alone or after the remaining data: answered as a browser does.
      if (chunk[0] === 0x88) socket.end()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      open.delete(socket)
      const now = process.hrtime.bigint()
      if (open.size === 0) process.send?.({ lastByte: String(lastByte), lastEnd: String(now) } satisfies Ended)
    })
  }
  for (let i = 0; i < opening; i += 1) openNext()
})
process.on('disconnect', () => process.exit())
