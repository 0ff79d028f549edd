import { expect, test } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

test.each([
  [-1, 1],
  [0, 1],
  [1000, 1],
  [1001, 2],
])('a wait of %i ms is %i s', (wait, seconds) => {
  expect(retryAfterOf(wait)).toBe(seconds)
})
