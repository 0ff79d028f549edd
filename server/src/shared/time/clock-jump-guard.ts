import type { Clock } from './clock.ts'
import type { Log } from '../log.ts'
import { hour } from './durations.ts'

/** Milliseconds by which the wall clock can drift from the monotonic clock before it counts as set. */
const jump = hour

/** Milliseconds after a clock change during which nothing is removed by age, because the new time may be wrong for a moment. */
const distrust = hour

/** Returns a function that says whether the clock can be trusted enough to remove data by age. Call the function regularly. */
export function createClockJumpGuard(clock: Clock, log: Log): () => boolean {
  let difference = clock.now() - clock.elapsed()
  let trustedFrom = 0
  return () => {
    const now = clock.now() - clock.elapsed()
    if (Math.abs(now - difference) > jump) {
      trustedFrom = clock.elapsed() + distrust
      log.warn(
        { shift_seconds: Math.round((now - difference) / 1000) },
        'system clock changed; nothing is removed by age for an hour',
      )
    }
    difference = now
    return clock.elapsed() >= trustedFrom
  }
}
