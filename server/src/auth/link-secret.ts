import { hash as hashed, timingSafeEqual } from 'node:crypto'
import type { Random } from '../shared/random.ts'

/** The secret of a link, a token, a screen or a remembered device: 256 random bits, base64url. */
export const newSecret = (random: Random): string => random.bytes(32).toString('base64url')

/** What is stored of a secret: SHA-256, as hex. Enough for 256 random bits, but not for what a person chooses. */
export const hashOfSecret = (secret: string): string => hashed('sha256', secret)

/** Reused, because a new buffer costs more than the comparison. Hashes only, no secrets. */
const [presented, stored] = [Buffer.alloc(64), Buffer.alloc(64)]

/** Whether a secret has a hash, in constant time. */
export function hasHash(secret: string, hash: string): boolean {
  if (hash.length !== stored.length) return false
  presented.write(hashOfSecret(secret), 'latin1')
  stored.write(hash, 'latin1')
  return timingSafeEqual(presented, stored)
}
