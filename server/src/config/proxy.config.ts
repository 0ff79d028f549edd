import { Type } from 'typebox'
import { builtinRoles } from '../access/role.ts'
import type { AuthConfig } from './auth.config.ts'
import { orNull, section, type Read } from './key.ts'
import { checkRanges, NetworkRanges } from './network-range.ts'
import type { ConfigProblem } from './problems.ts'
import { quoted, type Report } from './report.ts'
import { notLink, linkForm } from './web-link.ts'
import { wrongText } from './words.ts'

const header = (description: string) =>
  orNull(Type.String({ minLength: 1 }), {
    description,
    allowed: { form: 'trusted-header', words: 'a header of the trusted list, or null' },
    examples: ['x-forwarded-user'],
  })

export const ProxyConfig = section(
  {
    auth_secret: orNull(Type.String({ minLength: 1 }), {
      secret: true,
      description:
        'A long random text that the proxy has to send as `X-Proxy-Secret`. A `{SERVICE_…}` placeholder keeps it out of this file.',
      allowed: { form: 'secret', words: 'a text of printable ASCII characters, or null' },
      examples: ['{SERVICE_PROXY_SECRET}'],
    }),
    trusted_peers: Type.Union([NetworkRanges({ minItems: 1 }), Type.Null()], {
      default: null,
      description: 'Where the proxy connects from. Identity headers from anywhere else are refused. Default: anywhere.',
      allowed: { form: 'networks', words: 'a list of at least one address or network range, or null' },
      examples: [['172.18.0.2']],
    }),
    separator: Type.String({
      default: ',',
      minLength: 1,
      description: 'What stands between several values in the role header.',
      allowed: { form: 'some-text', words: 'a text that is not empty' },
    }),
    default_role: orNull(Type.String(), {
      description:
        'The role of somebody whose role header is absent or fits no role. Default: none, and they are refused (403).',
      allowed: { form: 'role', words: '`admin`, `viewer` or a role of `auth.roles`; or null' },
      examples: ['viewer'],
    }),
    header_map: section(
      {
        user: header("Header that carries the user's name. Without it everybody is `anonymous`."),
        role: header("Header that carries the user's roles, or with `role_map` groups."),
        role_map: Type.Record(Type.String(), Type.Array(Type.String()), {
          default: {},
          description:
            'Which groups of the role header give which role. Without it the header holds the names of roles. Case counts.',
          examples: [{ admin: ['sysadmins'], viewer: ['family', 'staff'] }],
        }),
      },
      {
        description:
          'Headers by which the proxy names the user. Only headers of the trusted list can be used; they count only with `auth.enabled: false`.',
      },
    ),
    logout_url: orNull(Type.String(), {
      description: "Address of the UI's logout link, for a proxy with its own logout page.",
      allowed: linkForm,
      examples: ['https://sso.example/logout'],
    }),
  },
  { title: 'proxy', description: 'A proxy in front that authenticates people.' },
)

export type ProxyConfig = Read<typeof ProxyConfig>

/** The headers that may carry an identity, and the file that lists them. */
export interface TrustedHeaders {
  /** In lower case. */
  readonly names: ReadonlySet<string>
  readonly file: string
}

export function checkProxy(
  proxy: ProxyConfig,
  roles: AuthConfig['roles'],
  trusted: TrustedHeaders,
  report: Report,
): void {
  const { problem } = report
  const existing: readonly string[] = [...new Set([...builtinRoles, ...roles.keys()])]
  const noSuchRole = (role: string): ConfigProblem => ({
    code: 'no-role',
    values: { role, roles: existing },
    message: `the role ${quoted(role)} does not exist; there are ${existing.map((each) => `\`${each}\``).join(', ')}`,
  })

  if (proxy.default_role !== null && !existing.includes(proxy.default_role)) {
    problem(['proxy', 'default_role'], noSuchRole(proxy.default_role))
  }
  for (const role of proxy.header_map.role_map.keys()) {
    if (!existing.includes(role)) problem(['proxy', 'header_map', 'role_map', role], noSuchRole(role))
  }
  for (const key of ['user', 'role'] as const) {
    const name = proxy.header_map[key]
    const trouble = name === null ? undefined : headerTrouble(name, trusted)
    if (trouble !== undefined) problem(['proxy', 'header_map', key], trouble)
  }
  if (proxy.trusted_peers) checkRanges(proxy.trusted_peers, ['proxy', 'trusted_peers'], report)
  if (proxy.auth_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(proxy.auth_secret)) {
    const message = 'allowed: printable ASCII characters, no blank at either end; a header carries nothing else'
    problem(['proxy', 'auth_secret'], { code: 'secret-signs', message })
  }
  // Control characters never arrive in a header, so nothing would ever be split.
  if (/\p{Cc}/u.test(proxy.separator)) {
    const message = 'holds a control character, which no header can carry'
    problem(['proxy', 'separator'], { code: 'separator-control', message })
  }
  if (proxy.logout_url !== null && notLink(proxy.logout_url)) {
    problem(['proxy', 'logout_url'], wrongText(proxy.logout_url, ProxyConfig.properties.logout_url))
  }
}

function headerTrouble(name: string, { names, file }: TrustedHeaders): ConfigProblem | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+^`|~-]+$/.test(name)) {
    const message = `${quoted(name)} is no name of a header; a name with \`_\` or \`.\` is never believed`
    return { code: 'no-header-name', values: { header: name }, message }
  }
  if (names.has(name.toLowerCase())) return undefined
  const message = `the header ${quoted(name)} is not trusted. Trusted are those listed in ${file}; to trust another, mount a list of your own over that file (or name it in TRUSTED_HEADERS_FILE) and start again`
  return { code: 'header-not-trusted', values: { header: name, file }, message }
}
