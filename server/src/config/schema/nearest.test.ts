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
