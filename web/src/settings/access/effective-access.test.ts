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

test.each([
  ['', '', ['Ann', 'nina', 'gone']],
  ['AN', '', ['Ann']],
  ['neigh', '', ['nina']],
  ['', 'yard', ['Ann', 'nina']],
  ['', 'office', ['Ann']],
  ['nina', 'office', []],
])('with %j and %j fit %j', (text, camera, found) => {
  expect(names(fitting(rowsOfUsers(users, roles), { text, camera }))).toEqual(found)
})

test('roles are rows too', () => {
  expect(names(fitting(rowsOfRoles(roles), { text: '', camera: 'office' }))).toEqual(['admin'])
})
