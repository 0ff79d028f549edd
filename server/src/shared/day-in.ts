import { ServiceError } from './errors.ts'

/**
 * Names days, as `2026-11-21`, in a time zone.
 *
 * @returns takes Unix seconds
 * @throws ServiceError `invalid` for a time zone that is none.
 */
export function dayIn(timeZone: string): (seconds: number) => string {
  try {
    // Its short form is the one of ISO 8601.
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return (seconds) => format.format(seconds * 1000)
  } catch (cause) {
    const message = 'is no time zone, as `Europe/Berlin`'
    throw new ServiceError('invalid', `\`timezone\` ${message}`, {
      cause,
      problems: [{ field: 'timezone', code: 'no-time-zone', message }],
    })
  }
}
