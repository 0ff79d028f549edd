import { expect, test } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

test('[MFA-1] there are ten recovery codes, which differ, of letters that are not confused', () => {
  const codes = newRecoveryCodes(systemRandom)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/)
})

test.each<[typed: string, isSame: boolean]>([
  ['ABCDEF-012345-GHJKMN-67891P', true],
  [' abcdef 012345 ghjkmn 67891p ', true],
  ['abcdef-o12345-ghjkmn-6789lp', true],
  ['abcdef-Oi2345-ghjkmn-6789Ip', true],
  ['abcdef-012345-ghjkmn-67891q', false],
  ['abcdef-012345-ghjkmn-67891', false],
])('[MFA-1] a recovery code typed as %j is the same: %s', (typed, isSame) => {
  expect(recoveryCodeHash(typed) === recoveryCodeHash('abcdef-012345-ghjkmn-67891p')).toBe(isSame)
})
