import { expect, test } from 'vitest'
import { Fmp4Error, makeBox, words } from './box.ts'
import { padWithFree } from './pad-with-free.ts'

const data = makeBox('moof', words(1))

test.each([
  ['nothing, if nothing is missing', 12, data],
  ['the smallest box', 20, Buffer.concat([data, makeBox('free')])],
  ['a box of zeros', 25, Buffer.concat([data, makeBox('free', Buffer.alloc(5))])],
])('%s is added', (_what, size, expected) => {
  expect(padWithFree(data, size)).toEqual(expected)
})

test('a part of which nothing remains becomes one box', () => {
  expect(padWithFree(Buffer.alloc(0), 12)).toEqual(makeBox('free', Buffer.alloc(4)))
})

test.each([0, 11, 13, 19])('a box does not fit between 12 and %i bytes', (size) => {
  expect(() => padWithFree(data, size)).toThrow(Fmp4Error)
})
