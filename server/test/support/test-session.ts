import type { Session } from '../../src/users/accounts/session.ts'
import type { User } from '../../src/users/user.ts'

/** A session of a user who signed in with a password. */
export const testSession = (
  id: string,
  { id: userId, credentialVersion }: Pick<User, 'id' | 'credentialVersion'>,
  more: Partial<Session> = {},
): Session => ({
  id,
  userId,
  credentialVersion,
  createdAt: 1_700_000_000_000,
  lastSeenAt: 1_700_000_000_000,
  expiresAt: 1_700_000_900_000,
  address: '192.0.2.7',
  userAgent: 'a browser',
  confirmedAt: null,
  provider: null,
  ...more,
})
