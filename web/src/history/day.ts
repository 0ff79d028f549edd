/** A stretch of time, Unix seconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The day by the browser's own clock that a moment lies in: 23 or 25 hours where the clock is set. */
export function dayAround(at: number): TimeRange {
  const date = new Date(at * 1000)
  const midnight = (days: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000
  return { from: midnight(0), to: midnight(1) }
}

const two = (value: number): string => `${value}`.padStart(2, '0')

/** `2026-11-21`, by the browser's own clock. */
export function dayName(at: number): string {
  const date = new Date(at * 1000)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The start of a day of that name; undefined for what is none. */
export function dayNamed(name: string): number | undefined {
  const [year, month, date] = name.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const at = new Date(year, month - 1, date).getTime() / 1000
  return Number.isFinite(at) ? at : undefined
}

/** The same time of day, some days on. */
export function sameTimeOn(at: number, days: number): number {
  const date = new Date(at * 1000)
  date.setDate(date.getDate() + days)
  return date.getTime() / 1000
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
