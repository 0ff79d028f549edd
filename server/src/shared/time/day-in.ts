import { invalidField } from '../errors.ts'
import { fieldProblem } from '../messages/coded-message.ts'

/**
 * Formats days of a time zone, such as `2026-11-21`.
 *
 * @returns a function that takes Unix seconds
 * @throws ServiceError `invalid-request` for an unknown time zone
 */
export function dayIn(timeZone: string): (seconds: number) => string {
  try {
    // The short format of en-CA is the ISO 8601 date.
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return (seconds) => format.format(seconds * 1000)
  } catch (cause) {
    throw invalidField('timezone', fieldProblem('no-time-zone'), cause)
  }
}
