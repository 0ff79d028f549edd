import { ownerText, type Owner } from '../access/identity.ts'
import { createBudgets } from '../shared/rate/budgets.ts'
import type { Clock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { ExportReasons } from './reasons.ts'

/** Changes that one user can make at a time, and the milliseconds after which one more is allowed. */
export const changeBudget = { max: 300, every: 5_000 } as const

/** Users whose budgets are kept. */
const keys = 1_000

/**
 * Limits how often one user creates, renames or cancels exports. Each change stays in the audit log, so a user who can
 * only watch could otherwise fill the disk with entries.
 *
 * @throws ServiceError `too-many-attempts`
 */
export function createChangeLimit(clock: Pick<Clock, 'elapsed'>): (owner: Owner) => void {
  const budgets = createBudgets({ ...changeBudget, keys }, clock)
  return (owner) => {
    if (budgets.take(ownerText(owner))) return
    throw new ServiceError<ExportReasons>('too-many-attempts', {
      reason: 'too-many-export-changes',
      retryAfter: changeBudget.every / 1000,
    })
  }
}
