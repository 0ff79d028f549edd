import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { sameGrant } from '../access/grant.ts'
import { clearedCookies, sessionCookie } from '../auth/session/session-cookie.ts'
import { abortResponse } from '../http/abort.ts'
import { RouteResponse, type RouteResponseInit } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import { chunks, pieceSize } from '../shared/http/chunks.ts'
import { auditInternal, auditRead } from './audit.ts'
import { closingTime, registerStream, requireFreeStream } from './open-stream.ts'
import { contextOf, decisionLifetime, inputOf, type RoutedContext } from './request-context.ts'
import type { RouteDeps } from './server-deps.ts'

type Handle = NonNullable<Route['handle']>

/** Runs a route's handler and sends its result. A body that is a stream is an open stream. */
export const respondWith = (handle: Handle, deps: RouteDeps) => (request: FastifyRequest) => {
  const context = contextOf(request)
  if (isRegisteredBefore(context)) {
    requireFreeStream(context, deps)
    onceAborted(
      context.signal,
      registerStream(context, deps, () => abortResponse(context.reply.raw)),
    )
  }
  return handleAndSend(handle, context, deps)
}

/** Whether a request is registered before its handler runs. HEAD too: its handler takes as much, as long as it runs. */
const isRegisteredBefore = ({ route }: RoutedContext): boolean => route.stream !== undefined

function handleAndSend(handle: Handle, context: RoutedContext, deps: RouteDeps): FastifyReply | Promise<FastifyReply> {
  const began = deps.clock.elapsed()
  const { grant } = context
  const result = handle(inputOf(context.request), context)
  if (!(result instanceof Promise)) return send(context, result, deps)
  /** ROLE-10: what was read with a grant that the caller no longer has is read again with the one that they have. */
  const sendDecidedAgain = async (late: unknown): Promise<FastifyReply> => {
    await context.authorizeAgain()
    return sameGrant(grant, context.grant) ? send(context, late, deps) : handleAndSend(handle, context, deps)
  }
  return result.then((late) => {
    const isLate = deps.clock.elapsed() - began > decisionLifetime
    return isLate && isRead(context, late) ? sendDecidedAgain(late) : send(context, late, deps, isLate)
  })
}

/**
 * Whether a result is whole and was read for a caller who was authorized. Other bodies become open streams; and a route that
 * is open to everyone decides nothing again, and can change something even by GET, such as finish a sign-in.
 */
function isRead({ request: { method }, rule }: RoutedContext, result: unknown): boolean {
  const body = result instanceof RouteResponse ? result.parts.body : result
  const isStream = body instanceof Readable || body instanceof Uint8Array
  return ['GET', 'HEAD'].includes(method) && !('open' in rule) && !isStream
}

function send(context: RoutedContext, result: unknown, deps: RouteDeps, isLate = false): FastifyReply {
  const { request, reply } = context
  auditInternal(context, deps)
  const parts: RouteResponseInit = result instanceof RouteResponse ? result.parts : { body: result }
  const { status, headers, session, lastWords, range } = parts
  const isRegistered = isRegisteredBefore(context)
  if (!isRegistered && isStreamed(parts.body, request)) requireFreeStreamOrDestroy(parts.body, context, deps)
  const body = chunked(parts.body, context, isLate)
  // Instead of a renewed one; other cookies of the response are kept.
  if (session) reply.removeHeader('set-cookie')
  if (session === 'clear') reply.header('set-cookie', clearedCookies(deps.cookie(), context.client))
  else if (session) reply.header('set-cookie', sessionCookie(deps.cookie(), session, context.client))
  // TOK-11: cookies in these follow that of the session.
  if (headers) reply.headers(headers)
  if (status !== undefined) reply.code(status)
  if (body instanceof Readable && request.method === 'HEAD') {
    // A stream that never ends would delay the response forever.
    body.destroy()
    reply.hijack()
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders).end()
    return reply
  }
  const endRead = (status ?? 200) < 400 ? auditRead(context, deps, range) : () => undefined
  if (body instanceof Readable) {
    if (!isRegistered) {
      const release = registerStream(context, deps, (reason) => {
        const words = lastWords?.(reason)
        if (words === undefined) return abortResponse(reply.raw)
        reply.raw.write(words, () => reply.raw.destroy())
        deps.clock.after(closingTime, () => abortResponse(reply.raw))
      })
      onceAborted(context.signal, release)
    }
    onceAborted(context.signal, endRead)
  } else endRead()
  return body === undefined ? reply.code(status ?? 204).send() : reply.send(body)
}

/** Calls `done` immediately if the client disconnected while the handler ran. */
function onceAborted(signal: AbortSignal, done: () => void): void {
  if (signal.aborted) done()
  else signal.addEventListener('abort', done)
}

const isStreamed = (body: unknown, { method }: FastifyRequest): boolean =>
  method !== 'HEAD' && (body instanceof Readable || (body instanceof Uint8Array && body.length > pieceSize))

function requireFreeStreamOrDestroy(body: unknown, context: RoutedContext, deps: RouteDeps): void {
  try {
    requireFreeStream(context, deps)
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Turns a large or late buffer into a stream, so that it can be reauthorized and only a small part is buffered at a time. */
function chunked(body: unknown, { request, reply }: RoutedContext, isLate: boolean): unknown {
  const isWhole = !(body instanceof Uint8Array) || (body.length <= pieceSize && !isLate)
  if (isWhole || request.method === 'HEAD') return body
  reply.header('content-length', body.length)
  return Readable.from(chunks(body), { objectMode: false, highWaterMark: pieceSize })
}
