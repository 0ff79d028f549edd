import { Type } from 'typebox'
import { builtinRoles } from '../../access/role.ts'
import { invalidValue } from '../../config/schema/describe-constraint.ts'
import { nullableKey, section, table, type ConfigOf } from '../../config/key.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import { nameOrHidden, shownText, type SectionReport } from '../../config/problem-collector.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'

export const OidcConfig = section(
  {
    issuer: nullableKey(Type.String({ minLength: 1 }), {
      description:
        'Issuer URL of the identity provider, exactly as in its discovery document. `http:` only for a provider on this machine. Default: no sign-in with a provider.',
      allowed: 'issuer',
      examples: ['https://id.example/realms/home'],
    }),
    name: nullableKey(Type.String({ minLength: 1 }), {
      description: 'Name of the provider on the login page. Default: the host of `issuer`.',
      allowed: 'some-text',
      examples: ['Example ID'],
    }),
    client_id: nullableKey(Type.String({ minLength: 1 }), {
      description: 'Client ID of Gatehouse at the provider.',
      allowed: 'some-text',
      examples: ['gatehouse'],
    }),
    client_secret: nullableKey(Type.String({ minLength: 1 }), {
      secret: true,
      description:
        'Client secret of Gatehouse at the provider. A `{SERVICE_OIDC_…}` placeholder keeps it out of this file. Default: none (a public client that uses only PKCE).',
      allowed: 'secret',
      examples: ['{SERVICE_OIDC_SECRET}'],
    }),
    scopes: Type.Array(Type.String({ minLength: 1 }), {
      default: ['openid', 'profile'],
      description:
        'Scopes to request. `openid` is always requested; `offline_access` makes most providers send a refresh token.',
      examples: [['openid', 'profile', 'groups', 'offline_access']],
    }),
    groups_claim: Type.String({
      default: 'groups',
      minLength: 1,
      description:
        "Claim with the user's groups, in the ID token or from the userinfo endpoint: a list, one text, or an object whose keys are the groups and whose values are objects. If no claim has this name, dots separate the names on the way to a claim within a claim.",
      allowed: 'some-text',
      examples: ['roles', 'realm_access.roles'],
    }),
    role_map: table(Type.Array(Type.String()), {
      description: 'Maps groups to roles. Without it, groups are role names. Case-sensitive.',
      examples: [{ admin: ['sysadmins'], viewer: ['family', 'staff'] }],
    }),
    default_role: nullableKey(Type.String(), {
      description: 'Role of a user whose groups match no role. Default: no role, and the user cannot sign in.',
      allowed: 'role',
      examples: ['viewer'],
    }),
    name_claim: Type.String({
      default: 'preferred_username',
      minLength: 1,
      description: 'Claim with the displayed name. Users are known by issuer and subject, never by this name.',
      allowed: 'some-text',
    }),
    recheck_interval: Type.Integer({
      default: 300,
      minimum: 10,
      maximum: 86_400,
      description:
        'Seconds between checks with the provider, which confirm that a signed-in user is still accepted and update the groups.',
    }),
    only: Type.Boolean({
      default: false,
      description: 'Disables passwords for everyone except the admin named in `emergency_user`.',
    }),
    emergency_user: nullableKey(Type.String(), {
      description:
        'The admin who can still sign in with a password when `only` is set, in case the provider is unavailable.',
      allowed: 'some-text',
      examples: ['admin'],
    }),
  },
  { title: 'auth.oidc', description: 'Sign-in with an identity provider (OpenID Connect).' },
)

export type OidcConfig = ConfigOf<typeof OidcConfig>

/** What to call the provider; null: there is none. */
export const providerName = ({ issuer, name }: Pick<OidcConfig, 'issuer' | 'name'>): string | null =>
  issuer === null ? null : (name ?? new URL(issuer).host)

export interface OidcConfigProblems {
  'unknown-role': { readonly role: string; readonly roles: readonly string[] }
  'requires-key': { readonly other: string }
  'invalid-secret': null
  'no-emergency-user': null
}

type OidcProblem = CodedMessage<OidcConfigProblems & EngineProblems>

export function checkOidc(
  oidc: OidcConfig,
  roles: ReadonlyMap<string, unknown>,
  { problem, warning }: SectionReport<OidcProblem>,
): void {
  const at = ['auth', 'oidc'] as const
  const existing: readonly string[] = [...new Set([...builtinRoles, ...roles.keys()])]
  const noSuchRole = (name: string): OidcProblem => {
    const role = nameOrHidden(name)
    return configProblem('unknown-role', { role, roles: existing }, { role, roles: existing.join(', ') })
  }
  const requires = (key: keyof OidcConfig, other: keyof OidcConfig) =>
    problem([...at, key], configProblem('requires-key', { other: `auth.oidc.${other}` }))

  if (oidc.issuer !== null && !isIssuer(oidc.issuer)) {
    problem([...at, 'issuer'], invalidValue(OidcConfig.properties.issuer, { found: shownText(oidc.issuer) }))
  }
  if (oidc.issuer !== null && oidc.client_id === null) requires('issuer', 'client_id')
  if (oidc.issuer === null && oidc.client_id !== null) requires('client_id', 'issuer')
  if (oidc.only && oidc.issuer === null) requires('only', 'issuer')
  if (oidc.only && oidc.emergency_user === null) warning([...at, 'only'], configProblem('no-emergency-user'))
  if (oidc.client_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(oidc.client_secret)) {
    problem([...at, 'client_secret'], configProblem('invalid-secret'))
  }
  if (oidc.default_role !== null && !existing.includes(oidc.default_role)) {
    problem([...at, 'default_role'], noSuchRole(oidc.default_role))
  }
  for (const role of oidc.role_map.keys()) {
    if (!existing.includes(role)) problem([...at, 'role_map', role], noSuchRole(role))
  }
}

/** An `https:` URL without query, fragment and credentials (OpenID Connect Discovery 1.0, section 3). */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || /[\s\p{Cc}\\?#]/u.test(text) || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** @param hostname as in a parsed URL, which normalizes the spellings of an address. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
