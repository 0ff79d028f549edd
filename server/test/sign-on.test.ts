import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { filledIn, guideBlock } from './fronts.ts'
import { frontsHere, startFront } from './guide-fronts.ts'
import { startService, stopAll, type InProcessService } from './harness.ts'
import { rawRequest } from './raw.ts'

afterAll(stopAll)

const secret = 'the secret that only the proxy knows, and no client'

interface SignOnProgram {
  /** A header name of its configuration in the guide. */
  readonly block: string
  readonly user: string
  readonly groups: string
  /** What else it sends, with the values of its documentation. */
  readonly more: Readonly<Record<string, string>>
  /** Values of the header of groups, and the role. */
  readonly roles: readonly (readonly [groups: string, role: string | 403])[]
}

const programs: Readonly<Record<string, SignOnProgram>> = {
  Authelia: {
    block: 'remote-user',
    user: 'Remote-User',
    groups: 'Remote-Groups',
    more: { 'Remote-Name': 'John Smith', 'Remote-Email': 'jsmith@example.com' },
    roles: [
      ['sysadmins', 'admin'],
      ['dev,family', 'viewer'],
      ['family,sysadmins', 'admin'],
      ['dev', 403],
      ['', 403],
    ],
  },
  authentik: {
    block: 'x-authentik-username',
    user: 'X-authentik-username',
    groups: 'X-authentik-groups',
    more: {
      'X-authentik-entitlements': 'foo|bar|baz',
      'X-authentik-email': 'root@localhost',
      'X-authentik-name': 'authentik Default Admin',
      'X-authentik-uid': '900347b8a29876b45ca6f75722635ecfedf0e931c6022e3a29a8aa13fb5516fb',
      'X-authentik-meta-outpost': 'authentik Embedded Outpost',
      'X-authentik-meta-provider': 'test',
      'X-authentik-meta-app': 'test',
      'X-authentik-meta-version': 'goauthentik.io/outpost/1.2.3',
    },
    roles: [
      ['authentik Admins', 'admin'],
      ['foo|family|bar', 'viewer'],
      ['family|authentik Admins', 'admin'],
      ['foo,family', 403],
      ['foo|bar|baz', 403],
    ],
  },
  'oauth2-proxy': {
    block: 'x-forwarded-user',
    user: 'X-Forwarded-User',
    groups: 'X-Forwarded-Groups',
    more: { 'X-Forwarded-Email': 'jsmith@example.com', 'X-Forwarded-Preferred-Username': 'jsmith' },
    roles: [
      ['sysadmins', 'admin'],
      ['dev,family', 'viewer'],
      ['family,sysadmins', 'admin'],
      ['role:sysadmins', 403],
    ],
  },
}

/** A service with a configuration of the guide, and the secret. */
async function startWith(block: string, tls = false): Promise<InProcessService> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-sign-on-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const trusted = join(dir, 'trusted_headers.conf')
  writeFileSync(trusted, guideBlock('text', 'X-authentik', 'single-sign-on'))
  const { proxy } = parse(guideBlock('yaml', block, 'single-sign-on')) as { proxy: object }
  return startService({
    config: {
      tls: { enabled: tls },
      auth: { enabled: false, trusted_proxies: ['127.0.0.1'] },
      proxy: { ...proxy, auth_secret: secret },
    },
    env: block.includes('authentik') ? { TRUSTED_HEADERS_FILE: trusted } : {},
  })
}

describe.each(Object.entries(programs))('%s', (_name, { block, user, groups, more, roles }) => {
  test('[PROXY-3] [PROXY-4] [PROXY-9] [PROXY-10] its headers give the user and the role, with the configuration of the guide', async () => {
    const service = await startWith(block)
    const proxy = service.gate.with({ ...more, 'X-Proxy-Secret': secret })
    for (const [value, role] of roles) {
      const { status, json } = await proxy.get('/api/profile', { [user]: 'john', [groups]: value })
      const found = status === 200 ? json : status
      expect([value, found]).toMatchObject([value, role === 403 ? 403 : { username: 'john', role }])
    }
    expect((await proxy.get('/api/profile', { [groups]: roles[0]![0] })).status).toBe(401)
    expect((await proxy.get('/api/profile', { [user]: '', [groups]: roles[0]![0] })).status).toBe(401)
    const direct = { ...more, [user]: 'john', [groups]: roles[0]![0] }
    expect((await service.gate.get('/api/profile', direct)).status).toBe(401)
  })
})

test('[TOK-13] [PROXY-3] the headers that Traefik adds let a page of the site make changes, and no page of another', async () => {
  const service = await startWith('remote-user')
  // Traefik sets these itself. The guide adds the last two.
  const admin = service.gate.with({
    host: 'cam.example',
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Host': 'cam.example',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Server': 'b3a1c7',
    'X-Real-Ip': '192.0.2.7',
    'X-Forwarded-Prefix': '',
    'X-Proxy-Secret': secret,
    'Remote-User': 'john',
    'Remote-Groups': 'sysadmins',
  })
  const made = async (origin: string) => (await admin.put('/api/roles/night', { cameras: ['yard'] }, { origin })).status
  expect(await made('https://evil.example')).toBe(403)
  expect(await made('http://cam.example')).toBe(403)
  expect(await made('https://cam.example:8443')).toBe(403)
  expect(await made('https://cam.example')).toBe(201)
  await expect.poll(async () => (await service.internal.get('/api/audit?user=john')).text).toContain('192.0.2.7')
})

/** Responds as Authelia does. Its session cookie is only a name. */
async function startAuthelia(): Promise<string> {
  const groups: Readonly<Record<string, string | undefined>> = { ann: 'sysadmins,dev', ben: 'family', kim: undefined }
  const server = createServer((request, response) => {
    const user = /authelia_session=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    if (!user) return void response.writeHead(401, { location: 'https://auth.example/?rd=x' }).end()
    response.setHeader('remote-user', user)
    if (groups[user] !== undefined) response.setHeader('remote-groups', groups[user])
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const authelia = (language: string, having: string, authority: string) =>
  filledIn(guideBlock(language, having, 'single-sign-on'), { 'authelia:9091': authority })

/** The blocks for Authelia, put where the guide says. */
const withAuthelia: Readonly<Record<'nginx' | 'caddy', (block: string, authority: string) => string>> = {
  nginx: (block, authority) =>
    filledIn(block, {
      'location / {': `${authelia('nginx', 'location = /authelia', authority)}location / {`,
      'proxy_read_timeout 1h;': `proxy_read_timeout 1h;\n${filledIn(
        guideBlock('nginx', 'auth_request /authelia;', 'single-sign-on'),
        { 'the proxy secret': secret },
      )}`,
    }),
  caddy: (block, authority) => {
    const lines = /reverse_proxy .*\{\n([\s\S]*)\n {2}\}\n\}/.exec(block)![1]!
    const route = filledIn(authelia('caddy', 'forward_auth', authority), {
      '# … and the lines of the first block': lines,
      '{env.SERVICE_PROXY_SECRET}': `"${secret}"`,
    })
    return `cam.example {\n${route}}\n`
  },
}

test.each(['nginx', 'caddy'] as const)(
  '[PROXY-1] [PROXY-2] [PROXY-8] %s and Authelia, configured as in the guide: nothing that a client adds changes the user or the role',
  async (name) => {
    if (!frontsHere[name]) return
    const [service, authority] = await Promise.all([startWith('remote-user', true), startAuthelia()])
    const site = await startFront(name, service, { edit: (block) => withAuthelia[name](block, authority) })
    const profile = async (user: string | undefined, headers: readonly string[] = []) => {
      const client = user === undefined ? site : site.with({ cookie: `authelia_session=${user}` })
      const { status, body } = await rawRequest(client, { target: '/api/profile', headers })
      return status === 200 ? (/"role":"(\w+)"/.exec(body)?.[1] ?? body) : status
    }
    expect(await profile('ann')).toBe('admin')
    for (const forged of [
      [],
      ['Remote-User: ann', 'Remote-Groups: sysadmins'],
      ['Remote_User: ann', 'Remote_Groups: sysadmins', `X-Proxy-Secret: ${secret}`],
      ['Connection: remote-groups, x-proxy-secret', 'Remote-Groups: sysadmins'],
      ['X-Original-URL: https://cam.example/', 'X-Forwarded-Uri: /', 'X-Forwarded-Method: HEAD'],
    ]) {
      expect([forged, await profile('ben', forged)]).toEqual([forged, 'viewer'])
      // Without groups in the response, none are sent.
      expect([forged, await profile('kim', forged)]).toEqual([forged, 403])
      expect([forged, await profile(undefined, forged)]).toEqual([forged, name === 'nginx' ? 302 : 401])
    }
  },
)
