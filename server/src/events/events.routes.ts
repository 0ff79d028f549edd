import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Caller } from '../http/caller.ts'
import { respond, type LiveSocket } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Timers } from '../shared/time/clock.ts'
import type { AccessEvent, ServerEvent } from './event.ts'

export interface EventRouteDeps {
  /** Sends a caller the events that are for them. @returns a function that ends it */
  readonly listen: (caller: Caller, send: (event: ServerEvent | AccessEvent) => void) => () => void
  readonly clock: Pick<Timers, 'every'>
}

/** Maximum bytes that wait for one connection. A slower client is disconnected, and reloads its data when it reconnects. */
const waitingLimit = 256 << 10

/** Milliseconds between two comments, so that no proxy closes an idle stream. */
const heartbeatInterval = 25_000

export function eventRoutes({ listen, clock }: EventRouteDeps): Route[] {
  const socket = (open: LiveSocket, caller: Caller): void => {
    const leave = listen(caller, (event) => {
      if (open.waiting > waitingLimit) return open.close(1013, 'too slow')
      open.send(JSON.stringify(event))
    })
    open.onEnding((reason) => (reason === 'unauthenticated' ? JSON.stringify(ended) : undefined))
    open.onClose(leave)
  }

  const stream = (caller: Caller) => {
    const body = new Readable({ read() {}, destroy: (error, done) => (stop(), done(error)) })
    const push = (text: string): void => {
      if (body.readableLength > waitingLimit) body.destroy()
      else body.push(text)
    }
    const leave = listen(caller, (event) => push(`data: ${JSON.stringify(event)}\n\n`))
    const stopBeat = clock.every(heartbeatInterval, () => push(': still here\n\n'))
    const stop = (): void => {
      leave()
      stopBeat()
    }
    // The headers are sent with the first byte.
    push(': welcome\n\n')
    return respond({
      body,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-accel-buffering': 'no',
      },
      lastWords: (reason) => (reason === 'unauthenticated' ? `data: ${JSON.stringify(ended)}\n\n` : undefined),
    })
  }

  return [
    route({
      method: 'GET',
      path: '/api/events',
      access: { cameras: 'any', requested: { of: 'query', name: 'cameras' }, parts: ['review', 'export'] },
      schema: {
        summary:
          "Stream events: a camera's state, review items, items the caller marked as seen, progress of exports, " +
          '`{"type":"access"}` when the caller\'s permissions change, and `{"type":"session-ended"}` as the last ' +
          'message. Server-sent events, or text frames of a WebSocket.',
        querystring: Type.Object({
          cameras: Type.Optional(
            Type.String({
              maxLength: 8192,
              description:
                'Camera names, separated by commas, for example `yard,door`. Default: all cameras. The stream is closed when the caller can no longer see one of them.',
            }),
          ),
        }),
        otherResponses: { 200: 'text/event-stream' },
      },
      handle: (_input, caller) => stream(caller),
      socket: (open, _input, caller) => socket(open, caller),
    }),
  ]
}

const ended = { type: 'session-ended' }
