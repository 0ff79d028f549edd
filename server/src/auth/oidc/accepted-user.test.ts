import { expect, test } from 'vitest'
import { isAcceptedUser } from './accepted-user.ts'

const issuer = 'https://id.example'
const local = { provider: null, key: 'ann', role: 'admin' }
const theirs = { provider: { issuer, subject: 's', recheckAt: 0 }, key: 'oidc:1', role: 'admin' }
const both = { issuer, only: false, emergency_user: null }
const only = { issuer, only: true, emergency_user: 'Ann' }

test.each([
  ['a local user beside a provider', local, both, true],
  ['a user of the provider', theirs, both, true],
  ['a user of the provider that was configured before', theirs, { ...both, issuer: 'https://other.example' }, false],
  ['a user of a provider that was removed', theirs, { ...both, issuer: null }, false],
  ['the emergency user', local, only, true],
  ['the emergency user who is no longer an admin', { ...local, role: 'viewer' }, only, false],
  ['another admin', { ...local, key: 'bob' }, only, false],
  ['an admin, if no emergency user is named', local, { ...only, emergency_user: null }, false],
  ['a user of the provider, with only', theirs, only, true],
])('[OIDC-1] %s', (_, user, oidc, accepted) => {
  expect(isAcceptedUser(user, oidc)).toBe(accepted)
})
