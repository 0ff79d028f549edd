import { fieldProblem } from '../messages/coded-message.ts'
import { invalidField } from '../errors.ts'

/** RFC 3339, with seconds and a time zone. */
const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** Unix milliseconds; undefined if there is no text, or not RFC 3339, or it names a leap second, which has no such number. */
export function momentOf(text: string | null): number | undefined {
  if (text === null || !shape.test(text)) return undefined
  const at = Date.parse(text.toUpperCase())
  return Number.isNaN(at) ? undefined : at
}

/**
 * The time in a field of a request, Unix milliseconds. The schema's `date-time` accepts more than {@link momentOf}.
 *
 * @throws ServiceError `invalid-request`, naming the field.
 */
export function momentIn(field: string, text: string): number {
  const at = momentOf(text)
  if (at === undefined) throw invalidField(field, fieldProblem('invalid-format'))
  return at
}
