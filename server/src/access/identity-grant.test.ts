import { expect, test } from 'vitest'
import { fakeRoles } from '../../test/support/fake-roles.ts'
import { emptyGrant, enrollmentGrant, type GrantLimits } from './grant.ts'
import { grantOfIdentity } from './identity-grant.ts'
import { principalOf, unauthenticated, type Identity } from './identity.ts'

const roles = fakeRoles(new Map([['guard', ['yard', 'door']]]))
const guard = (limits?: GrantLimits): Identity => ({
  kind: 'authenticated',
  authMethod: 'password',
  name: 'ann',
  key: 'ann',
  userId: '1',
  role: 'guard',
  session: undefined,
  credential: limits && { kind: 'token', id: '1', name: 'player', limits, expiresAt: null },
})

test('an identity has the grant of its role, within the limits of its credential', () => {
  expect(grantOfIdentity(roles, unauthenticated)).toBe(emptyGrant)
  expect(grantOfIdentity(roles, guard())).toBe(roles.grantOf('guard'))
  expect(grantOfIdentity(roles, guard({ cameras: new Set(['door', 'office']) })).cameras).toEqual(new Set(['door']))
})

test('[MFA-2] a user who has to set up a second factor is allowed nothing else, and one without a role nothing', () => {
  const grants = [
    { ...principalOf(guard()), mustEnroll: true },
    { ...principalOf(guard()), mustEnroll: false },
    { ...principalOf(guard()), mustEnroll: true, role: 'typo' },
    { ...principalOf(guard({})), mustEnroll: true },
  ].map((identity) => grantOfIdentity(roles, identity))
  expect(grants).toEqual([enrollmentGrant, roles.grantOf('guard'), emptyGrant, roles.grantOf('guard')])
})

test('a limited grant is made once, and again as soon as the role has another', () => {
  const limits: GrantLimits = { cameras: new Set(['door']) }
  const first = grantOfIdentity(roles, guard(limits))
  expect(grantOfIdentity(roles, guard(limits))).toBe(first)
  expect(grantOfIdentity(fakeRoles(new Map([['guard', ['yard']]])), guard(limits)).cameras).toEqual(new Set())
})
