import { expect, test } from 'vitest'
import { internalAdmin, unauthenticated, type Identity } from '../../../access/identity.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import type { Caller } from '../../../http/caller.ts'
import type { User } from '../../../users/user.ts'
import { ownAccount, publishChange, requireOwnAccount } from './own-account.ts'

const ann = testUser('ann')
const signedIn: Identity = {
  kind: 'authenticated',
  authMethod: 'password',
  name: ann.name,
  key: ann.key,
  userId: ann.id,
  role: 'viewer',
  session: 's1',
}
const provider = { issuer: 'https://id.example', subject: 'ann', recheckAt: 0 }

test.each<[what: string, identity: Identity, user: User | undefined, isOwn: boolean]>([
  ['a user with a session', signedIn, ann, true],
  ['a user without a session', { ...signedIn, session: undefined }, ann, false],
  ['a user who was deleted', signedIn, undefined, false],
  ['a user whose name is that of a later one', { ...signedIn, userId: 'an earlier ann' }, ann, false],
  ['a user of an identity provider', signedIn, { ...ann, provider }, false],
  ['the internal port', internalAdmin, ann, false],
  ['a user of the proxy', { ...signedIn, authMethod: 'proxy', userId: null }, ann, false],
  ['no one', unauthenticated, ann, false],
])('[MFA-1] %s has factors here: %s', async (_what, identity, user, isOwn) => {
  // As the database, it has no query for an undefined id.
  const store = { userById: async (id: string) => (id.trim() === ann.id ? user : undefined) }
  const own = isOwn ? { user: ann, session: 's1' } : undefined
  expect(await ownAccount({ identity }, store)).toEqual(own)
  const required = requireOwnAccount({ identity } as Caller, store)
  if (isOwn) expect(await required).toEqual(own)
  else await expect(required).rejects.toMatchObject({ code: 'conflict', reason: 'factors-elsewhere' })
})

test.each([
  [undefined, false, []],
  [[], true, [{ kind: 'user', key: 'ann' }]],
  [
    ['s1', 's2'],
    true,
    [
      { kind: 'user', key: 'ann' },
      { kind: 'session', id: 's1' },
      { kind: 'session', id: 's2' },
    ],
  ],
])('[MFA-1] a change that ended %j is one: %s', (ended, isChange, invalidations) => {
  const published: unknown[] = []
  expect(publishChange(ann, ended, (invalidation) => void published.push(invalidation))).toBe(isChange)
  expect(published).toEqual(invalidations)
})
