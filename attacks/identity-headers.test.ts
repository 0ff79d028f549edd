/** Forged headers that name a user, groups or a proxy's secret, under their own names and under names that look alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawBytes, rawRequest, statusesIn } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const secret = 'thirty-two characters and some more'
const user = 'X-Forwarded-User'
const role = 'X-Forwarded-Groups'
const proxy = { enabled: true, auth_secret: secret, header_map: { user, role }, default_role: 'clerk' }

/** Both ways to sign in: a user header needs the secret, and other requests sign in here. */
let service: InProcessService
let vera: TestClient
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, roles: { clerk: ['office'] } }, proxy },
  })
  vera = await service.user('vera')
})
afterAll(stopAll)

interface Who {
  readonly username: string
  readonly role: string
}

/** The user and role of a request with these header lines, or its status. */
async function whoIs(client: TestClient, lines: readonly string[]): Promise<string | number> {
  const { status, body } = await rawRequest(client, { target: '/api/profile', headers: lines })
  if (status !== 200) return status
  const { username, role } = JSON.parse(body) as Who
  return `${username} ${role}`
}

const right = `X-Proxy-Secret: ${secret}`

test('[PROXY-17] the tables are about the headers: the proxy’s are accepted', async () => {
  expect(await whoIs(service.gate, [right, `${user}: ann`, `${role}: viewer`])).toBe('ann viewer')
  expect(await whoIs(vera, [])).toBe('vera viewer')
})

describe('[PORT-4] [PROXY-9] a header that is not mapped names no one and gives nothing', () => {
  test.each<[source: string, lines: readonly string[]]>([
    ['CVE-2026-25119', ['Remote-User: admin', 'Remote-Groups: admin', 'Remote-Name: admin', 'Remote-Email: admin@x']],
    ['CVE-2026-25119', ['Remote-Role: admin', 'X-Remote-User: admin', 'X-Remote-Role: admin', 'X-Remote-Group: admin']],
    ['CVE-2022-35957', ['X-WEBAUTH-USER: admin', 'X-WEBAUTH-ROLE: Admin', 'X-Grafana-Org-Id: 1']],
    ['CVE-2023-27482', ['X-Hass-Is-Admin: 1', 'X-Supervisor-Token: x', 'X-Ingress-Path: /api', 'X-Hassio-Key: x']],
    [
      'GHSA-c5c4-8r6x-56w3',
      ['X-Auth-Request-User: admin', 'X-Auth-Request-Email: a@x@y', 'X-Forwarded-Email: admin@x'],
    ],
    ['CVE-2023-33189', ['X-Pomerium-Claim-Email: admin', 'X-Pomerium-Jwt-Assertion: a.b.c', 'X-Goog-IAP-JWT: a.b.c']],
    ['CVE-2025-24806', ['X-authentik-username: admin', 'X-idp-username: admin', 'X-idp-groups: admin']],
    ['GHSA-mgh5-cr9h-g6hr', ['X-Server-Port: 5000', 'X-Forwarded-Port: 5000', 'Host: 127.0.0.1:5000']],
    ['CVE-2021-33044', ['X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1', 'Client-IP: 127.0.0.1', 'Via: loopback']],
    ['CVE-2026-34457', ['User-Agent: GoogleHC/1.0', 'X-Health-Check: 1']],
    ['CVE-2026-34457', ['User-Agent: kube-probe/1.30', 'X-Kubernetes-Probe: 1']],
    ['CVE-2017-1000069', ['X-Authenticated: true', 'X-Admin: true', 'Authenticated: yes', 'X-User-Role: admin']],
    ['RFC 9440', ['Client-Cert: :MIIB:', 'X-SSL-Client-S-DN: CN=admin', 'X-Client-Verify: SUCCESS']],
    ['RFC 7617', [`Authorization: Basic ${btoa('admin:admin')}`]],
    ['RFC 4559', ['Authorization: Negotiate YII=', 'X-Remote-User-Authenticated: admin']],
  ])('%s: %j', async (_source, lines) => {
    for (const own of [[], [right]]) {
      expect(await whoIs(service.gate, [...own, ...lines])).toBe(401)
      expect(await whoIs(vera, [...own, ...lines])).toBe('vera viewer')
    }
  })
})

describe('[PROXY-15] [PROXY-17] a name that looks like a mapped header is not that header', () => {
  test.each<[source: string, names: readonly [user: string, role: string]]>([
    ['CVE-2025-64484', ['X_Forwarded_User', 'X_Forwarded_Groups']],
    ['GHSA-f59h-q822-g45g', ['X-Forwarded_User', 'X-Forwarded_Groups']],
    ['CVE-2026-39858', ['x_forwarded-user', 'x_forwarded-groups']],
    ['CVE-2026-88011', ['X.Forwarded.User', 'X.Forwarded.Groups']],
    ['CVE-2026-88011', ['X-Forwarded.User', 'X-Forwarded.Groups']],
    ['GHSA-x677-9fxg-v5c5', ['HTTP_X_FORWARDED_USER', 'HTTP_X_FORWARDED_GROUPS']],
    ['GHSA-x677-9fxg-v5c5', ['X-Forwarded--User', 'X-Forwarded-Groups-']],
    ['GHSA-x677-9fxg-v5c5', ['X-Forwarded-User-', '-X-Forwarded-Groups']],
    ['CVE-2026-88011', ["X-Forwarded'User", 'X~Forwarded~Groups']],
  ])('%s: %j', async (_source, [alias, aliasOfRole]) => {
    const lines = [`${alias}: eve`, `${aliasOfRole}: admin`]
    expect(await whoIs(service.gate, [right, ...lines])).toBe(401)
    expect(await whoIs(vera, [right, ...lines])).toBe('vera viewer')
    const own = [right, `${user}: ann`, `${role}: viewer`]
    expect(await whoIs(service.gate, [...lines, ...own])).toBe('ann viewer')
    expect(await whoIs(service.gate, [...own, ...lines])).toBe('ann viewer')
  })

  test('CVE-2025-64484: a name that looks like the secret’s header is not that header', async () => {
    for (const alias of ['X_Proxy_Secret', 'X.Proxy.Secret', 'X-Proxy_Secret', 'Proxy-Secret', 'HTTP_X_PROXY_SECRET']) {
      expect(await whoIs(service.gate, [`${alias}: ${secret}`, `${user}: ann`])).toBe(401)
    }
  })

  test.each<[source: string, line: string]>([
    ['CVE-2021-22959', `${user} : ann`],
    ['CVE-2022-32215', `X: y\r\n ${user}: ann`],
    ['CVE-2023-30589', `X: y\r${user}: ann`],
    ['RFC 9110 5.1', `${user}\u00a0: ann`],
    ['RFC 9110 5.1', `X-Forwarded-U\u017fer: ann`],
  ])('%s: a malformed header isn’t a header: %j', async (_source, line) => {
    expect(await whoIs(service.gate, [right, line])).toBe(400)
  })

  test('RFC 9110 6.5: a trailer isn’t a header', async () => {
    const lines = ['POST /api/auth HTTP/1.1', 'Host: x', right, 'Transfer-Encoding: chunked', 'Connection: close']
    const trailers = `${user}: ann\r\n${role}: admin\r\n`
    const response = await rawBytes(service.gate, `${lines.join('\r\n')}\r\n\r\n0\r\n${trailers}\r\n`)
    expect(statusesIn(response)).toEqual([401])
  })
})

describe('[PROXY-15] a header that is sent twice with different values is 401', () => {
  const ann = [`${user}: ann`, `${role}: viewer`]
  test.each<[source: string, attack: string, lines: readonly string[]]>([
    ['GHSA-7r4p-vjf4-gxv4', 'another user before', [`${user}: eve`, right, ...ann]],
    ['GHSA-7r4p-vjf4-gxv4', 'another user after', [right, ...ann, `${user}: eve`]],
    ['GHSA-7r4p-vjf4-gxv4', 'another user in other letters', [right, ...ann, 'x-FORWARDED-user: eve']],
    ['GHSA-7r4p-vjf4-gxv4', 'an empty user', [right, ...ann, `${user}:`]],
    ['GHSA-7r4p-vjf4-gxv4', 'an empty user before', [`${user}:`, right, ...ann]],
    ['CVE-2021-39206', 'other groups before', [`${role}: admin`, right, ...ann]],
    ['CVE-2021-39206', 'other groups after', [right, ...ann, `${role}: admin`]],
    ['CVE-2021-39206', 'more groups', [right, ...ann, `${role}: viewer,admin`]],
    ['CVE-2021-39206', 'groups in other letters', [right, ...ann, 'X-FORWARDED-GROUPS: admin']],
    ['CVE-2021-39206', 'a wrong secret before', ['X-Proxy-Secret: wrong', right, ...ann]],
    ['CVE-2021-39206', 'a wrong secret after', [right, 'X-Proxy-Secret: wrong', ...ann]],
    ['CVE-2021-39206', 'both in one', [`X-Proxy-Secret: ${secret}, wrong`, ...ann]],
  ])('%s: %s', async (_source, _attack, lines) => {
    expect(await whoIs(service.gate, lines)).toBe(401)
    expect(await whoIs(vera, lines)).toBe(401)
  })

  test('a header that is sent twice with the same value counts as once', async () => {
    expect(await whoIs(service.gate, [right, right, ...ann, ...ann])).toBe('ann viewer')
  })
})

describe('[PROXY-15] a client’s Connection header takes nothing away', () => {
  test.each([
    ['CVE-2021-32813', `Connection: ${role}`],
    ['CVE-2024-45410', `Connection: keep-alive, ${user}, ${role}, X-Proxy-Secret`],
    ['CVE-2024-45410', 'Connection: x-forwarded-groups\r\nConnection: x-forwarded-user'],
    ['RFC 9110 7.6.1', `Keep-Alive: ${role}\r\nProxy-Connection: ${role}`],
    ['RFC 9110 7.6.1', `TE: ${role}\r\nTrailer: ${role}, ${user}`],
  ])('%s: %j', async (_source, lines) => {
    const request = ['GET /api/profile HTTP/1.1', 'Host: x', lines, right, `${user}: ann`, `${role}: viewer`]
    const end = 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const { body, status } = await rawBytes(service.gate, `${request.join('\r\n')}\r\n\r\n${end}`)
    expect([status, body]).toEqual([200, expect.stringMatching(/^\{"username":"ann","key":null,"role":"viewer"/)])
  })

  test('CVE-2026-58044: more headers than are read take nothing away', async () => {
    const many = Array<string>(1500).fill('a:')
    expect(await whoIs(service.gate, [...many, right, `${user}: ann`, `${role}: viewer`])).toBe(431)
    expect(await whoIs(vera, [...many, `${user}: ann`])).toBe(431)
  })
})

describe('[PROXY-17] a user header without the exact secret is 401, even with a valid session', () => {
  test.each<[source: string, attack: string, sent: string]>([
    ['CVE-2026-25119', 'none', 'X: y'],
    ['CVE-2026-25119', 'an empty one', 'X-Proxy-Secret:'],
    ['CVE-2026-25119', 'a prefix of it', `X-Proxy-Secret: ${secret.slice(0, -1)}`],
    ['CVE-2026-25119', 'it with a suffix', `X-Proxy-Secret: ${secret}x`],
    ['CVE-2026-25119', 'other letters', `X-Proxy-Secret: ${secret.toUpperCase()}`],
    ['CVE-2026-25119', 'another of its length', `X-Proxy-Secret: ${'x'.repeat(secret.length)}`],
    ['CVE-2026-25119', 'its placeholder', 'X-Proxy-Secret: {SERVICE_PROXY_SECRET}'],
    ['CVE-2026-25119', 'quotes around it', `X-Proxy-Secret: "${secret}"`],
    ['CVE-2026-25119', 'a byte like a space', `X-Proxy-Secret: ${secret}\u00a0`],
    ['ASVS 13.3.1', 'it in the path', `Referer: /?${secret}`],
  ])('%s: %s', async (_source, _attack, sent) => {
    for (const name of ['admin', 'vera', 'ann']) {
      expect(await whoIs(service.gate, [sent, `${user}: ${name}`, `${role}: admin`])).toBe(401)
      expect(await whoIs(vera, [sent, `${user}: ${name}`, `${role}: admin`])).toBe(401)
    }
    const login = await rawRequest(service.gate, {
      method: 'POST',
      target: '/api/login',
      headers: [sent, `${user}: admin`, 'Content-Type: application/json'],
      body: '{"user":"vera","password":"x"}',
    })
    expect([login.status, /set-cookie/i.test(login.head)]).toEqual([401, false])
  })
})

describe('[PROXY-3] [PROXY-4] a value', () => {
  test.each<[source: string, groups: string, expected: string]>([
    ['CVE-2026-48794', 'Admin', 'ann clerk'],
    ['GHSA-652x-m2gr-hppm', 'administrators', 'ann clerk'],
    ['GHSA-652x-m2gr-hppm', 'not-admin', 'ann clerk'],
    ['GHSA-652x-m2gr-hppm', 'admin;x', 'ann clerk'],
    ['GHSA-652x-m2gr-hppm', '"admin"', 'ann clerk'],
    ['ASVS 15.3.6', '__proto__,constructor,toString', 'ann clerk'],
    ['ASVS 1.1.1', '%61dmin', 'ann clerk'],
    ['ASVS 1.1.1', 'admin\u00a0', 'ann clerk'],
  ])('%s: %j is compared exactly', async (_source, groups, expected) => {
    expect(await whoIs(service.gate, [right, `${user}: ann`, `${role}: ${groups}`])).toBe(expected)
  })

  test('[PROXY-1] ASVS 6.8.1: the proxy’s admin is not the admin of this service', async () => {
    const lines = [right, `${user}: admin`, `${role}: viewer`]
    expect(await whoIs(await service.admin(), lines)).toBe('admin viewer')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    const body = { password: 'another long one', old_password: 'x' }
    expect((await service.gate.put('/api/users/admin/password', body, headers)).status).toBe(403)
    expect((await service.gate.get('/api/sessions?user=admin', headers)).status).toBe(403)
  })
})
