import { expect, test } from 'vitest'
import { parseRateLimit } from './rate-limit.ts'

test('[RATE-1] limits are counts by unit, joined by semicolons', () => {
  expect(parseRateLimit('1/second;5/minute;20/hour')).toEqual({
    limits: [
      { count: 1, seconds: 1 },
      { count: 5, seconds: 60 },
      { count: 20, seconds: 3600 },
    ],
  })
})

test.each([
  ['', ''],
  ['5/minute;', ''],
  ['0/minute', '0/minute'],
  ['-1/minute', '-1/minute'],
  ['1.5/minute', '1.5/minute'],
  ['1e3/hour', '1e3/hour'],
  ['5/day', '5/day'],
  ['5/constructor', '5/constructor'],
  ['5/minutes', '5/minutes'],
  ['5/MINUTE', '5/MINUTE'],
  ['5 per minute', '5 per minute'],
  ['5/minute,20/hour', '5/minute,20/hour'],
  ['1/second; 20/hour', ' 20/hour'],
  ['1/second;x/hour', 'x/hour'],
  ['9999999999/hour', '9999999999/hour'],
])('[RATE-1] %j is rejected, quoting %j', (text, bad) => {
  expect(parseRateLimit(text)).toEqual({ invalid: JSON.stringify(bad) })
})
