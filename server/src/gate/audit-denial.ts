import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthenticated } from '../access/identity.ts'
import type { ServiceError } from '../shared/errors.ts'
import { problemDetailsFor } from '../http/errors.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import { pathOf } from '../http/path.ts'
import { who } from '../http/route.ts'
import type { ServerDeps } from './server-deps.ts'

/** Sends an error as problem details (ERR-1). */
export function sendProblem(error: unknown, reply: FastifyReply): void {
  const { status, body, retryAfter } = problemDetailsFor(error)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** Writes a 403 response to the audit log, except a wrong password: that route's handler records more detail. */
export function auditDenial(
  { audit, clientOf }: Pick<ServerDeps, 'audit' | 'clientOf'>,
  request: FastifyRequest,
  error: ServiceError,
): void {
  if (error.code === 'wrong-password') return
  const { caller } = request
  const entry = {
    action: 'request',
    result: 'refused',
    ...who({
      identity: caller?.identity ?? unauthenticated,
      client: caller?.client ?? clientOf(new IncomingRequestMeta(request.raw)),
    }),
    target: `${request.method} ${pathOf(request.url)}`,
    detail: error.code,
  } as const
  // A client can make up any number of paths, so repeated entries are merged by route.
  audit.record(entry, `${request.method} ${request.routeOptions.config.route?.path}`)
}
