import { expect, test } from 'vitest'
import { placeOf } from './problem-place.ts'

test.each([
  ['auditt', '"auditt"', ''],
  ['auth.trusted_proxy', '"trusted_proxy"', 'auth'],
  ['tls."a b"', '"a b"', 'tls'],
  ['auth.…', '"…"', 'auth'],
  // The message names another key.
  ['cameras.yard.title', '"tle"', 'cameras.yard.title'],
  ['auth.session_length', undefined, 'auth.session_length'],
])('the problem at %s whose message names %s is shown at “%s”', (field, key, expected) => {
  expect(placeOf({ field, ...(key !== undefined && { values: { key } }) })).toBe(expected)
})
