import Fastify, { type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { TSchema } from 'typebox'
import { createBudget } from '../shared/budget.ts'
import { cameraRequestHeader } from '../shared/camera-request.ts'
import { ServiceError } from '../shared/errors.ts'
import { readBodies } from './bodies.ts'
import { clientErrorHandler } from './client-error.ts'
import { answerTo } from './errors.ts'
import { createGatekeeper, unsafePath } from './gatekeeper.ts'
import { RequestKnock } from './knock.ts'
import { mount } from './mount.ts'
import { isDecidedByBody } from './named.ts'
import { isApiPath, isSafePath, pathOf, withoutBasePath } from './path.ts'
import { recordRefusal, sendProblem } from './refusal.ts'
import { createRouteTable, matching } from './route-table.ts'
import type { ServerParts } from './server-parts.ts'
import { createUpgrades } from './upgrades.ts'
import { validatorFor, type RequestPart } from './validation.ts'

/** Bytes that a request's body may have. */
const bodyLimit = 1024 * 1024

/** Builds one listener: fence, identity, decision, routes. Reads top to bottom as a request flows. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { routes, headers, webFiles } = parts
  const targetOf = ({ url = '/' }: IncomingMessage) =>
    // Without this, a path that is refused as it was sent could look safe with its first segment gone.
    isSafePath(url) ? withoutBasePath(url, parts.basePath) : url
  const upgrades = createUpgrades(createRouteTable(routes), targetOf)
  const app = Fastify({
    serverFactory: (handler) => {
      const server = parts.listener(upgrades.ending(handler), upgrades.isUpgrade)
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
    // Before any hook: only a path that nobody can decode comes here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers)
      sendProblem(isSafePath(request.url) ? error : unsafePath(), reply)
    },
  })

  const gatekeeper = createGatekeeper(parts)
  app.addHook('onRoute', (options) => {
    const { method, url, config } = options
    const rule = config?.route?.access
    if (!rule) throw new Error(`${String(method)} ${url} declares no access`)
    if (!isDecidedByBody(rule)) return
    options.preHandler = (request, _reply, done) => {
      let waiting: Promise<void> | undefined
      try {
        waiting = gatekeeper.decideByBody(request, rule)
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
  readBodies(app)

  // Anyone can send the header as often as they like.
  const warnings = createBudget({ most: 1, every: 60_000 }, parts.clock)
  // Before anything else is looked at; upgrades and requests of HTTP/2 come here too.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.headers[cameraRequestHeader] === undefined) return done()
    reply.headers(headers)
    if (warnings.take()) {
      const { address } = parts.clientOf(new RequestKnock(request.raw))
      parts.log.warn({ address }, 'a camera tried to read from this service')
    }
    return done(new ServiceError('forbidden', "A camera can't use this service."))
  })

  app.decorateRequest('caller')
  app.decorateRequest('named')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    let waiting: Promise<void> | undefined
    try {
      waiting = gatekeeper.meet(request, reply)
    } catch (error) {
      return done(error as Error)
    }
    return waiting ? void waiting.then(() => done(), done) : done()
  })

  app.setErrorHandler((error, request, reply) => {
    const { route: declared } = request.routeOptions.config
    const { status } = answerTo(error)
    sendProblem(declared?.failsClosed && status !== 401 && status !== 403 ? undecided : error, reply)
    if (status >= 500) {
      const route = declared?.path ?? null
      if (isNoFault(error)) parts.log.debug({ code: error.code, reason: error.reason, route }, 'a request was put off')
      else parts.log.error({ err: error, route }, 'a request failed')
    }
    if (status === 403) recordRefusal(parts, request, error as ServiceError)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    if (isApiPath(path) || !['GET', 'HEAD'].includes(request.method)) {
      throw new ServiceError('not-found', 'There is nothing here.')
    }
    return webFiles(request, reply)
  })

  app.addHook('preClose', (done) => {
    upgrades.close()
    done()
  })

  await parts.register(app)
  mount(app, parts, routes, upgrades)
  await app.ready()
  return app
}

const undecided = new ServiceError('forbidden', 'This cannot be decided now.')

/** Said on purpose and about nothing broken, as that a camera has no picture yet. */
const isNoFault = (error: unknown): error is ServiceError => error instanceof ServiceError && error.cause === undefined
