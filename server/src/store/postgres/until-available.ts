import type { Timers } from '../../shared/time/clock.ts'
import { isPostgresOutage } from '../sql-state.ts'

/** How often work at startup is tried, and milliseconds between two attempts: at least nine seconds in all. */
const attempts = 10
const pause = 1_000

/**
 * Does work at startup, again if the database isn't available: it may be busy with the starts of other instances, which
 * isn't a reason to fail.
 *
 * @throws what the last attempt threw, or any error that isn't an outage at once
 */
export async function untilAvailable<T>(work: () => Promise<T>, { sleep }: Pick<Timers, 'sleep'>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || !isPostgresOutage(error)) throw error
    }
    await sleep(pause)
  }
}
