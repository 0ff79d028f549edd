import { dayIn } from '../shared/day-in.ts'

/** Days of a time zone within a time. */
export interface Days {
  /** `2026-11-21`. */
  readonly names: readonly string[]
  /** Where they begin, and where the last one ends; Unix milliseconds. One more than there are names. */
  readonly edges: readonly number[]
}

/** Every time zone's days begin with one, in milliseconds. */
const quarter = 15 * 60_000

/** Milliseconds that no day lasts. */
const longer = 26 * 60 * 60_000

/** Cuts a time into the days of a time zone; the first and the last may be parts of one. @throws ServiceError as dayIn */
export function daysOf(after: number, before: number, timeZone: string): Days {
  const dayOf = dayIn(timeZone)
  const names: string[] = []
  const edges = [after]
  for (let from = after; from < before; from = edges.at(-1) ?? before) {
    const day = dayOf(from / 1000)
    // The last quarter that begins on this day, and the first that does not.
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
