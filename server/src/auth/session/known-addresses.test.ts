import { expect, test } from 'vitest'
import { createKnownAddresses, maxKnownAddresses } from './known-addresses.ts'

test.each([
  ['192.0.2.1', true],
  ['::ffff:192.0.2.1', true],
  ['192.0.2.2', false],
  ['2001:db8::9', true],
  ['2001:db8:0:1::9', false],
  ['', false],
])('[RATE-7] of 192.0.2.1 and a /64, %s is known: %s', (address, isKnown) => {
  expect(createKnownAddresses(['192.0.2.1', '2001:db8::1']).has(address)).toBe(isKnown)
})

test('[RATE-7] the number of addresses is bounded: those not used for the longest time are forgotten', () => {
  const known = createKnownAddresses(['192.0.2.1', '192.0.2.2'])
  for (let i = 0; i < maxKnownAddresses - 2; i += 1) known.add(`10.1.${i >> 8}.${i & 255}`)
  expect([known.has('192.0.2.1'), known.has('192.0.2.2')]).toEqual([true, true])
  known.add('192.0.2.1')
  known.add('10.2.0.1')
  known.add('10.2.0.2')
  expect([known.has('192.0.2.1'), known.has('10.1.0.1')]).toEqual([true, false])
})
