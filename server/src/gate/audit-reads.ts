import { ownerText } from '../access/identity.ts'
import { who, type Caller } from '../http/route.ts'
import type { RecordedRange } from '../shared/audit/audit.ts'
import type { RoutedContext } from './routed-request.ts'
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
    ...who(context),
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
  audit.use({ action: 'internal.use', result: 'success', ...who(caller), target: null })()
}
