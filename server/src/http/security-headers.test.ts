import { expect, test } from 'vitest'
import { hstsSeconds } from './security-headers.ts'

test.each([
  // configured  certificate    seconds
  [null, 'configured', 31_536_000],
  [null, 'own', 0],
  [null, undefined, 0],
  [60, 'configured', 60],
  [60, 'own', 60],
  [60, undefined, 0],
  [0, 'configured', 0],
] as const)('with %s configured and certificate %s, HSTS is %d seconds', (configured, certificate, seconds) => {
  expect(hstsSeconds(configured, certificate)).toBe(seconds)
})
