import type { Clock } from '../../shared/time/clock.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'

/** Failures by address, kept for the longest limit's time window, in bounded memory (RATE-4). */
export interface FailureCount {
  /** Times of the failures, oldest first: milliseconds of a monotonic clock. */
  of(key: string): readonly number[]
  add(key: string): void
}

export interface FailureCountDeps {
  /** The current limits; empty if limiting is off. */
  readonly limits: () => readonly RateLimit[]
  readonly clock: Pick<Clock, 'elapsed'>
  /** Max addresses kept. */
  readonly addresses?: number
}

export function createFailureCount({ limits, clock, addresses = 50_000 }: FailureCountDeps): FailureCount {
  // Ordered by last failure, oldest first, because a failure moves its address to the end. To evict its own address, an
  // attacker needs failures from `addresses` other networks.
  const failures = new Map<string, readonly number[]>()
  return {
    of: (key) => failures.get(key) ?? [],
    add(key) {
      const active = limits()
      const now = clock.elapsed()
      const oldest = now - 1000 * Math.max(0, ...active.map(({ seconds }) => seconds))
      const kept = (failures.get(key) ?? []).filter((at) => at > oldest)
      failures.delete(key)
      failures.set(key, [...kept, now].slice(-Math.max(0, ...active.map(({ count }) => count))))
      // Without limits, that is every address.
      for (const [other, times] of failures) {
        if ((times.at(-1) ?? 0) > oldest && failures.size <= addresses) break
        failures.delete(other)
      }
    },
  }
}
