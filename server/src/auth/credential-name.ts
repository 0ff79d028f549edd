import { invalidField } from '../shared/errors.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'

/**
 * The name that someone gives an API token, a screen or a passkey.
 *
 * @throws ServiceError `invalid-request` for a name that can't be shown in one line
 */
export function credentialName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', fieldProblem('missing'))
  if (/\p{C}/u.test(name)) throw invalidField('name', fieldProblem('control-character'))
  return name
}
