import { expect, test } from 'vitest'
import { waitAfter } from './backoff.ts'

const chance = (byte: number) => ({ bytes: () => Buffer.from([byte]) })
const usual = { first: 1000, max: 30_000 }

test.each([
  [1, 0, 1000],
  [1, 255, 750],
  [2, 0, 2000],
  [5, 0, 16_000],
  [6, 0, 30_000],
  [5000, 0, 30_000],
  [5000, 255, 22_500],
])('after %i failures and the random byte %i the wait is %i ms', (failures, byte, wait) => {
  expect(waitAfter(failures, usual, chance(byte))).toBe(wait)
})
