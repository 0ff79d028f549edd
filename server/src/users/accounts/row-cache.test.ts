import { expect, test } from 'vitest'
import { systemClock } from '../../shared/time/clock.ts'
import { createRowCache } from './row-cache.ts'

const begun = () => new Promise(setImmediate)

const world = () => {
  const rows = new Map([['a', { value: 1 }]])
  const waiting: (() => void)[] = []
  let loads = 0
  const at = { isFresh: true, onFreshCheck: () => {} }
  const cache = createRowCache({
    loadMany(keys) {
      loads += 1
      const found = new Map([...rows].filter(([key]) => keys.includes(key)))
      return new Promise<Map<string, { value: number }>>((resolve) => waiting.push(() => resolve(found)))
    },
    max: 10,
    isFresh() {
      at.onFreshCheck()
      return at.isFresh
    },
    clock: systemClock,
  })
  /** Lets requested rows load until no load is under way. */
  const arrive = async () => {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await new Promise(setImmediate)
      if (waiting.length > 0) quiet = 0
      waiting.splice(0).forEach((resolve) => resolve())
    }
  }
  return { cache, rows, at, arrive, loads: () => loads }
}

test('a cached value is returned without a promise', async () => {
  const { cache, arrive, loads } = world()
  const first = cache.get('a')
  const second = cache.get('a')
  await arrive()
  expect(await first).toEqual({ value: 1 })
  expect(await second).toEqual({ value: 1 })
  expect(cache.get('a')).toEqual({ value: 1 })
  expect(loads()).toBe(1)
})

test('a row requested before a change is not cached, nor returned to later requests', async () => {
  const { cache, rows, arrive } = world()
  const before = cache.get('a')
  await begun()
  rows.set('a', { value: 2 })
  cache.invalidate('a')
  const after = cache.get('a')
  await arrive()
  expect(await before).toEqual({ value: 1 })
  expect(await after).toEqual({ value: 2 })
  expect(cache.peek('a')).toEqual({ value: 2 })
})

test('a row is not cached if a change is noticed only when it arrives', async () => {
  const { cache, at, arrive } = world()
  const old = cache.get('a')
  await begun()
  at.onFreshCheck = () => cache.invalidate()
  await arrive()
  expect(await old).toEqual({ value: 1 })
  expect(cache.peek('a')).toBeUndefined()
})

test('a row that arrives after a change, or while changes are not reported, is not cached', async () => {
  const { cache, at, arrive } = world()
  const old = cache.get('a')
  cache.invalidate('a')
  await arrive()
  await old
  expect(cache.peek('a')).toBeUndefined()
  const late = cache.get('a')
  at.isFresh = false
  await arrive()
  await late
  expect(cache.peek('a')).toBeUndefined()
})

test('an unknown change invalidates everything', async () => {
  const { cache, arrive } = world()
  const first = cache.get('a')
  await arrive()
  await first
  cache.invalidate()
  expect(cache.peek('a')).toBeUndefined()
})

test('while changes are not reported, nothing is cached, and nothing cached is used', async () => {
  const { cache, at, arrive, loads } = world()
  const first = cache.get('a')
  await arrive()
  await first
  at.isFresh = false
  expect(cache.get('a')).toBeInstanceOf(Promise)
  await begun()
  expect(loads()).toBe(2)
  at.isFresh = true
  expect(cache.get('a')).toBeInstanceOf(Promise)
  await arrive()
  expect(loads()).toBe(3)
})
