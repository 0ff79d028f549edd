const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** `3 minutes ago`, localized. Times are Unix milliseconds. */
export function ago(at: number, now: number, locale: string): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  const [unit, size] = steps.find(([, size]) => seconds >= size) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit)
}

/** `in 3 hours`, localized. Times are Unix milliseconds. */
export function fromNow(at: number, now: number, locale: string): string {
  const seconds = Math.max(0, Math.round((at - now) / 1000))
  const [unit, size] = steps.find(([, size]) => seconds >= size) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(Math.round(seconds / size), unit)
}

/** `2 minutes, 5 seconds`, localized. */
export function formatDuration(seconds: number, locale: string): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  const parts = [
    ...(hours > 0 ? [part(hours, 'hour')] : []),
    ...(minutes > 0 ? [part(minutes, 'minute')] : []),
    ...(rest > 0 || seconds === 0 ? [part(rest, 'second')] : []),
  ]
  return new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }).format(parts.slice(0, 2))
}

/** `3 days`, or hours for a part of a day; localized. */
export function formatAge(days: number, locale: string): string {
  const [value, unit] = Number.isInteger(days) ? [days, 'day'] : [days * 24, 'hour']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(
    value,
  )
}

/** A short date and time. @param at Unix milliseconds */
export const moment = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** The same for a text that may not be a time: it's then returned as it is. A format throws, and the page with it. */
export function momentOrText(text: string, locale: string): string {
  const at = Date.parse(text)
  return Number.isNaN(at) ? text : moment(at, locale)
}

/** A date without time. @param at Unix milliseconds */
export const day = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)

/** A date and time to the second, for lists in which the order matters. @param at Unix milliseconds */
export const momentToTheSecond = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** A time range in Unix seconds, localized; parts that start and end share appear once. */
export const formatTimeRange = (start: number, end: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).formatRange(start * 1000, end * 1000)

/** A time of day to the second. @param at Unix seconds */
export const timeOfDay = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(at * 1000)

const two = (number: number): string => String(number).padStart(2, '0')

/** A duration as a clock shows it, `1:42` or `1:02:03`; at least one second. */
export function clock(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
