import { LRUCache } from 'lru-cache'
import type { Owner } from '../access/identity.ts'
import { cacheLimit } from '../shared/cache-limit.ts'
import { createBudget, type Budget } from '../shared/rate/budget.ts'
import type { Clock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { personOf } from './queue/fair-order.ts'
import type { ExportReasons } from './reasons.ts'

/** Changes that one user can make at a time, and the milliseconds after which one more is allowed. */
export const changeBudget = { max: 300, every: 5_000 } as const

/** Users whose budgets are kept. */
const users = 1_000

/**
 * Limits how often one user creates, renames or cancels exports. Each change stays in the audit log, so a user who can
 * only watch could otherwise fill the disk with entries.
 *
 * @throws ServiceError `too-many-attempts`
 */
export function createChangeLimit(clock: Pick<Clock, 'elapsed'>): (owner: Owner) => void {
  const budgets = new LRUCache<string, Budget>(cacheLimit(users))
  return (owner) => {
    const key = personOf(owner)
    const budget = budgets.get(key) ?? createBudget(changeBudget, clock)
    budgets.set(key, budget)
    if (budget.take()) return
    throw new ServiceError<ExportReasons>('too-many-attempts', {
      reason: 'too-many-export-changes',
      retryAfter: changeBudget.every / 1000,
    })
  }
}
