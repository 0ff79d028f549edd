import { expect, test } from 'vitest'
import { accessFilterForm } from './access/effective-access.ts'
import { auditFilterForm, noFilter } from './audit/filter.ts'
import { everything, logFilterForm } from './log/filter.ts'
import { settingsSearch } from './search.ts'
import { userFilterForm } from './users/find-users.ts'

test.each([
  [{}, {}],
  [
    { q: 'ann', role: 'guard' },
    { q: 'ann', role: 'guard' },
  ],
  [
    { q: 12, user: true },
    { q: '12', user: 'true' },
  ],
  [{ page: 3 }, { page: 3 }],
  [{ page: '3' }, { page: 3 }],
  [{ page: 1 }, {}],
  [{ page: -2 }, {}],
  [{ page: 1.5 }, {}],
  [{ page: 'x', q: '' }, {}],
  [{ q: ['a'], role: { a: 1 }, camera: null }, {}],
  [{ q: 'a'.repeat(257) }, {}],
  [{ nothing: 'known' }, {}],
])('search parameters %j are read as %j', (given, read) => {
  expect(settingsSearch(given)).toEqual(read)
})

test('an unset filter leaves no trace in the URL', () => {
  expect(auditFilterForm.write(noFilter)).toEqual({})
  expect(logFilterForm.write(everything)).toEqual({})
  expect(userFilterForm.write(userFilterForm.read({}))).toEqual({})
  expect(accessFilterForm.write(accessFilterForm.read({}))).toEqual({})
})

test.each([
  [auditFilterForm, { user: 'ann', action: 'login', result: 'failure', period: 'week' }],
  [auditFilterForm, { period: 'chosen', from: '2026-01-01T00:00', to: '2026-01-02T00:00' }],
  [logFilterForm, { q: 'x', logger: 'service.http', level: 'warn' }],
  [userFilterForm, { q: 'x', role: 'guard', sort: '-last_login_at', page: 2 }],
  [userFilterForm, { sort: '-username' }],
  [accessFilterForm, { q: 'x', rows: 'roles', camera: 'yard', page: 4 }],
])('search parameters survive reading and writing', (form, search) => {
  // Each form only reads and writes its own filter.
  const { read, write } = form as typeof auditFilterForm
  expect(write(read(search))).toEqual(search)
})

test('invalid search parameters are ignored', () => {
  expect(auditFilterForm.read({ result: 'x', period: 'x', from: '2026-01-01T00:00' })).toEqual(noFilter)
  expect(logFilterForm.read({ level: 'loud' })).toEqual(everything)
  expect(userFilterForm.read({ sort: '-password' }).sorting).toEqual({ by: 'username', down: true })
  expect(accessFilterForm.read({ rows: 'x' }).rows).toBe('users')
})
