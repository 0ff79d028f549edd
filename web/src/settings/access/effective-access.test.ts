import { expect, test } from 'vitest'
import { fitting, rowsOfRoles, rowsOfUsers } from './effective-access.ts'

const roles = [
  { name: 'admin', cameras: ['yard', 'office'] },
  { name: 'neighbour', cameras: ['yard'] },
]
const users = [
  { username: 'Ann', role: 'admin' },
  { username: 'nina', role: 'neighbour' },
  { username: 'gone', role: 'constructor' },
]
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

test('a user sees what the role sees, and with a role that is gone nothing', () => {
  expect(rowsOfUsers(users, roles).map(({ cameras }) => [...cameras])).toEqual([['yard', 'office'], ['yard'], []])
})

test('[CAM-4] a camera that an admin has yet to confirm is not seen', () => {
  const withheld = [{ name: 'neighbour', cameras: ['yard', 'barn'], withheld: ['barn'] }]
  for (const rows of [rowsOfRoles(withheld), rowsOfUsers([{ username: 'nina', role: 'neighbour' }], withheld)]) {
    expect(rows.map(({ cameras }) => [...cameras])).toEqual([['yard']])
  }
})

test.each([
  ['', '', ['admin', 'neighbour']],
  ['MIN', '', ['admin']],
  ['', 'yard', ['admin', 'neighbour']],
  ['', 'office', ['admin']],
  ['neighbour', 'office', []],
])('with %j and %j fit the roles %j', (text, camera, found) => {
  expect(names(fitting(rowsOfRoles(roles), { text, camera }))).toEqual(found)
})
