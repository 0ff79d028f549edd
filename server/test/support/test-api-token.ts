import type { ApiToken } from '../../src/auth/api-token/api-token-store.ts'

/** An API token of `testUser('ann')`, without limits. */
export const testApiToken = (more: Partial<ApiToken> = {}): ApiToken => ({
  id: '0123456789abcdef'.repeat(2),
  userId: 'id of ann',
  owner: 'ann',
  ownerKey: 'ann',
  name: 'x',
  secretHash: 'hash',
  cameras: null,
  actions: null,
  createdAt: 1_700_000_000_000,
  expiresAt: null,
  credentialVersion: null,
  parentId: null,
  parentName: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  ...more,
})
