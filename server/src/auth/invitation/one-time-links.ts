import { ServiceError } from '../../shared/errors.ts'
import type { Audit, AuditAction } from '../../shared/audit/audit.ts'
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
  /** AUD-2: never the id or the secret. */
  const record = (kind: OneTimeLink['kind'], result: 'failure' | 'denied', address: string, detail: string) => {
    const by = { user: null, auth_method: null, address }
    audit.record({ action: acceptActions[kind], result, ...by, target: null, detail })
  }

  const found = async (kind: OneTimeLink['kind'], use: LinkUse, address: string) => {
    const permit = await limit.acquire(address).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'too-many-attempts') {
        record(kind, 'denied', address, error.code)
      }
      throw error
    })
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
        record(kind, 'failure', address, `one-time-link-${link}`)
        throw refusal(link)
      }
      return link as Extract<OneTimeLink, { kind: Kind }>
    },
  }
}

/** Why a link cannot be used. */
export const refusal = (refused: Refused): ServiceError<AuthReasons> =>
  new ServiceError<AuthReasons>(refused === 'wrong' ? 'unauthenticated' : 'gone', {
    reason: `one-time-link-${refused}`,
  })
