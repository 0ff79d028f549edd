import { expect, test } from 'vitest'
import { fitting, rowsOfRoles, rowsOfUsers } from './effective-access.ts'

const roles = [
  { name: 'admin', allowed_cameras: ['yard', 'office'] },
  { name: 'neighbor', allowed_cameras: ['yard'] },
]
const users = [
  { username: 'Ann', role: 'admin' },
  { username: 'nina', role: 'neighbor' },
  { username: 'gone', role: 'constructor' },
]
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

test('a user sees what their role sees, and nothing if the role is deleted', () => {
  expect(rowsOfUsers(users, roles).map(({ cameras }) => [...cameras])).toEqual([['yard', 'office'], ['yard'], []])
})

test('[CAM-4] a camera that awaits confirmation by an admin is not visible', () => {
  const withheld = [{ name: 'neighbor', cameras: ['yard', 'barn'], allowed_cameras: ['yard'] }]
  for (const rows of [rowsOfRoles(withheld), rowsOfUsers([{ username: 'nina', role: 'neighbor' }], withheld)]) {
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
