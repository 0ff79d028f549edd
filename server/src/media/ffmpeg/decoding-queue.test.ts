import { expect, test } from 'vitest'
import { createDecodingQueue } from './decoding-queue.ts'

/** A queue whose decodings run until the test ends them. */
function world(waiting: number) {
  const queue = createDecodingQueue({ concurrency: 1, waiting })
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    request: (id: string, user: string, signal = new AbortController().signal) =>
      queue.run({ signal, requesters: [[user]] }, () => {
        started.push(id)
        return new Promise<void>((resolve) => void ends.push(resolve))
      }),
    /** Ends the decoding that runs, until none waits. */
    async endAll() {
      await new Promise(setImmediate)
      for (let end = ends.shift(); end; end = ends.shift()) {
        end()
        await new Promise(setImmediate)
      }
    },
  }
}
const full = { code: 'busy', reason: 'snapshot-queue-full' }

test('a user who requests many snapshots delays another one by one decoding', async () => {
  const { request, started, endAll } = world(10)
  const requested = ['a1', 'a2', 'a3'].map((id) => request(id, 'ann'))
  requested.push(...['b1', 'b2'].map((id) => request(id, 'bob')))
  await endAll()
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  await Promise.all(requested)
})

test('if too many wait, the newest of the user with the most is rejected, not that of a newcomer', async () => {
  const { request, started, endAll } = world(3)
  const ann = ['a1', 'a2', 'a3', 'a4'].map((id) => request(id, 'ann'))
  const bob = request('b1', 'bob')
  await expect(ann[3]).rejects.toMatchObject(full)
  await expect(request('a5', 'ann')).rejects.toMatchObject(full)
  await endAll()
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
  await Promise.all([...ann.slice(0, 3), bob])
})

test('a decoding that fails or is not needed anymore makes room for the next', async () => {
  const queue = createDecodingQueue({ concurrency: 1, waiting: 1 })
  const needs = Array.from({ length: 3 }, () => new AbortController())
  const failure = Promise.withResolvers<void>()
  const results = needs
    .slice(0, 2)
    .map(({ signal }) => queue.run({ signal, requesters: [['ann']] }, () => failure.promise))
  const canceled = expect(results[1]).rejects.toMatchObject({ code: 'unavailable' })
  needs[1]!.abort()
  await canceled
  const next = queue.run({ signal: needs[2]!.signal, requesters: [['ann']] }, async () => 'decoded')
  failure.reject(new Error('no frame'))
  await expect(results[0]).rejects.toThrow('no frame')
  expect(await next).toBe('decoded')
  await expect(queue.run({ signal: needs[1]!.signal, requesters: [] }, async () => 'decoded')).rejects.toMatchObject({
    code: 'unavailable',
  })
})
