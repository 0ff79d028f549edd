import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { abortConnection } from '../http/abort.ts'
import type { EndReason, LiveSocket } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import { closeCodes } from '../shared/with-web/close-codes.ts'
import { auditInternal, auditRead } from './audit.ts'
import { keepAlive } from './keep-alive.ts'
import { closingTime, registerStream } from './open-stream.ts'
import { contextOf, inputOf } from './request-context.ts'
import type { RouteDeps } from './server-deps.ts'

/** The text that goes with a close code, for other programs: the UI has its own. */
const closeTexts: Record<EndReason, string> = {
  unauthenticated: 'session expired or revoked',
  forbidden: 'role no longer allows this',
  'not-found': 'not found',
  recheck: 'reconnect: access must be decided again',
  undecided: 'try again later',
  stopping: 'service stopping',
}

/** Max unsent bytes with which a WebSocket still gets a last message; more means a slow client. */
const maxUnsentBytes = 64 * 1024

/** Opens the WebSocket of a route, which is an open stream. */
export function socketHandler(open: NonNullable<Route['socket']>, deps: RouteDeps) {
  return (socket: WebSocket, request: FastifyRequest): void => {
    const context = contextOf(request)
    let lastWordsOf: ((reason: EndReason) => string | undefined) | undefined
    const release = registerStream(context, deps, (reason) => {
      // With much data unsent, the connection is cut without a message. The client's next request gets the reason.
      if (socket.bufferedAmount > maxUnsentBytes) return abortConnection(request.socket)
      const words = lastWordsOf?.(reason)
      if (words !== undefined) socket.send(words)
      socket.close(closeCodes[reason], closeTexts[reason])
      deps.clock.after(closingTime, () => abortConnection(request.socket))
    })
    socket.once('close', release)
    auditInternal(context, deps)
    socket.once('close', auditRead(context, deps))
    socket.on('error', (error) => deps.log.debug({ err: error }, 'WebSocket failed'))
    keepAlive(socket, request.socket, deps.clock)
    open(
      liveSocket(socket, (report) => (lastWordsOf = report)),
      inputOf(request),
      context,
    )
  }
}

function liveSocket(socket: WebSocket, onEnding: LiveSocket['onEnding']): LiveSocket {
  return {
    onEnding,
    // Once it is closed, `ws` drops the data.
    send: (data) => socket.send(data),
    get waiting() {
      return socket.bufferedAmount
    },
    onMessage: (receive) =>
      void socket.on('message', (data: Buffer, isBinary) => !isBinary && receive(data.toString('utf8'))),
    onClose: (done) => void socket.once('close', done),
    close: (code, reason) => socket.close(code, reason),
  }
}
