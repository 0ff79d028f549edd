import { expect, test } from 'vitest'
import { takenAt } from './taken-at.ts'

const taken = 'Wed, 01 Jul 2026 12:00:00 GMT'
const at = Date.parse(taken)
const minutes = 60_000

test.each([
  ['both clocks are right', 'Wed, 01 Jul 2026 12:03:00 GMT', at + 3 * minutes, at],
  ['the browser is an hour ahead', 'Wed, 01 Jul 2026 12:03:00 GMT', at + 63 * minutes, at + 60 * minutes],
  ['the browser is a year behind', 'Wed, 01 Jul 2026 12:03:00 GMT', 0, -3 * minutes],
  ['a proxy removed the date', undefined, at + 3 * minutes, at],
  ['the snapshot is from the future', 'Wed, 01 Jul 2026 11:59:00 GMT', at, at],
])('%s', (_, date, now, result) => {
  expect(takenAt(new Headers({ 'last-modified': taken, ...(date && { date }) }), now)).toBe(result)
})

test('a response without the header has no time', () => {
  expect(takenAt(new Headers({ date: taken }), at)).toBeUndefined()
})
