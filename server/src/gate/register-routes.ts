import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { WebSocket } from 'ws'
import { decide, type Decision } from '../access/decide.ts'
import { internalAdmin, type Identity } from '../access/identity.ts'
import type { RecordedRange } from '../shared/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import { chunks, pieceSize } from '../shared/chunks.ts'
import { abortResponse, abortConnection } from '../http/abort.ts'
import { namedStill } from './resource.ts'
import { routerPath } from '../http/route-table.ts'
import {
  RouteResponse,
  who,
  type Caller,
  type EndReason,
  type Input,
  type LiveSocket,
  type Route,
} from '../http/route.ts'
import type { ServerDeps } from './server-deps.ts'
import { clearedCookies, sessionCookie } from '../auth/session/session-cookie.ts'
import type { Upgrades } from '../http/upgrades.ts'

type Parts = Pick<ServerDeps, 'openStreams' | 'streamsPerUser' | 'roles' | 'cameraExists' | 'cookie' | 'audit' | 'log'>

/** Milliseconds between two pings of an open WebSocket; one that did not answer the last is gone. */
const pingEvery = 30_000

/** Puts routes on a listener. Whatever streams is held open-handed: no route can forget it. */
export function registerRoutes(app: FastifyInstance, deps: Parts, routes: readonly Route[], upgrades: Upgrades): void {
  for (const route of routes) {
    const { summary: _summary, ...schema } = route.schema
    const plain = route.handle ? answering(route, route.handle, deps) : upgradeRequired(deps)
    app.route({
      method: [...route.methods],
      url: routerPath(route.path),
      config: { route },
      schema,
      // The body is checked even where none was sent.
      handler: route.socket ? socketOr(plain, route, route.socket, deps, upgrades) : plain,
    })
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** The WebSocket for those who ask for one, the plain answer for others. */
function socketOr(
  plain: Handler,
  route: Route,
  socketOf: NonNullable<Route['socket']>,
  deps: Parts,
  upgrades: Upgrades,
): Handler {
  const open = socketHandler(route, socketOf, deps)
  return (request, reply) => {
    if (!upgrades.awaits(request.raw)) return plain(request, reply)
    requireRoom(callerOf(request), deps)
    const socket = upgrades.accept(request.raw)
    reply.hijack()
    open(socket, request)
    return reply
  }
}

/** A browser does not show a page why a WebSocket was refused: a plain request finds out. */
const upgradeRequired = (deps: Parts) => (request: FastifyRequest) => {
  requireRoom(callerOf(request), deps)
  throw new ServiceError('upgrade-required', 'Ask for this as a WebSocket.')
}

/** Whose open streams are counted together: a user's, and of users without a name those from one address. */
function ownerOf({ identity, client }: Caller): string {
  if (identity.kind !== 'known') return `address ${client.address}`
  const { source, name } = identity
  return name === internalAdmin.name ? `${source} ${name} ${client.address}` : `${source} ${name}`
}

/** Refuses one more stream to a user who has as many as a user can have. */
function requireRoom(caller: Caller, { openStreams, streamsPerUser }: Parts): void {
  const max = streamsPerUser?.()
  if (max === undefined || openStreams.countOf(ownerOf(caller)) < max) return
  throw new ServiceError(
    'too-many-attempts',
    `You have ${max} streams open, the most that one user can have (http.streams_per_user). Close some first.`,
    { reason: 'many-streams', values: { max }, retryAfter: 10 },
  )
}

function answering(route: Route, handle: NonNullable<Route['handle']>, deps: Parts) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const caller = callerOf(request)
    const result = handle(inputOf(request), caller)
    return result instanceof Promise
      ? result.then((late) => send(route, request, reply, caller, late, deps))
      : send(route, request, reply, caller, result, deps)
  }
}

function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  result: unknown,
  deps: Parts,
): FastifyReply {
  auditInternal(route, caller, deps)
  if (!(result instanceof RouteResponse)) return result === undefined ? reply.code(204).send() : reply.send(result)
  const { status, headers, session, lastWords, range } = result.parts
  if (streams(result.parts.body, request)) requireRoomOrDestroy(result.parts.body, caller, deps)
  const body = flowing(result.parts.body, request, reply)
  if (headers) reply.headers(headers)
  if (session === 'clear')
    reply.removeHeader('set-cookie').header('set-cookie', clearedCookies(deps.cookie(), caller.client))
  else if (session)
    reply.removeHeader('set-cookie').header('set-cookie', sessionCookie(deps.cookie(), session, caller.client))
  if (status !== undefined) reply.code(status)
  if (body instanceof Readable && request.method === 'HEAD') {
    // One that never ends would never be answered.
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
      reauthorize: reauthorize(route, request, deps),
      end: (why) => {
        const words = lastWords?.(why)
        if (words === undefined) return abortResponse(reply.raw)
        reply.raw.write(words, () => reply.raw.destroy())
        setTimeout(() => abortResponse(reply.raw), closingTime).unref()
      },
    })
    // Who asked may have gone while the answer was being made.
    if (reply.raw.destroyed) {
      release()
      body.destroy()
    } else reply.raw.once('close', release)
  }
  if (body instanceof Readable && !reply.raw.destroyed) reply.raw.once('close', endRead)
  else endRead()
  return body === undefined ? reply.code(status ?? 204).send() : reply.send(body)
}

const streams = (body: unknown, { method }: FastifyRequest): boolean =>
  method !== 'HEAD' && (body instanceof Readable || (body instanceof Uint8Array && body.length > pieceSize))

function requireRoomOrDestroy(body: unknown, caller: Caller, deps: Parts): void {
  try {
    requireRoom(caller, deps)
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Bytes that may take a while become a stream: one that is held, and of which little has been handed on at any time. */
function flowing(body: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  if (!(body instanceof Uint8Array) || body.length <= pieceSize || request.method === 'HEAD') return body
  reply.header('content-length', body.length)
  return Readable.from(chunks(body), { objectMode: false, highWaterMark: pieceSize })
}

function socketHandler(route: Route, open: NonNullable<Route['socket']>, deps: Parts) {
  return (socket: WebSocket, request: FastifyRequest): void => {
    const caller = callerOf(request)
    let sayAtEnd: ((why: EndReason) => string | undefined) | undefined
    const release = deps.openStreams.register({
      authentication: caller.authentication,
      owner: deps.streamsPerUser && ownerOf(caller),
      reauthorize: reauthorize(route, request, deps),
      end: (reason) => {
        // What waits is not sent on, so that no word comes through either: the next request is told why.
        if (socket.bufferedAmount > mayStandBefore) return abortConnection(request.socket)
        const words = sayAtEnd?.(reason)
        if (words !== undefined && socket.readyState === socket.OPEN) socket.send(words)
        socket.close(...closeCodes[reason])
        setTimeout(() => abortConnection(request.socket), closingTime).unref()
      },
    })
    socket.once('close', release)
    auditInternal(route, caller, deps)
    socket.once('close', auditRead(route, request, caller, deps))
    socket.on('error', (error) => deps.log.debug({ err: error }, 'a WebSocket broke off'))
    keepAlive(socket)
    open(
      liveSocket(socket, (report) => (sayAtEnd = report)),
      inputOf(request),
      caller,
    )
  }
}

/** WebSocket close codes, for programs: the UI says why the picture went. */
const closeCodes: Record<EndReason, readonly [number, string]> = {
  'sign-in': [4401, 'the session has ended'],
  forbid: [4403, 'the role does not allow this any more'],
  absent: [4404, 'there is nothing of that name any more'],
  recheck: [4408, 'open it again: the proxy has to be asked'],
  undecided: [1013, 'try again later'],
  stopping: [1001, 'the service is stopping'],
}

/** Bytes that may be on their way to the network before the last words: what was said in the same moment. */
const mayStandBefore = 64 * 1024

/** Milliseconds that a peer has to take the last words, and to answer the closing handshake. */
const closingTime = 500

function keepAlive(socket: WebSocket): void {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    return socket.ping()
  }, pingEvery).unref()
  socket.once('close', () => clearInterval(timer))
}

function liveSocket(socket: WebSocket, onEnding: LiveSocket['onEnding']): LiveSocket {
  return {
    onEnding,
    send: (data) => {
      if (socket.readyState === socket.OPEN) socket.send(data)
    },
    get waiting() {
      return socket.bufferedAmount
    },
    onMessage: (receive) =>
      void socket.on('message', (data: Buffer, isBinary) => !isBinary && receive(data.toString('utf8'))),
    onClose: (done) => void socket.once('close', done),
    close: (code, reason) => socket.close(code, reason),
  }
}

/** The decision that let a request in, made again for whoever it is from by then. */
function reauthorize({ access }: Route, request: FastifyRequest, { roles, cameraExists }: Parts) {
  const { named } = request
  return (identity: Identity): Decision => {
    const grant = roles().grantOf(identity.kind === 'known' ? identity.role : undefined)
    const still = namedStill(named, cameraExists)
    const decision = decide(access, identity, grant, still)
    if (decision === 'allow') request.caller?.allowed(grant, still)
    return decision
  }
}

/** @returns a function to call when the answer is over. */
function auditRead(
  { reads: action }: Route,
  request: FastifyRequest,
  caller: Caller,
  { audit }: Parts,
  range?: RecordedRange,
): () => void {
  if (action === undefined) return () => undefined
  return audit.use({ action, result: 'ok', ...who(caller), target: request.named.camera ?? null }, range)
}

/** Who comes to the internal port is admin without a login: that they come is known at least. */
function auditInternal({ access }: Route, caller: Caller, { audit }: Parts): void {
  const { identity } = caller
  if (identity.kind !== 'known' || identity.source !== 'inside' || 'open' in access) return
  audit.use({ action: 'internal.use', result: 'ok', ...who(caller), target: null })()
}

function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('unreachable: nobody comes here without a decision')
  return request.caller
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
