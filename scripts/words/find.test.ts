import { expect, test } from 'vitest'
import type { Allowed } from './allowed.ts'
import type { Banned } from './banned.ts'
import { banned } from './banned.ts'
import { findWords, someWordOf } from './find.ts'

const row: Banned = { where: 'prose', pattern: /\bcancelled/i, instead: 'canceled' }
const code: Allowed = { file: 'a.md', word: '`cancelled`', reason: 'an old code' }

test('every banned word is found, with its position in the file', () => {
  const hits = findWords(row, [{ start: 10, text: 'a cancelled job, Cancelled' }], [])
  expect(hits.map(({ start, word }) => [start, word])).toEqual([
    [12, 'cancelled'],
    [27, 'Cancelled'],
  ])
})

test.each([
  ['`cancelled`', [true]],
  ['`old`→`cancelled`→`canceled`', [true]],
  ['`cancelled` is cancelled', [true, false]],
  ['cancelled is `cancelled`', [false, true]],
  ['`cancelled-now`', [false]],
])('%s: an allowed word is allowed only where it occurs as listed', (text, expected) => {
  const hits = findWords(row, [{ start: 0, text }], [code])
  expect(hits.map(({ allowedBy }) => allowedBy === code)).toEqual(expected)
})

test('one pass over a text finds out whether some row has a word in it', () => {
  const name: Banned = { where: 'name', pattern: /^ask$/, instead: 'requested' }
  const isSuspect = someWordOf([row, name])
  expect(['Cancelled', 'a cancelled job', 'ask', 'Ask', 'asks', 'canceled'].map(isSuspect)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  // Joined, they would count backreferences differently.
  expect(banned.filter(({ pattern }) => /\\[1-9]|\(\?</.test(pattern.source.replaceAll(/\(\?<[!=]/g, '')))).toEqual([])
})
