import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { createBatchLoad, type BatchLoadOptions } from './batch-load.ts'

/** A database that responds when the test says so. */
function database(options: Partial<BatchLoadOptions> = {}) {
  const queries: { readonly keys: readonly string[]; readonly end: (failure?: Error) => Promise<void> }[] = []
  const rows = new Map('abcdefgh'.split('').map((key) => [key, `${key}1`]))
  const load = createBatchLoad<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        // What a query finds is what is there when it begins.
        const found = new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) ?? '']] : [])))
        const end = async (failure?: Error) => {
          if (failure) reject(failure)
          else resolve(found)
          await turn()
        }
        queries.push({ keys, end })
      }),
    { clock: systemClock, ...options },
  )
  return { load, queries, rows }
}

const turn = async () => {
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
}

test('keys requested together are one query, with each key once', async () => {
  const { load, queries } = database()
  const requested = Promise.all([load('a'), load('b'), load('a'), load('none')])
  await turn()
  expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']])
  await queries[0]?.end()
  expect(await requested).toEqual(['a1', 'b1', 'a1', undefined])
})

test('[ROLE-10] a request joins only a query that begins after it came', async () => {
  const { load, queries, rows } = database()
  const before = load('a')
  await turn()
  rows.set('a', 'a2')
  const after = [load('a'), load('b'), load('a')]
  await turn()
  expect(queries).toHaveLength(1)
  await queries[0]?.end()
  expect(await before).toBe('a1')
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b']])
  await queries[1]?.end()
  expect(await Promise.all(after)).toEqual(['a2', 'b1', 'a2'])
})

test('a thousand requests run one query after another, however many arrive during a query', async () => {
  const { load, queries } = database()
  const requested = [load('a')]
  await turn()
  for (let round = 0; round < 10; round += 1) {
    for (let nth = 0; nth < 100; nth += 1) requested.push(load('abcdefgh'[nth % 8] ?? ''))
    await turn()
    expect(queries).toHaveLength(round + 1)
    await queries.at(-1)?.end()
  }
  await queries.at(-1)?.end()
  expect(await Promise.all(requested)).toHaveLength(1001)
  expect(queries).toHaveLength(11)
})

test('a failure is that of its own requests alone', async () => {
  const { load, queries } = database()
  const first = load('a')
  await turn()
  const second = load('a')
  const failed = expect(first).rejects.toThrow('away')
  await queries[0]?.end(new Error('away'))
  await failed
  await queries[1]?.end()
  expect(await second).toBe('a1')
})

test('a query that hangs holds up the next for a moment only; long lists are split', async () => {
  const clock = createTestClock()
  const { load, queries } = database({ clock, max: 2, timeout: 100 })
  void load('a')
  await turn()
  const requested = Promise.all([load('b'), load('c'), load('d')])
  await clock.advance(99)
  expect(queries).toHaveLength(1)
  await clock.advance(1)
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']])
  await queries[1]?.end()
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c'], ['d']])
  await queries[2]?.end()
  expect(await requested).toEqual(['b1', 'c1', 'd1'])
})
