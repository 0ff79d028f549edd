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
  const first = Array.from({ length: 66 }, () => queue.run('unknown', work))
  await expect(queue.run('unknown', work)).rejects.toMatchObject({
    code: 'busy',
    retryAfter: expect.any(Number) as number,
  })
  open()
  await Promise.all(first)
  expect(max).toBe(2)
  await queue.run('unknown', work)
})

test('[RATE-7] trusted work goes first, and has its own 64 places', async () => {
  const queue = createHashQueue({ concurrency: 1 })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const order: string[] = []
  const running = queue.run('unknown', () => gate)
  const add = (name: 'unknown' | 'trusted') => queue.run(name, async () => void order.push(name))
  const waiting = Array.from({ length: 64 }, () => add('unknown'))
  waiting.push(...Array.from({ length: 64 }, () => add('trusted')))
  for (const name of ['unknown', 'trusted'] as const) await expect(add(name)).rejects.toMatchObject({ code: 'busy' })
  open()
  await Promise.all([running, ...waiting])
  expect(order).toEqual([
    ...Array.from({ length: 64 }, () => 'trusted'),
    ...Array.from({ length: 64 }, () => 'unknown'),
  ])
})

test('work that fails gives its place back', async () => {
  const queue = createHashQueue({ concurrency: 1, waiting: 0 })
  for (let i = 0; i < 3; i += 1) {
    await expect(queue.run('unknown', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  }
})
