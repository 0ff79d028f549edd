/** Home Assistant's ingress: its user headers and its path, sent by others than the supervisor, twice, or spoiled. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

/** Stands for the supervisor; the tests themselves connect from 127.0.0.1. */
const supervisor = '127.0.0.2'
const id = '0123456789abcdef0123456789abcdef'

let service: InProcessService
let vera: TestClient
beforeAll(async () => {
  service = await startService({
    env: { TRUSTED_HEADERS_FILE: resolve(import.meta.dirname, '../packaging/home-assistant/trusted_headers.conf') },
    config: {
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null, trusted_proxies: [supervisor] },
      proxy: {
        enabled: true,
        trusted_peers: [supervisor],
        prefix_header: 'x-ingress-path',
        default_role: 'viewer',
        header_map: {
          user: 'x-remote-user-id',
          display_name: 'x-remote-user-display-name',
          role: 'x-remote-user-id',
          role_map: { admin: [id] },
        },
      },
    },
  })
  vera = await service.user('vera')
})
afterAll(stopAll)

/** The user, role and shown name of a request with these lines, or its status. */
async function whoIs(client: TestClient, headers: readonly string[], from?: string): Promise<string | number> {
  const sent = { target: '/api/profile', headers, ...(from !== undefined && { from }) }
  const { status, body } = await rawRequest(client, sent)
  if (status !== 200) return status
  const { username, role, display_name: shown } = JSON.parse(body) as Record<string, string>
  return [username, role, shown].filter((each) => each !== undefined).join(' ')
}

const ann = [`X-Remote-User-Id: ${id}`, 'X-Remote-User-Name: ann', 'X-Remote-User-Display-Name: Ann']

test('[PROXY-16] [PROXY-21] the tables are about the headers: the supervisor’s are accepted', async () => {
  expect(await whoIs(service.gate, ann, supervisor)).toBe(`${id} admin Ann`)
  expect(await whoIs(service.gate, ['X-Remote-User-Id: f00d'], supervisor)).toBe('f00d viewer')
  expect(await whoIs(vera, [])).toBe('vera viewer')
})

describe('[PROXY-16] [PROXY-17] a user header from another address is 401, also beside a session', () => {
  test.each<[source: string, lines: readonly string[]]>([
    ['CVE-2023-27482', ann],
    ['CVE-2023-27482', [...ann, `X-Forwarded-For: ${supervisor}`, `X-Real-IP: ${supervisor}`]],
    ['CVE-2023-27482', [...ann, 'X-Hass-Source: core.ingress', 'X-Ingress-Path: /api/hassio_ingress/x']],
    ['CVE-2026-34205', ['x-remote-user-id: f00d']],
    ['CVE-2026-25119', ['X-REMOTE-USER-ID: admin', 'X-Hass-Is-Admin: 1']],
  ])('%s: %j', async (_source, lines) => {
    expect(await whoIs(service.gate, lines)).toBe(401)
    expect(await whoIs(service.gate, lines, '127.0.0.3')).toBe(401)
    expect(await whoIs(vera, lines)).toBe(401)
  })
})

describe('[PROXY-15] [PROXY-17] a name that looks like the header names no one', () => {
  test.each([
    ['CVE-2025-64484', `X_Remote_User_Id: ${id}`],
    ['GHSA-f59h-q822-g45g', `X-Remote_User-Id: ${id}`],
    ['CVE-2026-88011', `X.Remote.User.Id: ${id}`],
    ['GHSA-x677-9fxg-v5c5', `HTTP_X_REMOTE_USER_ID: ${id}`],
    ['GHSA-x677-9fxg-v5c5', `Remote-User-Id: ${id}`],
    ['CVE-2026-25119', `X-Remote-User: ${id}`],
    ['CVE-2026-25119', `X-Remote-User-Name: ${id}`],
    ['CVE-2026-25119', `X-Remote-User-Display-Name: ${id}`],
    ['CVE-2026-25119', `X-Forwarded-User: ${id}`],
  ])('%s: %s', async (_source, line) => {
    expect(await whoIs(service.gate, [line], supervisor)).toBe(401)
    expect(await whoIs(vera, [line], supervisor)).toBe('vera viewer')
    const bob = 'X-Remote-User-Id: b0b'
    expect(await whoIs(service.gate, [bob, line], supervisor)).toMatch(/^b0b viewer/)
    expect(await whoIs(service.gate, [line, bob], supervisor)).toMatch(/^b0b viewer/)
  })
})

describe('[PROXY-15] a header that the client adds to the supervisor’s own is 401', () => {
  test.each<[source: string, attack: string, lines: readonly string[]]>([
    ['GHSA-7r4p-vjf4-gxv4', 'in small letters', ['X-Remote-User-Id: b0b', `x-remote-user-id: ${id}`]],
    ['GHSA-7r4p-vjf4-gxv4', 'before it', [`x-remote-user-id: ${id}`, 'X-Remote-User-Id: b0b']],
    ['GHSA-7r4p-vjf4-gxv4', 'empty', ['X-Remote-User-Id: b0b', 'x-remote-user-id:']],
    ['CVE-2021-39206', 'another display name', [...ann, 'x-remote-user-display-name: Bob']],
    ['CVE-2021-39206', 'an empty display name', ['x-remote-user-display-name:', ...ann]],
  ])('%s: %s', async (_source, _attack, lines) => {
    expect(await whoIs(service.gate, lines, supervisor)).toBe(401)
    expect(await whoIs(vera, lines, supervisor)).toBe(401)
  })
})

test('[PROXY-17] CVE-2026-25119: a cookie beside the headers changes neither user nor role', async () => {
  expect(await whoIs(vera, ['X-Remote-User-Id: b0b'], supervisor)).toBe('b0b viewer')
  const boss = await service.admin()
  expect(await whoIs(boss, ['X-Remote-User-Id: b0b'], supervisor)).toBe('b0b viewer')
})

/** The users called Bob in the audit log. */
async function namesOfBobs(): Promise<string[]> {
  const { json } = await service.internal.get('/api/audit?action=request.denied')
  return (json as { entries: { user: string | null }[] }).entries.flatMap(({ user }) =>
    user?.startsWith('Bob') ? [user] : [],
  )
}

describe('[PROXY-21] ASVS 6.8.1: the display name gives nothing', () => {
  test.each(['admin', 'vera', id, 'Ann', 'x'.repeat(300), 'a\u009bb'])('%j', async (name) => {
    const lines = ['X-Remote-User-Id: b0b', `X-Remote-User-Display-Name: ${name}`]
    expect(await whoIs(service.gate, lines, supervisor)).toMatch(/^b0b viewer/)
    const auth = await rawRequest(service.gate, { target: '/api/auth', headers: lines, from: supervisor })
    expect(/^remote-user: (.*)$/im.exec(auth.head)?.[1]).toBe('b0b')
  })

  test('two users with one name stay two in the audit log', async () => {
    for (const user of ['b0b', 'e7e']) {
      const headers = [`X-Remote-User-Id: ${user}`, 'X-Remote-User-Display-Name: Bob']
      expect((await rawRequest(service.gate, { target: '/api/users', headers, from: supervisor })).status).toBe(403)
    }
    await expect.poll(namesOfBobs).toEqual(expect.arrayContaining(['Bob (b0b)', 'Bob (e7e)']))
  })
})

/** The target of a redirect, and the path of the page's links. */
async function pathsOf(headers: readonly string[], from: string): Promise<string> {
  const redirect = await rawRequest(service.gate, { target: '/logout', headers, from })
  const page = await rawRequest(service.gate, { target: '/', headers, from })
  return `${/^location: (.*)$/im.exec(redirect.head)?.[1]} ${/<base href="([^"]*)"/.exec(page.body)?.[1]}`
}

describe('[PROXY-22] [PATH-3] the path', () => {
  test.each<[source: string, path: string]>([
    ['CVE-2026-35051', '//evil.example'],
    ['CVE-2026-35051', 'https://evil.example/'],
    ['CVE-2026-35051', '/\\evil.example'],
    ['CVE-2026-35051', '/x/../..//evil.example'],
    ['CVE-2023-27482', '/api/hassio_ingress/x/%252e%252e/'],
    ['CVE-2023-27482', '/.%09./api'],
    ['RFC 9110 5.5', '/x\t//evil.example'],
    ['CWE-79', '/"><script>alert(1)</script>'],
    ['CWE-79', 'javascript:alert(1)'],
    ['RFC 6265 4.1.1', '/x; Domain=evil.example'],
    ['RFC 9110 5.5', `/${'x'.repeat(300)}`],
  ])('%s: %j of the supervisor is ignored', async (_source, path) => {
    expect(await pathsOf([`X-Ingress-Path: ${path}`], supervisor)).toBe('/login /')
  })

  test('RFC 9110 5.5: with a control character it isn’t a request', async () => {
    const { status } = await rawRequest(service.gate, {
      target: '/',
      headers: ['X-Ingress-Path: /x\u0001'],
      from: supervisor,
    })
    expect(status).toBe(400)
  })

  test.each<[source: string, line: string]>([
    ['CVE-2025-64484', 'X_Ingress_Path: /evil'],
    ['CVE-2026-88011', 'X.Ingress.Path: /evil'],
    ['CVE-2026-35051', 'X-Forwarded-Prefix: /evil'],
  ])('%s: %s is not the header', async (_source, line) => {
    const own = 'X-Ingress-Path: /api/hassio_ingress/t0K-e_n'
    expect(await pathsOf([line], supervisor)).toBe('/login /')
    expect(await pathsOf([own, line], supervisor)).toBe(
      '/api/hassio_ingress/t0K-e_n/login /api/hassio_ingress/t0K-e_n/',
    )
  })

  test('CVE-2026-35051: of another address it is ignored', async () => {
    for (const from of ['127.0.0.1', '127.0.0.3'])
      expect(await pathsOf(['X-Ingress-Path: /evil'], from)).toBe('/login /')
  })

  test('CVE-2023-27482: it strips nothing from what was requested', async () => {
    const lines = ['X-Remote-User-Id: b0b', 'X-Ingress-Path: /api/cameras']
    for (const target of ['/api/cameras/api/users', '/api/users']) {
      const { status } = await rawRequest(service.gate, { target, headers: lines, from: supervisor })
      expect([target, [403, 404].includes(status)]).toEqual([target, true])
    }
  })
})
