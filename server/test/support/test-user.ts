import type { User } from '../../src/users/user.ts'

/** A user for the database. */
export const testUser = (name: string, more: Partial<User> = {}): User => ({
  id: `id of ${name}`,
  name,
  key: name.toLowerCase(),
  role: 'viewer',
  passwordHash: 'hash',
  credentialVersion: 1,
  passwordSetAt: 1_700_000_000_123,
  passwordOrigin: 'own',
  disabled: false,
  expiresAt: null,
  hasFactor: false,
  factorVersion: 0,
  factorReset: null,
  provider: null,
  createdAt: 1_700_000_000_123,
  lastLoginAt: null,
  ...more,
})
