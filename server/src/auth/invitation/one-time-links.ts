import { ServiceError } from '../../shared/errors.ts'
import type { Audit, AuditAction } from '../../shared/audit/audit.ts'
import { auditLimited } from '../../shared/audit/limited-attempt.ts'
import type { LoginLimit } from '../password/login-limit.ts'
import type { AuthReasons } from '../reasons.ts'
import type { OneTimeLink } from './invitation.ts'
import type { InvitationStore, LinkUse, Refused } from './invitation-store.ts'

/** Checks the secrets of invitations and password resets. */
export interface OneTimeLinks {
  /**
   * The link with this secret, if it can be used. Wrong secrets are limited by address.
   *
   * @throws ServiceError `unauthenticated` for a wrong one, `gone` for one that is over; `too-many-attempts`, `busy`
   */
  check<Kind extends OneTimeLink['kind']>(
    kind: Kind,
    use: LinkUse,
    address: string,
  ): Promise<Extract<OneTimeLink, { kind: Kind }>>
}

export interface OneTimeLinksDeps {
  readonly store: Pick<InvitationStore, 'find'>
  readonly limit: LoginLimit
  readonly audit: Audit
}

const acceptActions = {
  invitation: 'invitation.accept',
  reset: 'password-reset.accept',
} as const satisfies Record<OneTimeLink['kind'], AuditAction>

export function createOneTimeLinks({ store, limit, audit }: OneTimeLinksDeps): OneTimeLinks {
  const found = async (kind: OneTimeLink['kind'], use: LinkUse, address: string) => {
    const permit = await auditLimited(audit, attemptAt(kind, address), () => limit.acquire(address))
    try {
      const link = await store.find(use)
      const isWrong = link === 'wrong' || (typeof link === 'object' && link.kind !== kind)
      if (isWrong) permit.fail()
      return isWrong ? 'wrong' : link
    } finally {
      permit.release()
    }
  }

  return {
    async check<Kind extends OneTimeLink['kind']>(kind: Kind, use: LinkUse, address: string) {
      const link = await found(kind, use, address)
      if (typeof link === 'string') {
        audit.record({ ...attemptAt(kind, address), result: 'failure', detail: `one-time-link-${link}` })
        throw refusal(link)
      }
      return link as Extract<OneTimeLink, { kind: Kind }>
    },
  }
}

/** AUD-2: never the id or the secret. */
const attemptAt = (kind: OneTimeLink['kind'], address: string) =>
  ({ action: acceptActions[kind], user: null, auth_method: null, address, target: null }) as const

/** Why a link cannot be used. */
export const refusal = (refused: Refused): ServiceError<AuthReasons> =>
  new ServiceError<AuthReasons>(refused === 'wrong' ? 'unauthenticated' : 'gone', {
    reason: `one-time-link-${refused}`,
  })
