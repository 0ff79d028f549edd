import { expect, test } from 'vitest'
import { systemRandom } from '../shared/random.ts'
import { hashOfSecret, hasHash, newSecret } from './link-secret.ts'

test('a secret has 256 bits, and only it has its hash', () => {
  const secret = newSecret(systemRandom)
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(hasHash(secret, hashOfSecret(secret))).toBe(true)
  for (const other of [newSecret(systemRandom), '', secret.slice(1), `${secret} `]) {
    expect(hasHash(other, hashOfSecret(secret))).toBe(false)
  }
  for (const damaged of ['', 'x', hashOfSecret(secret).slice(1), `${hashOfSecret(secret)}0`]) {
    expect(hasHash(secret, damaged)).toBe(false)
  }
})
