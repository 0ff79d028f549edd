/** `6:30 PM`, localized. @param at Unix seconds, as for all of these */
export const shortClock = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at * 1000)

/** A whole hour: `6 PM`, or `18:00` with a 24-hour clock. */
export const hourText = (at: number, locale: string): string => {
  const { hour12 } = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).resolvedOptions()
  return hour12 ? new Intl.DateTimeFormat(locale, { hour: 'numeric' }).format(at * 1000) : shortClock(at, locale)
}

/** `Saturday, November 21, 2026`. */
export const dateText = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(at * 1000)

/** `Sat, Nov 21`. */
export const shortDate = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(at * 1000)
