import { invalidField } from '../errors.ts'
import { fieldProblem } from '../messages/coded-message.ts'

/**
 * The text of a field that is shown in one line, such as a name or a note.
 *
 * @throws ServiceError `invalid-request` for a text with control characters
 */
export function singleLine(field: string, text: string): string {
  if (/\p{Cc}/u.test(text)) throw invalidField(field, fieldProblem('control-character'))
  return text.toWellFormed().trim()
}
