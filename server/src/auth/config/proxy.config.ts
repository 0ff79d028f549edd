import { Type } from 'typebox'
import { builtinRoles } from '../../access/role.ts'
import type { AuthConfig } from './auth.config.ts'
import type { TrustedHeaders } from './trusted-headers.ts'
import { nullableKey, section, table, type ConfigOf } from '../../config/key.ts'
import { checkRanges, NetworkRanges, type NetworkRangeProblems } from '../../config/schema/network-range.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import { hidden, nameOrHidden, type SectionReport } from '../../config/problem-collector.ts'
import { notLink } from '../../config/schema/web-link.ts'
import { wrongText } from '../../config/schema/describe-constraint.ts'

const header = (description: string, example: string) =>
  nullableKey(Type.String({ minLength: 1 }), {
    description,
    allowed: 'trusted-header',
    examples: [example],
  })

export const ProxyConfig = section(
  {
    enabled: Type.Boolean({
      default: false,
      description:
        'Lets users sign in through the proxy in addition to a password (`auth.enabled: true`). Needs `auth_secret` or `trusted_peers`, and `header_map.user`. With `auth.enabled: false`, the proxy is the only sign-in method and this key has no effect.',
    }),
    auth_secret: nullableKey(Type.String({ minLength: 1 }), {
      secret: true,
      description:
        'A long random text that the proxy must send as `X-Proxy-Secret`. A `{SERVICE_…}` placeholder keeps it out of this file. While the proxy is the only sign-in method, removing both this key and `trusted_peers` takes a restart.',
      allowed: 'secret',
      examples: ['{SERVICE_PROXY_SECRET}'],
    }),
    trusted_peers: nullableKey(NetworkRanges({ minItems: 1 }), {
      description:
        'IP addresses the proxy connects from. Identity headers from other addresses are rejected. Default: any address.',
      allowed: 'networks',
      examples: [['172.18.0.2']],
    }),
    recheck_interval: Type.Integer({
      default: 300,
      minimum: 1,
      maximum: 86_400,
      description:
        'Seconds until an open stream (live video, events, a long download) of a proxy user is closed. The page reopens it through the proxy without a gap; a user who has been signed out at the proxy loses the video.',
    }),
    separator: Type.String({
      default: ',',
      minLength: 1,
      description: 'Separator between several values in the role header.',
      allowed: 'some-text',
    }),
    default_role: nullableKey(Type.String(), {
      description:
        'Role of a user whose role header is missing or matches no role. Default: no role, and the request is rejected (403).',
      allowed: 'role',
      examples: ['viewer'],
    }),
    require_role_header: Type.Boolean({
      default: false,
      description:
        'Gives a user no role (403) if the request has no role header, even with `default_role`. For a proxy that sends the header with every request, an empty one for a user without groups: a client that makes the proxy drop it then gains nothing. Needs `header_map.role`.',
    }),
    header_map: section(
      {
        user: header('Header with the username. Without it every user is `anonymous`.', 'x-forwarded-user'),
        display_name: header(
          'Header with a name to show for the user, for a proxy whose user header is an id. Two users can have the same name: cameras, roles and stored data depend on the user header. The audit log shows both.',
          'x-idp-name',
        ),
        role: header("Header with the user's roles, or groups if `role_map` is set.", 'x-forwarded-groups'),
        role_map: table(Type.Array(Type.String()), {
          description:
            'Maps the groups in the role header to roles. Without it, the header contains role names. Case-sensitive.',
          examples: [{ admin: ['sysadmins'], viewer: ['family', 'staff'] }],
        }),
      },
      {
        description:
          'Headers in which the proxy sends the user. Only trusted headers can be used, and they are read only with `proxy.enabled: true` or `auth.enabled: false`.',
      },
    ),
    prefix_header: Type.Enum(['x-forwarded-prefix', 'x-ingress-path'], {
      default: 'x-forwarded-prefix',
      description:
        'Header in which a proxy listed in `auth.trusted_proxies` sends the path under which the service appears. Home Assistant sends `x-ingress-path`.',
    }),
    logout_url: nullableKey(Type.String(), {
      description: "URL of the UI's sign-out link, for a proxy with its own sign-out page.",
      allowed: 'link',
      examples: ['https://sso.example/logout'],
    }),
  },
  { title: 'proxy', description: 'An authenticating proxy in front of the gate.' },
)

export type ProxyConfig = ConfigOf<typeof ProxyConfig>

export interface ProxyConfigProblems extends NetworkRangeProblems {
  'unknown-role': { readonly role: string; readonly roles: readonly string[] }
  'invalid-header-name': { readonly header: string }
  'header-not-trusted': { readonly header: string; readonly file: string }
  'invalid-secret': null
  'secret-too-short': { readonly min: number }
  'proxy-not-verified': null
  'no-user-header': null
  'requires-key': { readonly other: string }
  'separator-control': null
}

type ProxyProblem = CodedMessage<ProxyConfigProblems & EngineProblems>

/** Minimum length of the proxy secret, in characters (PROXY-19). */
const minSecretLength = 32

/** Whether the proxy secret is so short that someone could guess it. */
export const isGuessable = (secret: string): boolean => secret.length < minSecretLength

export function checkProxy(
  proxy: ProxyConfig,
  { enabled: passwordSignIn, roles }: Pick<AuthConfig, 'enabled' | 'roles'>,
  trusted: TrustedHeaders,
  report: SectionReport<ProxyProblem>,
): void {
  const { problem, warning } = report
  if (passwordSignIn && proxy.enabled) checkBothWays(proxy, report)
  const existing: readonly string[] = [...new Set([...builtinRoles, ...roles.keys()])]
  const noSuchRole = (name: string): ProxyProblem => {
    const role = nameOrHidden(name)
    return configProblem('unknown-role', { role, roles: existing }, { role, roles: existing.join(', ') })
  }

  if (proxy.default_role !== null && !existing.includes(proxy.default_role)) {
    problem(['proxy', 'default_role'], noSuchRole(proxy.default_role))
  }
  for (const role of proxy.header_map.role_map.keys()) {
    if (!existing.includes(role)) problem(['proxy', 'header_map', 'role_map', role], noSuchRole(role))
  }
  for (const key of ['user', 'display_name', 'role'] as const) {
    const name = proxy.header_map[key]
    const invalidName = name === null ? undefined : headerProblem(name, trusted)
    if (invalidName !== undefined) problem(['proxy', 'header_map', key], invalidName)
  }
  if (proxy.require_role_header && proxy.header_map.role === null) {
    problem(['proxy', 'require_role_header'], configProblem('requires-key', { other: 'proxy.header_map.role' }))
  }
  if (proxy.header_map.display_name !== null && proxy.header_map.user === null) {
    problem(['proxy', 'header_map', 'display_name'], configProblem('requires-key', { other: 'proxy.header_map.user' }))
  }
  if (proxy.trusted_peers) checkRanges(proxy.trusted_peers, ['proxy', 'trusted_peers'], report, nameOrHidden)
  if (proxy.auth_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(proxy.auth_secret)) {
    problem(['proxy', 'auth_secret'], configProblem('invalid-secret'))
  }
  if (proxy.auth_secret !== null && isGuessable(proxy.auth_secret)) {
    warning(['proxy', 'auth_secret'], configProblem('secret-too-short', { min: minSecretLength }))
  }
  // A header cannot contain control characters, so such a separator would never match.
  if (/\p{Cc}/u.test(proxy.separator)) {
    problem(['proxy', 'separator'], configProblem('separator-control'))
  }
  if (proxy.logout_url !== null && notLink(proxy.logout_url)) {
    problem(['proxy', 'logout_url'], wrongText(linkOrHidden(proxy.logout_url), ProxyConfig.properties.logout_url))
  }
}

/** PROXY-17: in addition to passwords, a header is trusted only with proof that the proxy sent it. */
function checkBothWays(proxy: ProxyConfig, { problem }: SectionReport<ProxyProblem>): void {
  if (proxy.auth_secret === null && proxy.trusted_peers === null) {
    problem(['proxy', 'enabled'], configProblem('proxy-not-verified'))
  }
  if (proxy.header_map.user === null) {
    problem(['proxy', 'header_map', 'user'], configProblem('no-user-header'))
  }
}

function headerProblem(name: string, { names, file }: TrustedHeaders): ProxyProblem | undefined {
  const header = nameOrHidden(name)
  if (!/^[A-Za-z0-9!#$%&'*+^`|~-]+$/.test(name)) return configProblem('invalid-header-name', { header })
  return names.has(name.toLowerCase()) ? undefined : configProblem('header-not-trusted', { header, file })
}

/** A text that looks like a link; any other is hidden. */
const linkOrHidden = (text: string): string => (/^(?:\/|[a-z]+:)/i.test(text) ? text : hidden)
