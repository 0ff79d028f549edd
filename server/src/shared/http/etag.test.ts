import { expect, test } from 'vitest'
import { namesVersion } from './etag.ts'

test.each<[header: string | undefined, names: boolean]>([
  [undefined, false],
  ['', false],
  ['"v1"', true],
  ['W/"v1"', true],
  ['*', true],
  [' * ', true],
  ['"v0", "v1"', true],
  ['"v0","v1"', true],
  ['"v0" , W/"v1" , "v2"', true],
  ['"a,b", "v1"', true],
  ['"v0"', false],
  ['"v1', false],
  ['v1', false],
  ['"xv1"', false],
  ['"v1"x', false],
  ['w/"v1"', false],
  ['"v0", *', false],
])('If-None-Match: %s names "v1": %s', (header, names) => {
  expect(namesVersion(header, '"v1"')).toBe(names)
})
