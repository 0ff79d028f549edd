import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('retries wait longer each time, up to 15 seconds plus a random quarter', () => {
  expect([0, 1, 2, 3, 4, 30].map((tries) => backoff(tries, 0))).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000])
  expect(backoff(0, 1)).toBe(1250)
})
