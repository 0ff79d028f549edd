import { expect, test } from 'vitest'
import { mayBeDemo } from './demo-notice.ts'

const named = (...names: readonly string[]) => names.map((name) => ({ name }))

test.each([
  [true, ['door', 'office', 'yard']],
  [false, []],
  [false, ['yard']],
  [false, ['door', 'office', 'yard', 'barn']],
  [false, ['door', 'office', 'barn']],
])('whether the settings are asked about demo cameras: %j for %j', (expected, names) => {
  expect(mayBeDemo(named(...names))).toBe(expected)
})
