import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { Client } from '../shared/http/request-meta.ts'
import { providerName } from './config/oidc.config.ts'
import type { AuthConfig } from './config/auth.config.ts'
import type { FactorStore } from './factor/store/factor-store.ts'
import { relyingPartyOf } from './factor/relying-party.ts'
import { nullable } from '../shared/nullable.ts'

export const LoginMethods = Type.Object({
  password: Type.Boolean({
    description:
      'Whether users sign in with a username and password. With `auth.oidc.only`, just the emergency user does.',
  }),
  oidc: nullable(
    Type.Object({ name: Type.String(), login_url: Type.String() }),
    'The identity provider, and the path that starts sign-in with it; null: none.',
  ),
  passkeys: Type.Boolean({
    description: 'Whether a user has a passkey, and passkeys work at the URL of the request.',
  }),
})
export type LoginMethods = Static<typeof LoginMethods>

export interface LoginMethodsDeps {
  readonly settings: () => Pick<AuthConfig, 'enabled' | 'mfa' | 'oidc'>
  readonly factors: Pick<FactorStore, 'hasPasskeys'>
}

const providerOf = (oidc: AuthConfig['oidc'], { basePath }: Client): LoginMethods['oidc'] => {
  const name = providerName(oidc)
  return name === null ? null : { name, login_url: `${basePath}api/oidc/login` }
}

/** The route that tells the login page how a user can sign in. */
export const loginMethodsRoutes = ({ settings, factors }: LoginMethodsDeps): Route[] => [
  route({
    method: 'GET',
    path: '/api/login/methods',
    access: { open: 'the login page asks before anyone is signed in' },
    schema: { summary: 'Get the sign-in methods of this service.', response: { 200: LoginMethods } },
    // A session would have no effect while a proxy authenticates the request (PROXY-17).
    async handle(_input, { isProxied, client }): Promise<LoginMethods> {
      const { enabled, mfa, oidc } = settings()
      const hasSessions = enabled && !isProxied
      const hasPasswords = hasSessions && !oidc.only
      const passkeysWork = hasSessions && relyingPartyOf(client, mfa.origins) !== undefined
      return {
        password: hasPasswords,
        oidc: hasSessions ? providerOf(oidc, client) : null,
        passkeys: passkeysWork && (await factors.hasPasskeys()),
      }
    },
  }),
]
