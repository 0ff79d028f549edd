import { expect, test } from 'vitest'
import { loadTexts } from '../../i18n/catalogs.ts'
import { fitting, nameOf, rowsOfRoles, rowsOfUsers } from './effective-access.ts'

const roles = [
  { name: 'admin', allowed_cameras: ['yard', 'office'] },
  { name: 'neighbor', allowed_cameras: ['yard'] },
]
const users = [
  { username: 'Ann', key: 'ann', role: 'admin', provider: null },
  { username: 'nina', key: 'nina', role: 'neighbor', provider: null },
  { username: 'gone', key: 'gone', role: 'constructor', provider: null },
]
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

test('a user sees what their role sees, and nothing if the role is deleted', () => {
  expect(rowsOfUsers(users, roles).map(({ cameras }) => [...cameras])).toEqual([['yard', 'office'], ['yard'], []])
})

test('[CAM-4] a camera that awaits confirmation by an admin is not visible', () => {
  const withheld = [{ name: 'neighbor', cameras: ['yard', 'barn'], allowed_cameras: ['yard'] }]
  for (const rows of [rowsOfRoles(withheld), rowsOfUsers(users.slice(1, 2), withheld)]) {
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
  expect(names(fitting(rowsOfRoles(roles), { text, camera }))).toEqual(found)
})

test('[OIDC-2] two users with the same name are two rows', async () => {
  const theirs = {
    username: 'Ann',
    key: 'oidc:0',
    role: 'neighbor',
    provider: { issuer: 'https://id.example/x', subject: 's' },
  }
  const rows = rowsOfUsers([...users.slice(0, 1), theirs], roles)
  const { access } = await loadTexts('en', ['access'])
  expect(rows.map((row) => [row.key, nameOf(row, access)])).toEqual([
    ['ann', 'Ann'],
    ['oidc:0', 'Ann (id.example)'],
  ])
})
