import { expect, test } from 'vitest'
import { networkProblem, networksFrom, plainAddress } from './networks.ts'

test.each([
  // network                   address                  inside
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.9.9.9/8', '10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:a01:203', true],
  ['10.0.0.0/8', '::ffff:11.1.2.3', false],
  ['10.0.0.0/8', '::a01:203', false],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '203.0.113.9', false],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', 'fe80::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['::1', '::2', false],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.1.2.3', false],
  ['::ffff:192.0.2.7', '192.0.2.7', true],
  ['::ffff:192.0.2.7', '192.0.2.8', false],
  ['10.0.0.0/8', 'nonsense', false],
  ['10.0.0.0/8', '', false],
  ['0.0.0.0/0', '010.0.0.1', false],
  ['0.0.0.0/0', '0x0a.0.0.1', false],
  ['0.0.0.0/0', '2130706433', false],
])('[RATE-6] %s contains %s: %s', (network, address, inside) => {
  expect(networksFrom([network])(address)).toBe(inside)
  expect(networksFrom(['192.0.2.200/32', '2001:db8:ffff::/48', network])(address)).toBe(inside)
})

test('[RATE-6] an IPv4-mapped network that would contain all of IPv4 is rejected', () => {
  for (const entry of ['::ffff:10.0.0.0/8', '::ffff:0:0/95', '::ffff:10.0.0.0/0']) {
    expect(networkProblem(entry)?.message).toContain('96 to 128')
    expect(() => networksFrom(['10.0.0.0/8', entry])).toThrow(entry)
  }
})

test.each([
  '',
  ' 10.0.0.0/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  '10.0.0.0/255.0.0.0',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '010.0.0.0/8',
  '167772160/8',
  'fd00::/129',
  'fd00:::/8',
  '1.2.3.4%eth0',
  'fe80::1%',
  `fe80::1%${'x'.repeat(33)}`,
  'example.org',
  '*',
])('[CONF-2] %j is not a network', (entry) => {
  expect(networkProblem(entry)?.code).toBeTypeOf('string')
  expect(() => networksFrom([entry])).toThrow(RangeError)
})

test('an empty list contains no address', () => {
  expect(networksFrom([])('127.0.0.1')).toBe(false)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['192.0.2.7:80', undefined],
  ['localhost', undefined],
  ['', undefined],
])('[RATE-4] %s is normalized to %s', (text, plain) => {
  expect(plainAddress(text)).toBe(plain)
})
