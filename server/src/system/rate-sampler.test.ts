import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createRateSampler } from './rate-sampler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(first: Record<string, number>) {
  let counts = first
  const pace = createRateSampler({
    counters: () => new Map(Object.entries(counts)),
    clock: { elapsed: () => Date.now() },
    every: 5000,
  })
  onTestFinished(pace.stop)
  return {
    pace,
    next(after: Record<string, number>) {
      counts = after
      vi.advanceTimersByTime(5000)
    },
  }
}

test('a rate is the difference between two samples', () => {
  const { pace, next } = watched({ yard: 100 })
  expect(pace.perSecond('yard')).toBeNull()
  next({ yard: 600 })
  expect(pace.perSecond('yard')).toBe(100)
  next({ yard: 600 })
  expect(pace.perSecond('yard')).toBe(0)
})

test('a counter that was reset, added or removed has no rate', () => {
  const { pace, next } = watched({ yard: 100, door: 100 })
  next({ yard: 40, office: 500 })
  expect(['yard', 'door', 'office', 'cellar'].map(pace.perSecond)).toEqual([null, null, null, null])
  next({ yard: 50, office: 500 })
  expect(['yard', 'door', 'office'].map(pace.perSecond)).toEqual([2, null, 0])
})

test('reading the rate takes no additional samples', () => {
  const counters = vi.fn(() => new Map([['yard', 1]]))
  const pace = createRateSampler({ counters, clock: { elapsed: () => Date.now() }, every: 5000 })
  onTestFinished(pace.stop)
  for (let i = 0; i < 100; i++) pace.perSecond('yard')
  expect(counters).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10_000)
  expect(counters).toHaveBeenCalledTimes(3)
  pace.stop()
  vi.advanceTimersByTime(10_000)
  expect(counters).toHaveBeenCalledTimes(3)
})
