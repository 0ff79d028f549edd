import { setTimeout as systemSleep } from 'node:timers/promises'

/** Time is a dependency, so that tests can control it. */
export interface Clock {
  /** Wall time, Unix milliseconds. Can jump. */
  now(): number
  /** Milliseconds since a fixed time. Never jumps, so use this for intervals. */
  elapsed(): number
}

/** One reading of a clock. */
export interface Instant {
  /** Wall time, Unix milliseconds. */
  readonly now: number
  /** Milliseconds of the steady clock. */
  readonly elapsed: number
}

export const instantOf = (clock: Clock): Instant => ({ now: clock.now(), elapsed: clock.elapsed() })

/** Stops a timer. Does nothing once the timer has ended. */
export type StopTimer = () => void

/** The timers of a clock. Only `sleep` keeps the process running. A time that is over already counts as now. */
export interface Timers {
  /** Calls `work` once, this many milliseconds from now. */
  after(milliseconds: number, work: () => void): StopTimer
  /** Calls `work` repeatedly, the first time after one interval. */
  every(milliseconds: number, work: () => void): StopTimer
  /** Resolves after this many milliseconds, or as soon as the signal is aborted. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/**
 * The only user of Node's timers. Code that waits for the operating system (a child process, a lock, a disk) uses this
 * clock directly, because a clock that a test moves would not move them. architecture.test.ts lists that code.
 */
export const systemClock: Clock & Timers = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, Math.max(0, milliseconds)).unref()
    return () => clearTimeout(timer)
  },
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds).unref()
    return () => clearInterval(timer)
  },
  sleep: (milliseconds, signal) =>
    systemSleep(Math.max(0, milliseconds), undefined, signal && { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error
    }),
}

/** Converts seconds from a request to milliseconds. The rounding removes floating-point errors: 0.001 s is 1 ms. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e3

/** Unix seconds, whole, rounded down: the unit of JWT times. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
