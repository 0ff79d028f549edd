import type { Authentication } from '../../http/authentication.ts'
import type { Audit } from '../../shared/audit.ts'
import type { RequestMeta } from '../../shared/request-meta.ts'

type Authenticate = (meta: RequestMeta) => Authentication | Promise<Authentication>

/** Wraps `authenticate` to audit rejected tokens: one entry per minute for each address and reason (AUD-2). */
export function auditRefusedTokens(
  authenticate: Authenticate,
  { audit, addressOf }: { readonly audit: Pick<Audit, 'record'>; readonly addressOf: (meta: RequestMeta) => string },
): Authenticate {
  const report = (meta: RequestMeta, authentication: Authentication): Authentication => {
    const { refusedToken } = authentication
    if (refusedToken) {
      const { reason, user, ambient } = refusedToken
      const who = { user, source: user === null ? null : ('password' as const), address: addressOf(meta) }
      const target = ambient ? 'Cookie' : 'Authorization'
      audit.record({ action: 'request', result: 'refused', ...who, target, detail: reason }, reason)
    }
    return authentication
  }
  return (meta) => {
    const authentication = authenticate(meta)
    return authentication instanceof Promise
      ? authentication.then((late) => report(meta, late))
      : report(meta, authentication)
  }
}
