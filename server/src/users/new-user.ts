import type { Clock } from '../shared/time/clock.ts'
import type { Random } from '../shared/random.ts'
import type { PasswordOrigin, User } from './user.ts'
import { newId } from '../shared/random-id.ts'

export interface NewUser {
  /** A valid name. The key is derived from it. */
  readonly name: string
  readonly role: string
  readonly hash: string
  readonly origin: PasswordOrigin
}

/** Creates a user with a new random id. */
export function newUser(
  { name, role, hash, origin }: NewUser,
  { clock, random }: { clock: Clock; random: Random },
): User {
  const now = clock.now()
  return {
    id: newId(random),
    name,
    key: name.toLowerCase(),
    role,
    passwordHash: hash,
    credentialVersion: 1,
    passwordSetAt: now,
    passwordOrigin: origin,
    createdAt: now,
    lastLoginAt: null,
    disabled: false,
    expiresAt: null,
    hasFactor: false,
    factorVersion: 0,
    factorReset: null,
    provider: null,
  }
}
