import type { Clock, StopTimer, Timers } from '../time/clock.ts'

export interface Throttled {
  (): void
  /** Drops a call that waits. */
  stop(): void
}

/** Calls `run` immediately, but at most once per `every` milliseconds: calls that come sooner are merged into one at the end of that time. */
export function throttle(
  run: () => void,
  every: number,
  clock: Pick<Clock, 'elapsed'> & Pick<Timers, 'after'>,
): Throttled {
  let last = -Infinity
  let stopTimer: StopTimer | undefined
  const runNow = (): void => {
    stopTimer = undefined
    last = clock.elapsed()
    run()
  }
  const call = (): void => {
    if (stopTimer) return
    const wait = last + every - clock.elapsed()
    if (wait <= 0) runNow()
    else stopTimer = clock.after(wait, runNow)
  }
  return Object.assign(call, { stop: () => stopTimer?.() })
}
