import { expect, test } from 'vitest'
import { accessFilterForm } from './access/effective-access.ts'
import { auditFilterForm, noFilter } from './audit/filter.ts'
import { everything, logFilterForm } from './log/filter.ts'
import { searchOf } from './search.ts'
import type { FilterForm } from './useFilter.ts'
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
  expect(searchOf('q', 'role', 'user', 'camera')(given)).toEqual(read)
})

/** What reading and writing leaves of the parameters. */
const rewritten = <Filter, Search extends object>(form: FilterForm<Filter, Search>, given: Record<string, unknown>) =>
  form.search(form.write(form.read(form.search(given))))

test('an unset filter leaves no trace in the URL', () => {
  expect(auditFilterForm.search(auditFilterForm.write(noFilter))).toEqual({})
  expect(logFilterForm.search(logFilterForm.write(everything))).toEqual({})
  expect(rewritten(userFilterForm, {})).toEqual({})
  expect(rewritten(accessFilterForm, {})).toEqual({})
})

test.each([
  { user: 'ann', camera: 'yard', action: 'login', result: 'failure', period: 'week' },
  { view: 'users', sort: 'exports', period: 'all' },
  { view: 'cameras' },
  { period: 'chosen', from: '2026-01-01T00:00', to: '2026-01-02T00:00' },
])('audit parameters survive reading and writing: %j', (search) => {
  expect(rewritten(auditFilterForm, { ...search, other: 'x' })).toEqual(search)
})
test.each([{ q: 'x', role: 'guard', sort: '-last_login_at', page: 2 }, { sort: '-username' }])(
  'user parameters survive reading and writing: %j',
  (search) => {
    expect(rewritten(userFilterForm, { ...search, other: 'x' })).toEqual(search)
  },
)
test('log and access parameters survive reading and writing', () => {
  const log = { q: 'x', logger: 'service.http', level: 'warn' }
  expect(rewritten(logFilterForm, log)).toEqual(log)
  const access = { q: 'x', rows: 'roles', camera: 'yard', page: 4 }
  expect(rewritten(accessFilterForm, access)).toEqual(access)
})

test('invalid search parameters are ignored', () => {
  expect(auditFilterForm.read({ result: 'x', period: 'x', from: '2026-01-01T00:00' })).toEqual(noFilter)
  expect(auditFilterForm.read({ view: 'x', sort: 'time' })).toEqual(noFilter)
  const sums = { ...noFilter, view: 'users', period: { of: 'month' } }
  expect(auditFilterForm.read({ view: 'users', user: 'ann', sort: 'x', period: 'x' })).toEqual(sums)
  expect(logFilterForm.read({ level: 'loud' })).toEqual(everything)
  expect(userFilterForm.read({ sort: '-password' }).sorting).toEqual({ by: 'username', down: true })
  expect(accessFilterForm.read({ rows: 'x' }).rows).toBe('users')
})
