import { expect, test } from 'vitest'
import { fakeRole, fakeRoles } from '../../test/support/fake-roles.ts'
import { rolesFrom } from '../access/role.ts'
import { ServiceError } from '../shared/errors.ts'
import { testUser } from '../../test/support/test-user.ts'
import { cursorAfter, nextLink, userPageQuery } from './user-list.ts'
import { oidcKey } from './user-name.ts'

const roles = fakeRoles(
  new Map([
    ['guard', ['yard']],
    ['clerk', ['office', 'yard']],
  ]),
)

const now = Date.parse('2030-01-01T12:00:00Z')

const unblocked = { issuer: null, onlyAdmin: undefined, factorRoles: [] }

const ann = testUser('Ann', { role: 'guard' })

test.each([
  ['username', 'ann'],
  ['-role', 'guard'],
  ['last_login_at', 0],
  ['-created_at', 1_700_000_000_123],
] as const)('the cursor of a list by %s is read back', (sort, value) => {
  const { order, down } = userPageQuery({ sort }, { roles, unblocked, now })
  expect(down).toBe(sort.startsWith('-'))
  expect(userPageQuery({ sort, cursor: cursorAfter(ann, order) }, { roles, unblocked, now })).toMatchObject({
    after: { value, key: 'ann' },
  })
})

test.each([
  ['username', 'key'],
  ['-username', 'key'],
  ['role', 'role'],
  ['-last_login_at', 'lastLoginAt'],
  ['created_at', 'createdAt'],
] as const)("[OIDC-2] the cursor of a list by %s after a provider's user is read back", (sort, field) => {
  const key = oidcKey('https://id.example', 'ann')
  const olga = testUser('Olga', { key, role: 'guard', lastLoginAt: 1_700_000_000_456 })
  const cursor = cursorAfter(olga, userPageQuery({ sort }, { roles, unblocked, now }).order)
  expect(userPageQuery({ sort, cursor }, { roles, unblocked, now }).after).toEqual({ value: olga[field], key })
})

const given = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each([
  'x',
  '%',
  given(null),
  given({}),
  given([]),
  given(['role', 'guard', 'ann']),
  given(['username', 1, 'ann']),
  given(['username', 'ann', 'Ann']),
  given(['username', 'ann', "a'b"]),
  given(['username', 'ann', 'oidc:0']),
  given(['username', 'ann', `oidc:${'A'.repeat(64)}`]),
  given(['username', 'a\0', 'ann']),
  given(['username', 'ann', 'ann', 1]),
  `${given(['username', 'ann', 'ann'])}=`,
])('[ERR-3] %s isn’t a cursor of a list by name', (cursor) => {
  let refused: unknown
  try {
    userPageQuery({ cursor }, { roles, unblocked, now })
  } catch (error) {
    refused = error
  }
  expect(refused).toBeInstanceOf(ServiceError)
  expect(refused).toMatchObject({ code: 'invalid-request', problems: [{ field: 'cursor', code: 'no-cursor' }] })
})

test.each([
  ['yard', ['admin', 'viewer', 'guard', 'clerk']],
  ['office', ['admin', 'viewer', 'clerk']],
  ['constructor', ['admin', 'viewer']],
])('users who see %s are those of the roles %j who can sign in', (camera, names) => {
  expect(userPageQuery({ camera }, { roles, unblocked, now })).toMatchObject({ roles: names, activeAt: now, unblocked })
})

test("users who can't sign in are listed unless a camera is given", () => {
  expect(userPageQuery({}, { roles, unblocked, now })).toMatchObject({
    roles: undefined,
    activeAt: undefined,
    unblocked: undefined,
  })
})

test.each([
  [{ validUntil: now }, false],
  [{ validUntil: now + 1 }, true],
  [{ validFrom: now + 1 }, false],
  [{ validFrom: now }, true],
  [{ hours: [{ days: ['mon' as const], from: 0, to: 60 }] }, true],
])('[GRANT-4] a role with %j shows its cameras: %s, whatever its hours', (limits, shows) => {
  const limited = rolesFrom(new Map([['guard', fakeRole(['yard'], limits)]]), {
    now: () => now,
    wallClock: () => ({ weekday: 'thu', minute: 0 }),
  })
  expect(userPageQuery({ camera: 'yard' }, { roles: limited, unblocked, now }).roles?.includes('guard')).toBe(shows)
})

test('the link to the next page has the same filter', () => {
  expect(nextLink({ limit: 2, search: 'a&b', sort: '-role' }, 'abc')).toBe(
    '<?limit=2&search=a%26b&sort=-role&cursor=abc>; rel="next"',
  )
})
