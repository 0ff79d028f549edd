import type { Clock } from '../time/clock.ts'
import type { ServiceError } from '../errors.ts'
import type { BudgetOptions } from './budget.ts'
import { createBudgets } from './budgets.ts'
import { retryAfterOf } from './retry-after.ts'

/** Changes that one user can make at a time, and the milliseconds after which one more is allowed. */
export const changeBudget: BudgetOptions = { max: 300, every: 5_000 }

/** Users, sessions or tokens whose budgets are kept. */
const keys = 10_000

/**
 * Limits changes by a key, for example by user. Each change stays in the audit log, so a user who can only watch could
 * otherwise fill the disk with entries (AUD-2).
 *
 * @param refused the error of a change too many. `retryAfter`: seconds
 * @returns counts a change. Throws that error
 */
export function createChangeLimit(
  clock: Pick<Clock, 'elapsed'>,
  refused: (retryAfter: number) => ServiceError,
  budget = changeBudget,
): (key: string) => void {
  const budgets = createBudgets({ ...budget, keys }, clock)
  return (key) => {
    if (!budgets.take(key)) throw refused(retryAfterOf(budget.every))
  }
}
