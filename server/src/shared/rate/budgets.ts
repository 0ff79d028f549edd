import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../cache-limit.ts'
import type { Clock } from '../time/clock.ts'
import { createBudget, type Budget, type BudgetOptions } from './budget.ts'

export interface BudgetsOptions extends BudgetOptions {
  /** Keys whose budgets are kept: those used last. */
  readonly keys: number
}

/** A budget for each user, address or other key. */
export interface Budgets {
  /** Takes a token of a key's budget. @returns whether there was one. */
  take(key: string): boolean
}

export function createBudgets({ keys, ...options }: BudgetsOptions, clock: Pick<Clock, 'elapsed'>): Budgets {
  const budgets = new LRUCache<string, Budget>(cacheLimit(keys))
  return {
    take(key) {
      const budget = budgets.get(key) ?? createBudget(options, clock)
      budgets.set(key, budget)
      return budget.take()
    },
  }
}
