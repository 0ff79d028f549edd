import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { filledIn, frontFiles, fronts, guideBlock } from './support/fronts.ts'
import {
  firstBytes,
  frontNames,
  frontsHere,
  inPlaceOfGate,
  startFront,
  type ProxySignIn,
} from './support/guide-fronts.ts'
import { reachable } from './support/nginx.ts'
import { rawBytes, rawRequest, statusesIn } from './support/raw.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { client, type TestClient } from './support/test-client.ts'

afterAll(stopAll)

const sha1 = (user: string) => createHash('sha1').update(`let-${user}-in`).digest('base64')

const basic = (user: string) => `Basic ${Buffer.from(`${user}:let-${user}-in`).toString('base64')}`

const refusedWith = async (at: TestClient, path: string, origin: string): Promise<string> => {
  const [error] = (await once(at.socket(path, { headers: { origin } }), 'error')) as [Error]
  return error.message
}

const secret = 'the secret that only the proxy knows, and no client'

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
    const usersFile = join(service.dir, 'users')
    writeFileSync(usersFile, ['ann', 'ben', 'kim'].map((user) => `${user}:{SHA}${sha1(user)}\n`).join(''))
    chmodSync(service.dir, 0o755)
    signIn = {
      usersFile,
      secret,
      // Of the same passwords, with few rounds.
      hashes: {
        caddy: [
          '$2b$04$BWt3kpdDHMS/2u/KV9AcWuauv4tjJSPIZd9bbze7t8LGNB5VWgAUa',
          '$2b$04$uyqOzQtpqJdGyiXOsN7P2uNTD0V.JSNgsasTX.f9wbTefvCYx8d7.',
          '$2b$04$kimsaltkimsaltkimsaltuvKW2lI778ZEBX/tjWCmeRNNo6Kq0Jtq',
        ],
        haproxy: [
          '$5$rounds=1000$s7CUYrP763vP6eky$jSDipDRnBz81uQTzHCX6QiGlLBaqKskYigUpPWcbrxB',
          '$5$rounds=1000$UthcELsTGMbNNcke$8P5gXWhlohMYKHDKx93LnC8kdiN0l./A9X5/vyWVXD0',
          '$5$rounds=1000$kimsaltkimsaltki$ZKnp.mDx4xolQRkZz/3YCypKPKiDsJfwLDvDD5grmg3',
        ],
      },
    }
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

  describe.each(frontNames)('%s, configured as in its guide', (name) => {
    test.skipIf(!frontsHere[name])(
      '[PROXY-1] [PROXY-2] [PROXY-15] sends who signed in, and nothing that a client adds changes the user or the role',
      async () => {
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

        const { base } = site
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
      },
    )
  })

  test.each(frontNames)('%s, configured as in its guide, keeps the password of a user to itself', async (name) => {
    if (!frontsHere[name]) return
    const seen: IncomingHttpHeaders[] = []
    const gate = await inPlaceOfGate(service, ({ headers }, response) => {
      seen.push(headers)
      response.end()
    })
    const site = await startFront(name, service, { signIn, gate })
    expect((await site.get('/', { authorization: basic('ann') })).status).toBe(200)
    const sent = { 'remote-user': 'ann', 'remote-groups': 'sysadmins', 'x-proxy-secret': secret }
    expect(seen.at(-1)).toMatchObject(sent)
    expect(seen.at(-1)!.connection).not.toBe('upgrade')
    expect(JSON.stringify(seen)).not.toMatch(/authorization|let-ann-in/)
  })

  test.skipIf(!frontsHere.nginx)(
    '[PROXY-1] [PROXY-8] nginx that asks the gate in HTTP/1.0 sends who signed in, and opens no live video',
    async () => {
      const site = await startFront('nginx', service, {
        signIn,
        edit: (block) => filledIn(block, { 'proxy_http_version 1.1;': 'proxy_http_version 1.0;' }),
      })
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

describe('below a path', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startService({
      config: {
        http: { base_path: '/cams/' },
        auth: { failed_login_rate_limit: '2/hour', roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.1'] },
      },
    })
    await service.internal.post('/api/users', { username: 'gill', password, role: 'guard' })
  })

  describe.each(frontNames.map((name, at) => [name, at] as const))('of %s, configured as in its guide', (name, at) => {
    test.skipIf(!frontsHere[name])(
      '[TOK-11] [PATH-3] pages, the cookie and live video stay there, whatever host a client names',
      async () => {
        const site = await startFront(name, service, { belowPath: true })
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
      },
    )

    test.skipIf(!frontsHere[name])(
      '[RATE-6] failed logins are counted for the client’s address, whatever address it claims',
      async () => {
        const site = await startFront(name, service, { belowPath: true })
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
      },
    )
  })
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

  test.skipIf(!frontsHere.nginx)(
    '[TOK-11] [TOK-13] nginx, configured as in its guide without the certificate lines: the cookie is Secure, and only pages over TLS make changes',
    async () => {
      const port = await freePort()
      const { crt, key } = frontFiles(service)
      const block = guideBlock('nginx', 'listen 443').replaceAll(/^ *proxy_ssl_.*\n/gm, '')
      await fronts.nginx(
        filledIn(block, {
          'listen 443': `listen 127.0.0.1:${port}`,
          '/etc/ssl/cam.example.crt': crt,
          '/etc/ssl/cam.example.key': key,
          'https://gatehouse:8971': `http://127.0.0.1:${service.gatePort}`,
        }),
      )
      const site = client(port, 'https', {})
      await reachable(site)
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
