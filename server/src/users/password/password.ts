import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../../shared/random.ts'
import { derivedLength, type Derive } from './derive.ts'

/** Iterations of a new hash (USER-3). */
const iterations = 600_000

/** A stored hash with more iterations counts as damaged: checking it would take minutes. */
const maxIterations = 10_000_000

/** Hashes a password in Django's format `pbkdf2_sha256$600000$<salt>$<base64 hash>`. The salt is used as text, not decoded. */
export async function hashPassword(password: string, random: Random, derive: Derive): Promise<string> {
  const salt = random.bytes(18).toString('base64url')
  const hash = await derive({ password, salt, iterations })
  return `pbkdf2_sha256$${iterations}$${salt}$${hash.toString('base64')}`
}

/** `weak`: right, but the hash has fewer iterations than a new hash and should be replaced. */
export type PasswordCheck = 'right' | 'weak' | 'wrong'

/**
 * Checks a password in constant time and always runs at least {@link iterations}, so that an unknown user, a damaged
 * hash and an old hash can't be distinguished by timing.
 *
 * @param stored undefined if the user does not exist; the result is then `wrong`.
 */
export async function checkPassword(
  password: string,
  stored: string | undefined,
  derive: Derive,
): Promise<PasswordCheck> {
  const hash = stored === undefined || !isText(password) ? undefined : parseHash(stored)
  if (!hash) {
    await derive({ password, salt: 'unknown', iterations })
    return 'wrong'
  }
  const derived = await derive({ password, salt: hash.salt, iterations: hash.iterations })
  const weak = hash.iterations < iterations
  if (weak) await derive({ password, salt: hash.salt, iterations: iterations - hash.iterations })
  if (!timingSafeEqual(derived, hash.hash)) return 'wrong'
  return weak ? 'weak' : 'right'
}

/**
 * Whether a password has only allowed characters. HMAC ignores a trailing NUL, and unpaired surrogates would all be
 * hashed as the same replacement character.
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
