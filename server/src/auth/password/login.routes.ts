import type { AuthConfig } from '../config/auth.config.ts'
import type { ProxyConfig } from '../config/proxy.config.ts'
import { Type, type Static } from 'typebox'
import type { CameraScope } from '../../access/grant.ts'
import { databaseKeyOf, known } from '../../access/identity.ts'
import { HistoryDays, SuspendedResponse } from '../grant-schema.ts'
import { answer, route, type Caller, type Input, type Route } from '../../http/route.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { AccountStore } from '../../users/account-store.ts'
import type { Session } from '../../users/session.ts'
import type { User } from '../../users/user.ts'
import type { Sessions } from '../session/sessions.ts'
import type { SessionTokens } from '../session/session-token.ts'
import type { LoginFlow } from './login-flow.ts'
import type { SignInProof, SignedIn, SignIn } from './sign-in.ts'
import { Timestamp, moment } from '../../users/views.ts'
import type { Users } from '../cached-users.ts'

/** Where a session's user signs out at the provider (OIDC-4); undefined: nowhere, and the session just ends here. */
export type SignOutUrl = (session: Session, client: Client) => Promise<string | undefined>

const Credentials = Type.Object({ user: Type.String(), password: Type.String() }, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export const LoginResponse = Type.Object({ username: Type.String(), role: Type.String(), expires_at: Timestamp })
export type LoginResponse = Static<typeof LoginResponse>

export const loginView = ({ user: { name, role }, live }: SignedIn): LoginResponse => ({
  username: name,
  role,
  expires_at: moment(live.expiresAt),
})

export const Profile = Type.Object({
  username: Type.String(),
  display_name: Type.Optional(
    Type.String({ description: "The proxy's own name for the user, to be shown in place of the username." }),
  ),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The user in paths; null for a caller who is no user in the database.',
  }),
  role: Type.String(),
  allowed_cameras: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  suspended: Type.Optional(SuspendedResponse),
  history_days: HistoryDays,
  logout_url: Type.Union([Type.String(), Type.Null()]),
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
  recheck_interval: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Seconds after which an open stream is closed and must be reopened through the proxy; null: never.',
  }),
  share_max_hours: Type.Integer({ description: 'Hours for which a share link can be valid (`share.max_hours`).' }),
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Expiry of the session, unless renewed; null without a session.',
  }),
  must_change_password: Type.Boolean({
    description: 'Whether the UI asks for a new password, because an admin or the log knows the current one.',
  }),
  password_origin: Type.Union([Type.Enum(['own', 'printed', 'given']), Type.Null()], {
    description:
      'Origin of the password: chosen by its user, printed in the log, or set by an admin; null without a password.',
  }),
  second_factor: Type.Union(
    [
      Type.Object({
        has: Type.Boolean({ description: 'Whether the user has an authenticator app or a passkey.' }),
        reset: Type.Union([Type.Object({ by: Type.String(), at: Timestamp }), Type.Null()], {
          description: 'Who reset the factors, and when; null if no one did, or the user has seen it.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The second factors of a user with a password; null for any other caller.' },
  ),
})
export type Profile = Static<typeof Profile>

export interface LoginRoutesDeps {
  readonly store: Pick<AccountStore, 'session'>
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'find'>
  readonly flow: LoginFlow
  readonly signIn: Pick<SignIn, 'withPassword'>
  /** Asks a user who has a second factor for it: throws ServiceError `second-factor-required`. */
  readonly secondFactor: (user: User, caller: Caller) => Promise<SignInProof>
  readonly tokens: Pick<SessionTokens, 'sessionIdsFrom'>
  readonly settings: () => Pick<AuthConfig, 'enabled'> & { readonly oidc: Pick<AuthConfig['oidc'], 'issuer'> }
  /** The target of the UI's logout link; null for the service's own logout. */
  readonly logoutUrl: (isProxied: boolean) => string | null
  readonly signOutUrl: SignOutUrl
  readonly proxy: () => Pick<ProxyConfig, 'enabled' | 'recheck_interval'>
  /** `share.max_hours`. */
  readonly maxShareHours: () => number
  /** Names of the existing cameras in a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
}

/** Routes for login, logout and the caller's profile. */
export function loginRoutes(deps: LoginRoutesDeps): Route[] {
  const { store, users, sessions, flow, signIn, secondFactor, tokens, settings, logoutUrl, signOutUrl, proxy } = deps
  const { maxShareHours, cameraNames } = deps

  const signInMethods = (): readonly ('password' | 'oidc' | 'proxy')[] => {
    const { enabled, oidc } = settings()
    if (!enabled) return ['proxy']
    return [
      'password',
      ...(oidc.issuer === null ? [] : ['oidc' as const]),
      ...(proxy().enabled ? ['proxy' as const] : []),
    ]
  }

  /** TOK-6: revokes the sessions of all valid or expired tokens in the request. */
  const logout = async ({ client, meta }: Caller): Promise<readonly Session[]> => {
    const ended: Session[] = []
    const shown = settings().enabled ? tokens.sessionIdsFrom(meta) : []
    for (const id of shown) {
      const session = await store.session(id)
      if (!session) continue
      await flow.endSession(session, client)
      ended.push(session)
    }
    return ended
  }

  /** Where a browser goes that signed out: for a provider's user to the provider, to sign out there too (OIDC-4). */
  const afterLogout = async (ended: readonly Session[], { client, isProxied }: Caller): Promise<string> => {
    const theirs = ended.find(({ provider }) => provider)
    const elsewhere = theirs && (await signOutUrl(theirs, client))
    return elsewhere ?? logoutUrl(isProxied) ?? loginPage(client)
  }

  const out = 'anyone can sign out, even with an invalid token or without one'

  return [
    route({
      method: 'POST',
      path: '/api/login',
      access: { open: 'callers are not signed in yet' },
      schema: {
        summary: 'Sign in and set the session cookie.',
        body: Credentials,
        response: { 200: LoginResponse },
      },
      async handle({ body: { user, password } }, caller) {
        const signedIn = await flow.run(caller, { name: user }, (from) =>
          signIn.withPassword(user, password, from, (found) => secondFactor(found, caller)),
        )
        return answer({ status: 200, body: loginView(signedIn), session: signedIn.token })
      },
    }),
    route({
      method: 'GET',
      path: '/api/login',
      access: { open: 'redirects to the login page' },
      schema: {
        summary: 'Redirect to the login page, after single sign-on in front of the API.',
        otherResponses: { 303: null },
      },
      handle: (_input, { client }) => answer({ status: 303, headers: { location: loginPage(client) } }),
    }),
    ...(['/api/logout', '/logout'] as const).flatMap((path) => [
      route({
        method: 'GET',
        path,
        access: { open: out },
        sameOriginOnly: true,
        schema: { summary: 'Sign out and redirect to the login page or `logout_url`.', otherResponses: { 303: null } },
        async handle(_input: Input<unknown>, caller) {
          const location = await afterLogout(await logout(caller), caller)
          return answer({ status: 303, headers: { location, ...forgetCache }, session: 'clear' })
        },
      }),
      route({
        method: 'POST',
        path,
        access: { open: out },
        schema: { summary: 'Sign out.', otherResponses: { 204: null } },
        async handle(_input: Input<unknown>, caller) {
          await logout(caller)
          return answer({ status: 204, headers: forgetCache, session: 'clear' })
        },
      }),
    ]),
    route({
      method: 'GET',
      path: '/api/profile',
      access: { signedIn: true, enrolling: true },
      schema: { summary: "Get the caller's profile and permissions.", response: { 200: Profile } },
      async handle(_input, { identity, actions, suspended, history, scope, isProxied, client: { basePath } }) {
        const { authMethod, name, displayName, role = '', session, credential } = known(identity)
        const key = databaseKeyOf(identity)
        const user = key === undefined ? undefined : await users.byKey(key)
        const live = session === undefined ? undefined : await sessions.find(session)
        return {
          username: name,
          ...(displayName !== undefined && { display_name: displayName }),
          key: key ?? null,
          role,
          allowed_cameras: [...cameraNames(scope)],
          actions: [...actions],
          ...(suspended && { suspended }),
          history_days: history === undefined ? null : history / 86_400_000,
          // The service's own sign-out leads to the provider's.
          logout_url: authMethod === 'oidc' ? `${basePath}api/logout` : logoutUrl(isProxied),
          auth: authMethod === 'internal' ? 'none' : authMethod,
          ...(credential?.kind === 'token' && { token: { id: credential.id, name: credential.name } }),
          sign_in_methods: [...signInMethods()],
          recheck_interval: authMethod === 'proxy' ? proxy().recheck_interval : null,
          share_max_hours: maxShareHours(),
          expires_at: live ? moment(live.expiresAt) : null,
          must_change_password: user !== undefined && user.passwordOrigin !== 'own',
          password_origin: user && !user.provider ? user.passwordOrigin : null,
          second_factor: user && !user.provider ? { has: user.hasFactor, reset: resetView(user) } : null,
        }
      },
    }),
  ]
}

const resetView = ({ factorReset }: User) => factorReset && { by: factorReset.by, at: moment(factorReset.at) }

/** Clears images and video from the browser's cache for the next user. Browsers accept this header only over TLS. */
const forgetCache = { 'clear-site-data': '"cache"' }

const loginPage = ({ basePath }: Client): string => `${basePath}login`
