import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { stopAll } from './support/cleanups.ts'
import { filledIn, type FrontName } from './support/fronts.ts'
import {
  describeFronts,
  firstBytes,
  frontNames as names,
  frontsHere,
  inPlaceOfGate,
  startFront,
  startGuard,
  type ProxySignIn,
} from './support/guide-fronts.ts'
import { basic, proxySignIn, secret } from './support/proxy-sign-in.ts'
import { rawBytes, rawRequest, statusesIn } from './support/raw-request.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

afterAll(stopAll)

const refusedWith = (at: TestClient, path: string, origin: string): Promise<string> => {
  const socket = at.socket(path, { headers: { origin } })
  const opened = (): string => {
    socket.terminate()
    return 'opened'
  }
  return once(socket, 'open').then(opened, (error: Error) => error.message)
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const identity = (user: string, groups: string) =>
  `Host: cam\r\nX-Proxy-Secret: ${secret}\r\nRemote-User: ${user}\r\nRemote-Groups: ${groups}\r\n`

const profileRequest = (version: string, headers: string) => `GET /api/profile HTTP/${version}\r\n${headers}\r\n`

describe('proxies that sign users in', () => {
  let service: InProcessService
  let signIn: ProxySignIn
  beforeAll(async () => {
    service = await startService({
      config: {
        auth: { enabled: false, roles: { neighbor: ['yard'] }, trusted_proxies: ['127.0.0.1'] },
        proxy: {
          auth_secret: secret,
          // More than a neighbor may see: a client that can remove its groups would gain access.
          default_role: 'viewer',
          header_map: {
            user: 'remote-user',
            role: 'remote-groups',
            role_map: { admin: ['sysadmins'], neighbor: ['side-street'] },
          },
        },
      },
    })
    signIn = proxySignIn()
  })

  /** What a client may send to be someone else, or to have another role. */
  const forged: readonly (readonly string[])[] = [
    ['Remote-User: ann', 'Remote-Groups: sysadmins'],
    ['REMOTE-USER: ann', 'remote-groups: sysadmins'],
    ['Remote-User: ben', 'Remote-Groups: side-street', 'Remote-User: ann', 'Remote-Groups: sysadmins'],
    ['Remote_User: ann', 'Remote_Groups: sysadmins'],
    ['Remote.User: ann', 'Remote.Groups: sysadmins'],
    ['X-Forwarded-User: ann', 'X-Forwarded-Groups: sysadmins'],
    ['X-Proxy-Secret: a guess', 'Remote-Groups: sysadmins'],
    [`X_Proxy_Secret: ${secret}`, 'Remote_Groups: sysadmins'],
    ['Forwarded: for=192.0.2.1;host=evil.example;proto=http'],
    ['Connection: remote-groups'],
    ['Connection: close, Remote-Groups'],
    ['Connection: remote-user, remote-groups, x-proxy-secret'],
    ['Connection: keep-alive', 'Connection: remote-groups'],
    ['Connection: x-proxy-secret', `X-Proxy-Secret: ${secret}`, 'Remote-Groups: sysadmins'],
    ['Connection: remote-groups, upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
    ['Proxy-Connection: remote-groups', 'TE: trailers', 'Keep-Alive: remote-groups'],
  ]

  describeFronts(names, '%s, configured as in its guide', (name) => {
    test('[PROXY-1] [PROXY-2] [PROXY-15] sends who signed in, and nothing that a client adds changes the user or the role', async () => {
      const site = await startFront(name, service, { signIn })
      const ann = site.with({ authorization: basic('ann') })
      const ben = site.with({ authorization: basic('ben') })
      expect((await site.get('/api/profile')).status).toBe(401)
      expect((await site.get('/api/profile', { authorization: basic('eve') })).status).toBe(401)
      expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'admin' })
      const neighbor = { username: 'ben', role: 'neighbor', allowed_cameras: ['yard'] }
      expect((await ben.get('/api/profile')).json).toMatchObject(neighbor)

      for (const headers of forged) {
        const unauthenticated = await rawRequest(site, { target: '/api/profile', headers })
        expect([headers, unauthenticated.status]).toEqual([headers, 401])
        for (const method of ['GET', 'POST']) {
          const door = await rawRequest(ben, { method, target: '/api/cameras/door', headers })
          expect([headers, method, door.status >= 400]).toEqual([headers, method, true])
        }
        const profile = await rawRequest(ben, { target: '/api/profile', headers })
        expect([headers, profile.status], profile.head).toEqual([headers, 200])
        expect(profile.body).toMatch(/"username":"ben".*"role":"neighbor"/)
      }

      // Without groups: the default role, whatever groups a client adds.
      const kim = site.with({ authorization: basic('kim') })
      for (const headers of [[], ...forged]) {
        const profile = await rawRequest(kim, { target: '/api/profile', headers })
        expect([headers, profile.status], profile.head).toEqual([headers, 200])
        expect(profile.body).toMatch(/"username":"kim".*"role":"viewer"/)
      }

      const headers = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Port: 1', 'X-Forwarded-Proto: http']
      for (const [origin, status] of [
        ['https://evil.example', 403],
        ['https://127.0.0.1:1', 403],
        [site.base.replace('https', 'http'), 403],
        [site.base, 202],
      ] as const) {
        const change = { method: 'POST', target: '/api/auth', headers: [...headers, `Origin: ${origin}`] }
        expect([origin, (await rawRequest(ben, change)).status]).toEqual([origin, status])
      }
      // Caddy responds with an empty 200 to a host that it doesn't serve.
      const old = await rawBytes(site, profileRequest('1.0', `Host: cam\r\nAuthorization: ${basic('ben')}\r\n`))
      expect(old.body).toMatch(name === 'caddy' ? /^$/ : /"username":"ben".*"role":"neighbor"/)

      const { base } = site
      expect(await firstBytes(ben, '/api/events')).toContain(': welcome')
      const socket = ben.socket('/api/cameras/yard/live', { headers: { origin: base } })
      await once(socket, 'open')
      socket.terminate()
      expect(await refusedWith(ben, '/api/cameras/door/live', base)).toContain('403')
      expect(await refusedWith(ben, '/api/cameras/yard/live', 'https://evil.example')).toContain('403')
      expect(await refusedWith(site, '/api/cameras/yard/live', base)).toContain('401')
      const hidden = ben.with({ connection: 'Upgrade, remote-groups' })
      expect(await refusedWith(hidden, '/api/cameras/door/live', base)).toMatch(/40[013]/)

      const pipelined = ['ann', 'ben', 'eve', 'ben'].map((user, at) =>
        profileRequest(
          '1.1',
          `Host: 127.0.0.1:${site.port}\r\nAuthorization: ${basic(user)}\r\n${at === 3 ? 'Connection: close\r\n' : ''}`,
        ),
      )
      const responses = await rawBytes(site, pipelined.join(''))
      expect(statusesIn(responses)).toEqual([200, 200, 401, 200])
      const users = [...responses.body.matchAll(/"username":"(\w+)"/g)].map(([, user]) => user)
      expect(users).toEqual(['ann', 'ben', 'ben'])
    })
  })

  test.for(names)(
    '%s, configured as in its guide, keeps the password of a user to itself, and no part of a stream',
    async (name, { skip }) => {
      skip(!frontsHere[name])
      const seen: IncomingHttpHeaders[] = []
      const frame = '--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\nx\r\n--frame\r\n'
      const gate = await inPlaceOfGate(service, ({ url, headers }, response) => {
        seen.push(headers)
        if (url?.endsWith('/mjpeg')) response.write(frame)
        else response.end()
      })
      const site = await startFront(name, service, { signIn, gate })
      // Nothing follows: a proxy that buffered would send none of it.
      const client = site.with({ authorization: basic('ann') })
      expect(await firstBytes(client, '/api/cameras/yard/mjpeg')).toBe(frame)
      expect((await site.get('/', { authorization: basic('ann') })).status).toBe(200)
      const sent = { 'remote-user': 'ann', 'remote-groups': 'sysadmins', 'x-proxy-secret': secret }
      expect(seen.at(-1)).toMatchObject(sent)
      expect(seen.at(-1)!.connection).not.toBe('upgrade')
      expect(JSON.stringify(seen)).not.toMatch(/authorization|let-ann-in/)
    },
  )

  /** Lines that make a proxy ask the gate in HTTP/1.0, in place of those of the guide. */
  const inOldVersion = {
    nginx: { 'proxy_http_version 1.1;': 'proxy_http_version 1.0;' },
    apache: {
      '  ProxyPass /': '  SetEnv force-proxy-request-1.0 1\n  SetEnv proxy-nokeepalive 1\n  ProxyPass /',
    },
  } satisfies Partial<Record<FrontName, Readonly<Record<string, string>>>>

  test.for(['nginx', 'apache'] as const)(
    '[PROXY-1] [PROXY-8] %s that asks the gate in HTTP/1.0 sends who signed in, and opens no live video',
    async (name, { skip }) => {
      skip(!frontsHere[name])
      const edit = (block: string) => filledIn(block, inOldVersion[name])
      const site = await startFront(name, service, { signIn, edit })
      for (const [user, role] of [
        ['ann', 'admin'],
        ['ben', 'neighbor'],
        ['ann', 'admin'],
      ] as const) {
        const profile = await site.get('/api/profile', { authorization: basic(user) })
        expect(profile.json).toMatchObject({ username: user, role })
      }
      expect((await site.get('/api/profile')).status).toBe(401)
      const ben = site.with({ authorization: basic('ben') })
      expect((await ben.get('/')).text).toContain('<base href=')
      expect((await ben.get('/api/cameras/yard')).status).toBe(200)
      for (const headers of forged) {
        const profile = await rawRequest(ben, { target: '/api/profile', headers })
        expect([headers, profile.status]).toEqual([headers, 200])
        expect(profile.body).toMatch(/"username":"ben".*"role":"neighbor"/)
      }
      expect(await refusedWith(ben, '/api/cameras/yard/live', site.base)).toMatch(/4\d\d/)
      expect((await ben.get('/api/cameras/door/live')).status).toBe(403)
    },
  )

  test('[PROXY-8] requests of two users over one connection of the proxy, also HTTP/1.0, keep their own identity', async () => {
    const pipelined = [
      profileRequest('1.1', identity('ann', 'sysadmins')),
      profileRequest('1.1', identity('ben', 'side-street')),
      profileRequest('1.1', 'Host: cam\r\nRemote-User: ann\r\n'),
      profileRequest('1.1', `${identity('ben', 'side-street')}Connection: close\r\n`),
    ]
    const { head, body } = await rawBytes(service.gate, pipelined.join(''))
    const found = [...`${head}\r\n\r\n${body}`.matchAll(/"username":"(\w+)"|"code":"(unauthenticated)"/g)]
    expect(found.map(([, user, code]) => user ?? code)).toEqual(['ann', 'ben', 'unauthenticated', 'ben'])
    const old = await rawBytes(service.gate, profileRequest('1.0', identity('ben', 'side-street')))
    expect([old.status, old.body]).toEqual([200, expect.stringContaining('"role":"neighbor"')])
  })
})

const profileBelow = async (client: TestClient) => {
  const { status, json, cookies } = await client.get('/cams/api/profile')
  // A proxy's user has no session, and so no cookie.
  return [status, (json as { username: string }).username, cookies]
}

describe('below a path', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startService({
      config: {
        http: { base_path: '/cams/' },
        auth: { failed_login_rate_limit: '2/hour', roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.1'] },
        proxy: {
          enabled: true,
          auth_secret: secret,
          header_map: {
            user: 'remote-user',
            role: 'remote-groups',
            role_map: { admin: ['sysadmins'], guard: ['side-street'] },
          },
        },
      },
    })
    await service.internal.post('/api/users', { username: 'gill', password, role: 'guard' })
  })

  describeFronts(names, 'of %s, configured as in its guide', (name, at) => {
    let site: TestClient
    beforeAll(async () => {
      site = await startFront(name, service, { belowPath: true })
    })

    test('[TOK-11] [PATH-3] pages, the cookie and live video stay there, whatever host a client names', async () => {
      expect((await site.get('/cams/')).text).toContain('<base href="/cams/"')
      const signedIn = await site.post('/cams/api/login', { user: 'gill', password }, { origin: site.base })
      expect(signedIn.status).toBe(200)
      expect(signedIn.cookies[0]).toMatch(/; Path=\/cams;.*; Secure/)
      const gill = site.with({ cookie: signedIn.cookies[0]!.split(';')[0]! })
      expect((await gill.get('/cams/api/cameras/yard')).status).toBe(200)
      expect((await gill.get('/cams/api/cameras/door')).status).toBe(403)
      expect((await gill.get('/api/cameras/yard')).text).not.toContain('"yard"')
      const withoutSlash = await site.get('/cams')
      expect(withoutSlash.headers.location ?? withoutSlash.text).toMatch(/^\/cams\/$|<base href="\/cams\/"/)
      const socket = gill.socket('/cams/api/cameras/yard/live', { headers: { origin: site.base } })
      await once(socket, 'open')
      socket.terminate()
      expect(await refusedWith(gill, '/cams/api/cameras/door/live', site.base)).toContain('403')
      expect(await firstBytes(gill, '/cams/api/events')).toContain(': welcome')

      for (const host of ['evil.example', 'evil.example:1', '[::1]', 'EVIL.example.']) {
        for (const target of ['/cams', '/cams/', '/cams/api/login']) {
          const headers = [`Host: ${host}`, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Prefix: //evil.example/']
          const response = await rawRequest(site, { target, headers })
          expect([host, target, response.status < 500]).toEqual([host, target, true])
          expect(response.head).not.toMatch(/^location: *(?:https?:)?\/\/(?:evil|\[)/im)
          expect(response.body).not.toContain('evil')
        }
      }
    })

    test('[RATE-6] failed logins are counted for the client’s address, whatever address it claims', async () => {
      const guess = async (from: string, claimed: string) => {
        const headers = [
          'Content-Type: application/json',
          `X-Forwarded-For: ${claimed}`,
          `X-Real-IP: ${claimed}`,
          `Forwarded: for=${claimed}`,
          `X_Forwarded_For: ${claimed}`,
          'Connection: x-forwarded-for',
        ]
        const body = JSON.stringify({ user: `u${at}`, password: 'wrong' })
        return (await rawRequest(site, { method: 'POST', target: '/cams/api/login', headers, body, from })).status
      }
      const address = `127.0.${at + 1}.1`
      expect(await guess(address, '192.0.2.1')).toBe(401)
      expect(await guess(address, '192.0.2.2')).toBe(401)
      expect(await guess(address, '192.0.2.3')).toBe(429)
      expect(await guess(`127.0.${at + 1}.2`, address)).toBe(401)
    })

    test('[PROXY-1] [PROXY-8] [ERR-2] over one connection to the gate, each request is its user’s, also after a refused upgrade', async () => {
      const signing = await startFront(name, service, { belowPath: true, signIn: proxySignIn(), onePooled: true })
      const [ann, ben] = [signing.with({ authorization: basic('ann') }), signing.with({ authorization: basic('ben') })]
      for (const [client, path, origin] of [
        [ben, '/cams/api/cameras/door/live', signing.base],
        [ben, '/cams/api/cameras/yard/live', 'https://evil.example'],
        [ben, '/cams/api/nothing', signing.base],
        [ann, '/cams/api%5cevents', signing.base],
      ] as const) {
        const refused = await client.get(path, { ...upgrade, origin })
        expect([path, refused.status < 500 && refused.status > 200]).toEqual([path, true])
        expect(await profileBelow(ann)).toEqual([200, 'ann', []])
        expect(await profileBelow(ben)).toEqual([200, 'ben', []])
      }
      expect((await ben.get('/cams/')).text).toContain('<base href="/cams/"')
      const from = `127.0.${at + 1}.3`
      const claimed = { target: '/cams/api/users', headers: ['X-Forwarded-For: 192.0.2.1', 'Forwarded: for=192.0.2.1'] }
      expect((await rawRequest(ben, { ...claimed, from })).status).toBe(403)
      const addresses = async () => {
        const { json } = await service.internal.get('/cams/api/audit?action=request.denied&user=ben')
        return (json as AuditPage).entries.map(({ address }) => address)
      }
      await expect.poll(addresses).toContain(from)
      expect(await addresses()).not.toContain('192.0.2.1')
    })
  })

  test.for(['nginx', 'caddy'] as const)(
    '[PROXY-14] %s, as a guard of another program below the path, decides on the path of the request',
    async (name, { skip }) => {
      skip(!frontsHere[name])
      const login = await service.gate.post('/cams/api/login', { user: 'gill', password })
      const other = { other: service.internalPort }
      const gill = (await startGuard(name, service, other)).with({ cookie: login.cookies[0]!.split(';')[0]! })
      for (const [path, status] of [
        ['/cams/other', 200],
        ['/cams/api/cameras/yard', 200],
        ['/cams/api/cameras/door', 403],
        ['/cams/api/users', 403],
        ['/api/cameras/door', 403],
      ] as const) {
        expect([path, (await rawRequest(gill, { target: path })).status]).toEqual([path, status])
      }
    },
  )
})

/** The session cookie of a login from this address. */
const sessionCookie = async (gate: TestClient, from: string, ...headers: string[]) => {
  const login = { method: 'POST', target: '/api/login', body: JSON.stringify({ user: 'gill', password }), from }
  const response = await rawRequest(gate, {
    ...login,
    headers: ['Content-Type: application/json', ...headers],
  })
  return /^set-cookie: (.*)$/im.exec(response.head)?.[1]
}

describe('a gate without TLS, behind a proxy that ends it', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startService({
      config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, trusted_proxies: ['127.0.0.1'] } },
    })
    await service.internal.post('/api/users', { username: 'gill', password, role: 'viewer' })
  })

  test('[TOK-11] X-Forwarded-Proto of the trusted proxy, and of no other client, decides whether the cookie is Secure', async () => {
    expect(await sessionCookie(service.gate, '127.0.0.1', 'X-Forwarded-Proto: https')).toContain('; Secure')
    expect(await sessionCookie(service.gate, '127.0.0.1', 'X-Forwarded-Proto: http')).not.toContain('; Secure')
    expect(await sessionCookie(service.gate, '127.0.0.1')).not.toContain('; Secure')
    expect(await sessionCookie(service.gate, '127.0.0.2', 'X-Forwarded-Proto: https')).not.toContain('; Secure')
  })

  test.for(names)(
    '[TOK-11] [TOK-13] %s, configured as in its guide without the certificate lines: the cookie is Secure, and only pages over TLS make changes',
    async (name, { skip }) => {
      skip(!frontsHere[name])
      const site = await startFront(name, service, { plainGate: true })
      const signedIn = await site.post('/api/login', { user: 'gill', password }, { 'x-forwarded-proto': 'http' })
      expect([signedIn.status, signedIn.cookies[0]]).toEqual([200, expect.stringContaining('; Secure')])
      const gill = site.with({ cookie: signedIn.cookies[0]!.split(';')[0]! })
      const socket = gill.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
      await once(socket, 'open')
      socket.terminate()
      expect(await refusedWith(gill, '/api/cameras/yard/live', site.base.replace('https', 'http'))).toContain('403')
    },
  )
})
