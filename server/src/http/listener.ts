import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { rememberCarriers } from './abort.ts'
import { connectionLimit } from './connection-limit.ts'

/**
 * Creates a socket server.
 *
 * @param isUpgrade whether an upgrade request is upgraded; otherwise it is handled like any other request.
 */
export type Listener = (handler: RequestListener, isUpgrade: (request: IncomingMessage) => boolean) => Server

/** Limits on slow or silent clients, and on the number of all. Times are milliseconds, sizes bytes. */
export const listenerLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  /** Of a TLS handshake. */
  handshakeTimeout: 10_000,
  /** Of a connection on which nothing is sent or read. WebSockets have their own timeout. */
  idleTimeout: 60_000,
  connections: connectionLimit(),
}

export type ListenerLimits = Readonly<typeof listenerLimits>

/** TLS options that change when the certificate is reloaded. */
export interface TlsOptions {
  options(): TlsServerOptions
  onChange(apply: (options: TlsServerOptions) => void): void
}

export const plainListener =
  (limits: ListenerLimits = listenerLimits): Listener =>
  (handler, isUpgrade) =>
    prepared(createPlainServer(optionsOf(limits, isUpgrade)), handler, limits)

export function tlsListener(tls: TlsOptions, limits: ListenerLimits = listenerLimits): Listener {
  return (handler, isUpgrade) => {
    const server = createTlsServer({ ...tls.options(), ...optionsOf(limits, isUpgrade) })
    tls.onChange((options) => server.setSecureContext(options))
    rememberCarriers(server)
    return prepared(server, handler, limits)
  }
}

function optionsOf(limits: ListenerLimits, isUpgrade: (request: IncomingMessage) => boolean): ServerOptions {
  return {
    ...limits,
    shouldUpgradeCallback: isUpgrade,
    // Node would respond without the headers of every response; the gate responds instead.
    requireHostHeader: false,
  }
}

/**
 * Makes `closeAllConnections` include the sockets that Node doesn't count as HTTP connections: those without a finished
 * TLS handshake, and those whose upgrade is still being decided. They would otherwise delay shutdown.
 */
function closeEverySocket(server: Server): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeOthers = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeOthers()
    for (const socket of sockets) socket.destroy()
  }
}

function prepared<S extends Server>(server: S, handler: RequestListener, limits: ListenerLimits): S {
  server.timeout = limits.idleTimeout
  server.maxConnections = limits.connections
  closeEverySocket(server)
  const handle = closeIdleSockets(server, handler)
  server.on('request', handle)
  // An unknown expectation can be ignored (RFC 9110 10.1.1). Node would respond 417 without the headers of every response.
  server.on('checkExpectation', handle)
  return server
}

/**
 * Closes connections on which nothing is sent or read, but not while a handler works on a request that has arrived in
 * full: what it does would continue, and its client would never get the result.
 *
 * @returns the handler to use instead
 */
function closeIdleSockets(server: Server, handler: RequestListener): RequestListener {
  /** Of each connection, in the order in which they are sent. */
  const responses = new WeakMap<Socket, Set<ServerResponse>>()
  server.on('timeout', (socket: Socket) => {
    const [first] = responses.get(socket) ?? []
    if (!first || first.headersSent || !first.req.complete) return socket.destroy()
    // Node's timer has ended. Started again, it also ends a response that has begun by then, but sends nothing.
    return socket.setTimeout(server.timeout)
  })
  return (request, response) => {
    const ofSocket = responses.get(request.socket) ?? new Set()
    responses.set(request.socket, ofSocket.add(response))
    response.once('close', () => ofSocket.delete(response))
    return handler(request, response)
  }
}
