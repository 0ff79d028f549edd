import { expect, test } from 'vitest'
import { loadTexts } from '../../i18n/catalogs.ts'
import { fitting, nameOf, rowsOfRoles, rowsOfUsers } from './effective-access.ts'

const now = Date.parse('2030-01-01T12:00:00Z')
const always = { valid_from: null, valid_until: null }
const roles = [
  { name: 'admin', allowed_cameras: ['yard', 'office'], ...always },
  { name: 'neighbor', allowed_cameras: ['yard'], ...always },
]
const lasting = { provider: null, disabled: false, expires_at: null, blocked: null }
const users = [
  { username: 'Ann', key: 'ann', role: 'admin', ...lasting },
  { username: 'nina', key: 'nina', role: 'neighbor', ...lasting },
  { username: 'gone', key: 'gone', role: 'constructor', ...lasting },
]
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

test('a user sees what their role sees, and nothing if the role is deleted', () => {
  expect(rowsOfUsers(users, roles, now).map(({ cameras }) => [...cameras])).toEqual([['yard', 'office'], ['yard'], []])
})

test.each([
  [{ disabled: true }, []],
  [{ expires_at: '2030-01-01T12:00:00Z' }, []],
  [{ expires_at: '2030-01-01T12:00:01Z' }, ['yard']],
  [{ blocked: 'not-accepted' as const }, []],
  [{ blocked: 'enrollment-required' as const }, []],
])('[USER-6] [OIDC-1] [MFA-2] a user with %j sees %j', (status, seen) => {
  const [row] = rowsOfUsers([{ ...users[1]!, ...status }], roles, now)
  expect([...row!.cameras]).toEqual(seen)
  expect(row!.status).toEqual({ disabled: false, expires_at: null, blocked: null, ...status })
})

test.each([
  [{ valid_until: '2030-01-01T12:00:00Z' }, 'over', []],
  [{ valid_from: '2030-01-01T12:00:01Z' }, 'not-yet', []],
  [{ valid_from: '2030-01-01T12:00:00Z', valid_until: '2030-01-01T12:00:01Z' }, undefined, ['yard']],
])('[GRANT-4] a role with %j is %s, and sees %j, as do its users', (valid, invalid, seen) => {
  const limited = [{ ...roles[1]!, ...valid }]
  for (const [row] of [rowsOfRoles(limited, now), rowsOfUsers(users.slice(1, 2), limited, now)]) {
    expect(row!.invalid).toBe(invalid)
    expect([...row!.cameras]).toEqual(seen)
  }
})

test('[CAM-4] a camera that awaits confirmation by an admin is not visible', () => {
  const withheld = [{ name: 'neighbor', cameras: ['yard', 'barn'], allowed_cameras: ['yard'], ...always }]
  for (const rows of [rowsOfRoles(withheld, now), rowsOfUsers(users.slice(1, 2), withheld, now)]) {
    expect(rows.map(({ cameras }) => [...cameras])).toEqual([['yard']])
  }
})

test.each([
  ['', '', ['admin', 'neighbor']],
  ['MIN', '', ['admin']],
  ['', 'yard', ['admin', 'neighbor']],
  ['', 'office', ['admin']],
  ['neighbor', 'office', []],
])('search %j and camera %j match the roles %j', (text, camera, found) => {
  expect(names(fitting(rowsOfRoles(roles, now), { text, camera }))).toEqual(found)
})

test('[OIDC-2] two users with the same name are two rows', async () => {
  const theirs = {
    ...lasting,
    username: 'Ann',
    key: 'oidc:0',
    role: 'neighbor',
    provider: { issuer: 'https://id.example/x', subject: 's' },
  }
  const rows = rowsOfUsers([...users.slice(0, 1), theirs], roles, now)
  const { access } = await loadTexts('en', ['access'])
  expect(rows.map((row) => [row.key, nameOf(row, access)])).toEqual([
    ['ann', 'Ann'],
    ['oidc:0', 'Ann (id.example)'],
  ])
})
