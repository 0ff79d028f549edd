import type { FastifyReply, FastifyRequest } from 'fastify'
import { stranger } from '../access/identity.ts'
import type { ServiceError } from '../shared/errors.ts'
import { answerTo } from './errors.ts'
import { RequestKnock } from './knock.ts'
import { pathOf } from './path.ts'
import { who } from './route.ts'
import type { ServerParts } from './server-parts.ts'

/** Answers with what went wrong (ERR-1). */
export function sendProblem(error: unknown, reply: FastifyReply): void {
  const { status, body, retryAfter } = answerTo(error)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** Audits who was told 403, and for what. Of a wrong password its handler says more. */
export function recordRefusal(
  { audit, clientOf }: Pick<ServerParts, 'audit' | 'clientOf'>,
  request: FastifyRequest,
  error: ServiceError,
): void {
  if (error.code === 'wrong-password') return
  const { caller } = request
  const entry = {
    action: 'request',
    result: 'refused',
    ...who({
      identity: caller?.identity ?? stranger,
      client: caller?.client ?? clientOf(new RequestKnock(request.raw)),
    }),
    target: `${request.method} ${pathOf(request.url)}`,
    detail: error.code,
  } as const
  // Names in a path may be made up without end: those of one route are one.
  audit.record(entry, `${request.method} ${request.routeOptions.config.route?.path}`)
}
