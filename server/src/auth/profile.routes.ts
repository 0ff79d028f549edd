import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { principalOf } from '../access/identity.ts'
import { route, type Route } from '../http/route.ts'
import type { CachedUser } from '../users/user.ts'
import { Timestamp, timestampOf } from '../shared/http/timestamp.ts'
import type { Users } from './cached-users.ts'
import type { AuthConfig } from './config/auth.config.ts'
import type { ProxyConfig } from './config/proxy.config.ts'
import { HistoryDays, SuspendedResponse } from './grant-schema.ts'
import type { Sessions } from './session/sessions.ts'
import { nullable } from '../shared/nullable.ts'
import { day } from '../shared/time/durations.ts'

export const Profile = Type.Object({
  username: Type.String(),
  display_name: Type.Optional(
    Type.String({ description: "The proxy's own name for the user, to be shown in place of the username." }),
  ),
  key: nullable(Type.String(), 'Identifies the user in paths; null if the caller is not a user in the database.'),
  role: Type.String(),
  allowed_cameras: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  suspended: Type.Optional(SuspendedResponse),
  history_days: HistoryDays,
  logout_url: nullable(Type.String()),
  auth: Type.Union(
    [
      Type.Literal('password'),
      Type.Literal('oidc'),
      Type.Literal('proxy'),
      Type.Literal('screen'),
      Type.Literal('none'),
    ],
    {
      description: 'How the caller is authenticated: password, oidc, proxy, screen, or none (internal port).',
    },
  ),
  token: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The API token of the request, if it has one.' },
    ),
  ),
  sign_in_methods: Type.Array(Type.Enum(['password', 'oidc', 'proxy']), {
    description: 'Sign-in methods of this service.',
  }),
  recheck_interval: nullable(
    Type.Integer(),
    'Seconds after which an open stream is closed and must be reopened through the proxy; null: never.',
  ),
  share_max_hours: Type.Integer({ description: 'Maximum lifetime of a share link, hours (`share.max_hours`).' }),
  expires_at: nullable(Timestamp, 'Expiry of the session, unless renewed; null without a session.'),
  must_change_password: Type.Boolean({
    description: 'Whether the UI asks for a new password, because an admin or the log knows the current one.',
  }),
  password_origin: nullable(
    Type.Enum(['own', 'printed', 'given']),
    'Origin of the password: chosen by its user, printed in the log, or set by an admin; null without a password.',
  ),
  second_factor: nullable(
    Type.Object({
      has: Type.Boolean({ description: 'Whether the user has an authenticator app or a passkey.' }),
      reset: nullable(
        Type.Object({ by: Type.String(), at: Timestamp }),
        'Who reset the factors, and when; null if no one did, or the user has seen it.',
      ),
    }),
    'The second factors of a user with a password; null for any other caller.',
  ),
})
export type Profile = Static<typeof Profile>

export interface ProfileRoutesDeps {
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'find'>
  readonly settings: () => Pick<AuthConfig, 'enabled'> & { readonly oidc: Pick<AuthConfig['oidc'], 'issuer'> }
  /** The target of the UI's logout link; null for the service's own logout. */
  readonly logoutUrl: (isProxied: boolean) => string | null
  readonly proxy: () => Pick<ProxyConfig, 'enabled' | 'recheck_interval'>
  /** `share.max_hours`. */
  readonly maxShareHours: () => number
  /** Names of the existing cameras in a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
}

/** The route of the caller's profile: who they are, and what the web UI can offer them. */
export function profileRoutes(deps: ProfileRoutesDeps): Route[] {
  const { users, sessions, settings, logoutUrl, proxy, maxShareHours, cameraNames } = deps

  const signInMethods = (): readonly ('password' | 'oidc' | 'proxy')[] => {
    const { enabled, oidc } = settings()
    if (!enabled) return ['proxy']
    return [
      'password',
      ...(oidc.issuer === null ? [] : ['oidc' as const]),
      ...(proxy().enabled ? ['proxy' as const] : []),
    ]
  }

  return [
    route({
      method: 'GET',
      path: '/api/profile',
      access: { signedIn: true, enrolling: true },
      schema: { summary: "Get the caller's profile and permissions.", response: { 200: Profile } },
      async handle(_input, { identity, actions, suspended, history, scope, isProxied, client: { basePath } }) {
        const { authMethod, name, displayName, key, userId, role = '', session, credential } = principalOf(identity)
        const found = userId === null ? undefined : await users.byKey(key)
        // By now, the name can be that of a later user.
        const user = found?.id === userId ? found : undefined
        const active = session === undefined ? undefined : await sessions.find(session)
        return {
          username: name,
          ...(displayName !== undefined && { display_name: displayName }),
          key: userId === null ? null : key,
          role,
          allowed_cameras: [...cameraNames(scope)],
          actions: [...actions],
          ...(suspended && { suspended }),
          history_days: history === undefined ? null : history / day,
          // The service's own sign-out leads to the provider's.
          logout_url: authMethod === 'oidc' ? `${basePath}api/logout` : logoutUrl(isProxied),
          auth: authMethod === 'internal' ? 'none' : authMethod,
          ...(credential?.kind === 'token' && { token: { id: credential.id, name: credential.name } }),
          sign_in_methods: [...signInMethods()],
          recheck_interval: authMethod === 'proxy' ? proxy().recheck_interval : null,
          share_max_hours: maxShareHours(),
          expires_at: active ? timestampOf(active.expiresAt) : null,
          must_change_password: user !== undefined && user.passwordOrigin !== 'own',
          password_origin: user && !user.provider ? user.passwordOrigin : null,
          second_factor: user && !user.provider ? { has: user.hasFactor, reset: resetResponse(user) } : null,
        }
      },
    }),
  ]
}

const resetResponse = ({ factorReset }: Pick<CachedUser, 'factorReset'>) =>
  factorReset && { by: factorReset.by, at: timestampOf(factorReset.at) }
