import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('work runs in order with limited concurrency, and failed work frees its slot', async () => {
  const serialized = createSemaphore(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const all = ends.map(({ promise }, each) =>
    serialized(() => {
      begun.push(each)
      return promise
    }),
  )
  const settled = Promise.allSettled(all)
  expect(begun).toEqual([0, 1])
  ends[1]!.reject(new Error('broken'))
  await expect(all[1]).rejects.toThrow('broken')
  await new Promise(setImmediate)
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await settled
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
