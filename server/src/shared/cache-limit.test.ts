import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { cacheLimit } from './cache-limit.ts'

test('forgets what was used least recently once it is full', () => {
  const cache = new LRUCache<string, number>(cacheLimit(3))
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('d', 1)
  cache.set('e', 1)
  expect([...cache.keys()].sort()).toEqual(['a', 'd', 'e'])
})
