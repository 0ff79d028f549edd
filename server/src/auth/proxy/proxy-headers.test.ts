import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { fakeRoles } from '../../../test/support/fake-roles.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import type { Log } from '../../shared/log.ts'
import { createProxyHeaders, explainProxyHeaders } from './proxy-headers.ts'
import type { ProxyConfig } from '../config/proxy.config.ts'

type Headers = Readonly<Record<string, string | readonly string[]>>

/** A header value as Node reads it: one character per UTF-8 byte. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const meta = (headers: Headers, peer = '10.0.0.1'): RequestMeta => ({
  peer,
  encrypted: false,
  values: (name) => [headers[name] ?? []].flat(),
})

const clock = { elapsed: () => 0 }

const plain: ProxyConfig = {
  enabled: false,
  recheck_interval: 300,
  auth_secret: null,
  separator: ',',
  default_role: null,
  require_role_header: false,
  header_map: { user: 'X-Forwarded-User', display_name: null, role: 'X-Forwarded-Groups', role_map: new Map() },
  trusted_peers: null,
  prefix_header: 'x-forwarded-prefix',
  logout_url: null,
}
const required: ProxyConfig = { ...plain, default_role: 'viewer', require_role_header: true }
const byGroup: ProxyConfig = {
  ...plain,
  header_map: { ...plain.header_map, role_map: new Map(Object.entries({ admin: ['sysadmins'], side: ['Führung'] })) },
}
const roles = fakeRoles(
  new Map([
    ['side', ['yard']],
    ['back', ['garden']],
  ]),
)

const gate = (section: ProxyConfig) =>
  createProxyHeaders({ proxy: () => section, roles: () => roles, trustedHeaders: [], clock, log: silent }).authenticate

const user = 'x-forwarded-user'
const role = 'x-forwarded-groups'

test.each<[name: string, section: ProxyConfig, headers: Headers, who: string | 401, role?: string]>([
  ['[PROXY-3] user and role', plain, { [user]: 'bob', [role]: 'viewer' }, 'bob', 'viewer'],
  ['[PROXY-3] several roles', plain, { [user]: 'bob', [role]: 'x , viewer ,side' }, 'bob', 'viewer'],
  ['[PROXY-3] another separator', { ...plain, separator: '|' }, { [user]: 'bob', [role]: 'x,y| side' }, 'bob', 'side'],
  ['[PROXY-3] a long separator', { ...plain, separator: '::' }, { [user]: 'bob', [role]: 'a::side' }, 'bob', 'side'],
  ['[PROXY-3] the user is one name, whole', plain, { [user]: ' bob, viewer\t', [role]: 'side' }, 'bob, viewer', 'side'],
  ['[PROXY-3] the name is exact', plain, { [user]: 'BoB', [role]: 'side' }, 'BoB', 'side'],
  ['[PROXY-3] a name in UTF-8', plain, { [user]: bytes('Jürgen 🎥'), [role]: 'side' }, 'Jürgen 🎥', 'side'],
  ['[PROXY-3] a name in Latin-1', plain, { [user]: 'J\u00fcrgen', [role]: 'side' }, 'Jürgen', 'side'],
  ['[PROXY-4] a group in UTF-8', byGroup, { [user]: 'bob', [role]: bytes('x,Führung') }, 'bob', 'side'],
  ['[PROXY-5] an absent role', { ...plain, default_role: 'viewer' }, { [user]: 'bob' }, 'bob', 'viewer'],
  ['[PROXY-5] an empty role', { ...plain, default_role: 'viewer' }, { [user]: 'bob', [role]: ' , ' }, 'bob', 'viewer'],
  [
    '[PROXY-5] an empty group has no role',
    { ...plain, header_map: { ...plain.header_map, role_map: new Map([['side', ['']]]) } },
    { [user]: 'bob', [role]: ' , ' },
    'bob',
  ],
  ['[PROXY-5] no role', plain, { [user]: 'bob' }, 'bob'],
  [
    '[PROXY-5] no role header mapped',
    { ...plain, header_map: { ...plain.header_map, user, role: null } },
    { [user]: 'bob', [role]: 'admin' },
    'bob',
  ],
  ['[PROXY-6] a match', { ...plain, default_role: 'admin' }, { [user]: 'bob', [role]: 'side' }, 'bob', 'side'],
  ['[PROXY-7] admin', byGroup, { [user]: 'bob', [role]: bytes('Führung,sysadmins') }, 'bob', 'admin'],
  ['[PROXY-20] an absent role where it is required', required, { [user]: 'bob' }, 'bob'],
  ['[PROXY-20] an empty role where it is required', required, { [user]: 'bob', [role]: '' }, 'bob', 'viewer'],
  ['[PROXY-20] a role where it is required', required, { [user]: 'bob', [role]: 'side' }, 'bob', 'side'],
  ['[PROXY-8] no user', plain, { [role]: 'admin' }, 401],
  ['[PROXY-8] an empty user', plain, { [user]: ' \t', [role]: 'admin' }, 401],
  ['[PROXY-8] two different users', plain, { [user]: ['bob', 'eve'], [role]: 'admin' }, 401],
  ['[PROXY-8] one user twice', plain, { [user]: ['bob', 'bob'], [role]: 'side' }, 'bob', 'side'],
  [
    '[PROXY-8] no user mapped',
    { ...plain, header_map: { ...plain.header_map, user: null, role } },
    { [user]: 'bob', [role]: 'side' },
    'anonymous',
    'side',
  ],
  ['[PROXY-8] a control character', plain, { [user]: 'bob\u0007', [role]: 'admin' }, 401],
  ['[PROXY-8] a C1 control character', plain, { [user]: bytes('bob\u009b'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name with a bidi control', plain, { [user]: bytes('bob\u202e'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name with a mark of direction', plain, { [user]: bytes('bob\u200f'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name with a zero-width space', plain, { [user]: bytes('b\u200bob'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name with a no-break space', plain, { [user]: bytes('bob\u00a0'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name with two spaces side by side', plain, { [user]: 'ann  b', [role]: 'admin' }, 401],
  ['[PROXY-8] a name that is not in NFC', plain, { [user]: bytes('e\u0301va'), [role]: 'admin' }, 401],
  ['[PROXY-8] a name that is in NFC', plain, { [user]: bytes('\u00e9va b'), [role]: 'side' }, '\u00e9va b', 'side'],
  ['[PROXY-8] a name of 256 characters', plain, { [user]: 'b'.repeat(256), [role]: 'side' }, 'b'.repeat(256), 'side'],
  ['[PROXY-8] a name of 257 characters', plain, { [user]: 'b'.repeat(257), [role]: 'admin' }, 401],
  ['[PROXY-15] two different roles', plain, { [user]: 'bob', [role]: ['side', 'admin'] }, 401],
  ['[PROXY-15] one role twice', plain, { [user]: 'bob', [role]: ['side', 'side'] }, 'bob', 'side'],
  ['[PROXY-2] no secret', { ...plain, auth_secret: 's3' }, { [user]: 'bob', [role]: 'side' }, 401],
  [
    '[PROXY-2] the secret',
    { ...plain, auth_secret: 's3' },
    { [user]: 'bob', [role]: 'side', 'x-proxy-secret': 's3' },
    'bob',
    'side',
  ],
  ['[PROXY-16] another peer', { ...plain, trusted_peers: ['10.9.0.0/16'] }, { [user]: 'bob', [role]: 'side' }, 401],
  ['[PROXY-16] no peer', { ...plain, trusted_peers: [] }, { [user]: 'bob', [role]: 'side' }, 401],
  ['[PROXY-16] the peer', { ...plain, trusted_peers: ['10.0.0.1'] }, { [user]: 'bob', [role]: 'side' }, 'bob', 'side'],
])('%s', (_name, section, headers, who, role) => {
  const { identity, ambient } = gate(section)(meta(headers))
  expect(ambient).toBe(true)
  if (who === 401) expect(identity).toEqual({ kind: 'unauthenticated' })
  else
    expect(identity).toEqual({
      kind: 'authenticated',
      authMethod: 'proxy',
      name: who,
      key: who,
      userId: null,
      role,
      session: undefined,
    })
})

test.each<[Headers, isNamed: boolean, isTrusted: boolean, isContradictory: boolean]>([
  [{}, false, false, false],
  [{ [user]: ' \t' }, false, false, false],
  [{ [user]: 'bob' }, true, false, false],
  [{ [user]: 'bob', 'x-proxy-secret': 's3' }, true, true, false],
  [{ [user]: ['', 'bob'], 'x-proxy-secret': 's3' }, true, false, true],
  [{ [user]: ['bob', 'bob'], 'x-proxy-secret': ['s3', 's3'] }, true, true, false],
  [{ [role]: ['a', 'b'] }, false, false, true],
  [{ 'x-proxy-secret': ['s3', 'other'] }, false, false, true],
  [{ other: ['a', 'b'] }, false, false, false],
])('[PROXY-17] %j name a user: %s, who is trusted: %s; contradict: %s', (headers, isNamed, isTrusted, contradicts) => {
  const section = { ...plain, auth_secret: 's3' }
  const of = createProxyHeaders({ proxy: () => section, roles: () => roles, trustedHeaders: [], clock, log: silent })
  const sent = meta(headers)
  expect([of.nameUser(sent), of.areTrusted(sent), of.contradict(sent)]).toEqual([isNamed, isTrusted, contradicts])
})

const named: ProxyConfig = { ...plain, header_map: { ...plain.header_map, display_name: 'X-idp-name' } }

test.each<[name: string, sent: string | readonly string[], displayName: string | undefined | 401]>([
  ['a name', ' Ann Lee\t', 'Ann Lee'],
  ['a name in UTF-8', bytes('安'), '安'],
  ['a name sent twice', ['Ann', 'Ann'], 'Ann'],
  ['no name', [], undefined],
  ['an empty name', ' ', undefined],
  ['a control character', 'Ann\u0007', undefined],
  ['a bidi control', bytes('Ann\u202e'), undefined],
  ['a mark of direction', bytes('Ann\u200f'), undefined],
  ['a name with a non-joiner', bytes('خانه\u200cها'), 'خانه\u200cها'],
  ['only a zero-width space', bytes('\u200b'), undefined],
  ['256 characters', 'a'.repeat(256), 'a'.repeat(256)],
  ['257 characters', 'a'.repeat(257), undefined],
  ['two names', ['Ann', 'Eve'], 401],
  ['a name and an empty one', ['Ann', ''], 401],
])('[PROXY-21] a display name: %s', (_name, sent, displayName) => {
  const of = createProxyHeaders({ proxy: () => named, roles: () => roles, trustedHeaders: [], clock, log: silent })
  const headers = { [user]: '6f2e', [role]: 'side', 'x-idp-name': sent }
  expect(of.contradict(meta(headers))).toBe(displayName === 401)
  const { identity } = of.authenticate(meta(headers))
  if (displayName === 401) expect(identity).toEqual({ kind: 'unauthenticated' })
  else expect(identity).toMatchObject({ name: '6f2e', key: '6f2e', role: 'side' })
  if (displayName !== 401) expect((identity as { displayName?: string }).displayName).toBe(displayName)
})

test('[PROXY-17] without mapped headers, none names a user or contradicts', () => {
  const section = { ...plain, header_map: { ...plain.header_map, user: null, role: null } }
  const of = createProxyHeaders({ proxy: () => section, roles: () => roles, trustedHeaders: [], clock, log: silent })
  const sent: RequestMeta = { ...meta({}), values: (name) => ((name as unknown) === undefined ? ['a', 'b'] : []) }
  expect([of.nameUser(sent), of.contradict(sent)]).toEqual([false, false])
})

test('[ROLE-10] an open stream is reauthorized with the current configuration', async () => {
  let section: ProxyConfig = { ...plain, auth_secret: 's3' }
  let known = roles
  const { authenticate } = createProxyHeaders({
    proxy: () => section,
    roles: () => known,
    trustedHeaders: [],
    clock,
    log: silent,
  })
  const authentication = authenticate(meta({ [user]: 'bob', [role]: 'side', 'x-proxy-secret': 's3' }))
  const now = async () => (await authentication.reauthenticate()).identity
  expect(await now()).toMatchObject({ name: 'bob', role: 'side' })

  known = fakeRoles(new Map([['back', ['garden']]]))
  expect(await now()).toMatchObject({ name: 'bob', role: undefined })
  section = { ...section, header_map: { ...plain.header_map, role_map: new Map([['back', ['side']]]) } }
  expect(await now()).toMatchObject({ name: 'bob', role: 'back' })
  section = { ...section, auth_secret: 'another' }
  expect(await now()).toEqual({ kind: 'unauthenticated' })
  section = { ...section, auth_secret: null, trusted_peers: ['10.9.0.0/16'] }
  expect(await now()).toEqual({ kind: 'unauthenticated' })
  section = { ...section, trusted_peers: null }
  expect(await (await authentication.reauthenticate()).reauthenticate()).toMatchObject({
    identity: { name: 'bob', role: 'back' },
  })
})

test('[PROXY-11] at debug level, each request logs its headers and the resulting identity, but no secret', () => {
  const lines: Record<string, unknown>[] = []
  const log: Log = { ...silent, debug: (fields) => void lines.push({ ...fields }), enabled: () => true }
  const { authenticate } = createProxyHeaders({
    proxy: () => ({ ...byGroup, auth_secret: 'hush-hush' }),
    roles: () => roles,
    // A custom list can contain any header.
    trustedHeaders: [
      user,
      role,
      'remote-name',
      'x-proxy-secret',
      'cookie',
      'authorization',
      'x-forwarded-access-token',
    ],
    clock,
    log,
  })
  const headers = {
    [role]: bytes('Führung, x\u001b[31m'),
    'remote-name': bytes('Bob\u202e\u0085'),
    'x-proxy-secret': 'hush-hush',
    'x-forwarded-access-token': 'hush-token',
    cookie: 'hush-cookie',
    authorization: 'Bearer hush-bearer',
    'x-idp-name': 'not in the list',
  }
  void authenticate(meta({ ...headers, [user]: 'bob' })).reauthenticate()
  authenticate(meta(headers))

  expect(lines).toEqual([
    {
      peer: '10.0.0.1',
      headers: { [user]: 'bob', [role]: 'Führung, x\\u{1b}[31m', 'remote-name': 'Bob\\u{202e}\\u{85}' },
      groups: ['Führung', 'x\\u{1b}[31m'],
      user: 'bob',
      role: 'side',
      reason: 'group "Führung" maps to side in proxy.header_map.role_map',
    },
    {
      peer: '10.0.0.1',
      headers: { [role]: 'Führung, x\\u{1b}[31m', 'remote-name': 'Bob\\u{202e}\\u{85}' },
      groups: [],
      user: undefined,
      role: undefined,
      reason: 'the user header is missing or empty',
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('hush')
})

test.each([
  [false, []],
  [true, ['refused by proxy headers', 'authenticated by proxy headers', 'refused by proxy headers']],
])('[PROXY-11] at debug level: %s, what is logged: %j', (enabled, messages) => {
  const logged: unknown[] = []
  const log: Log = { ...silent, debug: (_fields, message) => void logged.push(message), enabled: () => enabled }
  const proxy = createProxyHeaders({ proxy: () => plain, roles: () => roles, trustedHeaders: [], clock, log })
  proxy.logRefused(meta({}))
  proxy.authenticate(meta({ [user]: 'bob' }))
  proxy.authenticate(meta({}))
  expect(logged).toEqual(messages)
})

/** What warnings the headers of a trusted or another peer cause. */
function warnings(section: Partial<ProxyConfig> = {}) {
  let now = 1
  const logged: unknown[] = []
  const log: Log = { ...silent, warn: (fields, message) => void logged.push([fields, message]) }
  const proxy = createProxyHeaders({
    proxy: () => ({ ...plain, ...section }),
    roles: () => roles,
    trustedHeaders: [user],
    clock: { elapsed: () => now },
    log,
  })
  return { proxy, taken: () => logged.splice(0), pass: (milliseconds: number) => void (now += milliseconds) }
}

const rejectedFrom = (peer: string) => [
  {
    peer,
    reason: expect.stringContaining('contains invisible characters') as string,
    hint: 'set the level of service.api.auth to debug to see the headers',
  },
  'username from the proxy rejected',
]

test.each([
  ['is too long', 'bob'.repeat(100)],
  ['has an invisible character', bytes('bob\u200b')],
  ['imitates a log line', 'bob\n{"level":50}'],
  ['has two spaces next to each other', 'bob  b'],
])(
  '[PROXY-11] a rejected username that %s is a warning without the name, also before the request is authenticated',
  (_what, name) => {
    const { proxy, taken, pass } = warnings()
    proxy.authenticate(meta({ [user]: name }))
    const logged = taken()
    expect(logged).toEqual([rejectedFrom('10.0.0.1')])
    expect(JSON.stringify(logged)).not.toContain('bob')
    pass(60_001)
    proxy.logRefused(meta({ [user]: name }))
    expect(taken()).toEqual([rejectedFrom('10.0.0.1')])
  },
)

test('[PROXY-11] a rejected username is a warning once a minute for each peer', () => {
  const { proxy, taken, pass } = warnings()
  const all = () => {
    for (const peer of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) proxy.authenticate(meta({ [user]: 'b  b' }, peer))
    return taken()
  }
  expect(all()).toEqual([rejectedFrom('10.0.0.1'), rejectedFrom('10.0.0.2')])
  pass(60_000)
  expect(all()).toEqual([])
  pass(1)
  expect(all()).toHaveLength(2)
})

test.each<[Partial<ProxyConfig>, Headers]>([
  [{}, { [user]: 'bob' }],
  [{}, { [user]: '' }],
  [{ auth_secret: 's3' }, { [user]: 'b  b' }],
  [{ trusted_peers: ['192.0.2.1'] }, { [user]: 'b  b' }],
])('[PROXY-11] with %j, the headers %j are no warning', (section, headers) => {
  const { proxy, taken } = warnings(section)
  proxy.authenticate(meta(headers))
  proxy.logRefused(meta(headers))
  expect(taken()).toEqual([])
})

test.each<[headers: Headers, user: string | undefined, role: string | undefined, reason: string]>([
  [
    { 'X-Forwarded-User': 'Jürgen', 'X-Forwarded-Groups': 'x,Führung' },
    'Jürgen',
    'side',
    'group "Führung" maps to side',
  ],
  [{ [user]: 'Łukasz', [role]: 'x' }, 'Łukasz', undefined, "proxy.default_role isn't set"],
  [{ [role]: 'sysadmins' }, undefined, undefined, 'missing or empty'],
  [{ [user]: 'bob', 'X-Forwarded-User': 'eve' }, undefined, undefined, 'twice'],
  [{ [user]: 'bob', [role]: ['a', 'b'] }, undefined, undefined, 'twice'],
  [{ x_forwarded_user: 'bob' }, undefined, undefined, 'missing or empty'],
])('[PROXY-4] the headers %j give user %s, role %s', (headers, user, role, reason) => {
  const section = { ...byGroup, auth_secret: 's3', trusted_peers: ['192.0.2.1'] }
  const response = explainProxyHeaders({ proxy: () => section, roles: () => roles, passwordSignIn: false }, headers)
  expect(response.identity).toMatchObject(
    user === undefined ? { kind: 'unauthenticated' } : { kind: 'authenticated', authMethod: 'proxy', name: user, role },
  )
  expect(response.reason.message).toContain(reason)
})

test.each<[Headers, passwordSignIn: boolean, enabled: boolean, code: string]>([
  [{}, true, true, 'signs-in-here'],
  [{}, true, false, 'user-header-missing'],
  [{}, false, true, 'user-header-missing'],
  [{ [user]: 'b'.repeat(257) }, true, true, 'user-header-invalid'],
  [{ [user]: 'ann  b' }, true, true, 'user-header-invalid'],
  [{ ' X-Forwarded-User ': 'bob' }, true, true, 'group-none'],
])('[PROXY-17] the preview of %j, auth.enabled %s, proxy.enabled %s: %s', (headers, passwordSignIn, enabled, code) => {
  const section = { ...byGroup, enabled }
  const { reason } = explainProxyHeaders({ proxy: () => section, roles: () => roles, passwordSignIn }, headers)
  expect(reason.code).toBe(code)
})
