import { describe, expect, test } from 'vitest'
import { isTotpCode, newTotpSecret, stepOf, totpUri, waitAfter } from './totp.ts'

describe('[MFA-1] a TOTP code', () => {
  // RFC 6238, appendix B: the secret of SHA-1, and the last six of the eight digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  test.each<[seconds: number, code: string, step: number | undefined]>([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [30, '287082', 1],
    [29, '287082', 1],
    [0, '287082', 1],
    [60, '287082', 1],
    [89, '287082', 1],
    [90, '287082', undefined],
    [59, '287083', undefined],
    [59, '', undefined],
  ])('at %i s: %s', (seconds, code, step) => {
    expect(stepOf(secret, code, seconds * 1000)).toBe(step)
  })

  test.each<[string, boolean]>([
    ['123456', true],
    ['12345', false],
    ['1234567', false],
    ['x123456', false],
    ['12345x', false],
    ['١٢٣٤٥٦', false],
  ])('%s has the form of one: %s', (text, is) => {
    expect(isTotpCode(text)).toBe(is)
  })

  test('has a secret of 160 bits, which an app reads from a URI', () => {
    const created = newTotpSecret({ bytes: (length) => Buffer.from('12345678901234567890').subarray(0, length) })
    expect(created).toBe(secret)
    expect(totpUri(secret, 'Ann')).toBe(
      `otpauth://totp/Gatehouse:Ann?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
  })
})

test.each<[failures: number, minutes: number]>([
  [0, 0],
  [4, 0],
  [5, 1],
  [6, 2],
  [10, 32],
  [11, 60],
  [12, 60],
  [5000, 60],
])('[MFA-3] after %i wrong codes in a row the next is checked in %i minutes', (failures, minutes) => {
  expect(waitAfter(failures)).toBe(minutes * 60_000)
})
