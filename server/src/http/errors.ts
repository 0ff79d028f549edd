import type { FastifyReply } from 'fastify'
import { STATUS_CODES } from 'node:http'
import { Type, type Static } from 'typebox'
import { type ErrorCode, ServiceError } from '../shared/errors.ts'
import { ProblemResponse, problemResponse, ReasonResponse, reasonResponse } from '../shared/http/message-schema.ts'
import { english } from '../shared/messages/english.gen.ts'

const statusOf: Record<ErrorCode, number> = {
  'invalid-request': 400,
  'unsafe-path': 400,
  'login-failed': 401,
  'second-factor-required': 401,
  unauthenticated: 401,
  'confirm-required': 401,
  forbidden: 403,
  'cross-origin': 403,
  'wrong-password': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  misdirected: 421,
  'upgrade-required': 426,
  'precondition-required': 428,
  'too-many-attempts': 429,
  busy: 503,
  unavailable: 503,
  'no-space': 507,
}

/** Problem details (RFC 9457), plus a stable `code` for programs. */
export const ProblemBody = Type.Object({
  type: Type.Literal('about:blank'),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.Unsafe<ErrorCode | 'internal'>(Type.Enum([...Object.keys(statusOf), 'internal'])),
  message: Type.String({ description: 'Error text, same as `detail`.' }),
  reason: Type.Optional(ReasonResponse),
  problems: Type.Optional(Type.Array(ProblemResponse, { description: 'All problems of the request, by field.' })),
})
export type ProblemBody = Static<typeof ProblemBody>

export interface ErrorResponse {
  readonly status: number
  readonly body: ProblemBody
  /** Whole seconds. */
  readonly retryAfter?: number
}

/** Converts an error to problem details. The message of an unexpected error is not exposed. */
export function problemDetailsFor(error: unknown): ErrorResponse {
  if (error instanceof ServiceError) {
    return problem(statusOf[error.code], error.code, error.message, error)
  }
  const { statusCode, message } = error as { statusCode?: unknown; message?: unknown }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return problem(statusCode, codeFor(statusCode), String(message))
  }
  return problem(500, 'internal', english.refusals.internal)
}

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

/** The code of an error thrown by Fastify: an invalid body, a body too large, or an unsupported media type. */
function codeFor(status: number): ErrorCode {
  if (status === 413) return 'too-large'
  if (status === 415) return 'unsupported-media-type'
  return 'invalid-request'
}

function problem(
  status: number,
  code: ProblemBody['code'],
  detail: string,
  { reason, values, problems, extension, retryAfter }: Partial<ServiceError> = {},
): ErrorResponse {
  const title = STATUS_CODES[status] ?? 'Error'
  return {
    status,
    body: {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      message: detail,
      ...(reason && { reason: reasonResponse({ code: reason, values }) }),
      ...(problems && { problems: problems.map(problemResponse) }),
      ...extension,
    },
    ...(retryAfter !== undefined && { retryAfter }),
  }
}
