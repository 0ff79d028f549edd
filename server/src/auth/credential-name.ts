import { invalidField } from '../shared/errors.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'

/** Characters that break a line, change the direction of the text around them, or are half of one. */
const unsuitable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** Characters that show nothing alone. Within a name they join others, in emoji and in words of Persian or Hindi. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/gu

/**
 * The name that someone gives an API token, a screen or a passkey.
 *
 * @throws ServiceError `invalid-request` for a name that can't be shown in one line
 */
export function credentialName(text: string): string {
  const name = text.trim()
  if (unsuitable.test(name)) throw invalidField('name', fieldProblem('control-character'))
  if (name.replaceAll(invisible, '') === '') throw invalidField('name', fieldProblem('missing'))
  return name
}
