import Fastify, { type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { TSchema } from 'typebox'
import { createBudget } from '../shared/budget.ts'
import { cameraRequestHeader } from '../shared/camera-request.ts'
import { ServiceError } from '../shared/errors.ts'
import { readBodies } from '../http/bodies.ts'
import { clientErrorHandler } from '../http/client-error.ts'
import { problemDetailsFor } from '../http/errors.ts'
import { createAuthorizer, unsafePath } from './authorize.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import { registerRoutes } from './register-routes.ts'
import { isDecidedByBody } from './resource.ts'
import { isApiPath, isSafePath, pathOf, withoutBasePath } from '../http/path.ts'
import { auditDenial, sendProblem } from './audit-denial.ts'
import { createRouteTable, matching } from '../http/route-table.ts'
import type { ServerDeps } from './server-deps.ts'
import { serializerFor } from '../http/serialization.ts'
import { createUpgrades } from '../http/upgrades.ts'
import { validatorFor, type RequestPart } from '../http/validation.ts'

/** Max bytes of a request body. */
const bodyLimit = 1024 * 1024

/** Builds the server of one port. The hooks are in the order a request passes them: checks, identity, decision, routes. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { routes, headers, webFiles } = deps
  const targetOf = ({ url = '/' }: IncomingMessage) =>
    // An unsafe path must not become safe because its first segment is removed.
    isSafePath(url) ? withoutBasePath(url, deps.basePath) : url
  const upgrades = createUpgrades(createRouteTable(routes), targetOf, deps.clock)
  const app = Fastify({
    serverFactory: (handler) => {
      const server = deps.listener(upgrades.ending(handler), upgrades.isUpgrade)
      upgrades.serve(server, handler)
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
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers)
      sendProblem(isSafePath(request.url) ? error : unsafePath(), reply)
    },
  })

  const authorizer = createAuthorizer(deps)
  app.addHook('onRoute', (options) => {
    const { method, url, config } = options
    const rule = config?.route?.access
    if (!rule) throw new Error(`${String(method)} ${url} declares no access`)
    if (!isDecidedByBody(rule)) return
    options.preHandler = (request, _reply, done) => {
      let waiting: Promise<void> | undefined
      try {
        waiting = authorizer.authorizeBody(request, rule)
      } catch (error) {
        return done(error as Error)
      }
      return waiting ? void waiting.then(() => done(), done) : done()
    }
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
  readBodies(app)

  // At most one log line per minute: anyone can send the header any number of times.
  const warnings = createBudget({ max: 1, every: 60_000 }, deps.clock)
  // Runs before every other check, also for upgrades.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.headers[cameraRequestHeader] === undefined) return done()
    reply.headers(headers)
    if (warnings.take()) {
      const { address } = deps.clientOf(new IncomingRequestMeta(request.raw))
      deps.log.warn({ address }, 'request rejected: sent by a camera')
    }
    return done(new ServiceError('forbidden', "A camera can't use this service."))
  })

  app.decorateRequest('caller')
  app.decorateRequest('named')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    let waiting: Promise<void> | undefined
    try {
      waiting = authorizer.authorizeRequest(request, reply)
    } catch (error) {
      return done(error as Error)
    }
    return waiting ? void waiting.then(() => done(), done) : done()
  })

  app.setErrorHandler((error, request, reply) => {
    const { route: declared } = request.routeOptions.config
    const { status } = problemDetailsFor(error)
    sendProblem(declared?.failsClosed && status !== 401 && status !== 403 ? undecided : error, reply)
    if (status >= 500) {
      const route = declared?.path ?? null
      if (isNoFault(error))
        deps.log.debug({ code: error.code, reason: error.reason, route }, 'request rejected: unavailable')
      else deps.log.error({ err: error, route }, 'request failed')
    }
    if (status === 403) auditDenial(deps, request, error as ServiceError)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    if (isApiPath(path) || !['GET', 'HEAD'].includes(request.method)) {
      throw new ServiceError('not-found', 'Not found.')
    }
    return webFiles(request, reply)
  })

  app.addHook('preClose', (done) => {
    upgrades.close()
    done()
  })

  await deps.register(app)
  registerRoutes(app, deps, routes, upgrades)
  await app.ready()
  return app
}

const undecided = new ServiceError('forbidden', "Access can't be decided right now. Try again later.")

/** Whether an error is expected and nothing is broken, for example a camera without a frame yet. */
const isNoFault = (error: unknown): error is ServiceError => error instanceof ServiceError && error.cause === undefined
