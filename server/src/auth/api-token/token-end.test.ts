import { expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import type { User } from '../../users/user.ts'
import { hasTokenEnded, type TokenTerms } from './token-end.ts'

const now = 1_700_000_000_000
const token: TokenTerms = { userId: 'ann', expiresAt: null, credentialVersion: null }
const ann = testUser('ann', { id: 'ann', credentialVersion: 3 })

/** @param recheckAt when the provider has to be asked again */
const confirmedAt = (recheckAt: number) => ({ provider: { issuer: 'x', subject: 'y', recheckAt } })

test.each<[string, Partial<TokenTerms>, Partial<User>, boolean]>([
  ['without an end', {}, {}, false],
  ['in its last millisecond', { expiresAt: now + 1 }, {}, false],
  ['at its end', { expiresAt: now }, {}, true],
  ['of another user', { userId: 'bob' }, {}, true],
  ['of a user who is disabled', {}, { disabled: true }, true],
  ['of a user who has expired', {}, { expiresAt: now }, true],
  ['of a user whom the provider had to confirm less than an hour ago', {}, confirmedAt(now - 3_599_999), false],
  ['of a user whom the provider had to confirm an hour ago', {}, confirmedAt(now - 3_600_000), true],
  ['that ends with the password, which is the same', { credentialVersion: 3 }, {}, false],
  ['that ends with the password, which is another one', { credentialVersion: 2 }, {}, true],
])('[KEY-2] a token %s', (_which, terms, owner, hasEnded) => {
  expect(hasTokenEnded({ ...token, ...terms }, { ...ann, ...owner }, now)).toBe(hasEnded)
})
