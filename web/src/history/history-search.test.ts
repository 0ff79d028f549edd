import { expect, test } from 'vitest'
import { historySearch, isoTime, parseTime } from './history-search.ts'

test.each([
  ['nothing', {}, {}],
  ['one camera', { camera: 'yard' }, { camera: 'yard' }],
  ['several, each once', { camera: 'yard,door,yard' }, { camera: 'yard,door' }],
  ['more than the maximum', { camera: 'a,b,c,d,e' }, { camera: 'a,b,c,d' }],
  ['a number as a name', { camera: 12 }, { camera: '12' }],
  ['invalid names', { camera: '../x,<b>,yard' }, { camera: 'yard' }],
  ['a time', { at: '2026-11-21T18:30:00Z' }, { at: '2026-11-21T18:30:00Z' }],
  ['a time in another zone', { at: '2026-11-21T19:30:00.400+01:00' }, { at: '2026-11-21T18:30:00Z' }],
  ['an invalid time', { at: 'yesterday', other: 1 }, {}],
  ['a number as a time', { at: 7 }, {}],
])('%s', (_, values, search) => expect(historySearch(values)).toEqual(search))

test('a written time reads back as the same second', () => {
  expect(parseTime(isoTime(1_795_273_907.6))).toBe(1_795_273_907)
})
