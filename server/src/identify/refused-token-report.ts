import type { Standing } from '../access/standing.ts'
import type { Audit } from '../shared/audit.ts'
import type { Knock } from '../shared/knock.ts'

type Identify = (knock: Knock) => Standing | Promise<Standing>

/** The same way to an identity, which audits refused tokens: one entry a minute for each address and reason (AUD-2). */
export function auditRefusedTokens(
  identify: Identify,
  { audit, addressOf }: { readonly audit: Pick<Audit, 'record'>; readonly addressOf: (knock: Knock) => string },
): Identify {
  const report = (knock: Knock, standing: Standing): Standing => {
    const { refusedToken } = standing
    if (refusedToken) {
      const { reason, user, ambient } = refusedToken
      const who = { user, source: user === null ? null : ('password' as const), address: addressOf(knock) }
      const target = ambient ? 'Cookie' : 'Authorization'
      audit.record({ action: 'request', result: 'refused', ...who, target, detail: reason }, reason)
    }
    return standing
  }
  return (knock) => {
    const standing = identify(knock)
    return standing instanceof Promise ? standing.then((late) => report(knock, late)) : report(knock, standing)
  }
}
