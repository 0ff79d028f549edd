import type { Clock } from './clock.ts'

/** How much may be done: so much at once, and then one each time that so many milliseconds have passed. */
export interface BudgetOptions {
  readonly max: number
  readonly every: number
}

export interface Budget {
  /** Whether there is one left, which is then taken. */
  take(): boolean
}

export function createBudget({ max, every }: BudgetOptions, clock: Pick<Clock, 'elapsed'>): Budget {
  let left = max
  let at = clock.elapsed()
  return {
    take() {
      const now = clock.elapsed()
      left = Math.min(max, left + (now - at) / every)
      at = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
