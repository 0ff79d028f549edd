import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../../shared/random.ts'
import { derivedLength, type Derive } from './derive.ts'

/** What a new hash costs (USER-3). */
const iterations = 600_000

/** More than this in a stored hash is a damaged row, and not worth minutes of a core. */
const maxIterations = 10_000_000

/** `pbkdf2_sha256$600000$<salt>$<base64 hash>`, as Django writes it: the salt is its own text's bytes. */
export async function hashPassword(password: string, random: Random, derive: Derive): Promise<string> {
  const salt = random.bytes(18).toString('base64url')
  const hash = await derive({ password, salt, iterations })
  return `pbkdf2_sha256$${iterations}$${salt}$${hash.toString('base64')}`
}

/** `weak`: right, but of fewer iterations than a new hash has, and to be raised. */
export type PasswordCheck = 'right' | 'weak' | 'wrong'

/**
 * Compares in constant time, and takes the time of {@link iterations} at least, so that a name which does not exist,
 * a damaged hash and an old one are not told apart by a clock.
 *
 * @param stored undefined where there is no such user: never right.
 */
export async function checkPassword(
  password: string,
  stored: string | undefined,
  derive: Derive,
): Promise<PasswordCheck> {
  const hash = stored === undefined || !isText(password) ? undefined : parseHash(stored)
  if (!hash) {
    await derive({ password, salt: 'nobody', iterations })
    return 'wrong'
  }
  const derived = await derive({ password, salt: hash.salt, iterations: hash.iterations })
  const weak = hash.iterations < iterations
  if (weak) await derive({ password, salt: hash.salt, iterations: iterations - hash.iterations })
  if (!timingSafeEqual(derived, hash.hash)) return 'wrong'
  return weak ? 'weak' : 'right'
}

/**
 * What a password may be made of. HMAC takes a trailing NUL for nothing, and half a surrogate pair has no UTF-8 and
 * would be hashed as if it were any other half.
 */
export const isText = (password: string): boolean => password.isWellFormed() && !/\p{Cc}/u.test(password)

interface StoredHash {
  readonly iterations: number
  readonly salt: string
  readonly hash: Buffer
}

function parseHash(stored: string): StoredHash | undefined {
  const [, rounds, salt, base64] = /^pbkdf2_sha256\$([1-9]\d{0,8})\$([^$]+)\$([A-Za-z0-9+/]{43}=)$/.exec(stored) ?? []
  if (rounds === undefined || salt === undefined || base64 === undefined) return undefined
  const hash = Buffer.from(base64, 'base64')
  const count = Number(rounds)
  return count > maxIterations || hash.length !== derivedLength ? undefined : { iterations: count, salt, hash }
}
