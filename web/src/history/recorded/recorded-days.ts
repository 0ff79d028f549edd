import { dayOf, type TimeRange } from '../../lib/day.ts'

/**
 * Days that a summary has before and after its month, which calendars and playback need. With a month of 31 days and the
 * hour by which clocks go back, less than the 62 days that the service allows.
 */
const daysBeside = 15

/** The time range of the summary that serves every day of a month: the month that contains a time, and days beside it. */
export function summaryRange(around: number): TimeRange {
  const month = monthOf(around)
  return { from: startOfDay(month, 1 - daysBeside), to: startOfDay(month + 1, 1 + daysBeside) }
}

/** A time in each month after the one that contains `at`, or before it, up to the one of `until`; the nearest first. */
export function monthsUntil(at: number, until: number): number[] {
  const [month, last] = [monthOf(at), monthOf(until)]
  const step = Math.sign(last - month)
  return Array.from({ length: Math.abs(last - month) }, (_, index) => startOfDay(month + step * (index + 1), 1))
}

/** The next day with recordings (`step` 1), or the previous one (-1). @param days sorted */
export function adjacentDay(days: readonly string[], at: number, step: 1 | -1): string | undefined {
  const name = dayOf(at)
  return step > 0 ? days.find((each) => each > name) : days.findLast((each) => each < name)
}

/** Months since 1970 in the browser's time zone. */
function monthOf(at: number): number {
  const date = new Date(at * 1000)
  return (date.getFullYear() - 1970) * 12 + date.getMonth()
}

/** @param date day of the month; days before the first and after the last are those of other months */
const startOfDay = (month: number, date: number): number => new Date(1970, month, date).getTime() / 1000
