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

/** Words of this service: a password of nothing else is guessed first (ASVS 6.2.11). Listed in docs, too. */
const contextWords = ['gatehouse', 'camera', 'cameras', 'admin', 'administrator', 'viewer'] as const

/** Characters, and bytes in UTF-8. */
const [min, max] = [12, 1024]

/** Why a password may not be set; undefined when it may (USER-2). Nothing is trimmed, and no class of character asked for. */
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
  if (!isText(password)) return { code: 'control-character', message: 'holds a control character, or half of one' }
  const folded = password.toLowerCase()
  if (folded === userName.toLowerCase()) return { code: 'is-user-name', message: 'is the user’s name' }
  if (contextOnly.test(folded)) {
    return { code: 'service-words', message: 'is made of nothing but words that name this service' }
  }
  if ((await commonPasswords()).has(folded)) {
    return { code: 'common-password', message: 'is among the most common passwords' }
  }
  return undefined
}

/** Context words and marks between them; or the product's name with up to four characters more, as a year. */
const contextOnly = new RegExp(`^(?:(?:${contextWords.join('|')})[^\\p{L}\\p{N}]*)+$|^.{0,4}(?:gatehouse.{0,4})+$`, 'u')

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Loaded when first asked for: the list takes memory, and most starts set no password. It is ordered by how common a
 * password is, but so few of its first 10,000 have 12 characters that the whole list is taken.
 */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((word) => word.length >= 12)),
  ))
