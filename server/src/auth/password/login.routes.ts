import type { AuthConfig } from '../config/auth.config.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { Type, type Static } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Input, type Route } from '../../http/route.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { User } from '../../users/user.ts'
import type { SessionTokens } from '../session/session-token.ts'
import { loginFailed, type SignInProof, type SignedIn, type SignIn } from '../session/sign-in.ts'
import type { Passwords } from './passwords.ts'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'

/** Where a session's user signs out at the provider (OIDC-4); undefined: nowhere, and the session just ends here. */
export type SignOutUrl = (session: Session, client: Client) => Promise<string | undefined>

const Credentials = Type.Object({ user: Type.String(), password: Type.String() }, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

export const LoginResponse = Type.Object({ username: Type.String(), role: Type.String(), expires_at: Timestamp })
export type LoginResponse = Static<typeof LoginResponse>

export const loginResponse = ({ user: { name, role }, active }: SignedIn): LoginResponse => ({
  username: name,
  role,
  expires_at: timestampOf(active.expiresAt),
})

export interface LoginRoutesDeps {
  readonly store: Pick<AccountStore, 'session'>
  readonly signIn: Pick<SignIn, 'requireOffered' | 'run' | 'complete' | 'endSession'>
  readonly passwords: Pick<Passwords, 'userWith'>
  /** Asks a user who has a second factor for it: throws ServiceError `second-factor-required`. */
  readonly secondFactor: (user: User, caller: Caller) => Promise<SignInProof>
  readonly tokens: Pick<SessionTokens, 'sessionIdsFrom'>
  readonly settings: () => Pick<AuthConfig, 'enabled'>
  /** The target of the UI's logout link; null for the service's own logout. */
  readonly logoutUrl: (isProxied: boolean) => string | null
  readonly signOutUrl: SignOutUrl
  readonly publish: (invalidation: Invalidation) => void
}

/** Routes for login and logout. */
export function loginRoutes(deps: LoginRoutesDeps): Route[] {
  const { store, signIn, passwords, secondFactor, tokens, settings, logoutUrl, signOutUrl, publish } = deps

  /** TOK-6: revokes the sessions of all valid or expired tokens in the request. */
  const logout = async ({ client, meta }: Caller): Promise<readonly Session[]> => {
    const ended: Session[] = []
    const shown = settings().enabled ? tokens.sessionIdsFrom(meta) : []
    for (const id of shown) {
      const session = await store.session(id)
      if (session) {
        await signIn.endSession(session, client)
        ended.push(session)
      } else {
        // Without a row, it can still be cached.
        publish({ kind: 'session', id })
      }
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
      requireOffered: signIn.requireOffered,
      schema: {
        summary: 'Sign in and set the session cookie.',
        body: Credentials,
        response: { 200: LoginResponse },
      },
      async handle({ body: { user, password } }, caller) {
        const signedIn = await signIn.run(caller, { name: user }, async (from) => {
          const found = await passwords.userWith(user, password, caller.client.address)
          if (!found) throw loginFailed()
          return signIn.complete(found, from, await secondFactor(found, caller))
        })
        return respond({ status: 200, body: loginResponse(signedIn), session: signedIn.token })
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
      handle: (_input, { client }) => respond({ status: 303, headers: { location: loginPage(client) } }),
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
          return respond({ status: 303, headers: { location, ...forgetCache }, session: 'clear' })
        },
      }),
      route({
        method: 'POST',
        path,
        access: { open: out },
        // A session must not outlive its sign-out because the connection is slow or breaks.
        ignoresBody: true,
        schema: { summary: 'Sign out.', otherResponses: { 204: null } },
        async handle(_input: Input<unknown>, caller) {
          await logout(caller)
          return respond({ headers: forgetCache, session: 'clear' })
        },
      }),
    ]),
  ]
}

/** Clears images and video from the browser's cache for the next user. Browsers accept this header only over TLS. */
const forgetCache = { 'clear-site-data': '"cache"' }

const loginPage = ({ basePath }: Client): string => `${basePath}login`
