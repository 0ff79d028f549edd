import { isSingleLine, isVisible } from '../display-name.ts'
import { invalidField } from '../errors.ts'
import { fieldProblem } from '../messages/coded-message.ts'

/**
 * The text of a field that is shown in one line, such as a note; empty if the text shows nothing.
 *
 * @throws ServiceError `invalid-request` for a text that can't be shown in one line
 */
export function singleLine(field: string, text: string): string {
  const line = text.trim()
  if (!isSingleLine(line)) throw invalidField(field, fieldProblem('control-character'))
  return isVisible(line) ? line : ''
}

/**
 * The name that someone gives an API token, a screen, a passkey or a camera.
 *
 * @throws ServiceError `invalid-request` for a name that can't be shown in one line, or shows nothing
 */
export function displayName(field: string, text: string): string {
  const name = singleLine(field, text)
  if (name === '') throw invalidField(field, fieldProblem('missing'))
  return name
}
