import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** Milliseconds by which the wall clock may differ from the steady one before it counts as set anew. */
const jump = 60 * 60_000

/** Milliseconds that nothing is removed for its age after the clock was set: it may be wrong for a moment only. */
const distrust = 60 * 60_000

/** Whether things may be removed for their age by now; to be asked again and again. */
export function createClockJumpGuard(clock: Clock, log: Log): () => boolean {
  let difference = clock.now() - clock.elapsed()
  let trustedFrom = 0
  return () => {
    const now = clock.now() - clock.elapsed()
    if (Math.abs(now - difference) > jump) {
      trustedFrom = clock.elapsed() + distrust
      log.warn(
        { hours: Math.round((now - difference) / jump) },
        'the clock was set: nothing is removed for its age for an hour',
      )
    }
    difference = now
    return clock.elapsed() >= trustedFrom
  }
}
