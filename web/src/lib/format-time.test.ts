import { expect, test } from 'vitest'
import { ago, clock, formatDuration } from './format-time.ts'

test.each([
  [0, 'now'],
  [12, '12 seconds ago'],
  [185, '3 minutes ago'],
  [7200, '2 hours ago'],
  [86_400, 'yesterday'],
  [-5, 'now'],
])('%d seconds ago is formatted as %s', (seconds, words) => {
  expect(ago(1_000_000_000, 1_000_000_000 + seconds * 1000, 'en')).toBe(words)
})

test.each([
  [0, '0 seconds'],
  [5, '5 seconds'],
  [185, '3 minutes 5 seconds'],
  [3600, '1 hour'],
])('a duration of %d seconds is formatted as %s', (seconds, words) => {
  expect(formatDuration(seconds, 'en')).toBe(words)
})

test.each([
  [0, '0:01'],
  [14.4, '0:14'],
  [102, '1:42'],
  [3723, '1:02:03'],
])('%d seconds on a clock are %s', (seconds, shown) => {
  expect(clock(seconds)).toBe(shown)
})
