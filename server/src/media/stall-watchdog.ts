import { systemClock } from '../shared/time/clock.ts'

/** Watches a repeating signal. */
export interface StallWatchdog {
  /** The signal has arrived. */
  reset(): void
  /** Stops watching. */
  end(): void
}

/** Number of intervals without a signal after which it counts as missing. */
const turns = 20

/**
 * Calls back once after this many milliseconds of silence, counted only while this process was running.
 *
 * A busy or suspended machine stops this process together with its children, whose output stays unread until it
 * resumes. So silence is counted in short intervals, between which all pending input is read: a delayed interval counts
 * no more than any other.
 */
export function createStallWatchdog(milliseconds: number, onSilence: () => void): StallWatchdog {
  let left = turns
  const stop = systemClock.every(milliseconds / turns, () => {
    left -= 1
    if (left > 0) return
    stop()
    onSilence()
  })
  return {
    reset: () => void (left = turns),
    end: stop,
  }
}
