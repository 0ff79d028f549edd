import { dayIn } from '../shared/time/day-in.ts'
import { hour } from '../shared/time/durations.ts'

/** The days of a time range, in a time zone. */
export interface Days {
  /** Dates, such as `2026-11-21`. */
  readonly names: readonly string[]
  /** The start of each day and the end of the last, Unix milliseconds: one more than there are names. */
  readonly edges: readonly number[]
}

/** Milliseconds in a quarter hour. In every time zone, days begin at a quarter hour. */
const quarter = 15 * 60_000

/** Milliseconds that exceed the longest day. */
const longer = 26 * hour

/** Splits a time range into the days of a time zone; the first and the last may be partial. @throws ServiceError from dayIn */
export function daysOf(after: number, before: number, timeZone: string): Days {
  const dayOf = dayIn(timeZone)
  const names: string[] = []
  const edges = [after]
  for (let from = after; from < before; from = edges.at(-1) ?? before) {
    const day = dayOf(from / 1000)
    // Binary search: `low` is a quarter on this day, `high` is a later one that is not.
    let [low, high] = [Math.floor(from / quarter), Math.ceil((from + longer) / quarter)]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (dayOf((middle * quarter) / 1000) === day) low = middle
      else high = middle
    }
    names.push(day)
    edges.push(Math.min(before, high * quarter))
  }
  return { names, edges }
}
