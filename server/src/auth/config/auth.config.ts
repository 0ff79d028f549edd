import { Type } from 'typebox'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import { parseRateLimit } from '../../shared/rate/rate-limit.ts'
import { invalidValue } from '../../config/schema/describe-constraint.ts'
import { nullableKey, section, type ConfigOf } from '../../config/key.ts'
import { checkRanges, NetworkRanges, type NetworkRangeProblems } from '../../config/schema/network-range.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import { shownText, type SectionReport } from '../../config/problem-collector.ts'
import { isReservedCookie } from '../cookie/cookie-names.ts'
import { checkMfa, MfaConfig, type MfaConfigProblems } from './mfa.config.ts'
import { checkOidc, OidcConfig, type OidcConfigProblems } from './oidc.config.ts'
import { checkRoles, RolesConfig, type RolesConfigProblems, type RoleContext } from '../../users/roles/roles.config.ts'

export const AuthConfig = section(
  {
    enabled: Type.Boolean({
      default: true,
      restart: true,
      description: 'Sign-in with a password. `false` if a proxy authenticates users instead (see `proxy`).',
    }),
    reset_admin_password: Type.Boolean({
      default: false,
      restart: true,
      description:
        'Sets a new password for `admin` at every startup and prints it to standard output. Remove this key once you have signed in.',
    }),
    session_length: Type.Integer({
      default: 86_400,
      minimum: 0,
      // Its end must be a date.
      maximum: 1_000_000_000_000,
      description:
        'Seconds until a session expires. Renewed on activity. `0` requires a new sign-in for every request.',
      examples: [604_800],
    }),
    session_max_length: nullableKey(Type.Integer({ minimum: 1 }), {
      description: 'Seconds after sign-in at which a session expires, even if renewed. Default: never.',
    }),
    failed_login_rate_limit: nullableKey(Type.String(), {
      default: '10/minute;60/hour',
      description:
        'Failed logins allowed per IP address; several limits can be combined. `null` disables the limit. Counted in memory and reset by a restart; with PostgreSQL, counted in the database across all instances.',
      allowed: 'rate-limit',
      examples: ['1/second;5/minute;20/hour'],
    }),
    trusted_proxies: NetworkRanges({
      default: [],
      description:
        'Proxies whose `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and `-Prefix` headers are trusted. Without it, all clients of a proxy share its IP address and its limit on failed logins.',
      examples: [['172.18.0.0/16', 'fd00::/8']],
    }),
    cookie_name: Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~\\-]{1,64}$",
      default: 'gatehouse_token',
      restart: true,
      description: 'Name of the session cookie. Must differ from the names of the other Gatehouse cookies.',
      allowed: 'cookie-name',
    }),
    cookie_same_site: Type.Enum(['lax', 'strict', 'none'], {
      default: 'lax',
      restart: true,
      description:
        '`SameSite` attribute of the session cookie. Use `none` to embed the UI in a page of another site; sign-in then works over HTTPS only.',
    }),
    mfa: MfaConfig,
    oidc: OidcConfig,
    roles: RolesConfig,
  },
  { title: 'auth', description: 'Sign-in, sessions and roles.' },
)

export type AuthConfig = ConfigOf<typeof AuthConfig>

export interface AuthConfigProblems
  extends RolesConfigProblems, NetworkRangeProblems, MfaConfigProblems, OidcConfigProblems {
  'reserved-cookie': { readonly name: string }
}

export function checkAuth(
  auth: AuthConfig,
  around: RoleContext,
  report: SectionReport<CodedMessage<AuthConfigProblems & EngineProblems>>,
): void {
  const { problem } = report
  const limit = auth.failed_login_rate_limit
  if (limit !== null) {
    const parsed = parseRateLimit(limit)
    if ('invalid' in parsed) {
      const schema = AuthConfig.properties.failed_login_rate_limit
      problem(['auth', 'failed_login_rate_limit'], invalidValue(schema, { found: shownText(parsed.invalid) }))
    }
  }
  if (isReservedCookie(auth.cookie_name)) {
    problem(['auth', 'cookie_name'], configProblem('reserved-cookie', { name: auth.cookie_name }))
  }
  checkRanges(auth.trusted_proxies, ['auth', 'trusted_proxies'], report)
  checkMfa(auth, report)
  checkOidc(auth.oidc, auth.roles, report)
  checkRoles(auth.roles, around, report)
}
