import type { Clock } from '../time/clock.ts'

/** A token bucket: `max` tokens at first, and one more every `every` milliseconds, up to `max`. */
export interface BudgetOptions {
  readonly max: number
  readonly every: number
}

export interface Budget {
  /** Takes a token. @returns whether there was one. */
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
