import { ownerText } from '../access/identity.ts'
import { createBudgets } from '../shared/rate/budgets.ts'
import { retryAfterOf } from '../shared/rate/retry-after.ts'
import type { Clock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RequestContext } from './request-context.ts'

/** Changes that one user can make at a time, and the milliseconds after which one more is allowed. */
export const ownChangeBudget = { max: 300, every: 5_000, keys: 1_000 } as const

/**
 * Limits how often one user changes what is their own: passwords, factors, API tokens, share links. Each change stays in
 * the audit log, so a user who can only watch could otherwise fill the disk with entries. What only takes away is as
 * limited as what it takes away.
 *
 * @returns counts a request that was authorized. Throws ServiceError `too-many-attempts`
 */
export function createOwnChangeLimit(clock: Pick<Clock, 'elapsed'>): (context: RequestContext) => void {
  const budgets = createBudgets(ownChangeBudget, clock)
  return (context) => {
    const { identity } = context
    if (identity.kind !== 'authenticated' || identity.authMethod === 'internal' || !isOwnChange(context)) return
    if (budgets.take(ownerText(identity))) return
    throw new ServiceError('too-many-attempts', {
      note: 'There were too many changes of this account.',
      retryAfter: retryAfterOf(ownChangeBudget.every),
    })
  }
}

function isOwnChange({ request: { method }, rule, isOwn }: RequestContext): boolean {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return false
  if ('camera' in rule) return rule.camera === 'share'
  return 'account' in rule || isOwn
}
