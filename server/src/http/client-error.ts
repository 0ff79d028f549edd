import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemDetailsFor } from './errors.ts'

/**
 * Responds to an unparsable HTTP request with problem details and closes the connection, because nothing after it can
 * be parsed.
 *
 * @param headers headers of every response of the listener.
 */
export const clientErrorHandler = (headers: Readonly<Record<string, string>>) => {
  const always = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error: NodeJS.ErrnoException, socket: Socket): void => respondToClientError(error, socket, always)
}

function respondToClientError(error: NodeJS.ErrnoException, socket: Socket, always: readonly string[]): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, body } = problemDetailsFor(failureOf(error.code))
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Content-Type: application/problem+json; charset=utf-8',
    'Cache-Control: no-store',
    'Connection: close',
    ...always,
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.destroy(error)
}

function failureOf(code: string | undefined): { readonly statusCode: number; readonly message: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { statusCode: 408, message: 'The request took too long to arrive.' }
  if (code === 'HPE_HEADER_OVERFLOW') return { statusCode: 431, message: 'The request headers are too large.' }
  return { statusCode: 400, message: 'Invalid HTTP request.' }
}
