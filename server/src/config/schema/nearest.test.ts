import { expect, test } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['auth', 'auth', 0],
  ['auht', 'auth', 1],
  ['auth', 'auht', 1],
  ['uath', 'auth', 1],
  ['lvie', 'live', 1],
  ['kitten', 'sitting', 3],
  ['abcd', 'badc', 2],
  // A swapped pair is not changed again.
  ['ca', 'abc', 3],
])('[CONF-2] from %j to %j are %i edits', (one, other, edits) => {
  expect(editDistance(one, other)).toBe(edits)
  for (const max of [0, 1, 2, 3]) expect(editDistance(one, other, max)).toBe(edits > max ? Infinity : edits)
})

test('[CONF-2] a text of a megabyte is compared at once', () => {
  const long = 'x'.repeat(1_000_000)
  expect(editDistance('live', long, 10)).toBe(Infinity)
  expect(
    nearest(
      long,
      Array.from({ length: 1_000 }, () => 'live'),
    ),
  ).toBeUndefined()
})

test.each([
  ['lvie', 'live'],
  ['LIVE', 'live'],
  ['hisotry', 'history'],
  ['evil', undefined],
  ['', undefined],
])('[GRANT-5] %j most likely means %j', (text, meant) => {
  expect(nearest(text, ['live', 'history', 'audio'])).toBe(meant)
})
