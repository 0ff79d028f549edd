import { expect, test } from 'vitest'
import { bitsPerSecond, bytes, percent } from './format-number.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_440_000, '1.4 MB'],
  [52_800_000, '53 MB'],
  [4_000_000_000_000, '4 TB'],
])('%d bytes are formatted as %s', (count, words) => {
  expect(bytes(count, 'en')).toBe(words)
})

test('bit rates are per second and use the decimal separator of the locale', () => {
  expect(bitsPerSecond(2_540_000, 'en')).toBe('2.5 Mb/s')
  expect(bitsPerSecond(2_540_000, 'de')).toMatch(/^2,5/)
})

test.each([
  [0, '0%'],
  [0.46, '0.5%'],
  [9.94, '9.9%'],
  [134.4, '134%'],
])('%d percent is formatted as %s', (value, words) => {
  expect(percent(value, 'en')).toBe(words)
})
