import type { Device } from '../../src/auth/factor/store/factor-store.ts'

/** A remembered device of `testUser('ann')`, valid for ten milliseconds. */
export const testDevice = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  userId: 'id of ann',
  credentialVersion: 1,
  secretHash: `hash of ${id}`,
  address: '192.0.2.7',
  userAgent: 'a browser',
  createdAt: 1_700_000_000_000,
  lastUsedAt: 1_700_000_000_000,
  expiresAt: 1_700_000_000_010,
  ...more,
})
