import type { Identity } from '../../src/access/identity.ts'

/** `testUser('ann')`, signed in with her password. */
export const signedInAnn = {
  kind: 'authenticated',
  authMethod: 'password',
  name: 'ann',
  key: 'ann',
  userId: 'id of ann',
  role: 'viewer',
  session: 's1',
} as const satisfies Identity
