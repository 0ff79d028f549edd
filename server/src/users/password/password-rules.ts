import type { CodedMessage } from '../../shared/coded-message.ts'
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
    return { code: 'too-short', values: { min }, message: `has fewer than ${min} characters` }
  }
  if (Buffer.byteLength(password) > max) {
    return { code: 'too-many-bytes', values: { max }, message: `has more than ${max} bytes` }
  }
  if (!isText(password))
    return { code: 'control-character', message: 'contains a control character or an unpaired surrogate' }
  const folded = password.toLowerCase()
  if (folded === userName.toLowerCase()) return { code: 'is-user-name', message: 'is the same as the username' }
  if (contextOnly.test(folded)) {
    return { code: 'service-words', message: 'consists only of words of this service' }
  }
  if ((await commonPasswords()).has(folded)) {
    return { code: 'common-password', message: 'is among the most common passwords' }
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
