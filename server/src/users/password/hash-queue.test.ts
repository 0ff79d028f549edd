import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

test('[RATE-7] at most one per core runs at a time, 64 wait, and the next must retry later', async () => {
  const queue = createHashQueue({ concurrency: 2 })
  let running = 0
  let max = 0
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const work = async () => {
    running += 1
    max = Math.max(max, running)
    await gate
    running -= 1
  }
  const first = Array.from({ length: 66 }, () => queue.run(work))
  await expect(queue.run(work)).rejects.toMatchObject({ code: 'busy', retryAfter: expect.any(Number) as number })
  open()
  await Promise.all(first)
  expect(max).toBe(2)
  await queue.run(work)
})

test('work that fails gives its place back', async () => {
  const queue = createHashQueue({ concurrency: 1, waiting: 0 })
  for (let i = 0; i < 3; i += 1) {
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  }
})
