import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import { createBudget, type Budget, type BudgetOptions } from '../../shared/rate/budget.ts'
import { retryAfterOf } from '../../shared/rate/retry-after.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'

/** Max addresses kept. To evict its own, a client needs as many other networks. */
const max = 10_000

/**
 * Limits requests by address (IPv6: /64).
 *
 * @returns counts a request. Throws ServiceError `too-many-attempts`
 */
export function createAddressLimit(options: BudgetOptions, clock: Pick<Clock, 'elapsed'>): (address: string) => void {
  const budgets = new LRUCache<string, Budget>(cacheLimit(max))
  return (address) => {
    const key = addressKey(address)
    const budget = budgets.get(key) ?? createBudget(options, clock)
    budgets.set(key, budget)
    if (budget.take()) return
    throw new ServiceError('too-many-attempts', { retryAfter: retryAfterOf(options.every) })
  }
}
