import type { Socket } from 'node:net'
import { carrierOf } from './abort.ts'

/**
 * Bytes of a connection that the kernel has accepted so far; over TLS, encrypted ones. Unlike the difference of
 * `bytesWritten` and `writableLength`, this also grows while one long write is being sent: Node writes all that is queued
 * at once.
 */
export function sentBytes(socket: Socket): number {
  // Not a public Node API; Node's own socket timeout reads the same number.
  const handle: unknown = Reflect.get(carrierOf(socket) ?? socket, '_handle')
  const [given, queued] = [numberIn(handle, 'bytesWritten'), numberIn(handle, 'writeQueueSize')]
  return given === undefined || queued === undefined ? socket.bytesWritten - socket.writableLength : given - queued
}

function numberIn(handle: unknown, name: string): number | undefined {
  const value: unknown = typeof handle === 'object' && handle ? Reflect.get(handle, name) : undefined
  return typeof value === 'number' ? value : undefined
}
