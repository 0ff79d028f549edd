import { expect, test } from 'vitest'
import { AuthConfig, checkAuth } from './auth.config.ts'
import { providerName } from './oidc.config.ts'

const plain: AuthConfig = {
  enabled: true,
  reset_admin_password: false,
  session_length: 86_400,
  session_max_length: null,
  failed_login_rate_limit: null,
  trusted_proxies: [],
  cookie_name: 'token',
  cookie_same_site: 'lax',
  mfa: { required_for: [], origins: [] },
  oidc: {
    issuer: null,
    name: null,
    client_id: null,
    client_secret: null,
    scopes: ['openid'],
    groups_claim: 'groups',
    role_map: new Map(),
    default_role: null,
    name_claim: 'preferred_username',
    recheck_interval: 300,
    only: false,
    emergency_user: null,
  },
  roles: new Map(),
}
/** The problems and warnings, each with its key. */
function check(auth: Partial<AuthConfig>) {
  const found: string[] = []
  const note =
    (kind: string) =>
    (path: readonly (string | number)[], { code }: { code: string }) =>
      void found.push(`${kind} ${path.join('.')} ${code}`)
  checkAuth(
    { ...plain, ...auth },
    { cameras: { has: () => true }, camera_groups: new Map() },
    {
      problem: note('problem'),
      warning: note('warning'),
    },
  )
  return found
}
const roles = (of: Record<string, string[]>) => ({ roles: new Map(Object.entries(of)) })

test.each<[Partial<AuthConfig>, string[]]>([
  [{}, []],
  [{ failed_login_rate_limit: '5/minute;20/hour' }, []],
  [{ failed_login_rate_limit: '5/day' }, ['problem auth.failed_login_rate_limit invalid-value']],
  [{ trusted_proxies: ['10.0.0.0/8'] }, []],
  [{ trusted_proxies: ['10.0.0.0/8', 'x'] }, ['problem auth.trusted_proxies.1 invalid-network']],
  [{ trusted_proxies: ['0.0.0.0/0'] }, ['warning auth.trusted_proxies.0 trusts-everyone']],
  [{ cookie_name: 'gatehouse_token' }, []],
  [{ cookie_name: 'gatehouse_screen' }, ['problem auth.cookie_name reserved-cookie']],
  [{ cookie_name: 'gatehouse_link' }, ['problem auth.cookie_name reserved-cookie']],
  [{ cookie_name: 'gatehouse_device' }, ['problem auth.cookie_name reserved-cookie']],
  [{ cookie_name: '__Host-gatehouse_sign_in' }, ['problem auth.cookie_name reserved-cookie']],
  [{ cookie_name: '__Secure-gatehouse_sign_in' }, ['problem auth.cookie_name reserved-cookie']],
  [{ cookie_name: 'gatehouse___Host-sign_in' }, []],
  [roles({ guard: ['yard'], Night: ['door'] }), []],
  [roles({ admin: ['yard'] }), ['problem auth.roles.admin built-in-name']],
  [roles({ guard: ['yard'], Guard: ['door'] }), ['problem auth.roles.Guard differs-in-case']],
  [
    roles({ Guard: ['yard'], guard: ['door'], GUARD: [] }),
    ['problem auth.roles.guard differs-in-case', 'problem auth.roles.GUARD differs-in-case'],
  ],
  [roles({ guard: ['yard', '*'] }), ['warning auth.roles.guard no-camera-wildcard']],
  [roles({ guard: ['all', 'yard'] }), ['warning auth.roles.guard no-camera-wildcard']],
])('[CONF-2] %j: %j', (auth, found) => {
  expect(check(auth)).toEqual(found)
})

test('[CONF-5] these keys of the section take effect after a restart', () => {
  const keys = Object.entries(AuthConfig.properties).filter(([, schema]) => 'restart' in schema && schema.restart)
  expect(keys.map(([name]) => name)).toEqual(['enabled', 'reset_admin_password', 'cookie_name', 'cookie_same_site'])
})

test.each<[mfa: Partial<AuthConfig['mfa']>, found: readonly string[]]>([
  [{ required_for: ['admin', 'viewer', 'guard'] }, []],
  [{ required_for: ['admin', 'none'] }, ['problem auth.mfa.required_for.1 unknown-role']],
  [{ origins: ['https://cams.example:8971', 'HTTP://cams.lan'] }, []],
  [{ origins: ['https://cams.example/'] }, ['problem auth.mfa.origins.0 invalid-value']],
  [
    { origins: ['cams.example', 'ftp://cams.example', 'https://'] },
    [0, 1, 2].map((at) => `problem auth.mfa.origins.${at} invalid-value`),
  ],
])('[MFA-2] auth.mfa %j', (mfa, found) => {
  expect(check({ ...roles({ guard: ['yard'] }), mfa: { ...plain.mfa, ...mfa } })).toEqual(found)
})

const provider = { issuer: 'https://id.example', client_id: 'gatehouse' }

test.each<[oidc: Partial<AuthConfig['oidc']>, found: readonly string[]]>([
  [provider, []],
  [{ ...provider, issuer: 'http://127.0.0.1:9/x' }, []],
  [{ ...provider, issuer: 'http://[::1]:9' }, []],
  [{ ...provider, issuer: 'http://localhost' }, []],
  [{ ...provider, issuer: 'http://id.example' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'http://127.0.0.1.evil.example' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'https://user@id.example' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'https://id.example/?x' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'https://:secret@id.example' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'ftp://localhost' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'id.example' }, ['problem auth.oidc.issuer invalid-value']],
  [{ ...provider, issuer: 'javascript:0' }, ['problem auth.oidc.issuer invalid-value']],
  [{ issuer: 'https://id.example' }, ['problem auth.oidc.issuer requires-key']],
  [{ client_id: 'gatehouse' }, ['problem auth.oidc.client_id requires-key']],
  [{ ...provider, only: true }, ['warning auth.oidc.only no-emergency-user']],
  [{ ...provider, only: true, emergency_user: 'admin' }, []],
  [{ ...provider, client_secret: ' x' }, ['problem auth.oidc.client_secret invalid-secret']],
  [{ ...provider, client_secret: 'x ' }, ['problem auth.oidc.client_secret invalid-secret']],
  [{ ...provider, client_secret: 'a secret' }, []],
  [{ only: true, emergency_user: 'admin' }, ['problem auth.oidc.only requires-key']],
  [{ ...provider, default_role: 'none' }, ['problem auth.oidc.default_role unknown-role']],
  [{ ...provider, role_map: new Map([['none', ['a']]]) }, ['problem auth.oidc.role_map.none unknown-role']],
  [{ ...provider, default_role: 'viewer', role_map: new Map([['admin', ['a']]]) }, []],
])('auth.oidc %j', (oidc, found) => expect(check({ oidc: { ...plain.oidc, ...oidc } })).toEqual(found))

test.each<[issuer: string | null, name: string | null, shown: string | null]>([
  [null, null, null],
  [null, 'Our sign-in', null],
  ['https://id.example:9/realms/x', null, 'id.example:9'],
  ['https://id.example', 'Our sign-in', 'Our sign-in'],
])('[OIDC-1] the provider %s with the name %s is called %s', (issuer, name, shown) => {
  expect(providerName({ issuer, name })).toBe(shown)
})
