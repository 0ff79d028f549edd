import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { stopAll } from './support/cleanups.ts'
import { filledIn, guideBlock } from './support/fronts.ts'
import { frontsHere, startFront } from './support/guide-fronts.ts'
import { rawRequest } from './support/raw-request.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

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
async function startWith(
  block: string,
  {
    tls = false,
    configured = (text) => text,
  }: { readonly tls?: boolean; readonly configured?: SignOn['configured'] } = {},
): Promise<InProcessService> {
  const dir = temporaryFolder()
  const trusted = join(dir, 'trusted_headers.conf')
  writeFileSync(trusted, guideBlock('text', 'X-authentik', 'single-sign-on'))
  const { proxy } = parse(configured(guideBlock('yaml', block, 'single-sign-on'))) as {
    proxy: { header_map: { user: string } }
  }
  return startService({
    config: {
      tls: { enabled: tls },
      auth: { enabled: false, trusted_proxies: ['127.0.0.1'] },
      proxy: { ...proxy, auth_secret: secret },
    },
    env: proxy.header_map.user.includes('authentik') ? { TRUSTED_HEADERS_FILE: trusted } : {},
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

/** The parts of Traefik's configuration that the guide sets. */
interface Traefik {
  readonly http: {
    readonly middlewares: Readonly<
      Record<
        string,
        {
          readonly headers?: { readonly customRequestHeaders: Readonly<Record<string, string>> }
          readonly forwardAuth?: { readonly address: string; readonly authResponseHeaders: readonly string[] }
        }
      >
    >
    readonly routers: Readonly<Record<string, { readonly middlewares: readonly string[] }>>
  }
}

test('[TOK-13] [PROXY-3] the headers that Traefik adds, with those of the guide, let a page of the site make changes, and no page of another', async () => {
  const service = await startWith('remote-user')
  const { middlewares, routers } = (parse(guideBlock('yaml', 'forwardAuth', 'single-sign-on')) as Traefik).http
  expect(Object.values(routers).flatMap((router) => router.middlewares)).toEqual(Object.keys(middlewares))
  const used = Object.values(middlewares)
  const { user, groups } = programs['Authelia']!
  expect(used.flatMap((each) => each.forwardAuth?.authResponseHeaders ?? [])).toEqual([user, groups])
  const added = Object.assign({}, ...used.map((each) => each.headers?.customRequestHeaders)) as Record<string, string>
  expect(added).toEqual({ 'X-Forwarded-Prefix': '', 'X-Proxy-Secret': 'the proxy secret' })
  const admin = service.gate.with({
    // Traefik sets these itself.
    host: 'cam.example',
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Host': 'cam.example',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Server': 'b3a1c7',
    'X-Real-Ip': '192.0.2.7',
    ...added,
    'X-Proxy-Secret': secret,
    [user]: 'john',
    [groups]: 'sysadmins',
  })
  const made = async (origin: string) => (await admin.put('/api/roles/night', { cameras: ['yard'] }, { origin })).status
  expect(await made('https://evil.example')).toBe(403)
  expect(await made('http://cam.example')).toBe(403)
  expect(await made('https://cam.example:8443')).toBe(403)
  expect(await made('https://cam.example')).toBe(201)
  await expect.poll(async () => (await service.internal.get('/api/audit?user=john')).text).toContain('192.0.2.7')
})

/** What a sign-on program responds with: a status, and headers. */
type Response = readonly [status: number, headers: Readonly<Record<string, string>>]

/** Responds as a sign-on program does. Its session cookie is only a name. */
async function startSignOn(respond: (user: string | undefined, groups: string | undefined) => Response) {
  const groups: Readonly<Record<string, string>> = { ann: 'sysadmins,dev', ben: 'family' }
  const server = createServer((request, response) => {
    const user = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    response.writeHead(...respond(user, user && groups[user])).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A sign-on program behind a proxy, each configured as in the guide. */
interface SignOn {
  readonly proxy: 'nginx' | 'caddy'
  /** A header name of the service's configuration in the guide. */
  readonly block: string
  /** Changes what the guide says to change in that block. */
  readonly configured?: (block: string) => string
  /** The program's address in the guide. */
  readonly address: string
  readonly respond: (user: string | undefined, groups: string | undefined) => Response
  /** Puts the guide's lines where it says. */
  readonly edit: (block: string, lines: (having: string) => string) => string
  /** The status for a client that isn't signed in. */
  readonly unauthenticated: number
}

/** nginx: one block in `server`, one after the lines of `location /`. */
const inNginx =
  (server: string, location: string): SignOn['edit'] =>
  (block, lines) =>
    filledIn(block, {
      'location / {': `${lines(server)}location / {`,
      'proxy_read_timeout 1h;': `proxy_read_timeout 1h;\n${lines(location)}`,
    })

/** Caddy: a block around the lines of the first one. */
const inCaddy =
  (having: string): SignOn['edit'] =>
  (block, lines) =>
    `cam.example {\n${filledIn(lines(having), {
      '# … and the lines of the first block': /reverse_proxy .*\{\n([\s\S]*)\n {2}\}\n\}/.exec(block)![1]!,
      '{env.SERVICE_PROXY_SECRET}': `"${secret}"`,
    })}}\n`

const autheliaResponse: SignOn['respond'] = (user, groups) =>
  user === undefined
    ? [401, { location: 'https://auth.example/?rd=x' }]
    : [200, { 'remote-user': user, ...(groups !== undefined && { 'remote-groups': groups }) }]

const signOns: Readonly<Record<string, SignOn>> = {
  'nginx and Authelia': {
    proxy: 'nginx',
    block: 'remote-user',
    address: 'http://authelia:9091',
    respond: autheliaResponse,
    edit: inNginx('location = /authelia', 'auth_request /authelia;'),
    unauthenticated: 302,
  },
  'Caddy and Authelia': {
    proxy: 'caddy',
    block: 'remote-user',
    address: 'authelia:9091',
    respond: autheliaResponse,
    edit: inCaddy('forward_auth authelia'),
    unauthenticated: 401,
  },
  'nginx and oauth2-proxy': {
    proxy: 'nginx',
    block: 'x-forwarded-user',
    address: 'http://oauth2-proxy:4180',
    respond: (user, groups) =>
      user === undefined
        ? [401, { 'content-type': 'text/plain; charset=utf-8' }]
        : [
            202,
            {
              'X-Auth-Request-User': user,
              'X-Auth-Request-Email': `${user}@example.com`,
              'X-Auth-Request-Preferred-Username': user,
              ...(groups !== undefined && { 'X-Auth-Request-Groups': groups }),
            },
          ],
    edit: inNginx('location = /oauth2/auth', 'auth_request /oauth2/auth;'),
    unauthenticated: 302,
  },
  'Caddy and authentik, with renamed headers': {
    proxy: 'caddy',
    block: 'x-authentik-username',
    configured: (block) =>
      filledIn(block, {
        'x-authentik-username': 'remote-user',
        'x-authentik-groups': 'remote-groups',
        'authentik Admins': 'sysadmins',
      }),
    address: 'http://authentik:9000',
    respond: (user, groups) =>
      user === undefined
        ? [302, { location: 'https://auth.example/application/o/authorize/' }]
        : [
            200,
            {
              ...programs['authentik']!.more,
              'X-authentik-username': user,
              // A user without groups has an empty header.
              'X-authentik-groups': groups?.replaceAll(',', '|') ?? '',
            },
          ],
    edit: inCaddy('goauthentik'),
    unauthenticated: 302,
  },
}

test.for(Object.entries(signOns))(
  '[PROXY-1] [PROXY-2] [PROXY-8] %s, configured as in the guide: nothing that a client adds changes the user or the role',
  async ([, { proxy, block, configured, address, respond, edit, unauthenticated }], { skip }) => {
    skip(!frontsHere[proxy])
    const [service, program] = await Promise.all([startWith(block, { tls: true, configured }), startSignOn(respond)])
    const places = {
      [address]: address.startsWith('http:') ? `http://${program}` : program,
      'the proxy secret': secret,
    }
    const lines = (having: string) => {
      const text = guideBlock(proxy, having, 'single-sign-on')
      return filledIn(text, Object.fromEntries(Object.entries(places).filter(([place]) => text.includes(place))))
    }
    const site = await startFront(proxy, service, { edit: (first) => edit(first, lines) })
    const profile = async (user: string | undefined, headers: readonly string[] = []) => {
      const client = user === undefined ? site : site.with({ cookie: `session=${user}` })
      const { status, body } = await rawRequest(client, { target: '/api/profile', headers })
      const { username, role } = (status === 200 ? JSON.parse(body) : {}) as Record<string, string>
      return status === 200 ? `${username} ${role}` : status
    }
    expect(await profile('ann')).toBe('ann admin')
    for (const forged of [
      [],
      ['Remote-User: ann', 'Remote-Groups: sysadmins'],
      ['Remote_User: ann', 'Remote_Groups: sysadmins', `X_Proxy_Secret: ${secret}`],
      ['X-Forwarded-User: ann', 'X-Forwarded-Groups: sysadmins'],
      ['X-Auth-Request-User: ann', 'X-Auth-Request-Groups: sysadmins'],
      ['X-Authentik-Username: ann', 'X-Authentik-Groups: sysadmins'],
      ['Connection: remote-groups, x-forwarded-groups, x-proxy-secret', 'Remote-Groups: sysadmins'],
      ['X-Original-URL: https://cam.example/', 'X-Forwarded-Uri: /', 'X-Forwarded-Method: HEAD'],
    ]) {
      expect([forged, await profile('ben', forged)]).toEqual([forged, 'ben viewer'])
      // Without groups in the response, none are sent.
      expect([forged, await profile('kim', forged)]).toEqual([forged, 403])
      expect([forged, await profile(undefined, forged)]).toEqual([forged, unauthenticated])
    }
  },
)
