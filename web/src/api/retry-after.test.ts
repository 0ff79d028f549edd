import { expect, test } from 'vitest'
import { secondsFrom } from './retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['30', 30],
  ['0', 0],
  ['1.2', 2],
  ['-4', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Thu, 01 Jan 2015 00:01:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(secondsFrom(header, now)).toBe(seconds)
})
