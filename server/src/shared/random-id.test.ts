import { expect, test } from 'vitest'
import { isId, newId } from './random-id.ts'
import { systemRandom } from './random.ts'

const id = '0123456789abcdef'.repeat(2)

test('a new id is an id', () => {
  expect(isId(newId(systemRandom))).toBe(true)
})

test.each([
  [id, true],
  [id.slice(1), false],
  [`${id}0`, false],
  [`0${id}`, false],
  [id.toUpperCase(), false],
  [`${id.slice(1)}g`, false],
])('%s is an id: %s', (text, expected) => {
  expect(isId(text)).toBe(expected)
})
