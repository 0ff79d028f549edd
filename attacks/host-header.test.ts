/** Host headers that a browser sends to a name of an attacker (DNS rebinding), or that are meant to appear in a response. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawBytes, rawRequest } from '../server/test/support/raw-request.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false } } })
  const { networking } = (await service.internal.get('/api/config')).json as { networking: { internal: object } }
  const internal = { ...networking.internal, allowed_hosts: ['nvr.lan'] }
  expect((await changeConfig(service, { networking: { ...networking, internal } })).status).toBe(200)
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const statusWith = async (client: TestClient, host: string, target = '/api/users'): Promise<number> =>
  (await rawRequest(client, { target, headers: [`Host: ${host}`] })).status

describe('[PORT-6] on the internal port, a host that a foreign page could have is 421', () => {
  test.each<[source: string, host: string]>([
    ['GHSA-w48q-cv73-mx4w', 'evil.example'],
    ['GHSA-w48q-cv73-mx4w', 'evil.example:5000'],
    ['GHSA-w48q-cv73-mx4w', 'EVIL.example.'],
    ['CVE-2026-11624', 'localhost.evil.example'],
    ['CVE-2026-11624', 'evil.localhost'],
    ['CVE-2026-11624', '127.0.0.1.evil.example'],
    ['CVE-2026-61568', '127.0.0.1.nip.io'],
    ['CVE-2026-61568', '192-0-2-1.sslip.io'],
    ['CVE-2026-63118', 'nvr.lan.evil.example'],
    ['CVE-2026-63118', 'evilnvr.lan'],
    ['CVE-2026-63118', 'x.nvr.lan'],
    ['CVE-2026-32632', '127.0.0.1@evil.example'],
    ['CVE-2026-32632', 'evil.example@127.0.0.1'],
    ['CVE-2026-32632', '127.0.0.1:5000@evil.example'],
    ['CVE-2026-46611', '127.0.0.1/evil.example'],
    ['CVE-2026-46611', '127.0.0.1#.evil.example'],
    ['CVE-2026-46611', '127.0.0.1?.evil.example'],
    ['CVE-2026-46611', '127.0.0.1\\.evil.example'],
    ['RFC 9110 7.2', '127.0.0.1, evil.example'],
    ['RFC 9110 7.2', '127.0.0.1 evil.example'],
    ['RFC 9110 7.2', '127.0.0.1:port'],
    ['RFC 9110 7.2', '127.0.0.1:123456'],
    ['RFC 9110 7.2', ''],
    ['RFC 9110 7.2', ':5000'],
    ['RFC 3986 3.2.2', '[::1'],
    ['RFC 3986 3.2.2', '[evil.example]'],
    ['RFC 3986 3.2.2', '[::1].evil.example'],
    ['RFC 3986 3.2.2', '127.0.0.256'],
    ['RFC 3986 3.2.2', '%6cocalhost'],
    ['RFC 1123 2.1', '-evil'],
    ['RFC 1123 2.1', 'x'.repeat(64)],
    ['RFC 5890 2.3.2', 'xn--e1afmkfd.xn--80akhbyknj4f'],
  ])('%s: %j', async (_source, host) => {
    for (const target of ['/api/users', '/api/health', '/', '/favicon.svg', '/api/nothing']) {
      expect([target, await statusWith(service.internal, host, target)]).toEqual([target, 421])
    }
  })

  test('RFC 9112 3.2: a request of HTTP/1.0 without a host is 421', async () => {
    for (const target of ['/api/users', '/', '/api/health']) {
      expect((await rawBytes(service.internal, `GET ${target} HTTP/1.0\r\n\r\n`)).status).toBe(421)
    }
  })

  test('GHSA-w48q-cv73-mx4w: every route and method is refused, and so is a WebSocket', async () => {
    const statuses = new Set<string>()
    for (const { method, path } of accessRows) {
      const target = path.replaceAll(/:\w+/g, 'yard')
      const { status } = await rawRequest(service.internal, { method, target, headers: ['Host: evil.example'] })
      // An outer proxy takes any other status for its own failure.
      const expected = path.endsWith('/auth') ? 403 : 421
      if (status !== expected) statuses.add(`${method} ${path}: ${status}`)
    }
    expect([...statuses]).toEqual([])
    const socket = service.internal.socket('/api/events', { headers: { host: 'evil.example' } })
    onTestFinished(() => socket.terminate())
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('421')
  })

  test.each<[why: string, host: string]>([
    ['an address', '192.0.2.1'],
    ['an address of IPv6', '[2001:db8::1]:5000'],
    ['this machine', 'localhost:5000'],
    ['a container', 'gatehouse'],
    ['a container with an underscore', 'my_gatehouse_1'],
    ['a configured name', 'NVR.lan'],
    ['a configured name with a dot', 'nvr.lan.:5000'],
  ])('but %s, as %s, is not', async (_why, host) => {
    expect(await statusWith(service.internal, host)).toBe(200)
  })
})

describe('[PATH-3] on the gate, a host appears in no response and decides nothing', () => {
  const hosts = ['evil.example', 'evil.example:443', 'localhost', '127.0.0.1:5000', 'evil.example/"><script>', '[::1]']

  test.each(hosts)('ASVS 4.1.3: %s', async (host) => {
    for (const more of [
      [],
      ['X-Forwarded-Host: evil.example'],
      ['X-Host: evil.example', 'Forwarded: host=evil.example'],
    ]) {
      const headers = [`Host: ${host}`, ...more]
      for (const target of ['/', '/login', '/manifest.webmanifest', '/api/nothing', '/api/health', '/ca.crt']) {
        const { head, body } = await rawRequest(service.gate, { target, headers })
        expect(head + body).not.toMatch(/evil/)
      }
      for (const target of ['/logout', '/api/login']) {
        const { head } = await rawRequest(service.gate, { target, headers })
        expect(/^location: (.*)$/im.exec(head)?.[1]).toBe('/login')
      }
      expect((await rawRequest(service.gate, { target: '/api/users', headers })).status).toBe(401)
      expect((await rawRequest(admin, { target: '/api/users', headers })).status).toBe(200)
    }
  })

  test('RFC 6265 5.3: it sets no cookie for another name', async () => {
    const body = JSON.stringify({ user: 'boss', password })
    for (const host of hosts) {
      const headers = [`Host: ${host}`, 'Content-Type: application/json', 'X-Forwarded-Host: evil.example']
      const { head, status } = await rawRequest(service.gate, { method: 'POST', target: '/api/login', headers, body })
      expect(status).toBe(200)
      expect(/^set-cookie: (.*)$/im.exec(head)?.[1]).toMatch(
        /^gatehouse_token=[\w.-]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    }
  })
})
