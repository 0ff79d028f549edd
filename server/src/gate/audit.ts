import { ownerText } from '../access/identity.ts'
import type { RefusedToken } from '../http/authentication.ts'
import { actorOf, type Caller } from '../http/caller.ts'
import type { RecordedRange } from '../shared/audit/audit.ts'
import type { ServiceError } from '../shared/errors.ts'
import type { RequestContext, RoutedContext } from './request-context.ts'
import type { ServerDeps } from './server-deps.ts'

type AuditDeps = Pick<ServerDeps, 'audit'>

/**
 * Audits a route that reads video, if the configuration has `audit.reads`.
 *
 * @returns a function to call when the response has ended
 */
export function auditRead(context: RoutedContext, { audit }: AuditDeps, range?: RecordedRange): () => void {
  const { route, identity, resource } = context
  if (route.reads === undefined) return nothing
  const entry = {
    action: route.reads,
    result: 'success',
    ...actorOf(context),
    target: resource.camera ?? null,
  } as const
  return audit.use(identity.kind === 'authenticated' ? { ...entry, owner: ownerText(identity) } : entry, range)
}

const nothing = (): void => undefined

/** Audits use of the internal port, where every caller is admin without signing in. */
export function auditInternal(caller: Caller, { audit }: AuditDeps): void {
  const { identity } = caller
  // The caller of an open route is not authenticated.
  if (identity.kind !== 'authenticated' || identity.authMethod !== 'internal') return
  audit.use({ action: 'internal.use', result: 'success', ...actorOf(caller), target: null })()
}

/** Writes a 403 response to the audit log, except a wrong password: that route's handler records more detail. */
export function auditDenial({ audit }: AuditDeps, context: RequestContext, error: ServiceError): void {
  if (error.code === 'wrong-password') return
  const { method } = context.request
  const entry = {
    action: 'request.denied',
    result: 'denied',
    ...actorOf(context),
    // The path of an open route can contain a secret, such as the id of a pairing.
    target: `${method} ${'open' in context.rule ? context.route?.path : context.path}`,
    detail: error.code,
  } as const
  // A client can make up any number of paths, so repeated entries are merged by route.
  audit.record(entry, `${method} ${context.route?.path}`)
}

/** Writes a rejected token to the audit log: one entry per minute for each address and reason (AUD-2). */
export function auditRefusedToken(
  { audit }: AuditDeps,
  { client }: RequestContext,
  { reason, user, ambient }: RefusedToken,
): void {
  const by = { user: user?.name ?? null, auth_method: user?.authMethod ?? null, address: client.address }
  const target = ambient ? 'Cookie' : 'Authorization'
  audit.record({ action: 'request.denied', result: 'denied', ...by, target, detail: reason }, reason)
}
