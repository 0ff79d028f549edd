import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { AuthConfig } from './auth.config.ts'

export const LoginMethods = Type.Object({
  password: Type.Boolean({ description: 'Whether a username and password are accepted.' }),
  oidc: Type.Union([Type.Object({ name: Type.String(), login_url: Type.String() }), Type.Null()], {
    description: 'The identity provider, and the path at which signing in with it begins; null: none.',
  }),
  passkeys: Type.Boolean({ description: 'Whether a passkey is accepted.' }),
})
export type LoginMethods = Static<typeof LoginMethods>

export interface LoginMethodsDeps {
  readonly settings: () => Pick<AuthConfig, 'enabled'>
}

/** The route that tells the login page how a user can sign in. */
export const loginMethodsRoutes = ({ settings }: LoginMethodsDeps): Route[] => [
  route({
    method: 'GET',
    path: '/api/login/methods',
    access: { open: 'the login page asks before anyone is signed in' },
    schema: { summary: 'How a user can sign in with this service.', response: { 200: LoginMethods } },
    // A session would have no effect while a proxy authenticates the request (PROXY-17).
    handle: (_input, { isProxied }): LoginMethods => ({
      password: settings().enabled && !isProxied,
      oidc: null,
      passkeys: false,
    }),
  }),
]
