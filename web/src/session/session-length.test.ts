import { expect, test } from 'vitest'
import { askEvery } from './session-length.ts'

test.each([
  ['unknown', undefined, 600_000],
  ['a day', 86_400_000, 600_000],
  ['ten minutes', 600_000, 300_000],
  ['a second', 1000, 2000],
  ['none', 0, undefined],
  ['less than none', -5, undefined],
])('a session of length %s', (_, length, every) => {
  expect(askEvery(length)).toBe(every)
})
