import type { FastifyReply, FastifyRequest } from 'fastify'
import { stranger, type Identity } from '../access/identity.ts'
import type { Audit } from '../shared/audit.ts'
import type { ServiceError } from '../shared/errors.ts'
import { answerTo } from './errors.ts'
import { pathOf } from './path.ts'

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

/** Who was told 403, and for what. */
export function recordRefusal(audit: Audit, request: FastifyRequest, error: ServiceError): void {
  const identity: Identity = request.caller?.identity ?? stranger
  const known = identity.kind === 'known'
  audit.record({
    action: 'request',
    result: 'refused',
    user: known ? identity.name : null,
    source: known ? identity.source : null,
    address: request.caller?.client.address ?? request.raw.socket.remoteAddress ?? null,
    target: `${request.method} ${pathOf(request.url)}`,
    detail: error.code,
  })
}
