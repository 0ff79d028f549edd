import type { ServiceError } from '../shared/errors.ts'
import type { RefusedToken } from '../http/authentication.ts'
import { who } from '../http/route.ts'
import type { RequestContext } from './request-context.ts'
import type { ServerDeps } from './server-deps.ts'

/** Writes a 403 response to the audit log, except a wrong password: that route's handler records more detail. */
export function auditDenial({ audit }: Pick<ServerDeps, 'audit'>, context: RequestContext, error: ServiceError): void {
  if (error.code === 'wrong-password') return
  const { method } = context.request
  const entry = {
    action: 'request.denied',
    result: 'denied',
    ...who(context),
    // The path of an open route can contain a secret, such as the id of a pairing.
    target: `${method} ${'open' in context.rule ? context.route?.path : context.path}`,
    detail: error.code,
  } as const
  // A client can make up any number of paths, so repeated entries are merged by route.
  audit.record(entry, `${method} ${context.route?.path}`)
}

/** Writes a rejected token to the audit log: one entry per minute for each address and reason (AUD-2). */
export function auditRefusedToken(
  { audit }: Pick<ServerDeps, 'audit'>,
  { client }: RequestContext,
  { reason, user, ambient }: RefusedToken,
): void {
  const by = { user: user?.name ?? null, auth_method: user?.authMethod ?? null, address: client.address }
  const target = ambient ? 'Cookie' : 'Authorization'
  audit.record({ action: 'request.denied', result: 'denied', ...by, target, detail: reason }, reason)
}
