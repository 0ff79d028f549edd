import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more run than may, in the order in which they came, and what fails gives its place back', async () => {
  const inTurn = createTurns(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const all = ends.map(({ promise }, each) =>
    inTurn(() => {
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
