/** A time range, Unix seconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The day in the browser's time zone that contains a time: 23 or 25 hours when the clocks change. */
export function dayAround(at: number): TimeRange {
  const date = new Date(at * 1000)
  const midnight = (days: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000
  return { from: midnight(0), to: midnight(1) }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The day of a time (Unix seconds) in the browser's time zone, written as `2026-11-21`. */
export function dayOf(at: number): string {
  const date = new Date(at * 1000)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** Unix seconds at which a day (`2026-11-21`) starts in the browser's time zone; undefined if it is not a date. */
export function startOf(day: string, later = 0): number | undefined {
  const [, year, month, date] = pattern.exec(day) ?? []
  return year === undefined
    ? undefined
    : new Date(Number(year), Number(month) - 1, Number(date) + later).getTime() / 1000
}

/** Whether the text is an existing day, written as `2026-11-21`. */
export const isDay = (text: string): boolean => {
  const start = startOf(text)
  return start !== undefined && dayOf(start) === text
}

/** Start and end of a day in the browser's time zone, Unix seconds: 23 or 25 hours when the clocks change. */
export const boundsOf = (day: string): { after: number; before: number } => ({
  after: startOf(day) ?? 0,
  before: startOf(day, 1) ?? 0,
})

/** `today`, `yesterday` or the date, in the locale's language. @param now Unix seconds */
export function dayLabel(day: string, now: number, locale: string): string {
  const near = [0, -1].find((away) => dayOf(boundsOf(dayOf(now)).after + away * 86_400 + 43_200) === day)
  const { after } = boundsOf(day)
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(after * 1000)
  if (near === undefined) return date
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(near, 'day')
  return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1)
}

/** The same time of day, a number of days later. */
export function sameTimeOn(at: number, days: number): number {
  const date = new Date(at * 1000)
  date.setDate(date.getDate() + days)
  return date.getTime() / 1000
}

/** The same time of day on a day (`2026-11-21`); undefined if that is not a date. */
export function sameTimeOnDay(at: number, day: string): number | undefined {
  const start = startOf(day)
  if (start === undefined) return undefined
  // A time in the hour that occurs twice stays in the second one.
  if (day === dayOf(at)) return at
  const [date, time] = [new Date(start * 1000), new Date(at * 1000)]
  date.setHours(time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds())
  return date.getTime() / 1000
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
