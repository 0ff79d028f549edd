import { Type } from 'typebox'
import { builtinRoles } from '../access/role.ts'
import type { AuthConfig } from './auth.config.ts'
import { nullable, section, type Read } from './key.ts'
import { checkRanges, NetworkRanges } from './network-range.ts'
import type { ConfigProblem } from './problem-codes.ts'
import { hidden, nameOrHidden, quoted, type ProblemCollector } from './problem-collector.ts'
import { notLink, linkForm } from './web-link.ts'
import { wrongText } from './describe-constraint.ts'

const header = (description: string) =>
  nullable(Type.String({ minLength: 1 }), {
    description,
    allowed: { form: 'trusted-header', words: 'a header of the trusted list, or null' },
    examples: ['x-forwarded-user'],
  })

export const ProxyConfig = section(
  {
    enabled: Type.Boolean({
      default: false,
      description:
        'Lets users sign in through the proxy beside the sign-in of this service (`auth.enabled: true`). Needs `auth_secret` or `trusted_peers`, and `header_map.user`. With `auth.enabled: false` the proxy alone signs users in, whatever this key says.',
    }),
    auth_secret: nullable(Type.String({ minLength: 1 }), {
      secret: true,
      description:
        'A long random text that the proxy has to send as `X-Proxy-Secret`. A `{SERVICE_PROXY_…}` placeholder keeps it out of this file. While the proxy alone signs users in, removing both this and `trusted_peers` takes a restart.',
      allowed: { form: 'secret', words: 'a text of printable ASCII characters, or null' },
      examples: ['{SERVICE_PROXY_SECRET}'],
    }),
    trusted_peers: Type.Union([NetworkRanges({ minItems: 1 }), Type.Null()], {
      default: null,
      description: 'Where the proxy connects from. Identity headers from anywhere else are refused. Default: anywhere.',
      allowed: { form: 'networks', words: 'a list of at least one address or network range, or null' },
      examples: [['172.18.0.2']],
    }),
    recheck_interval: Type.Integer({
      default: 300,
      minimum: 1,
      maximum: 86_400,
      description:
        'Seconds after which an open stream (live video, events, a long download) of a user whom the proxy signed in ends. The page opens it again through the proxy without a gap; a user who was signed out there loses the video.',
    }),
    separator: Type.String({
      default: ',',
      minLength: 1,
      description: 'What stands between several values in the role header.',
      allowed: { form: 'some-text', words: 'a text that is not empty' },
    }),
    default_role: nullable(Type.String(), {
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
          'Headers by which the proxy names the user. Only headers of the trusted list can be used; they count only with `proxy.enabled: true` or `auth.enabled: false`.',
      },
    ),
    logout_url: nullable(Type.String(), {
      description: "Address of the UI's logout link, for a proxy with its own logout page.",
      allowed: linkForm,
      examples: ['https://sso.example/logout'],
    }),
  },
  { title: 'proxy', description: 'A proxy in front that authenticates people.' },
)

export type ProxyConfig = Read<typeof ProxyConfig>

/** Characters of a secret (PROXY-19). */
const minSecretLength = 32

/** The headers that may carry an identity, and the file that lists them. */
export interface TrustedHeaders {
  /** In lower case. */
  readonly names: ReadonlySet<string>
  readonly file: string
}

export function checkProxy(
  proxy: ProxyConfig,
  { enabled: signInHere, roles }: Pick<AuthConfig, 'enabled' | 'roles'>,
  trusted: TrustedHeaders,
  report: ProblemCollector,
): void {
  const { problem, warning } = report
  if (signInHere && proxy.enabled) checkBothWays(proxy, report)
  const existing: readonly string[] = [...new Set([...builtinRoles, ...roles.keys()])]
  const noSuchRole = (role: string): ConfigProblem => ({
    code: 'no-role',
    values: { role: nameOrHidden(role), roles: existing },
    message: `the role ${quoted(nameOrHidden(role))} does not exist; there are ${existing.map((each) => `\`${each}\``).join(', ')}`,
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
  if (proxy.trusted_peers) checkRanges(proxy.trusted_peers, ['proxy', 'trusted_peers'], report, nameOrHidden)
  if (proxy.auth_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(proxy.auth_secret)) {
    const message = 'allowed: printable ASCII characters, no blank at either end; a header carries nothing else'
    problem(['proxy', 'auth_secret'], { code: 'secret-signs', message })
  }
  if (proxy.auth_secret !== null && proxy.auth_secret.length < minSecretLength) {
    const message = `has fewer than ${minSecretLength} characters and can be guessed: use a long random one`
    warning(['proxy', 'auth_secret'], { code: 'secret-short', values: { min: minSecretLength }, message })
  }
  // Control characters never arrive in a header, so nothing would ever be split.
  if (/\p{Cc}/u.test(proxy.separator)) {
    const message = 'holds a control character, which no header can carry'
    problem(['proxy', 'separator'], { code: 'separator-control', message })
  }
  if (proxy.logout_url !== null && notLink(proxy.logout_url)) {
    problem(['proxy', 'logout_url'], wrongText(linkOrHidden(proxy.logout_url), ProxyConfig.properties.logout_url))
  }
}

/** PROXY-17: beside our own sign-in, a header counts only where something proves that the proxy sent it. */
function checkBothWays(proxy: ProxyConfig, { problem }: ProblemCollector): void {
  if (proxy.auth_secret === null && proxy.trusted_peers === null) {
    const message =
      'needs `proxy.auth_secret` or `proxy.trusted_peers` while `auth.enabled` is true: without them any client could name itself in a header'
    problem(['proxy', 'enabled'], { code: 'proxy-unproven', message })
  }
  if (proxy.header_map.user === null) {
    const message =
      'is missing: with `proxy.enabled` and `auth.enabled` both true, this header tells who signed in through the proxy'
    problem(['proxy', 'header_map', 'user'], { code: 'no-user-header', message })
  }
}

function headerTrouble(name: string, { names, file }: TrustedHeaders): ConfigProblem | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+^`|~-]+$/.test(name)) {
    const message = `${quoted(nameOrHidden(name))} is no name of a header; a name with \`_\` or \`.\` is never believed`
    return { code: 'no-header-name', values: { header: nameOrHidden(name) }, message }
  }
  if (names.has(name.toLowerCase())) return undefined
  const message = `the header ${quoted(nameOrHidden(name))} is not trusted. Trusted are those listed in ${file}; to trust another, mount a list of your own over that file (or name it in TRUSTED_HEADERS_FILE) and start again`
  return { code: 'header-not-trusted', values: { header: nameOrHidden(name), file }, message }
}

/** What was at least meant as a link. */
const linkOrHidden = (text: string): string => (/^(?:\/|[a-z]+:)/i.test(text) ? text : hidden)
