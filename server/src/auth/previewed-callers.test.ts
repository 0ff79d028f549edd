import { expect, test } from 'vitest'
import { testUser } from '../../test/support/test-user.ts'
import { internalAdmin, unauthenticated, type Identity } from '../access/identity.ts'
import type { User } from '../users/user.ts'
import { previewedCallers } from './previewed-callers.ts'

const now = 1_700_000_000_000
const ann = testUser('Ann')

/** @param identity of every token, screen and link; undefined: there is none */
function callers(
  user?: User,
  {
    isAccepted = true,
    mustEnroll = false,
    identity,
  }: { isAccepted?: boolean; mustEnroll?: boolean; identity?: Identity } = {},
) {
  const identityOf = async () => identity
  return previewedCallers({
    users: { byKey: (key) => (key === 'ann' ? user : undefined) },
    isAccepted: () => isAccepted,
    mustEnroll: () => mustEnroll,
    apiTokens: { identityOf },
    screens: { identityOf },
    shareLinks: { identityOf },
  })
}

const known = {
  kind: 'authenticated',
  authMethod: 'password',
  name: 'Ann',
  key: 'ann',
  userId: ann.id,
  role: 'viewer',
  session: undefined,
}
const provider = { issuer: 'https://id.example', subject: 'ann', recheckAt: 0 }
test.each<[string, Partial<User>, boolean, object, string]>([
  ['with a password', {}, true, known, 'given-by-admin'],
  ['of an identity provider', { provider }, true, { ...known, authMethod: 'oidc' }, 'given-by-provider'],
  ['who is disabled', { disabled: true, expiresAt: now }, true, unauthenticated, 'user-disabled'],
  ['who has expired', { expiresAt: now }, true, unauthenticated, 'user-expired'],
  ['in the last millisecond of the account', { expiresAt: now + 1 }, true, known, 'given-by-admin'],
  ['whom the configuration does not accept', {}, false, unauthenticated, 'user-not-accepted'],
])('[PROXY-4] a user %s is previewed with the reason', async (_which, more, isAccepted, identity, code) => {
  const found = await callers({ ...ann, ...more }, { isAccepted }).user('ANN', now)
  expect(found).toMatchObject({ identity, reason: { code } })
})

test('[MFA-2] a user who has to set up a second factor first is previewed so', async () => {
  const found = await callers(ann, { mustEnroll: true }).user('ann', now)
  expect(found).toMatchObject({ identity: { ...known, mustEnroll: true }, reason: { code: 'given-by-admin' } })
})

test('[PROXY-4] a text that isn’t a name, and the name of no user, are previewed as no user', async () => {
  expect([await callers(ann).user('a:b', now), await callers().user('ann', now)]).toEqual([undefined, undefined])
})

test.each<[string, Identity | undefined, string | undefined, string | undefined, string | undefined]>([
  ['is in use', internalAdmin, 'within-token', 'chosen-for-screen', 'within-link'],
  ['has ended', unauthenticated, 'token-over', 'screen-over', 'link-over'],
  ['does not exist', undefined, undefined, undefined, undefined],
])('[PROXY-4] a credential that %s is previewed with the reason', async (_which, identity, token, screen, link) => {
  const all = callers(undefined, { ...(identity && { identity }) })
  const found = await Promise.all([all.token('id', now), all.screen('id', now), all.link('id', now)])
  expect(found.map((each) => each?.reason.code)).toEqual([token, screen, link])
  expect(found.map((each) => each?.identity)).toEqual([identity, identity, identity])
})
