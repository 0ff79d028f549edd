import { expect, test } from 'vitest'
import { matching, sorted, type Sorting } from './find-users.ts'
import type { UserView } from './people.ts'

const user = (username: string, role: string, last_login_at: string | null = null): UserView => ({
  username,
  role,
  last_login_at,
  created_at: '2026-01-01T00:00:00.000Z',
})
const users = [
  user('nina10', 'neighbour', '2026-02-01T00:00:00.000Z'),
  user('Nina2', 'neighbour', '2026-03-01T00:00:00.000Z'),
  user('admin', 'admin'),
]
const names = (list: readonly UserView[]) => list.map(({ username }) => username)

test.each([
  ['NINA', '', ['nina10', 'Nina2']],
  [' adm ', '', ['admin']],
  ['neigh', '', ['nina10', 'Nina2']],
  ['', 'admin', ['admin']],
  ['nina', 'admin', []],
])('the search for %j of role %j finds %j', (search, role, found) => {
  expect(names(matching(users, search, role))).toEqual(found)
})

test.each<[Sorting, string[]]>([
  [{ by: 'username', down: false }, ['admin', 'Nina2', 'nina10']],
  [{ by: 'username', down: true }, ['nina10', 'Nina2', 'admin']],
  [{ by: 'role', down: false }, ['admin', 'Nina2', 'nina10']],
  [{ by: 'last_login_at', down: true }, ['Nina2', 'nina10', 'admin']],
  [{ by: 'created_at', down: true }, ['admin', 'Nina2', 'nina10']],
])('sorted by %j: %j', (sorting, order) => {
  expect(names(sorted(users, sorting, 'en'))).toEqual(order)
})
