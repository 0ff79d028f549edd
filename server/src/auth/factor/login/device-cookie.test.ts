import { expect, test } from 'vitest'
import { requestMeta } from '../../../../test/support/request-meta.ts'
import type { Client } from '../../../shared/http/request-meta.ts'
import { hashOfSecret } from '../../link-secret.ts'
import { deviceCookie, deviceHashesIn } from './device-cookie.ts'

const client: Client = { address: '', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const secret = (letter: string): string => letter.repeat(43)
const requestWith = (...cookie: readonly string[]) => requestMeta({ cookie })

test.each<[Partial<Client>, string]>([
  [{}, 'Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict'],
  [{ basePath: '/cams/' }, 'Max-Age=2592000; Path=/cams; HttpOnly; Secure; SameSite=Strict'],
  [{ encrypted: false }, 'Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict'],
])('[MFA-5] the cookie of a device, for %o', (more, attributes) => {
  expect(deviceCookie('abc', { ...client, ...more })).toBe(`gatehouse_device=abc; ${attributes}`)
})

test.each<[what: string, cookies: readonly string[], found: readonly string[]]>([
  ['none', [], []],
  ['another cookie', [`other=${secret('a')}`], []],
  ['one', [`gatehouse_device=${secret('a')}`], [secret('a')]],
  ['one among others', [`x=1; \tgatehouse_device = ${secret('a')}\t; y=2`], [secret('a')]],
  ['a pair without a name', [`=${secret('a')}; ${secret('b')}; gatehouse_device`], []],
  ['an empty one', ['gatehouse_device='], []],
  ['one that is too short', [`gatehouse_device=${secret('a').slice(1)}`], []],
  ['one that is too long', [`gatehouse_device=${secret('a')}a`, `gatehouse_device=.${secret('a')}`], []],
  ['one with another letter', [`gatehouse_device=${secret('a').slice(1)}.`], []],
  ['the same twice', [`gatehouse_device=${secret('a')}; gatehouse_device=${secret('a')}`], [secret('a')]],
  [
    'two, in two headers',
    [`gatehouse_device=${secret('a')}`, `gatehouse_device=${secret('b')}`],
    [secret('a'), secret('b')],
  ],
  [
    'more than four, after an unusable one',
    [['x', ...['a', 'b', 'c', 'd', 'e'].map(secret)].map((value) => `gatehouse_device=${value}`).join('; ')],
    ['a', 'b', 'c', 'd'].map(secret),
  ],
])('[MFA-5] the devices in a request with %s', (_what, cookies, found) => {
  expect(deviceHashesIn(requestWith(...cookies))).toEqual(found.map(hashOfSecret))
})
