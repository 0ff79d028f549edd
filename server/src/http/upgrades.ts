import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { ServiceError } from '../shared/errors.ts'
import { isSafePath } from './path.ts'
import type { Match } from './route-table.ts'

/** Requests to become a WebSocket: they pass the same hooks and routes as every other request. */
export interface Upgrades {
  /** Node's `shouldUpgradeCallback`: only where a route declares a WebSocket. Elsewhere `Upgrade` is ignored. */
  readonly isUpgrade: (request: IncomingMessage) => boolean
  /** Sends the listener's upgrades to the same handler as its other requests. */
  serve(server: Server, handler: RequestListener): void
  /** The same handler, which closes the connection after an ignored `Upgrade`. */
  ending(handler: RequestListener): RequestListener
  /** Whether the request can become a WebSocket. */
  awaits(request: IncomingMessage): boolean
  /**
   * Answers 101.
   *
   * @throws ServiceError `invalid` where the handshake is none.
   */
  accept(request: IncomingMessage): WebSocket
  /** Asks all open WebSockets to close. */
  close(): void
}

interface Held {
  readonly socket: Duplex
  readonly head: Buffer
  readonly response: ServerResponse
}

/** Milliseconds that a peer has to read a refusal and to hang up. */
const hangUpTime = 500

/**
 * Node takes its parser off a connection that asks for an upgrade, so nothing after that request is ever read. Every
 * answer but 101 therefore says `Connection: close`, and the connection ends with it: a proxy that keeps connections
 * would otherwise send the next request into a dead one. Where `Upgrade` is ignored, the parser drops what came with that
 * request, so there the connection ends as well.
 *
 * @param find finds the route that serves a request, by the target that the router sees.
 * @param targetOf the target that the router sees.
 */
export function createUpgrades(
  find: (method: string, url: string) => Match | undefined,
  targetOf: (request: IncomingMessage) => string,
): Upgrades {
  const wss = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024, perMessageDeflate: false })
  // Without a listener `ws` answers by itself, past our headers and the form of our errors.
  wss.on('wsClientError', () => undefined)
  const held = new WeakMap<IncomingMessage, Held>()

  return {
    isUpgrade(request) {
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false
      const target = targetOf(request)
      return isSafePath(target) && find(request.method ?? '', target)?.route.socket !== undefined
    },
    serve(server, handler) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        // Node takes its own listener off as well.
        socket.on('error', () => socket.destroy())
        const response = new ServerResponse(request)
        response.shouldKeepAlive = false
        try {
          response.assignSocket(socket as never)
        } catch {
          // An earlier request on this connection is still being answered.
          return void socket.destroy()
        }
        response.once('finish', () => hangUp(socket))
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
      const waiting = held.get(request)
      let opened: WebSocket | undefined
      // Called before it returns.
      if (waiting) wss.handleUpgrade(request, waiting.socket, waiting.head, (socket) => (opened = socket))
      if (!opened) throw new ServiceError('invalid', 'This is no WebSocket handshake that can be answered.')
      waiting?.response.detachSocket(waiting.socket as never)
      return opened
    },
    close() {
      for (const socket of wss.clients) socket.close()
    },
  }
}

/** What still comes is read and thrown away: unread, it would reset the connection, and the answer with it. */
function hangUp(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), hangUpTime).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
