import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { sentBytes } from '../http/sent-bytes.ts'
import type { Timers } from '../shared/time/clock.ts'

/** Milliseconds between pings of an open WebSocket. */
const pingEvery = 30_000

/**
 * Pings a WebSocket, and terminates it if nothing came back until the next ping.
 *
 * A ping waits behind the data that is queued, which on a slow connection can take longer than that. So data that is
 * still being sent counts as an answer too. If nothing is queued, it doesn't: the kernel accepts some data for a client
 * that no longer exists.
 */
export function keepAlive(socket: WebSocket, connection: Socket, clock: Timers): void {
  let answered = true
  let before = { sent: 0, waiting: 0 }
  socket.on('pong', () => (answered = true))
  const stopPings = clock.every(pingEvery, () => {
    const now = { sent: sentBytes(connection), waiting: socket.bufferedAmount }
    const isSending = (before.waiting > 0 || now.waiting > 0) && now.sent > before.sent
    if (!answered && !isSending) return socket.terminate()
    before = now
    answered = false
    return socket.ping()
  })
  socket.once('close', stopPings)
}
