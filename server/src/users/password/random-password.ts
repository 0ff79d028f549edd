import type { Random } from '../../shared/random.ts'

/** 32 characters that are easy to tell apart; each encodes 5 bits. */
const characters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 28 characters, 140 bits. */
export const randomPassword = (random: Random): string =>
  Array.from(random.bytes(28), (byte) => characters.charAt(byte % characters.length)).join('')
