import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { createClientResolver } from './client-address.ts'

type Headers = Readonly<Record<string, string | readonly string[]>>

const meta = (peer: string, headers: Headers = {}, encrypted = false): RequestMeta => ({
  peer,
  encrypted,
  values: (name) => [headers[name] ?? []].flat(),
})

const proxies = ['10.0.0.0/8', 'fd00::/8']
const resolver = (prefixHeader: 'x-forwarded-prefix' | 'x-ingress-path') =>
  createClientResolver({ trustedProxies: () => proxies, prefixHeader: () => prefixHeader, basePath: '/base/' })
const view = resolver('x-forwarded-prefix')

const many = Array.from({ length: 2000 }, () => '10.0.0.9').join(', ')

test.each<[name: string, peer: string, forwarded: string | readonly string[], address: string]>([
  ['no header', '10.0.0.1', [], '10.0.0.1'],
  ['one client', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['the header of an untrusted peer is ignored', '192.0.2.1', '198.51.100.9', '192.0.2.1'],
  ['a mapped peer is the IPv4 one', '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['a mapped peer, untrusted', '::ffff:192.0.2.1', '198.51.100.9', '192.0.2.1'],
  ['a forged entry is to the left', '10.0.0.1', '198.51.100.9, 192.0.2.7', '192.0.2.7'],
  ['through two proxies', '10.0.0.1', '198.51.100.9, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
  ['all trusted: the leftmost', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['several lines are one list', '10.0.0.1', ['198.51.100.9, 192.0.2.7', '10.0.0.2'], '192.0.2.7'],
  ['several lines, the client in the last', '10.0.0.1', ['198.51.100.9', '192.0.2.7'], '192.0.2.7'],
  ['a port is dropped', '10.0.0.1', '192.0.2.7:5678', '192.0.2.7'],
  ['a port behind a proxy is dropped', '10.0.0.1', '192.0.2.7:1, 10.0.0.2:2', '192.0.2.7'],
  ['IPv6 with brackets and port', '10.0.0.1', '[2001:db8::7]:443', '2001:db8::7'],
  ['IPv6 with brackets', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
  ['IPv6 bare, in one spelling', '10.0.0.1', '2001:DB8:0::7', '2001:db8::7'],
  ['IPv6 with a zone', 'fd00::1%eth0', 'fe80::7%eth0', 'fe80::7'],
  ['mapped IPv6 is IPv4', '10.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
  ['mapped IPv6 of a proxy is trusted', '10.0.0.1', '192.0.2.7, ::ffff:10.0.0.2', '192.0.2.7'],
  ['garbage ends at the peer', '10.0.0.1', 'a', '10.0.0.1'],
  ['garbage ends at the last good one', '10.0.0.1', '192.0.2.7, unknown, 10.0.0.2', '10.0.0.2'],
  ['garbage to the left of the client is not read', '10.0.0.1', '<script>, 192.0.2.7', '192.0.2.7'],
  ['empty', '10.0.0.1', '', '10.0.0.1'],
  ['only commas', '10.0.0.1', ',,,', '10.0.0.1'],
  ['octal is garbage', '10.0.0.1', '0300.0.2.7', '10.0.0.1'],
  ['a number is garbage', '10.0.0.1', '3221225991', '10.0.0.1'],
  ['brackets around IPv4 are garbage', '10.0.0.1', '[192.0.2.7]', '10.0.0.1'],
  ['a bad port is garbage', '10.0.0.1', '192.0.2.7:x', '10.0.0.1'],
  ['nothing before the first comma', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
  ['a port of six digits is garbage', '10.0.0.1', '192.0.2.7:123456', '10.0.0.1'],
  ['a mapped address with a port is garbage', '10.0.0.1', '::ffff:192.0.2.7:80', '10.0.0.1'],
  ['text before brackets is garbage', '10.0.0.1', 'x[2001:db8::7]', '10.0.0.1'],
  ['text behind brackets is garbage', '10.0.0.1', '[2001:db8::7]x', '10.0.0.1'],
  ['garbage from a mapped proxy', '::ffff:10.0.0.1', 'a', '10.0.0.1'],
  ['a long zone', '10.0.0.1', `fe80::7%${'x'.repeat(32)}`, 'fe80::7'],
  ['a longer zone is garbage', '10.0.0.1', `fe80::7%${'x'.repeat(33)}`, '10.0.0.1'],
  ['64 hops', '10.0.0.1', `192.0.2.7${', 10.0.0.9'.repeat(63)}`, '192.0.2.7'],
  ['65 hops', '10.0.0.1', `192.0.2.7${', 10.0.0.9'.repeat(64)}`, '10.0.0.9'],
  ['thousands of hops', '10.0.0.1', `192.0.2.7, ${many}`, '10.0.0.9'],
  ['a very long entry', '10.0.0.1', '1'.repeat(16_000), '10.0.0.1'],
  ['a peer without an address', '', '192.0.2.7', ''],
])('[RATE-6] %s', (_name, peer, forwarded, address) => {
  expect(view(meta(peer, { 'x-forwarded-for': forwarded })).address).toBe(address)
})

/** An address, with what a proxy may write for it, and whether `proxies` contains it; garbage has no address. */
interface Hop {
  readonly text: string
  readonly address: string | undefined
  readonly isTrusted: boolean
}

const spellings = (address: string, isV6: boolean): string[] =>
  isV6
    ? [address, address.toUpperCase(), `[${address}]`, `[${address}]:443`, ` ${address}\t`, `${address}%eth0`]
    : [address, `${address}:80`, ` ${address} `, `::ffff:${address}`, `[::ffff:${address}]:1`]
const hopOf = (address: string, isTrusted: boolean): fc.Arbitrary<Hop> =>
  fc.constantFrom(...spellings(address, address.includes(':'))).map((text) => ({ text, address, isTrusted }))
const byte = fc.integer({ min: 0, max: 255 })
const hop = fc.oneof(
  fc.tuple(byte, byte, byte).chain((rest) => hopOf(`10.${rest.join('.')}`, true)),
  fc.tuple(fc.constantFrom(9, 11, 192, 127), byte, byte, byte).chain((all) => hopOf(all.join('.'), false)),
  fc.integer({ min: 0x1000, max: 0xffff }).chain((part) => hopOf(`fd12::${part.toString(16)}`, true)),
  fc.integer({ min: 0x1000, max: 0xffff }).chain((part) => hopOf(`2001:db8::${part.toString(16)}`, false)),
  fc
    .constantFrom(
      '',
      'unknown',
      '10.0.0',
      '10.0.0.0/8',
      '010.0.0.1',
      '10.0.0.1:x',
      '[10.0.0.1]',
      '256.1.1.1',
      ':::',
      '_x',
    )
    .map((text): Hop => ({ text, address: undefined, isTrusted: false })),
)

/** RATE-6: from the right, the first address that isn't trusted; garbage ends the search at the last good address. */
function expectedAddress(peer: Hop, hops: readonly Hop[]): string | undefined {
  if (!peer.isTrusted) return peer.address
  const fromTheRight = hops.toReversed()
  const stop = fromTheRight.findIndex(({ address, isTrusted }) => address === undefined || !isTrusted)
  if (stop === -1) return (hops[0] ?? peer).address
  return fromTheRight[stop]!.address ?? (fromTheRight[stop - 1] ?? peer).address
}

test('[RATE-6] any peer and any forwarded addresses, in any spelling and on any number of lines, give the address that the rule says', () => {
  const peers = hop.filter(({ address }) => address !== undefined).map((found) => ({ ...found, text: found.address! }))
  fc.assert(
    fc.property(peers, fc.array(hop, { maxLength: 8 }), fc.array(fc.nat(8), { maxLength: 3 }), (peer, hops, cuts) => {
      // The list on one line or on several.
      const ends = [...new Set([...cuts.filter((at) => at > 0 && at < hops.length), hops.length])].sort((a, b) => a - b)
      const lines = hops.length === 0 ? [] : ends.map((end, at) => hops.slice(ends[at - 1] ?? 0, end))
      const forwarded = lines.map((line) => line.map(({ text }) => text).join(','))
      expect(view(meta(peer.text, { 'x-forwarded-for': forwarded })).address).toBe(expectedAddress(peer, hops))
    }),
    { numRuns: 2000 },
  )
})

test('[RATE-6] a changed list applies from the next request on', () => {
  let trusted: readonly string[] = []
  const changing = createClientResolver({
    trustedProxies: () => trusted,
    prefixHeader: () => 'x-forwarded-prefix',
    basePath: '/',
  })
  const forwarded = meta('10.0.0.1', { 'x-forwarded-for': '192.0.2.7' })
  expect(changing(forwarded).address).toBe('10.0.0.1')
  trusted = ['10.0.0.1']
  expect(changing(forwarded).address).toBe('192.0.2.7')
  trusted = []
  expect(changing(forwarded).address).toBe('10.0.0.1')
})

test.each<[name: string, peer: string, encrypted: boolean, proto: string | readonly string[], expected: boolean]>([
  ['the socket, plain', '192.0.2.1', false, [], false],
  ['the socket, TLS', '192.0.2.1', true, [], true],
  ['an untrusted peer cannot claim TLS', '192.0.2.1', false, 'https', false],
  ['an untrusted peer cannot deny TLS', '192.0.2.1', true, 'http', true],
  ['a proxy that terminates TLS', '10.0.0.1', false, 'https', true],
  ['a proxy with a plain HTTP client', '10.0.0.1', true, 'http', false],
  ['in any case', '10.0.0.1', false, 'HTTPS', true],
  ['a WebSocket', '10.0.0.1', false, 'wss', true],
  ['a plain WebSocket', '10.0.0.1', true, 'ws', false],
  ['a longer word leaves the decision to the socket', '10.0.0.1', false, 'https2', false],
  ['the last one counts', '10.0.0.1', false, 'https, http', false],
  ['the last line counts', '10.0.0.1', false, ['http', 'https'], true],
  ['an invalid value leaves the decision to the socket', '10.0.0.1', true, 'gopher', true],
  ['a space that HTTP does not allow is invalid', '10.0.0.1', false, '\u00a0https', false],
])('[TOK-11] encrypted: %s', (_name, peer, encrypted, proto, expected) => {
  expect(view(meta(peer, { 'x-forwarded-proto': proto }, encrypted)).encrypted).toBe(expected)
})

test.each<[name: string, peer: string, encrypted: boolean, proto: string | readonly string[], expected: boolean]>([
  ['directly, plain', '192.0.2.1', false, [], false],
  ['directly, TLS', '192.0.2.1', true, [], true],
  ['directly, TLS, the header is ignored', '192.0.2.1', true, 'http', true],
  ['directly, an untrusted peer claims TLS', '192.0.2.1', false, 'https', false],
  ['a proxy says so', '10.0.0.1', false, 'https', true],
  ['a proxy says no', '10.0.0.1', true, 'http', false],
  ['a proxy says nothing', '10.0.0.1', true, [], false],
  ['a proxy says nonsense', '10.0.0.1', true, 'gopher', false],
])('[TOK-13] known to be encrypted: %s', (_name, peer, encrypted, proto, expected) => {
  expect(view(meta(peer, { 'x-forwarded-proto': proto }, encrypted)).knownEncrypted).toBe(expected)
})

test.each<[name: string, peer: string, headers: Headers, host: string]>([
  ['no Host header', '192.0.2.1', {}, ''],
  ['the Host header', '192.0.2.1', { host: 'cam.example:8971' }, 'cam.example:8971'],
  ['two different Host headers are ignored', '192.0.2.1', { host: ['a.example', 'b.example'] }, ''],
  ['two equal Host headers', '192.0.2.1', { host: ['a.example', 'a.example'] }, 'a.example'],
  [
    'an untrusted peer cannot forward a host',
    '192.0.2.1',
    { host: 'a.example', 'x-forwarded-host': 'b.example' },
    'a.example',
  ],
  [
    'an untrusted peer cannot forward a port',
    '192.0.2.1',
    { host: 'a.example', 'x-forwarded-port': '444' },
    'a.example',
  ],
  ['a proxy forwards the host', '10.0.0.1', { host: 'inner', 'x-forwarded-host': 'cam.example' }, 'cam.example'],
  [
    'a proxy forwards host and port',
    '10.0.0.1',
    { 'x-forwarded-host': 'cam.example', 'x-forwarded-port': '444' },
    'cam.example:444',
  ],
  [
    'a port in the host wins',
    '10.0.0.1',
    { 'x-forwarded-host': 'cam.example:1', 'x-forwarded-port': '2' },
    'cam.example:1',
  ],
  ['IPv6', '10.0.0.1', { 'x-forwarded-host': '[2001:db8::7]', 'x-forwarded-port': '444' }, '[2001:db8::7]:444'],
  ['the last host counts', '10.0.0.1', { 'x-forwarded-host': 'evil.example, cam.example' }, 'cam.example'],
  ['an invalid host is ignored', '10.0.0.1', { host: 'inner', 'x-forwarded-host': 'a b<c>' }, 'inner'],
  ['a port without a host is ignored', '10.0.0.1', { 'x-forwarded-port': '444' }, ''],
  ['a port of six digits is ignored', '10.0.0.1', { host: 'inner', 'x-forwarded-port': '123456' }, 'inner'],
  ['two words aren’t a host', '10.0.0.1', { host: 'inner', 'x-forwarded-host': 'a b' }, 'inner'],
  ['a host of 261 characters', '192.0.2.1', { host: 'a'.repeat(261) }, 'a'.repeat(261)],
  ['a host of 262 characters is ignored', '192.0.2.1', { host: 'a'.repeat(262) }, ''],
  ['an invalid port is ignored', '10.0.0.1', { host: 'inner', 'x-forwarded-port': '80x' }, 'inner'],
])('[TOK-13] host: %s', (_name, peer, headers, host) => {
  expect(view(meta(peer, headers)).host).toBe(host)
})

test.each<[peer: string, prefix: string, basePath: string]>([
  ['10.0.0.1', '/gate', '/gate/'],
  ['10.0.0.1', '/gate/', '/gate/'],
  ['10.0.0.1', '/a/b-c_d.e~f', '/a/b-c_d.e~f/'],
  ['10.0.0.1', '/', '/'],
  ['192.0.2.1', '/gate', '/base/'],
  ['10.0.0.1', '', '/base/'],
  ['10.0.0.1', 'gate', '/base/'],
  ['10.0.0.1', '//evil.example', '/base/'],
  ['10.0.0.1', '/a//b', '/base/'],
  ['10.0.0.1', '/a/../b', '/base/'],
  ['10.0.0.1', '/./b', '/base/'],
  ['10.0.0.1', '/a\\b', '/base/'],
  ['10.0.0.1', '/a%2e', '/base/'],
  ['10.0.0.1', '/a;Domain=x', '/base/'],
  ['10.0.0.1', '/"><script>', '/base/'],
  ['10.0.0.1', `/${'a'.repeat(255)}`, `/${'a'.repeat(255)}/`],
  ['10.0.0.1', `/${'a'.repeat(256)}`, '/base/'],
])('[TOK-11] from %s the prefix %j gives the base path %s', (peer, prefix, basePath) => {
  expect(view(meta(peer, { 'x-forwarded-prefix': prefix })).basePath).toBe(basePath)
})

test.each<[peer: string, header: string, prefix: string | readonly string[], basePath: string]>([
  ['10.0.0.1', 'x-ingress-path', '/api/hassio_ingress/x-Y_3', '/api/hassio_ingress/x-Y_3/'],
  ['10.0.0.1', 'x-ingress-path', ['/evil', '/api/hassio_ingress/x'], '/api/hassio_ingress/x/'],
  ['192.0.2.1', 'x-ingress-path', '/api/hassio_ingress/x', '/base/'],
  ['10.0.0.1', 'x-forwarded-prefix', '/api/hassio_ingress/x', '/base/'],
  ['10.0.0.1', 'x-ingress-path', 'https://evil.example', '/base/'],
  ['10.0.0.1', 'x-ingress-path', '//evil.example', '/base/'],
  ['10.0.0.1', 'x-ingress-path', '/a\u0001b', '/base/'],
])('[PROXY-22] from %s, %s: %j is the base path %s', (peer, header, prefix, basePath) => {
  expect(resolver('x-ingress-path')(meta(peer, { [header]: prefix })).basePath).toBe(basePath)
  if (header === 'x-ingress-path') expect(view(meta(peer, { [header]: prefix })).basePath).toBe('/base/')
})
