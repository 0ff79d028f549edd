import { expect, test } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { newPairingCode, pairingCodeFrom } from './pairing-code.ts'

/** Gives these bytes, and then zeros up to the requested length; no more after that. */
const randomOf = (...bytes: readonly number[]) => {
  let rest = bytes
  return {
    bytes(length: number) {
      if (rest.length === 0) throw new Error('there are no more bytes')
      const next = Buffer.alloc(length)
      Buffer.from(rest).copy(next)
      rest = rest.slice(length)
      return next
    },
  }
}

test('[KEY-6] a code has eight characters that are not confused, and all of them are as likely', () => {
  expect(newPairingCode(randomOf(0, 1, 24, 25, 49, 249, 2, 3))).toBe('AC9A99DE')
  // 250 and more would make the first characters more likely.
  expect(newPairingCode(randomOf(250, 255, 1, 251, 252, 253, 254, 2, 3))).toBe('CDEAAAAA')
  for (let nth = 0; nth < 100; nth += 1) {
    expect(newPairingCode(systemRandom)).toMatch(/^[ACDEFGHJKMNPQRTUVWXY34679]{8}$/)
  }
})

test.each<[typed: string, code: string | undefined]>([
  ['ACDE3467', 'ACDE3467'],
  [' acde-3467\t', 'ACDE3467'],
  ['a c d e 3 4 6 7', 'ACDE3467'],
  ['ACDE346', undefined],
  ['ACDE34677', undefined],
  ['XACDE3467', undefined],
  ['BCDE3467', undefined],
  ['ACDE346%', undefined],
  ['', undefined],
])('[KEY-6] the code that is meant by %j is %s', (typed, code) => {
  expect(pairingCodeFrom(typed)).toBe(code)
})
