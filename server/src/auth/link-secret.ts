import { hash as hashed, timingSafeEqual } from 'node:crypto'
import type { Random } from '../shared/random.ts'

/** The secret of a link or a screen: 256 random bits, base64url. */
export const newSecret = (random: Random): string => random.bytes(32).toString('base64url')

/** What is stored of a secret: SHA-256, as hex. Enough for 256 random bits, but not for what a person chooses. */
export const hashOfSecret = (secret: string): string => hashed('sha256', secret)

/** Whether a secret has a hash, in constant time. */
export const hasHash = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOfSecret(secret), 'latin1'), Buffer.from(hash, 'latin1'))
