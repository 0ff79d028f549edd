import type { Clock } from '../../shared/clock.ts'
import type { RateLimit } from '../../shared/rate-limit.ts'

/** Failures by address, kept for as long as a limit looks back, in bounded memory (RATE-4). */
export interface FailureCount {
  /** When they happened, oldest first: milliseconds that never jump. */
  of(key: string): readonly number[]
  note(key: string): void
}

export interface FailureCountDeps {
  /** The current limits; none where the limit is off. */
  readonly limits: () => readonly RateLimit[]
  readonly clock: Pick<Clock, 'elapsed'>
  /** Addresses remembered. */
  readonly addresses?: number
}

export function createFailureCount({ limits, clock, addresses = 50_000 }: FailureCountDeps): FailureCount {
  // By last failure, oldest first, since a failure moves its address to the end: what is forgotten is what expired
  // first. To push one's own address out takes as many failures from as many other networks.
  const failures = new Map<string, readonly number[]>()
  return {
    of: (key) => failures.get(key) ?? [],
    note(key) {
      const active = limits()
      const now = clock.elapsed()
      const oldest = now - 1000 * Math.max(0, ...active.map(({ seconds }) => seconds))
      const kept = (failures.get(key) ?? []).filter((at) => at > oldest)
      failures.delete(key)
      if (active.length > 0) failures.set(key, [...kept, now].slice(-Math.max(...active.map(({ count }) => count))))
      for (const [other, times] of failures) {
        if ((times.at(-1) ?? 0) > oldest && failures.size <= addresses) break
        failures.delete(other)
      }
    },
  }
}
