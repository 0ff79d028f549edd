import { expect, test } from 'vitest'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import { createFailureCount } from './failure-count.ts'

function counter(initial: readonly RateLimit[], addresses?: number) {
  let now = 0
  let limits = initial
  const count = createFailureCount({
    limits: () => limits,
    clock: { elapsed: () => now },
    ...(addresses !== undefined && { addresses }),
  })
  return {
    of: count.of,
    set: (next: readonly RateLimit[]) => void (limits = next),
    failAt(time: number, key = 'a') {
      now = time
      count.add(key)
    },
  }
}
const second = { count: 3, seconds: 1 }
const minute = { count: 2, seconds: 60 }

test('[RATE-4] failures are kept for the longest window, and not more of them than the largest count', () => {
  const { of, failAt } = counter([second, minute])
  expect(of('a')).toEqual([])
  for (const time of [1, 2, 3, 4]) failAt(time)
  expect(of('a')).toEqual([2, 3, 4])
  failAt(60_002)
  expect(of('a')).toEqual([3, 4, 60_002])
  failAt(60_004)
  expect(of('a')).toEqual([60_002, 60_004])
})

test('[RATE-4] an address whose last failure is older than every window is dropped at the next failure of any address', () => {
  const { of, failAt } = counter([minute])
  failAt(1, 'a')
  failAt(2, 'b')
  failAt(60_001, 'c')
  expect([of('a'), of('b'), of('c')]).toEqual([[], [2], [60_001]])
})

test('[RATE-4] of too many addresses, the one whose last failure is oldest is dropped', () => {
  const { of, failAt } = counter([minute], 2)
  failAt(1, 'a')
  failAt(2, 'b')
  failAt(3, 'a')
  expect([of('a'), of('b')]).toEqual([[1, 3], [2]])
  failAt(4, 'c')
  expect([of('a'), of('b'), of('c')]).toEqual([[1, 3], [], [4]])
})

test('[RATE-2] without limits nothing is counted', () => {
  const { of, set, failAt } = counter([minute])
  failAt(1)
  set([])
  failAt(2)
  expect(of('a')).toEqual([])
})
