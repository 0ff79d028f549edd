import type { TimeRange } from '../../lib/day.ts'

/** Minimum and maximum seconds of a clip: the service accepts a day plus one hour. */
const minSeconds = 1
const maxSeconds = 25 * 3600

/** Seconds a new clip extends before and after the current time. */
const around = 15

/** A new clip around the current time. */
export const clipAround = (at: number, now: number): TimeRange => clamped({ from: at - around, to: at + around }, now)

/** Sets the start. An end before the new start moves along. */
export const startingAt = ({ to }: TimeRange, from: number, now: number): TimeRange =>
  clamped({ from, to: Math.min(to > from ? to : from + 2 * around, from + maxSeconds) }, now)

/** Sets the end. A start after the new end moves along. */
export function endingAt({ from }: TimeRange, requested: number, now: number): TimeRange {
  const to = Math.min(requested, now)
  return clamped({ from: Math.max(from < to ? from : to - 2 * around, to - maxSeconds), to }, now)
}

/** Rounds to seconds. Keeps the clip out of the future and at least `minSeconds` long. */
function clamped({ from, to }: TimeRange, now: number): TimeRange {
  const end = Math.min(Math.round(to), Math.floor(now))
  const start = Math.min(Math.round(from), end - minSeconds)
  return { from: start, to: end }
}
