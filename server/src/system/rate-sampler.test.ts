import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { createRateSampler } from './rate-sampler.ts'

function watched(first: Record<string, number>) {
  let counts = first
  const clock = createTestClock()
  const pace = createRateSampler({
    counters: () => new Map(Object.entries(counts)),
    clock,
    every: 5000,
  })
  onTestFinished(pace.stop)
  return {
    pace,
    async next(after: Record<string, number>) {
      counts = after
      await clock.advance(5000)
    },
  }
}

test('a rate is the difference between two samples', async () => {
  const { pace, next } = watched({ yard: 100 })
  expect(pace.perSecond('yard')).toBeNull()
  await next({ yard: 600 })
  expect(pace.perSecond('yard')).toBe(100)
  await next({ yard: 600 })
  expect(pace.perSecond('yard')).toBe(0)
})

test('a counter that was reset, added or removed has no rate', async () => {
  const { pace, next } = watched({ yard: 100, door: 100 })
  await next({ yard: 40, office: 500 })
  expect(['yard', 'door', 'office', 'cellar'].map(pace.perSecond)).toEqual([null, null, null, null])
  await next({ yard: 50, office: 500 })
  expect(['yard', 'door', 'office'].map(pace.perSecond)).toEqual([2, null, 0])
})

test('reading the rate takes no additional samples', async () => {
  const counters = vi.fn(() => new Map([['yard', 1]]))
  const clock = createTestClock()
  const pace = createRateSampler({ counters, clock, every: 5000 })
  onTestFinished(pace.stop)
  for (let i = 0; i < 100; i++) pace.perSecond('yard')
  expect(counters).toHaveBeenCalledTimes(1)
  await clock.advance(10_000)
  expect(counters).toHaveBeenCalledTimes(3)
  pace.stop()
  await clock.advance(10_000)
  expect(counters).toHaveBeenCalledTimes(3)
})
