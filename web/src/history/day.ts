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

const two = (value: number): string => `${value}`.padStart(2, '0')

/** `2026-11-21`, in the browser's time zone. */
export function dayName(at: number): string {
  const date = new Date(at * 1000)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The start of the day with this name; undefined if the name is invalid. */
export function dayNamed(name: string): number | undefined {
  const [year, month, date] = name.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const at = new Date(year, month - 1, date).getTime() / 1000
  return Number.isFinite(at) ? at : undefined
}

/** The same time of day, a number of days later. */
export function sameTimeOn(at: number, days: number): number {
  const date = new Date(at * 1000)
  date.setDate(date.getDate() + days)
  return date.getTime() / 1000
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
