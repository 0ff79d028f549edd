import { type CodedMessage, fieldProblem } from '../../shared/messages/coded-message.ts'
import { isText } from './password.ts'

export interface PasswordProblems {
  'too-short': { readonly min: number }
  'too-many-bytes': { readonly max: number }
  'control-character': null
  'is-user-name': null
  'service-words': null
  'common-password': null
}

/** Words of this service: a password of only these words is easily guessed (ASVS 6.2.11). Listed in the docs, too. */
const contextWords = ['gatehouse', 'camera', 'cameras', 'admin', 'administrator', 'viewer'] as const

/** Min characters, and max UTF-8 bytes. */
const [min, max] = [12, 1024]

/** Why a password is rejected; undefined if it is allowed (USER-2). Nothing is trimmed and no character class is required. */
export async function passwordProblem(
  password: string,
  userName: string,
): Promise<CodedMessage<PasswordProblems> | undefined> {
  if (Array.from(password).length < min) {
    return fieldProblem('too-short', { min })
  }
  if (Buffer.byteLength(password) > max) {
    return fieldProblem('too-many-bytes', { max })
  }
  if (!isText(password)) return fieldProblem('control-character')
  const folded = password.toLowerCase()
  if (folded === userName.toLowerCase()) return fieldProblem('is-user-name')
  if (contextOnly.test(folded)) {
    return fieldProblem('service-words')
  }
  if ((await commonPasswords()).has(folded)) {
    return fieldProblem('common-password')
  }
  return undefined
}

/** Only context words and punctuation, or the product's name with up to four other characters, such as a year. */
const contextOnly = new RegExp(`^(?:(?:${contextWords.join('|')})[^\\p{L}\\p{N}]*)+$|^.{0,4}(?:gatehouse.{0,4})+$`, 'u')

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Loaded on demand: the list takes memory, and after most starts no password is set. It is ordered by frequency, but so
 * few of its first 10,000 passwords have 12 characters that the whole list is used.
 */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((word) => word.length >= 12)),
  ))
