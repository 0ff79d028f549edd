import { systemClock } from '../../shared/time/clock.ts'

/** Milliseconds for a batch of lines. */
const timeout = 10_000

/** @throws Error if the work takes longer than a batch of lines can take */
export async function withinTimeout<T>(work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const stop = systemClock.after(timeout, () => reject(new Error(`no response within ${timeout / 1000} seconds`)))
  return Promise.race([work(), late]).finally(stop)
}
