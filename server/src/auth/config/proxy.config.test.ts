import { expect, test } from 'vitest'
import { checkProxy, ProxyConfig } from './proxy.config.ts'

const plain: ProxyConfig = {
  enabled: false,
  recheck_interval: 300,
  auth_secret: null,
  separator: ',',
  default_role: null,
  require_role_header: false,
  header_map: { user: null, display_name: null, role: null, role_map: new Map() },
  trusted_peers: null,
  prefix_header: 'x-forwarded-prefix',
  logout_url: null,
}
const trusted = { names: new Set(['x-forwarded-user', 'x-forwarded-groups']), file: 'the list' }

/** The problems and warnings, each with its key. */
function check(proxy: Partial<ProxyConfig>, enabled = true) {
  const found: string[] = []
  const note =
    (kind: string) =>
    (path: readonly (string | number)[], { code, message }: { code: string; message: string }) =>
      void found.push(`${kind} ${path.join('.')} ${code === 'invalid-value' ? message : code}`)
  checkProxy({ ...plain, ...proxy }, { enabled, roles: new Map([['guard', ['yard']]]) }, trusted, {
    problem: note('problem'),
    warning: note('warning'),
  })
  return found
}

const user = { ...plain.header_map, user: 'X-Forwarded-User' }
const secret = 's'.repeat(32)
const bothWays = { enabled: true, auth_secret: secret, header_map: user }

test('the prefix can be in one of two headers', () => {
  expect(ProxyConfig.properties.prefix_header).toMatchObject({ enum: ['x-forwarded-prefix', 'x-ingress-path'] })
})

test.each<[string, Partial<ProxyConfig>, string[]]>([
  ['nothing', {}, []],
  ['both ways, with a secret', bothWays, []],
  ['both ways, with a peer', { ...bothWays, auth_secret: null, trusted_peers: ['192.0.2.1'] }, []],
  ['both ways, without a proof', { ...bothWays, auth_secret: null }, ['problem proxy.enabled proxy-not-verified']],
  [
    'both ways, without a user header',
    { ...bothWays, header_map: plain.header_map },
    ['problem proxy.header_map.user no-user-header'],
  ],
  ['an existing default role', { default_role: 'guard' }, []],
  ['a built-in default role', { default_role: 'admin' }, []],
  ['an unknown default role', { default_role: 'ghost' }, ['problem proxy.default_role unknown-role']],
  ['an existing role in the map', { header_map: { ...user, role_map: new Map([['guard', ['a']]]) } }, []],
  [
    'an unknown role in the map',
    { header_map: { ...user, role_map: new Map([['ghost', ['a']]]) } },
    ['problem proxy.header_map.role_map.ghost unknown-role'],
  ],
  ['a role header', { header_map: { ...user, role: 'X-FORWARDED-GROUPS' } }, []],
  ['a required role header', { require_role_header: true, header_map: { ...user, role: 'x-forwarded-groups' } }, []],
  [
    'a required role header without a name',
    { require_role_header: true },
    ['problem proxy.require_role_header requires-key'],
  ],
  [
    'headers that are not trusted',
    { header_map: { ...user, user: 'x-other', role: 'x-more' } },
    ['problem proxy.header_map.user header-not-trusted', 'problem proxy.header_map.role header-not-trusted'],
  ],
  [
    'text behind a header',
    { header_map: { ...user, user: 'x-forwarded-user:' } },
    ['problem proxy.header_map.user invalid-header-name'],
  ],
  [
    'text before a header',
    { header_map: { ...user, user: ' x-forwarded-user' } },
    ['problem proxy.header_map.user invalid-header-name'],
  ],
  [
    'a display name without a user header',
    { header_map: { ...plain.header_map, display_name: 'x-forwarded-user' } },
    ['problem proxy.header_map.display_name requires-key'],
  ],
  [
    'a display name in a header that is not trusted',
    { header_map: { ...user, display_name: 'x-other' } },
    ['problem proxy.header_map.display_name header-not-trusted'],
  ],
  ['a wrong peer', { trusted_peers: ['x'] }, ['problem proxy.trusted_peers.0 invalid-network']],
  ['a secret of 32 characters', { auth_secret: secret }, []],
  ['a shorter secret', { auth_secret: secret.slice(1) }, ['warning proxy.auth_secret secret-too-short']],
  ['a secret with spaces inside', { auth_secret: `${secret} ${secret}` }, []],
  ['a secret with a space before', { auth_secret: ` ${secret}` }, ['problem proxy.auth_secret invalid-secret']],
  ['a secret with a space behind', { auth_secret: `${secret} ` }, ['problem proxy.auth_secret invalid-secret']],
  ['a secret beyond ASCII', { auth_secret: `${secret}ü` }, ['problem proxy.auth_secret invalid-secret']],
  ['a separator', { separator: '|' }, []],
  ['a separator that no header can contain', { separator: ',\u0001' }, ['problem proxy.separator separator-control']],
  ['a logout URL', { logout_url: 'https://sso.example/logout' }, []],
])('[CONF-2] %s', (_what, proxy, found) => {
  expect(check(proxy)).toEqual(found)
})

test('[PROXY-17] without passwords, the proxy needs no proof and no user header', () => {
  expect(check({ enabled: true }, false)).toEqual([])
  expect(check({ enabled: false })).toEqual([])
})

test.each([
  ['javascript:x', 'javascript:x'],
  ['JAVASCRIPT:x', 'JAVASCRIPT:x'],
  ['//evil.example', '//evil.example'],
  ['a password', '…'],
  ['my/password', '…'],
])('[CONF-2] the wrong logout URL %s is shown as %s', (logout_url, shown) => {
  expect(check({ logout_url })).toEqual([expect.stringContaining(`problem proxy.logout_url Invalid value "${shown}"`)])
})
