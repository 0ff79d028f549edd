import { addressKey } from '../../shared/http/address-key.ts'
import type { BudgetOptions } from '../../shared/rate/budget.ts'
import { createBudgets } from '../../shared/rate/budgets.ts'
import { retryAfterOf } from '../../shared/rate/retry-after.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'

/** Max addresses kept. To evict its own, a client needs as many other networks. */
const keys = 10_000

/**
 * Limits requests by address (IPv6: /64).
 *
 * @returns counts a request. Throws ServiceError `too-many-attempts`
 */
export function createAddressLimit(options: BudgetOptions, clock: Pick<Clock, 'elapsed'>): (address: string) => void {
  const budgets = createBudgets({ ...options, keys }, clock)
  return (address) => {
    if (budgets.take(addressKey(address))) return
    throw new ServiceError('too-many-attempts', { retryAfter: retryAfterOf(options.every) })
  }
}
