import type { Profile } from '../../../server/src/api-types.ts'

export type UserIdentity = Pick<Profile, 'username' | 'key' | 'auth'>

/** What a component that belongs to one user is keyed by, so that the next user in the tab gets a new one. */
export const userKey = ({ auth, key, username }: UserIdentity): string => `${auth} ${key ?? username}`

/**
 * Whether two profiles are of the same user. A user in the database is known by the key: two users of an identity
 * provider can have the same name, and a name can change.
 */
export const isSameUser = (one: UserIdentity, other: UserIdentity): boolean =>
  one.auth === other.auth && one.key === other.key && (one.key !== null || one.username === other.username)
