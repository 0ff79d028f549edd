import type { WebSocket } from 'ws'

/** The status of a handshake, 101 if the socket opens. */
export async function socketStatus(socket: WebSocket): Promise<number> {
  const status = await new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('open', () => resolve(101))
    socket.on('error', () => resolve(0))
  })
  socket.terminate()
  return status
}
