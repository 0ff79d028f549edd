import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import { constants, createSecureServer, type ServerHttp2Session } from 'node:http2'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { rememberCarriers } from './abort.ts'
import type { Timers } from '../shared/clock.ts'

/**
 * Creates a socket server.
 *
 * @param isUpgrade whether an upgrade request is upgraded; otherwise it is handled like any other request.
 */
export type Listener = (handler: RequestListener, isUpgrade: (request: IncomingMessage) => boolean) => Server

/** Limits on slow or silent clients, in milliseconds and bytes. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions

/** Milliseconds until a TLS handshake times out. */
const handshakeTimeout = 10_000

/** Milliseconds until an idle connection is closed. WebSockets have their own timeout. */
const idleTimeout = 60_000

/** TLS options that change when the certificate is reloaded. */
export interface TlsOptions {
  options(): TlsServerOptions
  onChange(apply: (options: TlsServerOptions) => void): void
}

export const plainListener: Listener = (handler, isUpgrade) =>
  withIdleTimeout(createPlainServer({ ...limits, shouldUpgradeCallback: isUpgrade }, handler))

/**
 * HTTP/1.1 and HTTP/2 on one TLS port, selected by ALPN in the handshake.
 *
 * The listening server is an HTTP/1.1 server because Node's server for both protocols lacks the limits on slow clients.
 */
export function tlsListener(tls: TlsOptions, clock: Timers): Listener {
  return (handler, isUpgrade) => {
    const server = createTlsServer(
      {
        ...tls.options(),
        ...limits,
        handshakeTimeout,
        ALPNProtocols: ['h2', 'http/1.1'],
        shouldUpgradeCallback: isUpgrade,
      },
      handler,
    )
    tls.onChange((options) => server.setSecureContext(options))
    addHttp2(server, handler, clock)
    rememberCarriers(server)
    closeHalfShaken(server)
    return withIdleTimeout(server)
  }
}

/** Makes `closeAllConnections` include sockets without a finished TLS handshake, which would otherwise delay shutdown. */
function closeHalfShaken(server: Server): void {
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

function addHttp2(server: Server, handler: RequestListener, clock: Timers): void {
  const second = createSecureServer({
    settings: { maxConcurrentStreams: 100, maxHeaderListSize: limits.maxHeaderSize },
    maxSessionInvalidFrames: 100,
  })
  const sessions = new Set<ServerHttp2Session>()
  let closing = false
  second.on('session', (session) => {
    if (closing) return session.destroy()
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    return session.setTimeout(idleTimeout, () => session.destroy())
  })
  second.on('sessionError', () => undefined)
  second.on('stream', (stream) => {
    // A body that never ends would keep its stream open forever.
    const stopTimer = clock.after(limits.requestTimeout, () => {
      if (!stream.readableEnded && !stream.endAfterHeaders) stream.close(constants.NGHTTP2_CANCEL)
    })
    stream.once('close', stopTimer)
    stream.on('error', () => undefined)
  })
  second.on('request', handler as never)

  const [first] = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') second.emit('secureConnection', socket)
    else first?.call(server, socket)
  })
  const closeFirst = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closing = true
    closeFirst()
    for (const session of sessions) session.destroy()
  }
}

function withIdleTimeout<S extends Server>(server: S): S {
  server.timeout = idleTimeout
  return server
}
