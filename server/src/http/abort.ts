import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket, type Server } from 'node:tls'

/** The TCP socket under each TLS socket: Node can reset only the TCP socket. */
const carriers = new WeakMap<TLSSocket, Socket>()

/** Both ends of a connection, which are unique among a listener's open connections. */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  [remoteAddress, remotePort, localAddress, localPort].join(' ')

/** Records the TCP socket of each of a server's TLS connections. */
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

/** The TCP socket of a connection; undefined if it isn't known. */
export const carrierOf = (socket: Socket): Socket | undefined =>
  socket instanceof TLSSocket ? carriers.get(socket) : socket

/** Resets a connection immediately. Data not yet delivered is dropped, in Node and in the kernel. */
export function abortConnection(socket: Socket): void {
  const carrier = carrierOf(socket)
  if (carrier && !carrier.destroyed) carrier.resetAndDestroy()
  socket.destroy()
}

/** Aborts a response immediately, with its connection. */
export function abortResponse(response: ServerResponse): void {
  if (response.socket) abortConnection(response.socket)
  else response.destroy()
}
