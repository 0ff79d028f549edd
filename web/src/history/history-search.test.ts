import { expect, test } from 'vitest'
import { historySearch, momentIn, written } from './history-search.ts'

test.each([
  ['nothing', {}, {}],
  ['one camera', { camera: 'yard' }, { camera: 'yard' }],
  ['several, each once', { camera: 'yard,door,yard' }, { camera: 'yard,door' }],
  ['more than fit', { camera: 'a,b,c,d,e' }, { camera: 'a,b,c,d' }],
  ['a number for a name', { camera: 12 }, { camera: '12' }],
  ['what is no name', { camera: '../x,<b>,yard' }, { camera: 'yard' }],
  ['a moment', { at: '2026-11-21T18:30:00Z' }, { at: '2026-11-21T18:30:00Z' }],
  ['a moment elsewhere', { at: '2026-11-21T19:30:00.400+01:00' }, { at: '2026-11-21T18:30:00Z' }],
  ['what is no moment', { at: 'yesterday', other: 1 }, {}],
  ['what is none either', { at: 7 }, {}],
])('%s', (_, values, search) => expect(historySearch(values)).toEqual(search))

test('a moment is written as it is read', () => {
  expect(momentIn(written(1_795_273_907.6))).toBe(1_795_273_907)
})
