import { ownerText, type Principal } from '../access/identity.ts'
import { ServiceError } from '../shared/errors.ts'
import type { BudgetOptions } from '../shared/rate/budget.ts'
import { changeBudget, createChangeLimit } from '../shared/rate/change-limit.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { GateReasons } from './reasons.ts'
import type { RequestContext } from './request-context.ts'

/** Of all sessions and tokens of one user together: more than one has, so that no single one uses up what the others need. */
export const ownChangeTotal: BudgetOptions = { max: 2 * changeBudget.max, every: changeBudget.every / 2 }

/**
 * Limits how often one user changes what is their own: passwords, factors, API tokens, share links. DELETE isn't counted:
 * nothing can be removed more often than it was created.
 *
 * @returns counts a request that was authorized. Throws ServiceError `too-many-attempts`
 */
export function createOwnChangeLimit(clock: Pick<Clock, 'elapsed'>): (context: RequestContext) => void {
  const limitOne = createChangeLimit(clock, refused)
  const limitAll = createChangeLimit(clock, refused, ownChangeTotal)
  return (context) => {
    const { identity } = context
    if (identity.kind !== 'authenticated' || identity.authMethod === 'internal' || !isOwnChange(context)) return
    limitOne(signedInBy(identity))
    limitAll(ownerText(identity))
  }
}

const refused = (retryAfter: number) =>
  new ServiceError<GateReasons>('too-many-attempts', { reason: 'too-many-own-changes', retryAfter })

/** The token or session of a caller; without one, the user. */
function signedInBy({ credential, session, ...owner }: Principal): string {
  if (credential) return `${credential.kind} ${credential.id}`
  return session === undefined ? ownerText(owner) : `session ${session}`
}

function isOwnChange({ request: { method }, route, rule, isOwn }: RequestContext): boolean {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return false
  if (route?.confirm === 'itself') return false
  if ('camera' in rule) return rule.camera === 'share'
  return 'account' in rule || isOwn
}
