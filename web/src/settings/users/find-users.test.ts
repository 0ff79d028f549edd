import { expect, test } from 'vitest'
import { userFilterForm, type UserFilter } from './find-users.ts'

test.each<[Parameters<typeof userFilterForm.read>[0], UserFilter]>([
  [{}, { text: '', role: '', signIn: '', sorting: { by: 'username', down: false }, page: 1 }],
  [{ sort: '-username' }, { text: '', role: '', signIn: '', sorting: { by: 'username', down: true }, page: 1 }],
  [
    { q: 'ann', role: 'guard', sign_in: 'provider', sort: '-created_at', page: 3 },
    { text: 'ann', role: 'guard', signIn: 'provider', sorting: { by: 'created_at', down: true }, page: 3 },
  ],
])('search parameters %j survive reading and writing', (search, filter) => {
  expect(userFilterForm.read(search)).toEqual(filter)
  expect(userFilterForm.search(userFilterForm.write(filter))).toEqual(search)
})

test('an unknown way to sign in is any', () => {
  expect(userFilterForm.read({ sign_in: 'proxy' }).signIn).toBe('')
})

test('an unknown column sorts by username', () => {
  expect(userFilterForm.read({ sort: '-password' }).sorting).toEqual({ by: 'username', down: true })
})
