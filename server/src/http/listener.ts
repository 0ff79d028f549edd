import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { rememberCarriers } from './abort.ts'

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

/** Node would respond without the headers of every response; the gate responds instead. */
const unguarded = { requireHostHeader: false } as const satisfies ServerOptions

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
  prepared(createPlainServer({ ...limits, ...unguarded, shouldUpgradeCallback: isUpgrade }, handler), handler)

export function tlsListener(tls: TlsOptions): Listener {
  return (handler, isUpgrade) => {
    const server = createTlsServer(
      {
        ...tls.options(),
        ...limits,
        ...unguarded,
        handshakeTimeout,
        shouldUpgradeCallback: isUpgrade,
      },
      handler,
    )
    tls.onChange((options) => server.setSecureContext(options))
    rememberCarriers(server)
    closeHalfShaken(server)
    return prepared(server, handler)
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

function prepared<S extends Server>(server: S, handler: RequestListener): S {
  server.timeout = idleTimeout
  // An unknown expectation can be ignored (RFC 9110 10.1.1). Node would respond 417 without the headers of every response.
  server.on('checkExpectation', handler)
  return server
}
