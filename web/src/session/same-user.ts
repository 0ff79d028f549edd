import type { Profile } from '../../../server/src/api-types.ts'

type Known = Pick<Profile, 'username' | 'key' | 'auth'>

/**
 * Whether two profiles are of the same user. A user in the database is known by the key: two users of an identity
 * provider can have the same name, and a name can change.
 */
export const isSameUser = (one: Known, other: Known): boolean =>
  one.auth === other.auth && one.key === other.key && (one.key !== null || one.username === other.username)
