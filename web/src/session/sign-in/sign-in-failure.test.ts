import { expect, test } from 'vitest'
import { signInFailureIn } from './sign-in-failure.ts'

test.each([
  ['no-role', 'no-role'],
  ['provider-unavailable', 'provider-unavailable'],
  ['constructor', undefined],
  ['', undefined],
  [1, undefined],
  [['no-role'], undefined],
  [undefined, undefined],
])('the failure %j in the URL is shown as %j', (given, shown) => {
  expect(signInFailureIn(given)).toBe(shown)
})
