import type { TimeRange } from './day.ts'

/** Seconds of a clip at least, and at most: the service takes a day with one hour more. */
const shortest = 1
const longest = 25 * 3600

/** Seconds before and behind the moment, of a mark that was just set. */
const around = 15

/** A mark around what is seen. */
export const markAround = (at: number, now: number): TimeRange => moved({ from: at - around, to: at + around }, now)

/** Sets its start; an end that would lie before it moves along. */
export const startingAt = ({ to }: TimeRange, from: number, now: number): TimeRange =>
  moved({ from, to: Math.min(to > from ? to : from + 2 * around, from + longest) }, now)

/** Sets its end; a start that would lie behind it moves along. */
export function endingAt({ from }: TimeRange, requested: number, now: number): TimeRange {
  const to = Math.min(requested, now)
  return moved({ from: Math.max(from < to ? from : to - 2 * around, to - longest), to }, now)
}

/** Nothing of it lies ahead of us, and it is never empty. To the second. */
function moved({ from, to }: TimeRange, now: number): TimeRange {
  const end = Math.min(Math.round(to), Math.floor(now))
  const start = Math.min(Math.round(from), end - shortest)
  return { from: start, to: end }
}
