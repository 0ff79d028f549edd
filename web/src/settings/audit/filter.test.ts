import { expect, test } from 'vitest'
import { activeFilters, auditQuery, noFilter, sumsQuery, withView } from './filter.ts'

const now = 1_800_000_000_000

test('an empty filter requests everything', () => {
  expect(auditQuery(noFilter, now).toString()).toBe('')
})

test('the chosen filters are in the query', () => {
  const query = auditQuery(
    { ...noFilter, user: ' a&b ', camera: 'yard', action: 'login', result: 'denied', period: { of: 'hour' } },
    now,
  )
  expect(Object.fromEntries(query)).toEqual({
    user: 'a&b',
    camera: 'yard',
    action: 'login',
    result: 'denied',
    after: String(now / 1000 - 3600),
  })
})

test('each filter that hides entries counts', () => {
  expect(activeFilters(noFilter)).toBe(0)
  expect(activeFilters({ ...noFilter, user: ' ', camera: 'yard', period: { of: 'hour' } })).toBe(2)
  expect(activeFilters({ ...noFilter, user: 'a', action: 'login', result: 'denied' })).toBe(3)
})

test('a chosen period runs from the start of its first minute to the end of its last, and can be open-ended', () => {
  const from = '2026-01-31T10:00'
  const at = Date.parse(from) / 1000
  const of = 'chosen'
  expect(Object.fromEntries(auditQuery({ ...noFilter, period: { of, from, to: from } }, now))).toEqual({
    after: String(at),
    before: String(at + 60),
  })
  expect(auditQuery({ ...noFilter, period: { of, from: '', to: 'x' } }, now).toString()).toBe('')
})

test('sums have a period only', () => {
  expect(sumsQuery('users', { of: 'all' }, now).toString()).toBe('by=user')
  expect(sumsQuery('cameras', { of: 'hour' }, now).toString()).toBe(`by=camera&after=${now / 1000 - 3600}`)
})

test.each([
  ['list', 'all', 'users', 'month'],
  ['users', 'month', 'list', 'all'],
  ['list', 'week', 'cameras', 'week'],
  ['users', 'all', 'cameras', 'all'],
  ['users', 'month', 'cameras', 'month'],
] as const)('from %s of %s to %s, the period is %s', (before, of, view, then) => {
  const filter = withView({ ...noFilter, view: before, user: 'ann', period: { of } }, view)
  expect(filter).toEqual({ ...noFilter, view, period: { of: then } })
})
