import type { ServerResponse } from 'node:http'
import { constants, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket, type Server } from 'node:tls'

/** The TCP connection that each TLS one goes over: Node resets the former alone. */
const carriers = new WeakMap<TLSSocket, Socket>()

/** Where a connection comes from and goes to: no two open ones of a listener have the same. */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  [remoteAddress, remotePort, localAddress, localPort].join(' ')

/** Remembers what the TLS connections of a server go over. */
export function rememberCarriers(server: Server): void {
  const open = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket)
    open.set(ends, socket)
    socket.once('close', () => open.get(ends) === socket && open.delete(ends))
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    const carrier = open.get(endsOf(socket))
    if (carrier) carriers.set(socket, carrier)
  })
}

/** Ends a connection now: what was not delivered yet never will be, be it here or in the kernel. */
export function abortConnection(socket: Socket): void {
  const carrier = socket instanceof TLSSocket ? carriers.get(socket) : socket
  if (carrier && !carrier.destroyed) carrier.resetAndDestroy()
  socket.destroy()
}

/**
 * Ends an answer now. Over HTTP/2 its own stream alone is reset: others share the connection, and what the kernel holds
 * of it is still delivered.
 */
export function abortResponse(answer: ServerResponse | Http2ServerResponse): void {
  if (answer instanceof Http2ServerResponse) answer.stream.close(constants.NGHTTP2_CANCEL)
  else if (answer.socket) abortConnection(answer.socket)
  else answer.destroy()
}
