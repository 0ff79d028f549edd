import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../http/route.ts'
import { hasHead, routerPath } from '../http/route-table.ts'
import type { Upgrades } from '../http/upgrades.ts'
import { ServiceError } from '../shared/errors.ts'
import { requireFreeStream } from './open-stream.ts'
import { contextOf } from './request-context.ts'
import { respondWith } from './send-response.ts'
import type { RouteDeps } from './server-deps.ts'
import { socketHandler } from './open-socket.ts'

/** Registers routes on a server. Every streamed response and WebSocket is registered as an open stream, so no route can forget it. */
export function registerRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  routes: readonly Route[],
  upgrades: Upgrades,
): void {
  for (const route of routes) {
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
