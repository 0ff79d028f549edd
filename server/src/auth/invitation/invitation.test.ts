import { expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import { wallClockIn } from '../../access/hours.ts'
import { defaultActions, rolesFrom } from '../../access/role.ts'
import type { User } from '../../users/user.ts'
import { isAcceptedUser } from '../oidc/accepted-user.ts'
import { stateOf, type Invitation, type LinkFacts, type LinkState, type PasswordReset } from './invitation.ts'

const now = 1_700_000_000_000
const userNamed = (id: string, more: Partial<User> = {}): User =>
  testUser(id, { id, role: 'admin', credentialVersion: 3, ...more })
const guard = {
  cameras: 'all',
  allow: defaultActions,
  history: undefined,
  hours: [],
  validFrom: undefined,
  validUntil: undefined,
} as const
const time = { now: () => now, wallClock: wallClockIn('UTC') }
const boss = userNamed('boss')
const ann = userNamed('ann', { role: 'viewer' })
const link = {
  id: 'l1',
  secretHash: '',
  createdBy: 'boss',
  createdVia: 'password',
  creatorId: 'boss',
  tokenId: null,
  createdAt: now - 1,
  expiresAt: now + 1,
  ended: null,
} as const
const invitation: Invitation = { ...link, kind: 'invitation', role: 'guard', username: null }
const reset: PasswordReset = { ...link, kind: 'reset', username: 'ann', userId: 'ann', credentialVersion: 3 }
const token = { userId: 'boss', expiresAt: null, credentialVersion: 3 }
const facts: LinkFacts = {
  creator: boss,
  user: ann,
  token: undefined,
  roles: rolesFrom(new Map([['guard', guard]]), time),
  isAccepted: () => true,
  now,
}

const issuer = 'https://id.example'
/** A user of a provider that can be unavailable for an hour and these milliseconds. */
const confirmed = (left: number): Partial<User> => ({
  provider: { issuer, subject: 'boss', recheckAt: now - 3_600_000 + left },
})

test.each<[string, Partial<Invitation>, Partial<LinkFacts>, LinkState]>([
  ['unused', {}, {}, 'pending'],
  ['used', { ended: 'used' }, {}, 'used'],
  ['used, and expired since', { ended: 'used' }, { now: now + 9 }, 'used'],
  ['revoked', { ended: 'revoked' }, {}, 'ended'],
  ['in its last millisecond', {}, { now: now }, 'pending'],
  ['at its end', {}, { now: now + 1 }, 'expired'],
  ['of an admin who was deleted', {}, { creator: undefined }, 'ended'],
  ['of an admin who was demoted', {}, { creator: userNamed('boss', { role: 'viewer' }) }, 'ended'],
  ['of an admin whose new role was deleted', {}, { creator: userNamed('boss', { role: 'gone' }) }, 'ended'],
  ['of an admin who was disabled', {}, { creator: userNamed('boss', { disabled: true }) }, 'ended'],
  ['of an admin who expired', {}, { creator: userNamed('boss', { expiresAt: now }) }, 'ended'],
  ['of an admin with the name of an earlier one', {}, { creator: userNamed('other') }, 'ended'],
  ['of a user of an identity provider', { createdVia: 'oidc', creatorId: null }, { creator: undefined }, 'ended'],
  ['of the internal port', { createdVia: 'internal', creatorId: null }, { creator: undefined }, 'pending'],
  ['of an admin of the proxy', { createdVia: 'proxy', creatorId: null }, { creator: undefined }, 'pending'],
  ['of an admin of the proxy, with the id of a user', { createdVia: 'proxy' }, {}, 'ended'],
  ['of an admin whom the provider confirmed in time', {}, { creator: userNamed('boss', confirmed(1)) }, 'pending'],
  ['of an admin whom the provider no longer confirms', {}, { creator: userNamed('boss', confirmed(0)) }, 'ended'],
  ['of an API token', { tokenId: 't1' }, { token }, 'pending'],
  ['of an API token that was revoked', { tokenId: 't1' }, {}, 'ended'],
  ['of an API token that has expired', { tokenId: 't1' }, { token: { ...token, expiresAt: now } }, 'ended'],
  ['of an API token of another user', { tokenId: 't1' }, { token: { ...token, userId: 'other' } }, 'ended'],
  [
    'of an API token that a new password ended',
    { tokenId: 't1' },
    { token: { ...token, credentialVersion: 2 } },
    'ended',
  ],
  [
    'of an API token whose owner was demoted',
    { tokenId: 't1' },
    { token, creator: userNamed('boss', { role: 'guard' }) },
    'ended',
  ],
  ['to a role that was deleted', { role: 'cook' }, {}, 'ended'],
])('[LINK-4] an invitation, %s', (_case, change, more, state) => {
  expect(stateOf({ ...invitation, ...change }, { ...facts, ...more })).toBe(state)
})

test.each<[string, Partial<LinkFacts>, LinkState]>([
  ['of a user', {}, 'pending'],
  ['of a user whose password changed', { user: userNamed('ann', { credentialVersion: 4 }) }, 'ended'],
  ['of a user who was deleted', { user: undefined }, 'ended'],
  ['of a user who is disabled', { user: userNamed('ann', { disabled: true }) }, 'ended'],
  ['of a user who expired', { user: userNamed('ann', { expiresAt: now }) }, 'ended'],
  ['by an admin who was demoted', { creator: userNamed('boss', { role: 'viewer' }) }, 'ended'],
])('[LINK-4] a password reset, %s', (_case, more, state) => {
  expect(stateOf(reset, { ...facts, ...more })).toBe(state)
})

test.each<[string, string | null, LinkState]>([
  ['is configured', issuer, 'pending'],
  ['was removed', null, 'ended'],
  ['was replaced', 'https://other.example', 'ended'],
])('[LINK-4] [OIDC-1] links of an admin whose provider %s', (_case, configured, state) => {
  const isAccepted = (user: User) => isAcceptedUser(user, { issuer: configured, only: false, emergency_user: null })
  const creator = userNamed('boss', confirmed(1))
  for (const each of [invitation, reset, { ...invitation, tokenId: 't1' }]) {
    expect(stateOf(each, { ...facts, creator, token, isAccepted })).toBe(state)
  }
})
