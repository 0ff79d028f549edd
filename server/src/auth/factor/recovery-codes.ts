import { createHash } from 'node:crypto'
import type { Random } from '../../shared/random.ts'

/** Without letters that look like digits or like each other (Crockford). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const count = 10
/** 120 bits: enough for a plain hash (ASVS 6.5.2). */
const groups = 4
const groupLength = 6

/** Ten new codes, in groups of six characters. */
export const newRecoveryCodes = (random: Random): string[] => Array.from({ length: count }, () => newCode(random))

const newCode = (random: Random): string => Array.from({ length: groups }, () => newGroup(random)).join('-')

const newGroup = (random: Random): string =>
  [...random.bytes(groupLength)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** SHA-256 of a code as its user typed it, as hex. */
export const recoveryCodeHash = (typed: string): string => {
  const letters = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const plain = letters.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return createHash('sha256').update(plain).digest('hex')
}
