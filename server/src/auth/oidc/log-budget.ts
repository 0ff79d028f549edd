import { createBudget, type Budget } from '../../shared/rate/budget.ts'
import type { Clock } from '../../shared/time/clock.ts'

/** For log lines that anyone can cause without signing in: a flood of them must not fill the log. */
export const createLogBudget = (clock: Pick<Clock, 'elapsed'>): Budget => createBudget({ max: 10, every: 6_000 }, clock)
