import { expect, test } from 'vitest'
import { auditQuery, noFilter } from './filter.ts'

const now = 1_800_000_000_000

test('an empty filter requests everything', () => {
  expect(auditQuery(noFilter, now).toString()).toBe('')
})

test('the chosen filters are in the query', () => {
  const query = auditQuery({ user: ' a&b ', action: 'login', result: 'denied', period: { of: 'hour' } }, now)
  expect(Object.fromEntries(query)).toEqual({
    user: 'a&b',
    action: 'login',
    result: 'denied',
    after: String(now / 1000 - 3600),
  })
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
