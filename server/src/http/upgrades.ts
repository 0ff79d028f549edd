import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Timers } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { isSafePath } from './path.ts'
import type { Match } from './route-table.ts'

/** WebSocket upgrades. They pass the same hooks and routes as every other request. */
export interface Upgrades {
  /** Node's `shouldUpgradeCallback`: true if the route declares a WebSocket. Otherwise `Upgrade` is ignored. */
  readonly isUpgrade: (request: IncomingMessage) => boolean
  /** Sends the listener's upgrades to the same handler as its other requests. */
  serve(server: Server, handler: RequestListener): void
  /** Wraps a handler to close the connection after an ignored `Upgrade`. */
  ending(handler: RequestListener): RequestListener
  /** Whether the request can become a WebSocket. */
  awaits(request: IncomingMessage): boolean
  /**
   * Responds with 101.
   *
   * @throws ServiceError `invalid-request` if the handshake is invalid, `unavailable` after {@link close}.
   */
  accept(request: IncomingMessage): WebSocket
  /** Asks all open WebSockets to close, and accepts no more. */
  close(): void
}

interface HeldUpgrade {
  readonly socket: Duplex
  readonly head: Buffer
  readonly response: ServerResponse
}

/** Milliseconds for a client to read an error response and close the connection. */
const hangUpTime = 500

/**
 * Node removes its parser from a connection that requests an upgrade, so no later request on it is read. Every response
 * but 101 therefore sends `Connection: close` and closes the connection: a proxy that reuses connections would otherwise
 * send its next request into a dead one. If `Upgrade` is ignored, the parser drops any data sent with that request, so
 * the connection is closed as well.
 *
 * @param find finds the route for a method and a request target without the base path.
 * @param targetOf a request's target without the base path.
 */
export function createUpgrades(
  find: (method: string, url: string) => Match | undefined,
  targetOf: (request: IncomingMessage) => string,
  clock: Timers,
): Upgrades {
  const wss = new WebSocketServer({
    noServer: true,
    // No client of ours sends messages, so little memory is kept for one that is incomplete. Bytes, and numbers.
    maxPayload: 4096,
    maxFragments: 16,
    maxBufferedChunks: 64,
    perMessageDeflate: false,
    // No subprotocol is spoken here. By default, `ws` would agree to the first that the client offers.
    handleProtocols: () => false,
  })
  // Without a listener, `ws` responds itself, without the security headers and problem details.
  wss.on('wsClientError', () => undefined)
  const held = new WeakMap<IncomingMessage, HeldUpgrade>()
  let closed = false

  return {
    isUpgrade(request) {
      // RFC 9110 7.8: in HTTP/1.0, it is ignored.
      if (request.httpVersion === '1.0') return false
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false
      const target = targetOf(request)
      return isSafePath(target) && find(request.method ?? '', target)?.route.socket !== undefined
    },
    serve(server, handler) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        // Node removes its own error listener as well.
        socket.on('error', () => socket.destroy())
        const response = new ServerResponse(request)
        response.shouldKeepAlive = false
        try {
          response.assignSocket(socket as never)
        } catch {
          // A response to an earlier request on this connection is still being sent.
          return void socket.destroy()
        }
        response.once('finish', () => hangUp(socket, clock))
        held.set(request, { socket, head, response })
        handler(request, response)
      })
    },
    ending: (handler) => (request, response) => {
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
      handler(request, response)
    },
    awaits: (request) => held.has(request),
    accept(request) {
      // Nothing would close it anymore.
      if (closed) throw new ServiceError('unavailable', { note: 'The service is stopping.' })
      const waiting = held.get(request)
      let opened: WebSocket | undefined
      // The callback is called synchronously.
      if (waiting) wss.handleUpgrade(request, waiting.socket, waiting.head, (socket) => (opened = socket))
      if (!opened) throw new ServiceError('invalid-request', { note: 'Invalid WebSocket handshake.' })
      waiting?.response.detachSocket(waiting.socket as never)
      return opened
    },
    close() {
      closed = true
      for (const socket of wss.clients) socket.close()
    },
  }
}

/** Ends a connection, but reads and drops incoming data: unread data would reset it and lose the response. */
function hangUp(socket: Duplex, clock: Timers): void {
  socket.once(
    'close',
    clock.after(hangUpTime, () => socket.destroy()),
  )
  socket.end()
  socket.resume()
}
