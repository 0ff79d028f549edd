import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { PasswordOrigin, User } from './account-store.ts'

export interface NewUser {
  /** One that may be used: the key is made of it. */
  readonly name: string
  readonly role: string
  readonly hash: string
  readonly origin: PasswordOrigin
}

/** A user as they begin, under an id that nobody had before. */
export function newUser(
  { name, role, hash, origin }: NewUser,
  { clock, random }: { clock: Clock; random: Random },
): User {
  const now = clock.now()
  return {
    id: random.bytes(16).toString('hex'),
    name,
    key: name.toLowerCase(),
    role,
    passwordHash: hash,
    credentialVersion: 1,
    passwordSetAt: now,
    passwordOrigin: origin,
    createdAt: now,
    lastLoginAt: null,
  }
}
