/** Addresses that a client invents, to get around the limit on failed logins or to lock others out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

const proxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']
let service: InProcessService
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { trusted_proxies: proxies, failed_login_rate_limit: null } },
  })
})
afterAll(stopAll)

const setAuth = async (auth: object): Promise<number> => (await changeConfig(service, { auth })).status

const failedLogin = async (headers: readonly string[], user = 'unknown'): Promise<number> => {
  const body = { user, password: 'wrong' }
  return (await service.gate.request('POST', '/api/login', { headers, body })).status
}

const forwarded = (...lines: readonly string[]) => lines.flatMap((line) => ['x-forwarded-for', line])

describe('[RATE-6] behind a trusted proxy, the address of a failed login is', () => {
  let number = 0
  /** The address in the audit log entry of a failed login. */
  const addressOf = async (headers: readonly string[]): Promise<unknown> => {
    const name = `user-${(number += 1)}`
    await service.internal.post('/api/users', { username: name, password, role: 'viewer' })
    expect(await failedLogin(headers, name)).toBe(401)
    const [, address] = await service.printed(new RegExp(`"failure","user":"${name}".*?"address":"([^"]*)"`))
    return address
  }

  test.each<[source: string, what: string, forwarded: readonly string[], address: string]>([
    ['RFC 7239 4', 'without the header, the socket’s', [], '127.0.0.1'],
    [
      'CVE-2023-36456',
      'the first from the right that is not a proxy',
      ['198.51.100.9, 192.0.2.7, 10.9.9.9'],
      '192.0.2.7',
    ],
    ['CVE-2023-36456', 'over several lines', ['198.51.100.9, 192.0.2.7', '2001:db8:1::5, 10.0.0.1'], '192.0.2.7'],
    ['RFC 7239 6', 'without its port', ['192.0.2.7:4711, 10.0.0.1:80'], '192.0.2.7'],
    ['RFC 7239 6', 'without brackets', ['[2001:db8::7]:4711'], '2001:db8::7'],
    ['CVE-2026-90711', 'IPv4, if it is in the form of IPv6', ['192.0.2.7, ::ffff:10.0.0.1'], '192.0.2.7'],
    ['CVE-2024-47070', 'the socket’s, if the header is garbage', ['a'], '127.0.0.1'],
    ['CVE-2024-47070', 'the socket’s, for a script', ['<script>alert(1)</script>'], '127.0.0.1'],
    ['CVE-2024-47070', 'the socket’s, for a name', ['localhost'], '127.0.0.1'],
    ['RFC 7239 6.3', 'the last good one before garbage', ['192.0.2.7, unknown, 10.0.0.2'], '10.0.0.2'],
    ['RFC 7239 6.3', 'the last good one before a hidden one', ['192.0.2.7, _hidden, 10.0.0.2'], '10.0.0.2'],
    ['CVE-2023-36456', 'the leftmost, if all are proxies', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['ASVS 2.4.1', 'the socket’s, for thousands of commas', [','.repeat(8000)], '127.0.0.1'],
    ['ASVS 2.4.1', 'that of a proxy, behind too many', [Array(1000).fill('10.1.1.1').join()], '10.1.1.1'],
  ])('%s: %s', async (_source, _what, forwarded, address) => {
    expect(await addressOf(forwarded.flatMap((line) => ['x-forwarded-for', line]))).toBe(address)
  })
})

describe('[RATE-6] [RATE-2] a third failed login from one address is 429', () => {
  const limited = { trusted_proxies: proxies, failed_login_rate_limit: '2/minute' }
  let group = 0
  beforeAll(async () => expect(await setAuth(limited)).toBe(200))

  /** Two failures with one spelling, and then one with another. `N` stands for a number that only this row has. */
  const third = async (one: readonly string[], other: readonly string[]): Promise<number> => {
    group += 1
    const lines = (spelled: readonly string[]) => spelled.map((text) => text.replaceAll('N', String(group)))
    expect([await failedLogin(lines(one)), await failedLogin(lines(one))]).toEqual([401, 401])
    return failedLogin(lines(other))
  }
  const client = forwarded('192.0.2.N')

  test.each<[source: string, attack: string, other: readonly string[]]>([
    ['CVE-2023-36456', 'entries to the left of its own', forwarded('203.0.113.99, 192.0.2.N')],
    ['CVE-2023-36456', 'a line before its own', forwarded('203.0.113.99', '192.0.2.N')],
    ['CVE-2023-36456', 'a proxy to the right', forwarded('192.0.2.N, 10.0.0.9')],
    ['RFC 7239 6', 'a port', forwarded('192.0.2.N:1')],
    ['RFC 7239 6', 'another port', forwarded('192.0.2.N:65535')],
    ['RFC 9110 5.6.3', 'white space', forwarded(' \t192.0.2.N\t ')],
    ['CVE-2026-90711', 'the form of IPv6', forwarded('::ffff:192.0.2.N')],
    ['CVE-2026-90711', 'the form of IPv6 in brackets', forwarded('[::FFFF:192.0.2.N]:80')],
    ['RFC 7239 5.2', 'Forwarded', [...client, 'forwarded', 'for=203.0.113.99']],
    ['RFC 7239 5.2', 'Forwarded, with a proxy', [...client, 'forwarded', 'for=203.0.113.99;by=10.0.0.1, for=10.0.0.2']],
    ['CVE-2026-27981', 'X-Real-IP', [...client, 'x-real-ip', '203.0.113.99']],
    [
      'CVE-2026-27981',
      'headers of other proxies',
      [...client, 'cf-connecting-ip', '203.0.113.9', 'true-client-ip', '203.0.113.9'],
    ],
    ['CVE-2026-27981', 'X-Client-IP', [...client, 'x-client-ip', '203.0.113.9', 'x-cluster-client-ip', '203.0.113.9']],
    ['CVE-2026-39858', 'a name with underscores', [...client, 'x_forwarded_for', '203.0.113.99']],
    ['CVE-2026-88011', 'a name with dots', [...client, 'x.forwarded.for', '203.0.113.99']],
  ])('%s: whatever the client adds: %s', async (_source, _attack, other) => {
    expect(await third(client, other)).toBe(429)
  })

  test.each<[source: string, one: string, other: string]>([
    ['CVE-2026-45364', '2001:db8:N::1', '2001:db8:N::ffff:2'],
    ['CVE-2026-45364', '2001:db8:N::1', '2001:DB8:N:0:aaaa:bbbb:cccc:dddd'],
    ['CVE-2026-45364', '[2001:db8:N::1]:443', '2001:0db8:N:0000::9'],
    ['RFC 4007 11', 'fe80:0:0:N::1%eth0', 'fe80:0:0:N::1%eth1'],
  ])('%s: from one network of IPv6: %s and %s', async (_source, one, other) => {
    expect(await third(forwarded(one), forwarded(other))).toBe(429)
  })

  test.each<[source: string, address: string]>([
    ['CVE-2024-47070', 'a'],
    ['CVE-2024-47070', '192.0.2'],
    ['CVE-2024-47070', '0300.0.2.7'],
    ['CVE-2024-47070', '0xC0.0.2.7'],
    ['CVE-2024-47070', '3221225991'],
    ['CVE-2024-47070', '192.0.2.7/8'],
    ['CVE-2024-47070', '192.0.2.7 203.0.113.9'],
    ['CVE-2024-47070', '192.0.2.256'],
    ['CVE-2024-47070', '::ffff:192.0.2.256'],
  ])('%s: the invention %s counts as the address of the proxy', async (_source, address) => {
    // These fail, or an earlier row used them up.
    await failedLogin(forwarded(address))
    await failedLogin([])
    expect(await failedLogin(forwarded(address))).toBe(429)
    expect(await failedLogin([])).toBe(429)
  })

  test('CVE-2026-27981: without a trusted proxy, no header counts', async () => {
    expect(await setAuth({ trusted_proxies: ['10.0.0.0/8'], failed_login_rate_limit: '2/minute' })).toBe(200)
    await service.clock.advance(61_000)
    const statuses: number[] = []
    for (const last of [1, 2, 3, 4]) {
      const address = `203.0.113.${last}`
      statuses.push(
        await failedLogin(['x-forwarded-for', address, 'x-real-ip', address, 'forwarded', `for=${address}`]),
      )
    }
    expect(statuses).toEqual([401, 401, 429, 429])
    expect(await setAuth(limited)).toBe(200)
    expect(await failedLogin(forwarded('203.0.113.1'))).toBe(401)
  })
})

const behind = (proxy: string) => failedLogin(['x-forwarded-for', `198.51.100.200, ${proxy}`])

describe('[RATE-6] a range of proxies means what it looks like', () => {
  test.each<[source: string, range: string]>([
    ['CVE-2026-90711', '::ffff:10.0.0.0/8'],
    ['CVE-2026-92395', '::ffff:0:0/0'],
    ['CVE-2026-92395', '::ffff:10.0.0.0/95'],
    ['CVE-2026-33376', '2001:db8::/129'],
    ['CVE-2026-33376', '10.0.0.0/33'],
    ['CVE-2026-33376', '10.0.0.0/'],
    ['CVE-2026-33376', '10.0.0.0/08'],
    ['CVE-2026-33376', '10.0.0'],
    ['CVE-2026-33376', '0x0a000000/8'],
    ['CVE-2026-33376', 'all'],
    ['CVE-2026-33376', '*'],
  ])('%s: %s is a configuration error', async (_source, range) => {
    expect(await setAuth({ trusted_proxies: [range] })).toBe(400)
  })

  test('CVE-2026-33376: a single address of IPv6 is only that address', async () => {
    expect(await setAuth({ trusted_proxies: ['127.0.0.1', '2001:db8::1'], failed_login_rate_limit: '1/minute' })).toBe(
      200,
    )
    expect([await behind('2001:db8::1'), await behind('2001:db8::1')]).toEqual([401, 429])
    // In the same /32, but not trusted: it is the client.
    expect(await behind('2001:db8:ff::2')).toBe(401)
  })
})
