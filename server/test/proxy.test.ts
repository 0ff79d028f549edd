import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { stopwatch } from './support/own-time.ts'
import { program } from './support/programs.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { rawRequest } from './support/raw-request.ts'
import type { Service } from './support/service.ts'
import { password, signIn } from './support/sign-in.ts'
import { failedStart, startService, type InProcessService } from './support/start-service.ts'
import { client, type TestClient } from './support/test-client.ts'

type Section = Record<string, unknown>

/** Not in alphabetical order, since the order decides (PROXY-7). */
const roles = { zebra: ['yard'], guard: ['door'], clerk: ['office'] }
const header_map = { user: 'X-Forwarded-User', role: 'x-forwarded-groups' }

const behindProxy = (proxy: Section, more: Section = {}) => ({
  tls: { enabled: false },
  auth: { enabled: false, roles },
  proxy,
  ...more,
})

const profile = async (at: TestClient, headers: Record<string, string> | readonly string[]) => {
  const response = await at.get('/api/profile', headers)
  return response.status === 200 ? (response.json as { username: string; role: string }) : response.status
}

const open = async (socket: WebSocket) => {
  await once(socket, 'open')
  return socket
}

const refusedWith = async (socket: WebSocket): Promise<string> => {
  const [error] = (await once(socket, 'error')) as [Error]
  return error.message
}

/** Waits until a socket is closed. @returns milliseconds until then, and the close code. */
const closing = async (socket: WebSocket) => {
  const [code] = (await once(socket, 'close')) as [number]
  return code
}

/** Makes a change. @returns how the socket closes, and how long that takes once the change is made */
const closingAfter = async (socket: WebSocket, change: () => Promise<{ readonly status: number }>) => {
  const code = closing(socket)
  expect((await change()).status).toBe(200)
  const elapsed = stopwatch()
  return { closed: code.then((given) => ({ code: given, after: elapsed() })) }
}

const triedAt = async (service: Service, headers: Section) =>
  (await service.internal.post('/api/access/try', { headers })).json

const via = (client: string) => [`X-Forwarded-For: ${client}`]

/** Audit log entries about wrong proxy secrets. */
const entries = async (service: Service) => {
  const { entries: all } = (await service.internal.get('/api/audit')).json as {
    entries: { target: string; address: string; result: string }[]
  }
  return all.filter(({ target }) => target === 'X-Proxy-Secret')
}

afterAll(stopAll)

describe('the role from the headers', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startService({ config: behindProxy({ header_map }) })
  })

  const roleOf = async (groups: string | undefined, proxy: Section): Promise<unknown> => {
    expect((await changeConfig(service, { proxy: { header_map, ...proxy } })).status).toBe(200)
    const found = await profile(service.gate, {
      'x-forwarded-user': 'ann',
      ...(groups !== undefined && { 'x-forwarded-groups': groups }),
    })
    return typeof found === 'number' ? found : found.role
  }
  const withMap = (role_map: Section): Section => ({ header_map: { ...header_map, role_map } })
  const staff = withMap({
    admin: ['sysadmins'],
    viewer: ['family', 'Staff'],
    guard: ['nightwatch'],
    zebra: ['keepers'],
  })

  test.each<[what: string, groups: string | undefined, proxy: Section, role: string | 403]>([
    ['[PROXY-4] a role’s name', 'viewer', {}, 'viewer'],
    ['[PROXY-4] a custom role’s name', 'guard', {}, 'guard'],
    ['[PROXY-4] a name in another case is not a role', 'Admin', {}, 403],
    ['[PROXY-4] an empty role map counts as no map', 'guard', withMap({}), 'guard'],
    ['[PROXY-4] a group', 'family', staff, 'viewer'],
    ['[PROXY-4] a group in another case does not match', 'staff', staff, 403],
    ['[PROXY-4] with a map, the name of a role is not a group', 'admin', staff, 403],
    ['[PROXY-4] part of a group’s name does not match', 'sysadmin', staff, 403],
    ['[PROXY-3] several values, split at a comma and trimmed', ' unknown ,\tguard , ', {}, 'guard'],
    ['[PROXY-3] split at another separator', 'a,b; guard', { separator: ';' }, 'guard'],
    ['[PROXY-3] then not split at a comma', 'guard,clerk', { separator: ';' }, 403],
    ['[PROXY-3] a separator of several characters', 'x::guard', { separator: '::' }, 'guard'],
    ['[PROXY-5] no header, default set', undefined, { default_role: 'clerk' }, 'clerk'],
    ['[PROXY-5] an empty header, default set', '', { default_role: 'clerk' }, 'clerk'],
    ['[PROXY-5] only blanks and separators, default set', ' , ,', { default_role: 'clerk' }, 'clerk'],
    ['[PROXY-5] no match, default set', 'visitors', { ...staff, default_role: 'viewer' }, 'viewer'],
    ['[PROXY-5] no header, no default', undefined, {}, 403],
    ['[PROXY-5] no match, no default', 'visitors', staff, 403],
    ['[PROXY-6] a match beats a default with more access', 'guard', { default_role: 'admin' }, 'guard'],
    [
      '[PROXY-6] a match among unknown groups beats the default',
      'x,keepers',
      { ...staff, default_role: 'admin' },
      'zebra',
    ],
    ['[PROXY-7] admin wins, in any position', 'guard,viewer,admin', {}, 'admin'],
    ['[PROXY-7] admin wins by groups too', 'nightwatch,family,sysadmins,keepers', staff, 'admin'],
    ['[PROXY-7] then viewer', 'zebra,viewer,guard', {}, 'viewer'],
    ['[PROXY-7] then the custom roles in the order of the configuration', 'clerk,guard,zebra', {}, 'zebra'],
    ['[PROXY-7] not in the order of the map', 'nightwatch,keepers', staff, 'zebra'],
  ])('%s', async (_why, groups, proxy, role) => {
    expect(await roleOf(groups, proxy)).toBe(role)
  })

  test('[PROXY-5] [ERR-2] a user without a matching role gets 403 with the reason, from every route that requires sign-in', async () => {
    await changeConfig(service, { proxy: { header_map } })
    const ann = service.gate.with({ 'x-forwarded-user': 'ann' })
    for (const path of ['/api/profile', '/api/cameras', '/api/auth', '/api/version', '/api/nothing']) {
      const { status, json } = await ann.get(path)
      expect([path, status]).toEqual([path, 403])
      expect(json).toMatchObject({
        code: 'forbidden',
        detail: expect.stringMatching(/role.*proxy\.default_role/) as string,
      })
    }
    expect(await refusedWith(ann.socket('/api/cameras/yard/live'))).toContain('403')
  })

  test('[PROXY-20] [ROLE-10] where the role header is required, a request without it has no role: API, /api/auth, WebSockets, and streams that are open', async () => {
    const proxy = { header_map, default_role: 'viewer' }
    await changeConfig(service, { proxy })
    const ann = service.gate.with({ 'x-forwarded-user': 'ann' })
    const closed = closing(await open(ann.socket('/api/cameras/yard/live')))
    expect((await changeConfig(service, { proxy: { ...proxy, require_role_header: true } })).status).toBe(200)
    expect(await closed).toBe(4403)
    for (const path of ['/api/profile', '/api/cameras', '/api/auth', '/api/cameras/yard/latest.jpg', '/api/nothing']) {
      expect([path, (await ann.get(path)).status]).toEqual([path, 403])
    }
    expect((await ann.get('/api/auth', { 'x-original-url': '/api/cameras/yard' })).status).toBe(403)
    expect(await refusedWith(ann.socket('/api/cameras/yard/live'))).toContain('403')
    // Gatehouse itself never drops a header that a client names.
    const named = ['X-Forwarded-User: ann', 'X-Forwarded-Groups: guard', 'Connection: x-forwarded-groups']
    expect((await rawRequest(service.gate, { target: '/api/profile', headers: named })).body).toContain(
      '"role":"guard"',
    )
    for (const [groups, role] of [
      ['', 'viewer'],
      [' , ', 'viewer'],
      ['unknown', 'viewer'],
      ['guard', 'guard'],
    ] as const) {
      const found = await profile(ann, { 'x-forwarded-groups': groups })
      expect([groups, found]).toMatchObject([groups, { role }])
    }
    expect(await triedAt(service, { 'x-forwarded-user': 'ann' })).toMatchObject({
      user: 'ann',
      role: null,
      reason: { code: 'role-header-missing' },
      allowed_cameras: [],
    })
  })

  test('[PROXY-20] to require a role header that is not mapped is a configuration error', async () => {
    const response = await changeConfig(service, {
      proxy: { header_map: { user: 'x-forwarded-user' }, require_role_header: true },
    })
    expect(response.status).toBe(400)
    expect((response.json as { problems: { field: string }[] }).problems.map(({ field }) => field)).toEqual([
      'proxy.require_role_header',
    ])
  })

  test('[PROXY-5] [PROXY-4] [PROXY-2] an unknown role, an empty separator or an empty secret is a configuration error', async () => {
    for (const [field, proxy] of [
      ['proxy.default_role', { default_role: 'ghost' }],
      ['proxy.header_map.role_map.ghost', withMap({ ghost: ['x'] })],
      ['proxy.separator', { separator: '' }],
      ['proxy.auth_secret', { auth_secret: '' }],
      ['proxy.auth_secret', { auth_secret: '{SERVICE_PROXY_NOT_THERE}' }],
    ] as const) {
      const response = await changeConfig(service, { proxy: { header_map, ...proxy } })
      expect([field, response.status]).toEqual([field, 400])
      const { problems } = response.json as { problems: { field: string }[] }
      expect(problems.map((each) => each.field)).toEqual([field])
    }
    const { status, output } = await failedStart({
      config: behindProxy({
        header_map,
        default_role: 'ghost',
        separator: '',
        auth_secret: '{SERVICE_PROXY_NOT_THERE}',
      }),
    })
    expect(status).toBe(78)
    for (const part of [
      'proxy.default_role',
      '"ghost"',
      'proxy.separator',
      'proxy.auth_secret',
      'SERVICE_PROXY_NOT_THERE',
    ]) {
      expect(output).toContain(part)
    }
  })

  test('[PROXY-4] [ROLE-10] [CONF-5] a changed map applies from the next request, and closes streams that it no longer allows', async () => {
    await changeConfig(service, {
      proxy: { header_map: { ...header_map, role_map: { guard: ['watch'], clerk: ['desk'] } } },
    })
    const ann = service.gate.with({ 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'watch' })
    const bea = service.gate.with({ 'x-forwarded-user': 'bea', 'x-forwarded-groups': 'desk' })
    const [lost, kept] = [
      await open(ann.socket('/api/cameras/door/live')),
      await open(bea.socket('/api/cameras/office/live')),
    ]
    const { closed } = await closingAfter(lost, () =>
      changeConfig(service, {
        proxy: { header_map: { ...header_map, role_map: { zebra: ['watch'], clerk: ['desk'] } } },
      }),
    )
    expect((await ann.get('/api/cameras/door')).status).toBe(403)
    expect((await ann.get('/api/cameras/yard')).status).toBe(200)
    const { code, after } = await closed
    expect(code).toBe(4403)
    expect(after).toBeLessThan(1000)
    expect(kept.readyState).toBe(kept.OPEN)
    // No match at all anymore.
    const gone = closing(kept)
    await changeConfig(service, { proxy: { header_map, trusted_peers: ['192.0.2.1'] } })
    expect(await gone).toBe(4401)
  })
})

describe('the user from the headers', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startService({ config: behindProxy({ header_map, default_role: 'guard' }) })
  })
  const groups = ['x-forwarded-groups', 'viewer']

  test.each<[what: string, headers: readonly string[], user: string | 401]>([
    ['[PROXY-1] the value of the header', ['x-forwarded-user', 'ann'], 'ann'],
    ['[PROXY-3] the header name in any case', ['X-FORWARDED-User', 'ann'], 'ann'],
    ['[PROXY-3] one whole name, with its comma', ['x-forwarded-user', ' Doe, Jane '], 'Doe, Jane'],
    ['[PROXY-1] any name, as the proxy spells it', ['x-forwarded-user', 'constructor'], 'constructor'],
    ['[PROXY-8] no header is unauthenticated', [], 401],
    ['[PROXY-8] an empty header is unauthenticated', ['x-forwarded-user', ''], 401],
    ['[PROXY-8] a blank header is unauthenticated', ['x-forwarded-user', ' \t '], 401],
    [
      '[PROXY-8] [PROXY-15] two different values are unauthenticated',
      ['x-forwarded-user', 'ann', 'X-Forwarded-User', 'bea'],
      401,
    ],
    [
      '[PROXY-8] [PROXY-15] an additional empty value counts as different',
      ['x-forwarded-user', 'ann', 'X-Forwarded-User', ''],
      401,
    ],
    ['[PROXY-15] two equal values count as one', ['x-forwarded-user', 'ann', 'X-Forwarded-User', 'ann'], 'ann'],
    ['[PROXY-9] unmapped headers are ignored', ['remote-user', 'ann', 'x-idp-username', 'ann'], 401],
  ])('%s', async (_why, headers, user) => {
    const found = await profile(service.gate, [...headers, ...groups])
    expect(typeof found === 'number' ? found : found.username).toBe(user)
  })

  test('[PROXY-8] without a mapped user header, every caller is anonymous, with the role from the role header', async () => {
    const anonymous = await startService({
      config: behindProxy({ header_map: { role: 'x-forwarded-groups' }, default_role: 'clerk' }),
    })
    expect(await profile(anonymous.gate, { 'x-forwarded-groups': 'guard' })).toMatchObject({
      username: 'anonymous',
      role: 'guard',
    })
    expect(await profile(anonymous.gate, { 'x-forwarded-user': 'admin' })).toMatchObject({
      username: 'anonymous',
      role: 'clerk',
    })
  })

  test('[TOK-13] a foreign page cannot make changes through a browser whose proxy adds the headers', async () => {
    const admin = service.gate.with({ 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin' })
    const made = (headers: Record<string, string>) => admin.put('/api/roles/night', { cameras: ['yard'] }, headers)
    expect((await made({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await made({ origin: 'https://evil.example' })).status).toBe(403)
    expect(
      await refusedWith(admin.socket('/api/cameras/yard/live', { headers: { origin: 'https://evil.example' } })),
    ).toContain('403')
    expect((await made({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  test('[PROXY-14] /api/auth returns the user and the role from the headers', async () => {
    const { status, headers, cookies } = await service.gate.get('/api/auth', {
      'x-forwarded-user': 'ann',
      'x-forwarded-groups': 'clerk',
    })
    expect([status, headers['remote-user'], headers['remote-role']]).toEqual([202, 'ann', 'clerk'])
    expect(cookies).toEqual([])
  })
})

describe('the secret shared with the proxy', () => {
  const secret = 'Tr1ck-less 4nd long: the proxy’s own'.replace('’', "'")
  const right = { 'x-proxy-secret': secret }

  const wrong: readonly (readonly [what: string, headers: readonly string[]])[] = [
    ['none', []],
    ['an empty secret', ['x-proxy-secret', '']],
    ['a different one of the same length', ['x-proxy-secret', 'x'.repeat(secret.length)]],
    ['a prefix of it', ['x-proxy-secret', secret.slice(0, -1)]],
    ['the secret with a suffix', ['x-proxy-secret', `${secret}x`]],
    ['different case', ['x-proxy-secret', secret.toUpperCase()]],
    ['the right one and a wrong one', ['x-proxy-secret', secret, 'X-Proxy-Secret', 'wrong']],
    ['the wrong one and a right one', ['x-proxy-secret', 'wrong', 'X-Proxy-Secret', secret]],
    ['twice in one', ['x-proxy-secret', `${secret}, ${secret}`]],
    ['a twin of the header name', ['x_proxy_secret', secret, 'x.proxy.secret', secret]],
    ['its placeholder', ['x-proxy-secret', '{SERVICE_PROXY_SECRET}']],
  ]

  describe('where the proxy authenticates', () => {
    let service: InProcessService
    beforeAll(async () => {
      service = await startService({
        config: behindProxy({ header_map, auth_secret: '{SERVICE_PROXY_SECRET}' }),
        env: { SERVICE_PROXY_SECRET: secret },
      })
    })
    const ann = ['x-forwarded-user', 'ann', 'x-forwarded-groups', 'admin']

    test('[PROXY-2] only the exact secret is accepted, also if sent twice', async () => {
      expect(await profile(service.gate, [...ann, 'x-proxy-secret', secret])).toMatchObject({ username: 'ann' })
      expect(await profile(service.gate, [...ann, 'x-proxy-secret', secret, 'X-Proxy-Secret', secret])).toMatchObject({
        role: 'admin',
      })
    })

    test.each(wrong)('[PROXY-2] [PROXY-15] %s is 401', async (_why, headers) => {
      expect(await profile(service.gate, [...ann, ...headers])).toBe(401)
    })

    test('[PROXY-2] without it, only health responds below /api, pages load, and no WebSocket opens', async () => {
      const unauthenticated = service.gate.with({ 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin' })
      for (const path of [
        '/api/cameras',
        '/api/auth',
        '/auth',
        '/api/logout',
        '/logout',
        '/api/none',
        '/api',
        '/api/health/',
      ]) {
        expect([path, (await unauthenticated.get(path)).status]).toEqual([path, 401])
      }
      expect((await unauthenticated.post('/api/login', { user: 'ann', password })).status).toBe(401)
      expect((await unauthenticated.get('/api/health')).status).toBe(200)
      expect((await unauthenticated.get('/')).status).toBe(200)
      expect(await refusedWith(unauthenticated.socket('/api/cameras/yard/live'))).toContain('401')
      await open(unauthenticated.with(right).socket('/api/cameras/yard/live'))
    })

    test('[PROXY-2] [CONF-5] a new secret applies from the next request, and closes open streams', async () => {
      const through = service.gate.with({ 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin', ...right })
      const socket = await open(through.socket('/api/cameras/yard/live'))
      const { closed } = await closingAfter(socket, () =>
        changeConfig(service, { proxy: { header_map, auth_secret: 'the next one' } }),
      )
      expect((await through.get('/api/profile')).status).toBe(401)
      expect((await through.get('/api/profile', { 'x-proxy-secret': 'the next one' })).status).toBe(200)
      expect((await closed).after).toBeLessThan(1000)
    })
  })

  test('[PROXY-2] is also required with our own login, for the login itself and for valid tokens', async () => {
    const service = await startService({
      config: { tls: { enabled: false }, proxy: { auth_secret: secret } },
    })
    expect((await service.internal.post('/api/users', { username: 'ann', password, role: 'viewer' })).status).toBe(201)
    expect((await service.gate.post('/api/login', { user: 'ann', password })).status).toBe(401)
    const ann = await signIn(service.gate.with(right), 'ann')
    expect((await ann.get('/api/profile')).status).toBe(200)
    const cookie = { cookie: `gatehouse_token=${ann.token}` }
    expect((await service.gate.get('/api/profile', cookie)).status).toBe(401)
    expect((await service.gate.get('/api/profile', { authorization: `Bearer ${ann.token}` })).status).toBe(401)
    expect((await service.gate.get('/api/auth', cookie)).status).toBe(401)
    for (const [, headers] of wrong) {
      expect((await service.gate.get('/api/profile', ['cookie', cookie.cookie, ...headers])).status).toBe(401)
    }
    expect((await service.gate.get('/api/health')).status).toBe(200)
    expect((await service.internal.get('/api/users')).status).toBe(200)
  })
})

test('[PROXY-3] [PORT-4] with our own login on, mapped headers authenticate no one', async () => {
  const service = await startService({
    config: { tls: { enabled: false }, auth: { roles }, proxy: { header_map, default_role: 'admin' } },
  })
  const claims = { 'x-forwarded-user': 'admin', 'x-forwarded-groups': 'admin' }
  expect((await service.gate.get('/api/profile', claims)).status).toBe(401)
  const ann = await service.user('ann', 'guard')
  expect((await ann.get('/api/profile', claims)).json).toMatchObject({ username: 'ann', role: 'guard' })
  expect((await ann.get('/api/users', claims)).status).toBe(403)
})

describe('beside our own sign-in', () => {
  const secret = 'thirty-two characters and some more'
  const right = { 'x-proxy-secret': secret }
  const both = (proxy: Section = {}, more: Section = {}) => ({
    tls: { enabled: false },
    auth: { roles, failed_login_rate_limit: null },
    proxy: { enabled: true, auth_secret: secret, header_map, ...proxy },
    ...more,
  })
  const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'guard' }
  let service: InProcessService
  let bob: TestClient
  beforeAll(async () => {
    service = await startService({ config: both({ logout_url: 'https://sso.example/out' }) })
    bob = await service.user('bob', 'clerk')
  })

  test('[PROXY-17] headers with the secret authenticate the proxy’s user; a password, with or without the secret, a local user', async () => {
    const { gate } = service
    expect((await gate.get('/api/profile', { ...ann, ...right })).json).toMatchObject({
      username: 'ann',
      role: 'guard',
      auth: 'proxy',
      allowed_cameras: ['door'],
      sign_in_methods: ['password', 'proxy'],
      logout_url: 'https://sso.example/out',
      expires_at: null,
    })
    for (const headers of [{}, right, { 'x-proxy-secret': 'wrong' }, { 'x-forwarded-groups': 'admin' }]) {
      expect((await gate.get('/api/profile', headers)).status).toBe(401)
      expect((await bob.get('/api/profile', headers)).json).toMatchObject({
        username: 'bob',
        role: 'clerk',
        auth: 'password',
        logout_url: null,
        recheck_interval: null,
      })
    }
    expect((await gate.post('/api/login', { user: 'bob', password })).status).toBe(200)
  })

  test.each<[what: string, headers: readonly string[]]>([
    ['no secret', []],
    ['an empty secret', ['x-proxy-secret', '']],
    ['a wrong secret', ['x-proxy-secret', `${secret}x`]],
    ['a right and a wrong secret', ['x-proxy-secret', secret, 'X-Proxy-Secret', 'wrong']],
    ['an additional different user', ['x-proxy-secret', secret, 'X-Forwarded-User', 'eve']],
    ['an additional empty user', ['x-proxy-secret', secret, 'X-Forwarded-User', '']],
    ['different roles', ['x-proxy-secret', secret, 'X-Forwarded-Groups', 'admin']],
  ])(
    '[PROXY-17] [PROXY-15] a user header with %s is 401, even with a valid session, on every route',
    async (_why, headers) => {
      const sent = ['x-forwarded-user', 'bob', 'x-forwarded-groups', 'clerk', ...headers]
      const cookie = String(bob.headers['cookie'])
      for (const path of ['/api/profile', '/api/cameras', '/api/auth', '/auth', '/api/logout', '/api/none']) {
        expect([path, (await service.gate.get(path, [...sent, 'cookie', cookie])).status]).toEqual([path, 401])
      }
      const token = cookie.slice(cookie.indexOf('=') + 1)
      expect((await service.gate.get('/api/profile', [...sent, 'authorization', `Bearer ${token}`])).status).toBe(401)
      const login = await service.gate.request('POST', '/api/login', { headers: sent, body: { user: 'bob', password } })
      expect([login.status, login.cookies]).toEqual([401, []])
      // The session was refused, but not ended.
      expect((await bob.get('/api/profile')).status).toBe(200)
      expect((await service.gate.get('/api/health', sent)).status).toBe(200)
      expect((await service.gate.get('/', sent)).status).toBe(200)
    },
  )

  test('[PROXY-15] [PROXY-17] contradictory proxy headers are 401, even without a user header', async () => {
    const cookie = ['cookie', String(bob.headers['cookie'])]
    const status = async (...headers: string[]) =>
      (await service.gate.get('/api/profile', [...cookie, ...headers])).status
    expect(await status('x-proxy-secret', secret, 'X-Proxy-Secret', 'wrong')).toBe(401)
    expect(await status('x-forwarded-groups', 'admin', 'X-Forwarded-Groups', 'clerk')).toBe(401)
    expect(await status('x-forwarded-user', '', 'X-Forwarded-User', ' ')).toBe(200)
    expect(await status('x-proxy-secret', secret, 'X-Proxy-Secret', secret)).toBe(200)
  })

  test('[PROXY-17] if a request has a session and a proxy’s user, the proxy’s user counts: no local role, no refresh, no password', async () => {
    const root = await service.admin()
    const asAnn = root.with({ ...ann, ...right })
    expect((await asAnn.get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'guard' })
    expect((await asAnn.get('/api/users')).status).toBe(403)
    expect((await asAnn.get('/api/cameras/yard')).status).toBe(403)
    const guard = await asAnn.get('/api/auth')
    expect([guard.status, guard.headers['remote-user'], guard.cookies]).toEqual([202, 'ann', []])
    expect((await asAnn.get('/api/sessions')).json).toEqual([])
    const body = { password: 'another long one', old_password: password }
    expect((await bob.with({ ...ann, ...right }).put('/api/users/bob/password', body)).status).toBe(403)
    // A local admin with the same name is a different user, and a missing role does not fall back to the session.
    const namesake = root.with({ 'x-forwarded-user': 'admin', ...right })
    expect((await namesake.get('/api/profile')).status).toBe(403)
    expect((await root.get('/api/profile')).json).toMatchObject({ username: 'admin', auth: 'password' })
  })

  test('[PROXY-17] the login page offers a password only to a user whom the proxy did not sign in', async () => {
    const offered = async (headers = {}) => (await service.gate.get('/api/login/methods', headers)).json
    const none = { oidc: null, passkeys: false }
    expect(await offered()).toEqual({ password: true, ...none })
    expect(await offered({ ...ann, ...right })).toEqual({ password: false, ...none })
    expect((await service.internal.get('/api/login/methods', ann)).json).toEqual({ password: true, ...none })
  })

  test('[PROXY-17] a proxy’s user cannot sign in with a password: it would have no effect', async () => {
    const login = await service.gate.post('/api/login', { user: 'bob', password }, { ...ann, ...right })
    expect([login.status, login.cookies]).toEqual([404, []])
    expect(login.json).toMatchObject({ reason: { code: 'proxy-auth-enabled' } })
    // The internal port ignores such headers.
    expect((await service.internal.post('/api/login', { user: 'bob', password }, ann)).status).toBe(200)
  })

  test('[PROXY-17] [PROXY-8] an empty user header is ignored, so that a proxy can always set it', async () => {
    for (const value of ['', ' \t ']) {
      expect((await bob.get('/api/profile', { 'x-forwarded-user': value, ...right })).json).toMatchObject({
        username: 'bob',
      })
      expect((await service.gate.get('/api/profile', { 'x-forwarded-user': value, ...right })).status).toBe(401)
    }
  })

  test('[PROXY-17] [PROXY-13] signing out leads the proxy’s users to its URL, and local users to our page', async () => {
    const proxied = await service.gate.get('/api/logout', { ...ann, ...right })
    expect([proxied.status, proxied.headers.location]).toEqual([303, 'https://sso.example/out'])
    const own = await service.gate.get('/api/logout')
    expect([own.status, own.headers.location]).toEqual([303, '/login'])
  })

  test('[PROXY-17] [TOK-13] a proxy’s headers do not prove that a request is same-origin', async () => {
    const admin = service.gate.with({ 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin', ...right })
    const made = (headers: Record<string, string>) => admin.put('/api/roles/night', { cameras: ['yard'] }, headers)
    expect((await made({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await made({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await made({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  test('[PROXY-17] [PROXY-14] /api/auth accepts both sign-in methods', async () => {
    const requested = { 'x-original-url': '/api/cameras/office/latest.jpg' }
    expect((await service.gate.get('/api/auth', { ...ann, ...right, ...requested })).status).toBe(403)
    expect((await bob.get('/api/auth', requested)).status).toBe(202)
    expect((await bob.get('/api/auth', { ...ann, ...right, ...requested })).status).toBe(403)
  })

  test('[PROXY-17] [PROXY-20] a required role header concerns the proxy’s users only', async () => {
    const logout_url = 'https://sso.example/out'
    const { proxy } = both({ logout_url, default_role: 'viewer', require_role_header: true })
    await changeConfig(service, { proxy })
    onTestFinished(async () => void (await changeConfig(service, { proxy: both({ logout_url }).proxy })))
    expect(await profile(service.gate, { 'x-forwarded-user': 'ann', ...right })).toBe(403)
    expect(await profile(service.gate, { ...ann, ...right })).toMatchObject({ username: 'ann', role: 'guard' })
    expect(await profile(bob, {})).toMatchObject({ username: 'bob', role: 'clerk' })
  })

  test('[PROXY-17] the access preview says that without a user header, users sign in here', async () => {
    expect(await triedAt(service, { 'x-forwarded-groups': 'admin' })).toMatchObject({
      user: null,
      role: null,
      reason: { code: 'signs-in-here' },
      allowed_cameras: [],
    })
    expect(await triedAt(service, ann)).toMatchObject({ user: 'ann', role: 'guard' })
  })

  test('[PROXY-17] with trusted peers instead of a secret: from another address the header is 401, and a password still works', async () => {
    const peers = await startService({ config: both({ auth_secret: null, trusted_peers: ['192.0.2.1'] }) })
    const carol = await peers.user('carol', 'clerk')
    expect(await profile(peers.gate, ann)).toBe(401)
    expect(await profile(carol, {})).toMatchObject({ username: 'carol' })
    expect(await profile(carol, ann)).toBe(401)
    const known = { ...both({ auth_secret: null, trusted_peers: ['127.0.0.1'] }).proxy }
    expect((await changeConfig(peers, { proxy: known })).status).toBe(200)
    expect(await profile(carol, ann)).toMatchObject({ username: 'ann' })
    // With both configured, both have to match.
    expect((await changeConfig(peers, { proxy: { ...known, auth_secret: secret } })).status).toBe(200)
    expect(await profile(carol, ann)).toBe(401)
    expect(await profile(carol, { ...ann, ...right })).toMatchObject({ username: 'ann' })
    expect(
      (await changeConfig(peers, { proxy: { ...known, auth_secret: secret, trusted_peers: ['192.0.2.1'] } })).status,
    ).toBe(200)
    expect(await profile(carol, { ...ann, ...right })).toBe(401)
  })

  test('[PROXY-17] [CONF-5] disabling it ends the streams of the proxy’s users, but not those of local users', async () => {
    const other = await startService({ config: both() })
    const carol = await other.user('carol', 'clerk')
    const theirs = await open(other.gate.socket('/api/cameras/door/live', { headers: { ...ann, ...right } }))
    const local = await open(carol.socket('/api/cameras/office/live'))
    const closed = closing(theirs)
    expect((await changeConfig(other, { proxy: { ...both().proxy, enabled: false, auth_secret: null } })).status).toBe(
      200,
    )
    expect(await closed).toBe(4401)
    expect(local.readyState).toBe(local.OPEN)
    expect(await profile(other.gate, { ...ann, ...right })).toBe(401)
  })

  test('[PROXY-17] no secret and no peers, or no user header, is a configuration error at startup and in the editor', async () => {
    const unproven = both({ auth_secret: null })
    const nameless = both({ header_map: { role: 'x-forwarded-groups' } })
    for (const [field, { proxy }] of [
      ['proxy.enabled', unproven],
      ['proxy.header_map.user', nameless],
    ] as const) {
      const response = await changeConfig(service, { proxy })
      expect([field, response.status]).toEqual([field, 400])
      expect((response.json as { problems: { field: string }[] }).problems.map((each) => each.field)).toEqual([field])
    }
    const { status, output } = await failedStart({ config: unproven })
    expect(status).toBe(78)
    expect(output).toMatch(/proxy\.enabled.*auth_secret.*trusted_peers/)
  })

  test('[PROXY-17] [PROXY-1] where only the proxy authenticates, the key has no effect', async () => {
    const alone = await startService({
      config: behindProxy({ enabled: true, header_map, auth_secret: secret, default_role: 'viewer' }),
    })
    expect(await profile(alone.gate, ann)).toBe(401)
    expect(await profile(alone.gate, right)).toBe(401)
    expect(await profile(alone.gate, { ...ann, ...right })).toMatchObject({ username: 'ann', role: 'guard' })
    expect((await alone.gate.post('/api/login', { user: 'admin', password }, right)).status).toBe(404)
    expect((await alone.gate.get('/api/profile', { ...ann, ...right })).json).toMatchObject({
      sign_in_methods: ['proxy'],
    })
  })
})

describe('streams authenticated by a proxy', () => {
  const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'viewer' }

  test('[PROXY-18] streams of every kind end after proxy.recheck_interval, and those of a local user continue', async () => {
    const service = await startService({
      config: {
        tls: { enabled: false },
        proxy: { enabled: true, trusted_peers: ['127.0.0.1'], header_map, recheck_interval: 1 },
        cameras: { ...quietCameras, yard: { source: 'demo:yard' } },
      },
    })
    const bob = await service.user('bob')
    expect((await service.gate.get('/api/profile', ann)).json).toMatchObject({ recheck_interval: 1 })
    const local = await open(bob.socket('/api/events'))
    for (const path of ['/api/cameras/yard/live', '/api/events']) {
      const code = await closing(await open(service.gate.socket(path, { headers: ann })))
      expect([path, code]).toEqual([path, 4408])
    }
    // The camera may still be connecting.
    await expect.poll(async () => (await service.gate.get('/api/cameras/yard/latest.jpg', ann)).status).toBe(200)
    for (const path of ['/api/events', '/api/cameras/yard/mjpeg']) {
      // A response that was begun, and aborted.
      await expect(service.gate.get(path, ann)).rejects.toThrow(/aborted|hang up|reset/i)
    }
    expect(local.readyState).toBe(local.OPEN)
  })

  test('[PROXY-18] the interval is from 1 to 86400 seconds, and five minutes by default', async () => {
    const service = await startService({ config: behindProxy({ header_map }) })
    expect((await service.gate.get('/api/profile', ann)).json).toMatchObject({ recheck_interval: 300 })
    for (const recheck_interval of [0, -1, 86_401, 1.5, 'often', null]) {
      const response = await changeConfig(service, { proxy: { header_map, recheck_interval } })
      expect([recheck_interval, response.status]).toEqual([recheck_interval, 400])
      expect(response.json).toMatchObject({ problems: [{ field: 'proxy.recheck_interval' }] })
    }
    expect((await changeConfig(service, { proxy: { header_map, recheck_interval: 86_400 } })).status).toBe(200)
  })
})

test('[PROXY-1] users of the database are not involved: no login, no token, and a different bob', async () => {
  let service = await startService({ config: { tls: { enabled: false } } })
  const before = await service.user('bob', 'admin')
  const sessions = (await before.get('/api/sessions')).json as { id: string }[]
  service = await service.restart({ config: behindProxy({ header_map, default_role: 'viewer' }) })
  const { gate, internal } = service

  const login = await gate.post('/api/login', { user: 'bob', password })
  expect([login.status, login.json]).toMatchObject([404, { detail: expect.stringMatching(/proxy/i) as string }])
  // A valid token of the database is ignored, whether it is valid or not.
  expect((await gate.get('/api/profile', before.headers)).status).toBe(401)
  for (const token of [before.headers, { authorization: 'Bearer nonsense' }, { cookie: 'gatehouse_token=x' }]) {
    expect(await profile(gate, { ...(token as Record<string, string>), 'x-forwarded-user': 'eve' })).toMatchObject({
      username: 'eve',
      role: 'viewer',
    })
  }

  // Even with the same name and case, the database's user is a different one.
  const bob = gate.with({ 'x-forwarded-user': 'bob' })
  expect((await bob.get('/api/profile')).json).toMatchObject({ username: 'bob', role: 'viewer', auth: 'proxy' })
  const stolen = await bob.put('/api/users/bob/password', { password: 'another long one', old_password: password })
  expect([403, 404]).toContain(stolen.status)
  expect((await bob.get('/api/sessions')).json).toEqual([])
  expect((await bob.get('/api/sessions?user=bob')).status).toBe(403)
  expect((await bob.delete(`/api/sessions/${sessions[0]?.id}`)).status).toBe(403)
  expect((await bob.delete('/api/sessions?others=true')).status).toBe(204)
  expect((await internal.get('/api/sessions?user=bob')).json).toHaveLength(sessions.length)

  // Users from headers are not created in the database; its users can still be managed.
  const admin = gate.with({ 'x-forwarded-user': 'root', 'x-forwarded-groups': 'admin' })
  const names = async () =>
    ((await admin.get('/api/users')).json as { username: string }[]).map((each) => each.username)
  expect(await names()).toEqual(['admin', 'bob'])
  const made = await admin.post('/api/users', { username: 'carol', password, role: 'viewer' })
  expect(made.status).toBe(201)
  expect((await admin.put('/api/users/bob/password', { password: 'another long one' })).status).toBe(200)
  expect((await admin.put('/api/users/carol/role', { role: 'admin' })).status).toBe(200)
  expect((await admin.delete('/api/users/carol')).status).toBe(204)
  expect(await names()).toEqual(['admin', 'bob'])
})

describe('trusted headers', () => {
  const thirteen = [
    'Remote-User',
    'Remote-Groups',
    'Remote-Email',
    'Remote-Name',
    'X-Forwarded-User',
    'X-Forwarded-Groups',
    'X-Forwarded-Email',
    'X-Forwarded-Preferred-Username',
    'X-idp-username',
    'X-idp-groups',
    'X-idp-email',
    'X-idp-name',
    'X-idp-uid',
  ]

  test('[PROXY-9] are exactly the thirteen', async () => {
    const service = await startService({ config: behindProxy({ default_role: 'viewer' }) })
    for (const user of thirteen) {
      expect((await changeConfig(service, { proxy: { header_map: { user }, default_role: 'viewer' } })).status).toBe(
        200,
      )
      expect(await profile(service.gate, { [user.toUpperCase()]: 'ann' })).toMatchObject({ username: 'ann' })
    }
    for (const name of [
      'Remote-Role',
      'X-Auth-Request-User',
      'X-Forwarded-For',
      'X_Forwarded_User',
      'Authorization',
      'Cookie',
      'X-Proxy-Secret',
      'X-Forwarded-User2',
    ]) {
      for (const part of ['user', 'role']) {
        const response = await changeConfig(service, { proxy: { header_map: { [part]: name } } })
        expect([name, response.status]).toEqual([name, 400])
        expect(response.json).toMatchObject({ problems: [{ field: `proxy.header_map.${part}` }] })
      }
    }
  })

  test('[PROXY-9] mapping any other header stops the service at startup, with a message that says how to trust it', async () => {
    const { status, output } = await failedStart({
      config: behindProxy({ header_map: { user: 'X-Auth-Request-User' } }),
    })
    expect(status).toBe(78)
    expect(output).toMatch(/proxy\.header_map\.user.*X-Auth-Request-User.*trusted_headers\.conf/)
    expect(output).toMatch(/TRUSTED_HEADERS_FILE|mount/)
  })

  test('[PROXY-10] come from a file that can be replaced', async () => {
    const own = '# ours\nX-Auth-Request-User # and this one\n\n  x-auth-request-GROUPS\n'
    const files = { 'mine.conf': own }
    const map = { user: 'x-auth-request-user', role: 'X-Auth-Request-Groups' }
    let service = await startService({ config: behindProxy({}), files })
    const env = { TRUSTED_HEADERS_FILE: join(service.configDir, 'mine.conf') }
    service = await service.restart({ env, config: behindProxy({ header_map: map }) })
    expect(
      await profile(service.gate, { 'x-auth-request-user': 'ann', 'x-auth-request-groups': 'guard' }),
    ).toMatchObject({ username: 'ann', role: 'guard' })
    // The thirteen defaults are not on this list.
    expect((await changeConfig(service, { proxy: { header_map } })).status).toBe(400)
  })

  test('[PROXY-10] [PORT-4] Remote-Role counts only where the list and the map both name it', async () => {
    const map = { user: 'remote-user', role: 'remote-role' }
    let service = await startService({ config: behindProxy({}), files: { 'mine.conf': 'Remote-User\nRemote-Role\n' } })
    const env = { TRUSTED_HEADERS_FILE: join(service.configDir, 'mine.conf') }
    service = await service.restart({
      env,
      config: behindProxy({ header_map: { user: 'remote-user' }, default_role: 'guard' }),
    })
    const claims = { 'remote-user': 'ann', 'remote-role': 'admin' }
    expect(await profile(service.gate, claims)).toMatchObject({ role: 'guard' })
    await changeConfig(service, { proxy: { header_map: map, default_role: 'guard' } })
    expect(await profile(service.gate, claims)).toMatchObject({ role: 'admin' })
  })
})

test('[PROXY-11] at debug, the log contains headers, groups, the role and the reason, and never a secret', async () => {
  const map = { ...header_map, role_map: { guard: ['night watch'], clerk: ['desk'] } }
  const config = behindProxy({ header_map: map, auth_secret: 'proxy-secret-in-config', default_role: 'viewer' })
  const service = await startService({ config })
  const ask = (groups: string, secret = 'proxy-secret-in-config') =>
    service.gate.get('/api/profile', {
      'x-forwarded-user': 'ann\u00e9',
      'x-forwarded-groups': groups,
      'remote-email': 'ann@example.org',
      'x-unlisted': 'not-a-trusted-header',
      'x-proxy-secret': secret,
      cookie: 'gatehouse_token=cookie-of-a-browser',
      authorization: 'Bearer token-of-a-program',
    })
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('"service.api.auth"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      // A wrong secret is a warning [PROXY-19].
      .filter(({ level }) => level === 'debug')

  await ask('desk')
  expect(lines()).toEqual([])
  await changeConfig(service, { logger: { logs: { 'service.api.auth': 'debug' } } })
  await ask('visitors, night watch,desk')
  await ask('visitors')
  await ask('desk', 'proxy-secret-guessed')
  await expect.poll(lines).toHaveLength(3)
  const [matched, fell, refused] = lines()
  expect(matched).toMatchObject({
    level: 'debug',
    headers: { 'x-forwarded-groups': 'visitors, night watch,desk', 'remote-email': 'ann@example.org' },
    groups: ['visitors', 'night watch', 'desk'],
    role: 'guard',
    reason: expect.stringMatching(/night watch.*guard.*role_map/) as string,
  })
  expect(Object.keys(matched?.['headers'] as object).sort()).toEqual([
    'remote-email',
    'x-forwarded-groups',
    'x-forwarded-user',
  ])
  expect(refused).toMatchObject({
    msg: 'refused by proxy headers',
    headers: { 'x-forwarded-groups': 'desk' },
    groups: [],
    reason: expect.stringContaining('X-Proxy-Secret') as string,
  })
  expect(fell).toMatchObject({ role: 'viewer', reason: expect.stringContaining('default_role') as string })
  for (const secret of ['proxy-secret-in-config', 'proxy-secret-guessed', 'cookie-of', 'token-of', 'not-a-trusted']) {
    expect(service.output()).not.toContain(secret)
  }
})

describe('[PROXY-16]', () => {
  test('[PROXY-16] only headers from trusted peers count', async () => {
    const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin' }
    const service = await startService({ config: behindProxy({ header_map, trusted_peers: ['192.0.2.0/24'] }) })
    expect(await profile(service.gate, ann)).toBe(401)
    // The socket's address counts, whatever a header claims.
    const trusting = { auth: { enabled: false, trusted_proxies: ['127.0.0.1'] } }
    expect((await changeConfig(service, trusting)).status).toBe(200)
    expect(await profile(service.gate, { ...ann, 'x-forwarded-for': '192.0.2.7', 'x-real-ip': '192.0.2.7' })).toBe(401)
    await changeConfig(service, { proxy: { header_map, trusted_peers: ['192.0.2.0/24', '127.0.0.0/8'] } })
    expect(await profile(service.gate, ann)).toMatchObject({ role: 'admin' })
    // An IPv4 range written as IPv6 is only that range.
    await changeConfig(service, { proxy: { header_map, trusted_peers: ['::ffff:10.0.0.0/104'] } })
    expect(await profile(service.gate, ann)).toBe(401)
    expect((await changeConfig(service, { proxy: { header_map, trusted_peers: [] } })).status).toBe(400)
    expect((await changeConfig(service, { proxy: { header_map, trusted_peers: ['everywhere'] } })).status).toBe(400)
  })

  test.each<[what: string, guard: Section]>([
    ['the secret', { auth_secret: 'x'.repeat(32) }],
    ['the trusted peers', { trusted_peers: ['192.0.2.0/24'] }],
  ])('[PROXY-16, ROLE-7] a config file without %s leaves the gate as protected as before', async (_what, guard) => {
    const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'admin' }
    const service = await startService({ config: behindProxy({ header_map, ...guard }) })
    expect(await profile(service.gate, ann)).toBe(401)
    const [key] = Object.keys(guard)
    const saved = await changeConfig(service, { proxy: { header_map } })
    expect(saved.json).toEqual({ applied: [], restart_required: [`proxy.${key}`] })
    expect(await profile(service.gate, ann)).toBe(401)
    // Other changes of the file are applied as usual.
    expect((await changeConfig(service, { proxy: { header_map, default_role: 'viewer' } })).json).toMatchObject({
      applied: ['proxy.default_role'],
    })
    expect(await profile(service.gate, ann)).toBe(401)
    const again = await service.restart()
    expect(again.output()).toMatch(warning)
    expect(await profile(again.gate, ann)).toMatchObject({ role: 'admin' })
  })

  const warning = /"level":"warn".*proxy not verified/
  test.each<[what: string, proxy: Section, auth: Section, warned: boolean]>([
    ['neither peers nor a secret: a warning', { header_map }, { enabled: false }, true],
    ['peers: none', { header_map, trusted_peers: ['127.0.0.1'] }, { enabled: false }, false],
    ['a secret: none', { header_map, auth_secret: 'a secret' }, { enabled: false }, false],
    ['our own login: none', { header_map }, { enabled: true }, false],
  ])('[PROXY-16] at startup, %s', async (_why, proxy, auth, warned) => {
    const service = await startService({ config: { tls: { enabled: false }, auth, proxy } })
    expect(warning.test(service.output())).toBe(warned)
  })
})

test.each<[what: string, secret: string, warned: boolean]>([
  ['31 characters', 'x'.repeat(31), true],
  ['32 characters', 'x'.repeat(32), false],
  ['31 characters, from a placeholder', '{SERVICE_PROXY_SHORT}', true],
])('[PROXY-19] at startup, a proxy secret of %s', async (_why, auth_secret, warned) => {
  const service = await startService({
    config: behindProxy({ header_map, auth_secret }),
    env: { SERVICE_PROXY_SHORT: 'y'.repeat(31) },
  })
  expect(/"level":"warn".*proxy\.auth_secret.*shorter than 32/.test(service.output())).toBe(warned)
  expect(service.output()).not.toMatch(/xxxx|yyyy/)
})

describe('wrong proxy secrets', () => {
  const secret = 'fewer than thirty-two'
  const longSecret = 'thirty-two characters and some more'
  const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'viewer' }
  const limited = (proxy: Section = {}, auth: Section = {}) => ({
    tls: { enabled: false },
    auth: { roles, failed_login_rate_limit: '3/hour', ...auth },
    proxy: { auth_secret: secret, header_map, ...proxy },
  })
  const ask = async (service: Service, value: string | undefined, from = '127.0.0.1', more: readonly string[] = []) => {
    const headers = Object.entries(ann).map(([name, text]) => `${name}: ${text}`)
    const sent = value === undefined ? [] : [`X-Proxy-Secret: ${value}`]
    return rawRequest(service.gate, { target: '/api/profile', headers: [...headers, ...sent, ...more], from })
  }

  test.each<[what: string, config: Section]>([
    ['where only the proxy authenticates', limited({ auth_secret: longSecret }, { enabled: false })],
    ['with our own sign-in', limited({ auth_secret: longSecret, enabled: true })],
  ])('[PROXY-2] %s: a long one is always compared, so that no one locks the proxy out', async (_why, config) => {
    const service = await startService({ config })
    const askFor = (target: string, value: string) =>
      rawRequest(service.gate, {
        target,
        headers: [...Object.entries(ann).map(([name, text]) => `${name}: ${text}`), `X-Proxy-Secret: ${value}`],
      })
    for (let tries = 0; tries < 6; tries += 1) {
      for (const path of ['/api/profile', '/api/auth']) {
        const refused = await askFor(path, `guess-${tries}`)
        expect([refused.status, /retry-after/i.test(refused.head)]).toEqual([401, false])
      }
    }
    expect((await askFor('/api/profile', longSecret)).status).toBe(200)
    expect((await askFor('/api/auth', longSecret)).status).toBe(202)
    expect((await askFor('/api/profile', 'guess')).status).toBe(401)
    await expect.poll(() => entries(service)).toHaveLength(1)
    expect(await entries(service)).toMatchObject([{ address: '127.0.0.1', result: 'denied' }])
    expect(service.output().match(/wrong X-Proxy-Secret/g)).toHaveLength(1)
  })

  test.each<[what: string, config: Section]>([
    ['where only the proxy authenticates', limited({}, { enabled: false })],
    ['with our own sign-in', limited({ enabled: true })],
  ])(
    '[PROXY-19] %s: a short one: past the limit 429 with Retry-After, right or wrong, and one entry that names the address',
    async (_why, config) => {
      const service = await startService({ config })
      // A missing secret does not count as a guess.
      for (let tries = 0; tries < 5; tries += 1) expect((await ask(service, undefined, '127.0.0.2')).status).toBe(401)
      for (let tries = 0; tries < 3; tries += 1)
        expect((await ask(service, `guess-${tries}`, '127.0.0.2')).status).toBe(401)
      for (const value of ['guess-4', secret]) {
        const refused = await ask(service, value, '127.0.0.2')
        expect(refused.status).toBe(429)
        expect(Number(/retry-after: (\d+)/i.exec(refused.head)?.[1])).toBeGreaterThan(3500)
      }
      // Another address is counted separately.
      expect((await ask(service, secret, '127.0.0.3')).status).toBe(200)
      await expect.poll(() => entries(service)).toHaveLength(1)
      expect(await entries(service)).toMatchObject([{ address: '127.0.0.2', result: 'denied' }])
      expect(service.output()).toMatch(/"level":"warn".*127\.0\.0\.2.*wrong X-Proxy-Secret/)
      expect(service.output()).not.toMatch(/guess-\d/)
    },
  )

  test('[PROXY-19] with a short one the proxy cannot be locked out either: it has sent it before, or is named in the configuration', async () => {
    const service = await startService({ config: limited({ enabled: true }) })
    expect((await ask(service, secret)).status).toBe(200)
    const responses: number[] = []
    for (let tries = 0; tries < 5; tries += 1) responses.push((await ask(service, `guess-${tries}`)).status)
    expect(responses).toEqual([401, 401, 401, 429, 429])
    expect((await ask(service, secret)).status).toBe(200)

    // A proxy that forwards its clients' secrets, none of them right before: each client is counted separately.
    const named = await startService({ config: limited({ enabled: true }, { trusted_proxies: ['127.0.0.1'] }) })
    for (let tries = 0; tries < 3; tries += 1) await ask(named, 'guess', '127.0.0.1', via('192.0.2.1'))
    expect((await ask(named, 'guess', '127.0.0.1', via('192.0.2.1'))).status).toBe(429)
    expect((await ask(named, 'guess', '127.0.0.1', via('192.0.2.2'))).status).toBe(401)
    expect((await ask(named, secret, '127.0.0.1', via('192.0.2.1'))).status).toBe(200)
  })

  test('[PROXY-19] guesses do not lock local users out, and a limit of null disables the counting', async () => {
    const service = await startService({ config: limited({ enabled: true }) })
    const bob = await service.user('bob')
    for (let tries = 0; tries < 5; tries += 1) await ask(service, 'guess')
    expect((await bob.get('/api/profile')).status).toBe(200)
    expect((await bob.get('/api/profile', { 'x-proxy-secret': 'guess' })).status).toBe(200)
    expect((await service.gate.post('/api/login', { user: 'bob', password })).status).toBe(200)
    const off = { auth: { roles, failed_login_rate_limit: null } }
    expect((await changeConfig(service, off)).status).toBe(200)
    expect((await ask(service, 'guess')).status).toBe(401)
    expect((await ask(service, secret)).status).toBe(200)
  })
})

test.each([
  ['proxy.logout_url', { proxy: { logout_url: 'https://sso.example/out?back=%2F' } }],
  ['logout_url', { logout_url: 'https://sso.example/out?back=%2F' }],
])('[PROXY-13] %s is the target of the logout link', async (_key, where) => {
  const config = behindProxy({ header_map, default_role: 'viewer', ...(where as { proxy?: object }).proxy })
  const service = await startService({ config: { ...where, ...config } })
  const ann = service.gate.with({ 'x-forwarded-user': 'ann' })
  expect((await ann.get('/api/profile')).json).toMatchObject({ logout_url: 'https://sso.example/out?back=%2F' })
  const out = await ann.get('/api/logout')
  expect([out.status, out.headers.location]).toEqual([303, 'https://sso.example/out?back=%2F'])
  expect((await changeConfig(service, { proxy: { header_map, logout_url: 'javascript:alert(1)' } })).status).toBe(400)
})

const nginx = program('nginx')

describe.skipIf(!nginx)('behind nginx', () => {
  test('[PROXY-1] [PROXY-2] [PROXY-3] users are signed in over a TLS link with a secret, WebSockets too', async () => {
    const secret = 'shared between the two of us'
    const map = { ...header_map, role_map: { admin: ['it'], guard: ['watch'] } }
    const service = await startService({
      config: {
        auth: { enabled: false, roles, trusted_proxies: ['127.0.0.1'] },
        proxy: { header_map: map, auth_secret: secret },
        cameras: quietCameras,
      },
    })
    const authority = join(service.dir, 'ca.crt')
    writeFileSync(authority, (await service.gate.get('/ca.crt')).body)
    const front = client(await startNginx(service, authority, secret), 'http', {})
    const as = (name: string) =>
      front.with({ authorization: `Basic ${Buffer.from(`${name}:let-${name}-in`).toString('base64')}` })

    expect((await front.get('/api/profile')).status).toBe(401)
    expect((await as('ann').get('/api/profile')).json).toMatchObject({ username: 'ann', role: 'admin' })
    const gus = as('gus')
    expect((await gus.get('/api/profile')).json).toMatchObject({
      username: 'gus',
      role: 'guard',
      allowed_cameras: ['door'],
    })
    expect((await gus.get('/api/cameras/yard')).status).toBe(403)
    expect((await as('ned').get('/api/profile')).status).toBe(403)

    // Identity headers from the client do not reach the service, nor do they pass nginx.
    const claims = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'it', 'x-proxy-secret': secret }
    expect((await gus.get('/api/profile', claims)).json).toMatchObject({ username: 'gus', role: 'guard' })
    const twins = {
      x_forwarded_user: 'ann',
      x_forwarded_groups: 'it',
      connection: 'x-forwarded-user, x-forwarded-groups',
    }
    expect((await gus.get('/api/profile', twins)).json).toMatchObject({ username: 'gus', role: 'guard' })
    expect(
      (await service.gate.get('/api/profile', { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'it' })).status,
    ).toBe(401)

    // A browser's WebSocket, with the page's own origin.
    const origin = { origin: front.base }
    const socket = await open(gus.socket('/api/cameras/door/live', { headers: origin }))
    expect(await refusedWith(gus.socket('/api/cameras/yard/live', { headers: origin }))).toContain('403')
    expect(
      await refusedWith(gus.socket('/api/cameras/door/live', { headers: { origin: 'https://evil.example' } })),
    ).toContain('403')
    const { closed } = await closingAfter(socket, () =>
      changeConfig(service, { proxy: { header_map: { ...map, role_map: { admin: ['it'] } }, auth_secret: secret } }),
    )
    expect((await closed).after).toBeLessThan(1000)

    // The audit log contains the user and the address of the client, not of nginx.
    await expect
      .poll(async () => (await service.internal.get('/api/audit?user=gus')).text)
      .toMatch(/"auth_method":"proxy".*127\.0\.0\.1/)
  })
})

/** Starts a proxy that asks for a password and sends the username in a header. @returns its port. */
async function startNginx(service: Service, authority: string, secret: string): Promise<number> {
  const dir = join(service.dir, 'nginx')
  mkdirSync(dir)
  const port = await freePort()
  const groupsOfUsers = { ann: 'it,staff', gus: 'watch', ned: '' }
  writeFileSync(
    join(dir, 'users'),
    Object.keys(groupsOfUsers)
      .map((name) => `${name}:{PLAIN}let-${name}-in\n`)
      .join(''),
  )
  const conf = `
    daemon off; pid ${dir}/pid; error_log ${dir}/error.log warn; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 64; }
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${dir}/${each};`).join(' ')}
      map $remote_user $groups { ${Object.entries(groupsOfUsers)
        .map(([name, groups]) => `${name} "${groups}";`)
        .join(' ')} }
      map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
      server {
        listen 127.0.0.1:${port};
        auth_basic "Gatehouse"; auth_basic_user_file ${dir}/users;
        location / {
          proxy_pass https://127.0.0.1:${service.gatePort};
          proxy_ssl_verify on; proxy_ssl_trusted_certificate ${authority}; proxy_ssl_name localhost;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_upgrade;
          proxy_set_header Authorization "";
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-User $remote_user;
          proxy_set_header X-Forwarded-Groups $groups;
          proxy_set_header X-Proxy-Secret "${secret}";
        }
      }
    }`
  writeFileSync(join(dir, 'nginx.conf'), conf)
  const child = spawn(nginx!, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const front = client(port, 'http', {})
  await expect
    .poll(() =>
      front.get('/').then(
        ({ status }) => status,
        () => text || 'not there yet',
      ),
    )
    .toBe(401)
  return port
}
