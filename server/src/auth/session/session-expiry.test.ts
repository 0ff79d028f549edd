import { expect, test } from 'vitest'
import { latestExpiry, sessionEnd, sessionExpiry, tokenExpiry } from './session-expiry.ts'

const lengths = (session_length: number, session_max_length: number | null) => ({ session_length, session_max_length })

test.each([
  // renewed, began, length, max                 expires
  [5000, 5000, 60, null, 65_000],
  [5000, 0, 60, null, 65_000],
  [5000, 5000, 0, null, 5000],
  [5000, 0, 60, 100, 65_000],
  [50_000, 0, 60, 100, 100_000],
  [200_000, 0, 60, 100, 100_000],
  [5000, 5000, 60, 30, 35_000],
])('[TOK-15] renewed at %i, began at %i, length %i, max %j: expires at %i', (renewed, began, length, max, expires) => {
  expect(sessionExpiry(renewed, began, lengths(length, max))).toBe(expires)
})

test('[TOK-15] without a max length a session can be renewed forever', () => {
  expect(latestExpiry(5000, lengths(60, null))).toBe(Infinity)
  expect(latestExpiry(5000, lengths(60, 100))).toBe(105_000)
})

test.each([
  // iat, exp, sid, length    expires
  [10, 70, 'a', 60, 70_000],
  [10, 70, 'a', 600, 70_000],
  [10, 70, 'a', 20, 30_000],
  [10, 70, undefined, 20, 70_000],
])('a token of %i to %i, session %s, length %i: expires at %i', (iat, exp, sid, length, expires) => {
  expect(tokenExpiry({ iat, exp, sid }, { session_length: length })).toBe(expires)
})

test.each([
  // expires, seen, shortened, length    ends
  [65_000, 5000, -Infinity, 60, 65_000],
  [65_000, 5000, 7000, 60, 65_000],
  [65_000, 5000, 2000, 10, 15_000],
  [65_000, 5000, 7000, 10, 17_000],
  [65_000, 5000, -Infinity, 10, 15_000],
  [65_000, 60_000, 7000, 10, 65_000],
])('[TOK-3] until %i, last seen at %i, shortened at %i to %i: ends at %i', (expiresAt, lastSeenAt, at, length, end) => {
  expect(sessionEnd({ expiresAt, lastSeenAt }, at, { session_length: length })).toBe(end)
})
