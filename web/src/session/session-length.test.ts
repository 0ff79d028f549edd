import { expect, test } from 'vitest'
import { renewalInterval } from './session-length.ts'

const seconds = 1000

test.each([
  ['unknown', undefined, 60 * seconds],
  ['a day', 86_400 * seconds, 60 * seconds],
  ['a minute', 60 * seconds, 12 * seconds],
  ['a second', seconds, seconds],
  ['none', 0, 60 * seconds],
  ['negative', -5, 60 * seconds],
])('a session of length %s', (_, length, every) => {
  expect(renewalInterval(length)).toBe(every)
})

test.each([5, 7, 12, 60, 119, 120, 300, 301, 3600, 86_400])(
  '[TOK-5] a session of %d s gets two requests in its second half',
  (length) => {
    const every = renewalInterval(length * seconds)
    const at = Array.from({ length: 2000 }, (_, times) => (times + 1) * every)
    const renewing = at.filter((each) => each > (length * seconds) / 2 && each <= length * seconds)
    expect(renewing.length).toBeGreaterThanOrEqual(2)
  },
)
