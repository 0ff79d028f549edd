import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { WebSocket } from 'ws'
import { decide, type Decision } from '../access/decide.ts'
import { allows, isValidAt } from '../access/grant.ts'
import { grantOfIdentity } from '../access/identity-grant.ts'
import { internalAdmin, ownerText, type Identity } from '../access/identity.ts'
import type { RecordedRange } from '../shared/audit/audit.ts'
import type { Timers } from '../shared/time/clock.ts'
import { partsOf } from '../access/rule.ts'
import { ServiceError } from '../shared/errors.ts'
import { chunks, pieceSize } from '../shared/http/chunks.ts'
import { abortResponse, abortConnection } from '../http/abort.ts'
import { namedStill } from './resource.ts'
import { routerPath } from '../http/route-table.ts'
import {
  RouteResponse,
  type RouteResponseInit,
  who,
  type Caller,
  type EndReason,
  type Input,
  type LiveSocket,
  type Route,
} from '../http/route.ts'
import type { RequestContext } from './request-context.ts'
import type { ServerDeps } from './server-deps.ts'
import { clearedCookies, sessionCookie } from '../auth/session/session-cookie.ts'
import type { Upgrades } from '../http/upgrades.ts'
import type { GateReasons } from './reasons.ts'

type RouteDeps = Pick<
  ServerDeps,
  'openStreams' | 'streamsPerUser' | 'roles' | 'cameraExists' | 'cookie' | 'audit' | 'clock' | 'log'
>

/** Milliseconds between pings of an open WebSocket. A socket that didn't answer the last ping is terminated. */
const pingEvery = 30_000

/** Registers routes on a server. Every streamed response and WebSocket is registered as an open stream, so no route can forget it. */
export function registerRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  routes: readonly Route[],
  upgrades: Upgrades,
): void {
  for (const route of routes) {
    const { summary: _summary, otherResponses: _otherResponses, ifMatch: _ifMatch, ...schema } = route.schema
    const plain = route.handle ? respondWith(route, route.handle, deps) : upgradeRequired(deps)
    app.route({
      method: [...route.methods],
      url: routerPath(route.path),
      config: { route },
      schema,
      // The schema is checked even if no body was sent.
      handler: route.socket ? socketOr(plain, route, route.socket, deps, upgrades) : plain,
    })
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** Opens a WebSocket for upgrade requests and runs the plain handler for others. */
function socketOr(
  plain: Handler,
  route: Route,
  socketOf: NonNullable<Route['socket']>,
  deps: RouteDeps,
  upgrades: Upgrades,
): Handler {
  const open = socketHandler(route, socketOf, deps)
  return (request, reply) => {
    if (!upgrades.awaits(request.raw)) return plain(request, reply)
    requireFreeStream(contextOf(request), deps)
    const socket = upgrades.accept(request.raw)
    reply.hijack()
    open(socket, request)
    return reply
  }
}

/** Responds to a plain request: browsers don't tell a page why a WebSocket was refused, so the UI sends one to find out. */
const upgradeRequired = (deps: RouteDeps) => (request: FastifyRequest) => {
  requireFreeStream(contextOf(request), deps)
  throw new ServiceError('upgrade-required')
}

/**
 * The key that counts open streams: the user, for a token, screen or link this one, and for unauthenticated and anonymous
 * callers their IP address.
 */
function ownerOf({ identity, client }: Caller): string {
  if (identity.kind !== 'known') return `address ${client.address}`
  const { authMethod, name, credential } = identity
  if (credential) return `${credential.kind} ${credential.id}`
  return name === internalAdmin.name ? `${authMethod} ${name} ${client.address}` : `${authMethod} ${name}`
}

/** @throws ServiceError `too-many-attempts` if the caller has reached `http.streams_per_user`. */
function requireFreeStream(caller: Caller, { openStreams, streamsPerUser }: RouteDeps): void {
  const max = streamsPerUser?.()
  if (max === undefined || openStreams.countOf(ownerOf(caller)) < max) return
  throw new ServiceError<GateReasons>('too-many-attempts', {
    reason: 'too-many-streams',
    values: { max },
    note: 'The limit is http.streams_per_user.',
    retryAfter: 10,
  })
}

/** Milliseconds from the decision, after which a body is decided again before it is sent (ROLE-10 allows a second). */
const soon = 250

function respondWith(route: Route, handle: NonNullable<Route['handle']>, deps: RouteDeps) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const caller = contextOf(request)
    const began = deps.clock.elapsed()
    const result = handle(inputOf(request), caller)
    return result instanceof Promise
      ? result.then((late) => send(route, request, reply, caller, late, deps, deps.clock.elapsed() - began > soon))
      : send(route, request, reply, caller, result, deps)
  }
}

function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  result: unknown,
  deps: RouteDeps,
  isLate = false,
): FastifyReply {
  auditInternal(caller, deps)
  const parts: RouteResponseInit = result instanceof RouteResponse ? result.parts : { body: result }
  const { status, headers, session, lastWords, range } = parts
  if (streams(parts.body, request)) requireFreeStreamOrDestroy(parts.body, caller, deps)
  const body = flowing(parts.body, request, reply, isLate)
  // Instead of a renewed one; other cookies of the response are kept.
  if (session) reply.removeHeader('set-cookie')
  if (headers) reply.headers(headers)
  if (session === 'clear') reply.header('set-cookie', clearedCookies(deps.cookie(), caller.client))
  else if (session) reply.header('set-cookie', sessionCookie(deps.cookie(), session, caller.client))
  if (status !== undefined) reply.code(status)
  if (body instanceof Readable && request.method === 'HEAD') {
    // A stream that never ends would delay the response forever.
    body.destroy()
    reply.hijack()
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders).end()
    return reply
  }
  const endRead = (status ?? 200) < 400 ? auditRead(route, request, caller, deps, range) : () => undefined
  if (body instanceof Readable) {
    const release = deps.openStreams.register({
      authentication: caller.authentication,
      owner: deps.streamsPerUser && ownerOf(caller),
      isCurrent: (now) => isValidAt(caller.grant, now),
      reauthorize: reauthorize(route, request, deps),
      end: (reason) => {
        const words = lastWords?.(reason)
        if (words === undefined) return abortResponse(reply.raw)
        reply.raw.write(words, () => reply.raw.destroy())
        deps.clock.after(closingTime, () => abortResponse(reply.raw))
      },
    })
    // The client may have disconnected while the handler ran.
    if (reply.raw.destroyed) release()
    else reply.raw.once('close', release)
  }
  if (body instanceof Readable && !reply.raw.destroyed) reply.raw.once('close', endRead)
  else endRead()
  return body === undefined ? reply.code(status ?? 204).send() : reply.send(body)
}

const streams = (body: unknown, { method }: FastifyRequest): boolean =>
  method !== 'HEAD' && (body instanceof Readable || (body instanceof Uint8Array && body.length > pieceSize))

function requireFreeStreamOrDestroy(body: unknown, caller: Caller, deps: RouteDeps): void {
  try {
    requireFreeStream(caller, deps)
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Turns a large or late buffer into a stream, so that it can be reauthorized and only a small part is buffered at a time. */
function flowing(body: unknown, request: FastifyRequest, reply: FastifyReply, isLate: boolean): unknown {
  const isWhole = !(body instanceof Uint8Array) || (body.length <= pieceSize && !isLate)
  if (isWhole || request.method === 'HEAD') return body
  reply.header('content-length', body.length)
  return Readable.from(chunks(body), { objectMode: false, highWaterMark: pieceSize })
}

function socketHandler(route: Route, open: NonNullable<Route['socket']>, deps: RouteDeps) {
  return (socket: WebSocket, request: FastifyRequest): void => {
    const caller = contextOf(request)
    let lastWordsOf: ((reason: EndReason) => string | undefined) | undefined
    const release = deps.openStreams.register({
      authentication: caller.authentication,
      owner: deps.streamsPerUser && ownerOf(caller),
      isCurrent: (now) => isValidAt(caller.grant, now),
      reauthorize: reauthorize(route, request, deps),
      end: (reason) => {
        // With much data unsent, the connection is cut without a message. The client's next request gets the reason.
        if (socket.bufferedAmount > maxUnsentBytes) return abortConnection(request.socket)
        const words = lastWordsOf?.(reason)
        if (words !== undefined) socket.send(words)
        socket.close(...closeCodes[reason])
        deps.clock.after(closingTime, () => abortConnection(request.socket))
      },
    })
    socket.once('close', release)
    auditInternal(caller, deps)
    socket.once('close', auditRead(route, request, caller, deps))
    socket.on('error', (error) => deps.log.debug({ err: error }, 'WebSocket failed'))
    keepAlive(socket, deps.clock)
    open(
      liveSocket(socket, (report) => (lastWordsOf = report)),
      inputOf(request),
      caller,
    )
  }
}

/** WebSocket close codes and reasons. The UI shows why the video stopped. */
const closeCodes: Record<EndReason, readonly [number, string]> = {
  unauthenticated: [4401, 'session expired or revoked'],
  forbidden: [4403, 'role no longer allows this'],
  'not-found': [4404, 'not found'],
  recheck: [4408, 'reconnect: access must be decided again'],
  undecided: [1013, 'try again later'],
  stopping: [1001, 'service stopping'],
}

/** Max unsent bytes with which a WebSocket still gets a last message; more means a slow client. */
const maxUnsentBytes = 64 * 1024

/** Milliseconds for a client to receive the last message and answer the closing handshake. */
const closingTime = 500

function keepAlive(socket: WebSocket, clock: Timers): void {
  let answered = true
  socket.on('pong', () => (answered = true))
  const stopPings = clock.every(pingEvery, () => {
    if (!answered) return socket.terminate()
    answered = false
    return socket.ping()
  })
  socket.once('close', stopPings)
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

/** Repeats the decision that allowed the request, for the caller's current identity. */
function reauthorize({ access }: Route, request: FastifyRequest, { roles, cameraExists }: RouteDeps) {
  const context = contextOf(request)
  const { resource: named } = context
  const had = partsOf(access).filter((part) => allows(context.grant, part))
  return (identity: Identity): Decision | 'recheck' => {
    const grant = grantOfIdentity(roles(), identity)
    const still = namedStill(named ?? {}, cameraExists)
    const decision = decide(access, identity, grant, still)
    if (decision !== 'allow') return decision
    // GRANT-2: a response that is being sent cannot lose its audio. The client's next request gets it without.
    if ('camera' in access && had.some((part) => !allows(grant, part))) return 'recheck'
    context.reauthorized(grant, still)
    return decision
  }
}

/** @returns a function to call when the response has ended. */
function auditRead(
  { reads: action }: Route,
  request: FastifyRequest,
  caller: Caller,
  { audit }: RouteDeps,
  range?: RecordedRange,
): () => void {
  if (action === undefined) return () => undefined
  const { identity } = caller
  const entry = {
    action,
    result: 'success',
    ...who(caller),
    target: contextOf(request).resource?.camera ?? null,
  } as const
  return audit.use(identity.kind === 'known' ? { ...entry, owner: ownerText(identity) } : entry, range)
}

/** Audits use of the internal port, where every caller is admin without signing in. */
function auditInternal(caller: Caller, { audit }: RouteDeps): void {
  const { identity } = caller
  // The caller of an open route is not authenticated.
  if (identity.kind !== 'known' || identity.authMethod !== 'internal') return
  audit.use({ action: 'internal.use', result: 'success', ...who(caller), target: null })()
}

/** @throws Error if the request was not authorized, which no request that reaches a route can be. */
function contextOf({ context }: FastifyRequest): RequestContext {
  if (!context?.resource) throw new Error('unreachable: the request was not authorized')
  return context
}

const inputOf = (request: FastifyRequest): Input<never> => ({
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
  header: (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  },
})
