import type { Random } from './random.ts'

/** A new id that no one can guess: 128 bits in hex. */
export const newId = (random: Random): string => random.bytes(16).toString('hex')

/** Matches a whole id. */
export const idShape = /^[0-9a-f]{32}$/

export const isId = (text: string): boolean => idShape.test(text)
