import type { AuthConfig } from '../auth/config/auth.config.ts'
import type { Invalidation } from '../access/invalidation.ts'
import type { Roles } from '../access/role.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../shared/audit/audit.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { AccountStore } from '../users/accounts/account-store.ts'
import type { User } from '../users/user.ts'
import type { FactorStore } from '../auth/factor/factor-store.ts'
import { createLoginFlow, type LoginFlow } from '../auth/password/login-flow.ts'
import { limitOfLinks, type LoginLimit } from '../auth/password/login-limit.ts'
import { loginMethodsRoutes } from '../auth/login-methods.routes.ts'
import { loginRoutes } from '../auth/password/login.routes.ts'
import { profileRoutes, type ProfileRoutesDeps } from '../auth/profile.routes.ts'
import { createSignOutUrl } from '../auth/oidc/sign-out-url.ts'
import { oidcRoutes } from '../auth/oidc/oidc.routes.ts'
import { backchannelLogoutRoute } from '../auth/oidc/backchannel-logout.routes.ts'
import type { Provider } from '../auth/oidc/provider.ts'
import { createProviderSignIn } from '../auth/oidc/provider-sign-in.ts'
import { createSecretBox, type SecretBox } from '../auth/secret-box.ts'
import type { Passwords } from '../users/password/passwords.ts'
import type { AccountCache } from '../auth/account-cache.ts'
import { sessionsRoutes } from '../auth/session/sessions.routes.ts'
import { createSignIn } from '../auth/password/sign-in.ts'
import type { KnownAddresses } from '../auth/session/known-addresses.ts'
import type { SessionTokens } from '../auth/session/session-token.ts'
import type { IssueToken } from '../auth/session/token-issuer.ts'
import { invitationRoutes } from '../auth/invitation/invitation.routes.ts'
import { createPersonalLinks } from '../auth/invitation/personal-links.ts'
import type { InvitationStore } from '../auth/invitation/invitation-store.ts'
import { createFactors } from './factors.ts'
import { passwordRoutes } from '../users/password.routes.ts'
import { usersRoutes } from '../users/users.routes.ts'

export interface AccountsDeps {
  readonly store: AccountStore
  readonly invitations: InvitationStore
  readonly accountCache: Pick<AccountCache, 'users' | 'sessions'>
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: User) => boolean
  readonly factors: FactorStore
  readonly tokens: SessionTokens
  readonly issueToken: IssueToken
  /** The provider, and the box of what sessions keep of it. */
  readonly identityProvider: { readonly provider: Provider; readonly box: SecretBox }
  /** The JWT secret, for keys derived from it. */
  readonly secret: string
  readonly passwords: Passwords
  readonly limit: LoginLimit
  readonly knownAddresses: Pick<KnownAddresses, 'has'>
  readonly settings: () => AuthConfig
  readonly roles: () => Roles
  readonly logoutUrl: ProfileRoutesDeps['logoutUrl']
  readonly proxy: ProfileRoutesDeps['proxy']
  readonly maxShareHours: ProfileRoutesDeps['maxShareHours']
  readonly cameraNames: ProfileRoutesDeps['cameraNames']
  readonly cameraExists: (name: string) => boolean
  readonly publish: (fact: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The routes to sign in and to manage users and sessions. */
export function createAccounts(deps: AccountsDeps): { readonly routes: Route[] } {
  const { accountCache, invitations } = deps
  const { users, sessions } = accountCache
  const signIn = createSignIn({ ...deps, sessions })
  const flow = createLoginFlow({ ...deps, sessions })
  const factors = createFactors({ ...deps, accounts: deps.store, flow, signIn })
  const signOutUrl = createSignOutUrl({ ...deps, ...deps.identityProvider })
  return {
    routes: [
      ...loginRoutes({ ...deps, flow, signIn, signOutUrl, secondFactor: factors.afterPassword }),
      ...factors.routes,
      ...profileRoutes({ ...deps, users, sessions }),
      ...loginMethodsRoutes(deps),
      ...providerRoutes(deps, flow),
      ...usersRoutes({ ...deps, signIn }),
      ...passwordRoutes({ ...deps, signIn }),
      ...sessionsRoutes({ ...deps, sessions }),
      ...invitationRoutes({
        ...deps,
        store: invitations,
        links: createPersonalLinks({ store: invitations, limit: limitOfLinks(deps.limit), audit: deps.audit }),
        users: deps.store,
        flow,
        signIn,
        secondFactor: factors.afterPassword,
      }),
    ],
  }
}

/** The routes to sign in with the identity provider. */
function providerRoutes(deps: AccountsDeps, flow: LoginFlow): Route[] {
  const { secret, random, accountCache, identityProvider } = deps
  const { sessions } = accountCache
  const { provider, box } = identityProvider
  const signIn = createProviderSignIn({ ...deps, sessions, box })
  const ofRequests = createSecretBox(secret, 'gatehouse sign-in request', random)
  return [
    ...oidcRoutes({ ...deps, flow, provider, signIn, box: ofRequests }),
    backchannelLogoutRoute({ ...deps, sessions, provider }),
  ]
}
