import { createServer as createPlainServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { FastifyServerOptions } from 'fastify'

type ServerFactory = NonNullable<FastifyServerOptions['serverFactory']>

/** What slow or silent clients may take of us. Milliseconds and bytes. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions

/** Milliseconds that a TLS handshake may take. */
const handshakeTimeout = 10_000

/** Milliseconds after which a connection that neither sends nor takes anything is closed; WebSockets see to themselves. */
const idleTimeout = 60_000

/** What changes when a certificate does. */
export interface TlsOptions {
  options(): TlsServerOptions
  onChange(apply: (options: TlsServerOptions) => void): void
}

export const plainListener: ServerFactory = (handler) =>
  withIdleTimeout(createPlainServer(limits, handler as RequestListener))

export function tlsListener(tls: TlsOptions): ServerFactory {
  return (handler) => {
    const server = createTlsServer({ ...tls.options(), ...limits, handshakeTimeout }, handler as RequestListener)
    tls.onChange((options) => server.setSecureContext(options))
    return withIdleTimeout(server)
  }
}

function withIdleTimeout<S extends Server>(server: S): S {
  server.timeout = idleTimeout
  return server
}
