import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { TSchema } from 'typebox'
import { createBudget } from '../shared/rate/budget.ts'
import { ServiceError } from '../shared/errors.ts'
import { readBodies } from '../http/bodies.ts'
import { clientErrorHandler } from '../http/client-error.ts'
import { problemDetailsFor, sendProblem } from '../http/errors.ts'
import { auditDenial } from './audit.ts'
import { createChecks, unsafePath } from './checks.ts'
import { contextOf, RequestContext } from './request-context.ts'
import { socketHandler } from './open-socket.ts'
import { requireFreeStream } from './open-stream.ts'
import { respondWith } from './send-response.ts'
import { withoutBasePath } from '../http/path.ts'
import type { Route } from '../http/route.ts'
import { createRouteTable, hasHead, matching, methodsIn, routerPath } from '../http/route-table.ts'
import type { RouteDeps, ServerDeps } from './server-deps.ts'
import { serializerFor } from '../http/serialization.ts'
import { createUpgrades, type Upgrades } from '../http/upgrades.ts'
import { validatorFor, type RequestPart } from '../http/validation.ts'

/** Max bytes of a request body. */
const bodyLimit = 1024 * 1024

/** Builds the server of one port. A request passes the hooks, which run the checks (checks.ts), and then its route. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { routes, headers, webFiles } = deps
  const targetOf = ({ url = '/' }: IncomingMessage) => withoutBasePath(url, deps.basePath)
  /** At most one log line per minute. */
  const warnings = createBudget({ max: 1, every: 60_000 }, deps.clock)
  const find = createRouteTable(routes)
  const upgrades = createUpgrades(find, targetOf, deps.clock)
  const app = Fastify({
    serverFactory: (handler) => {
      const server = deps.listener(upgrades.ending(handler), upgrades.isUpgrade)
      upgrades.serve(server, handler)
      server.on('drop', () => {
        if (warnings.take())
          deps.log.warn({ max_connections: server.maxConnections }, 'connections dropped: too many are open')
      })
      return server
    },
    logger: false,
    bodyLimit,
    forceCloseConnections: true,
    return503OnClosing: true,
    routerOptions: matching,
    rewriteUrl: (request) => targetOf(request),
    clientErrorHandler: clientErrorHandler(headers),
    // Called before any hook, only for a path that can't be decoded.
    frameworkErrors: (_error, _request, reply) => {
      reply.headers(headers)
      sendProblem(unsafePath(), reply)
    },
  })

  const checks = createChecks(deps, methodsIn(find))
  const callerDeps = { clientOf: deps.clientOf, isProxied: deps.isProxied, authorizeAgain: checks.afterWait }
  app.addHook('onRoute', (options) => {
    const { method, url, config } = options
    const rule = config?.route?.access
    if (!rule) throw new Error(`${String(method)} ${url} declares no access`)
    // Without a body, nothing can come late.
    if ('open' in rule || method === 'GET' || method === 'HEAD') return
    options.preHandler = hook(({ context }) => context && checks.afterBody(context))
  })
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const check = validatorFor(schema, httpPart as RequestPart)
    return (value) => {
      try {
        return { value: check(value) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  })
  app.setSerializerCompiler<TSchema>(({ schema }) => serializerFor(schema))
  readBodies(app, deps.clock)

  app.decorateRequest('context')
  app.addHook(
    'onRequest',
    hook((request, reply) => {
      reply.headers(headers)
      const context = new RequestContext(request, reply, callerDeps)
      request.context = context
      if (context.isApi) reply.header('cache-control', 'no-store')
      return checks.beforeBody(context)
    }),
  )

  app.setErrorHandler((error, request, reply) => {
    const { context } = request
    const declared = context?.route
    const { status } = problemDetailsFor(error)
    sendProblem(declared?.failsClosed && status !== 401 && status !== 403 ? undecided : error, reply)
    if (status >= 500) {
      const route = declared?.path ?? null
      if (isNoFault(error))
        deps.log.debug({ code: error.code, reason: error.reason, route }, 'request rejected: unavailable')
      else deps.log.error({ err: error, route }, 'request failed')
    }
    if (status === 403 && context) auditDenial(deps, context, error as ServiceError)
  })
  app.setNotFoundHandler((request, reply) => {
    const { context } = request
    if (!context || context.isApi) throw new ServiceError('not-found')
    return webFiles.respond(context, reply)
  })

  app.addHook('preClose', (done) => {
    upgrades.close()
    done()
  })

  await webFiles.register(app)
  for (const route of routes) registerRoute(app, route, deps, upgrades)
  await app.ready()
  return app
}

/** Every streamed response and WebSocket is registered as an open stream, so no route can forget it. */
function registerRoute(app: FastifyInstance, route: Route, deps: RouteDeps, upgrades: Upgrades): void {
  const { summary: _summary, otherResponses: _otherResponses, ifMatch: _ifMatch, ...schema } = route.schema
  const plain = route.handle ? respondWith(route.handle, deps) : upgradeRequired(deps)
  app.route({
    method: [...route.methods],
    url: routerPath(route.path),
    exposeHeadRoute: hasHead(route),
    config: { route },
    schema,
    // The schema is checked even if no body was sent.
    handler: route.socket ? socketOr(plain, route.socket, deps, upgrades) : plain,
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** Opens a WebSocket for upgrade requests and runs the plain handler for others. */
function socketOr(
  plain: Handler,
  socketOf: NonNullable<Route['socket']>,
  deps: RouteDeps,
  upgrades: Upgrades,
): Handler {
  const open = socketHandler(socketOf, deps)
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

/** A hook with a callback: for the requests that wait for nothing, a promise would cost more than the checks. */
const hook =
  (check: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let waiting: Promise<void> | undefined
    try {
      waiting = check(request, reply)
    } catch (error) {
      return done(error as Error)
    }
    if (waiting) void waiting.then(() => done(), done)
    else done()
  }

const undecided = new ServiceError('forbidden', { note: "Access can't be decided right now. Try again later." })

/** Whether an error is expected and nothing is broken, for example a camera without a frame yet. */
const isNoFault = (error: unknown): error is ServiceError => error instanceof ServiceError && error.cause === undefined
