import { backchannelLogoutRoute } from '../auth/oidc/logout/backchannel-logout.routes.ts'
import { oidcRoutes } from '../auth/oidc/sign-in/oidc.routes.ts'
import { createProviderSignIn } from '../auth/oidc/sign-in/provider-sign-in.ts'
import { createSignOutUrl } from '../auth/oidc/logout/sign-out-url.ts'
import { factorStore } from '../auth/factor/store/factor-store.sql.ts'
import type { FactorStore } from '../auth/factor/store/factor-store.ts'
import { invitationRoutes } from '../auth/invitation/invitation.routes.ts'
import { invitationStore } from '../auth/invitation/invitation-store.sql.ts'
import { createOneTimeLinks } from '../auth/invitation/one-time-links.ts'
import { loginMethodsRoutes } from '../auth/login-methods.routes.ts'
import { limitOfLinks } from '../auth/password/login-limit.ts'
import { loginRoutes } from '../auth/password/login.routes.ts'
import { profileRoutes } from '../auth/profile.routes.ts'
import { createSecretBox } from '../auth/secret-box.ts'
import { createSignIn, type SignIn } from '../auth/session/sign-in.ts'
import { sessionsRoutes } from '../auth/session/sessions.routes.ts'
import type { Route } from '../http/route.ts'
import { passwordRoutes } from '../users/password.routes.ts'
import { usersRoutes } from '../users/users.routes.ts'
import type { User } from '../users/user.ts'
import { blockOf, unblockedUsers } from '../auth/user-block.ts'
import type { Auth } from './auth.ts'
import { logoutUrlOf } from './config/config.ts'
import type { Core } from './core.ts'
import { createFactors, type AfterPassword } from './factors.ts'
import type { Media } from './media.ts'

export interface AccountRoutesDeps {
  readonly core: Core
  readonly auth: Auth
  readonly media: Media
}

/** The routes to sign in, and to manage users, sessions and invitations. */
export function accountRoutes({ core, auth, media }: AccountRoutesDeps): Route[] {
  const { accounts: store, audit, clock } = core
  const { sessions, tokens, issueToken, isAccepted } = auth
  const settings = () => core.config().auth
  const signIn = createSignIn({ store, sessions, tokens, issueToken, settings, isAccepted, audit, clock })
  const factors = factorStore(core.store)
  const { afterPassword, routes } = createFactors({ core, auth, factors, signIn })
  const deps: AccountFeatureDeps = { core, auth, factors, signIn, afterPassword }
  return [
    ...passwordSignIn(deps),
    ...routes,
    ...profile(core, auth, media),
    ...loginMethodsRoutes({ settings, factors }),
    ...providerSignIn(deps),
    ...users(deps, media),
    ...sessionsRoutes({ store, sessions }),
    ...invitations(deps),
  ]
}

/** What the features below get, in particular to sign users in. */
interface AccountFeatureDeps {
  readonly core: Core
  readonly auth: Auth
  readonly factors: FactorStore
  readonly signIn: SignIn
  readonly afterPassword: AfterPassword
}

function passwordSignIn({ core, auth, signIn, afterPassword }: AccountFeatureDeps): Route[] {
  const { accounts: store, config, runtime } = core
  const { tokens, passwords, identityProvider, publish } = auth
  const { provider, box } = identityProvider
  const { log } = runtime('service.accounts')
  return loginRoutes({
    store,
    signIn,
    passwords,
    secondFactor: afterPassword,
    tokens,
    settings: () => config().auth,
    logoutUrl: (isProxied) => logoutUrlOf(config(), isProxied),
    signOutUrl: createSignOutUrl({ provider, box, log }),
    publish,
  })
}

const profile = ({ config }: Core, { users, sessions }: Auth, { cameras }: Media): Route[] =>
  profileRoutes({
    users,
    sessions,
    settings: () => config().auth,
    logoutUrl: (isProxied) => logoutUrlOf(config(), isProxied),
    proxy: () => config().proxy,
    maxShareHours: () => config().share.max_hours,
    cameraNames: cameras.names,
  })

/** The routes to sign in with the identity provider, and to sign out there. */
function providerSignIn({ core, auth, factors, signIn }: AccountFeatureDeps): Route[] {
  const { accounts: store, config, roles, secret, audit, runtime } = core
  const { sessions, identityProvider, loginLimit: limit, publish } = auth
  const { provider } = identityProvider
  const { clock, random, log } = runtime('service.accounts')
  const settings = () => config().auth
  const providerSignIn = createProviderSignIn({
    store,
    signIn,
    box: identityProvider.box,
    settings,
    roles,
    publish,
    clock,
    random,
    log,
  })
  const box = createSecretBox(secret, 'gatehouse sign-in request', random)
  return [
    ...oidcRoutes({ provider, signIn, providerSignIn, limit, factors, settings, box, audit, clock, random, log }),
    backchannelLogoutRoute({ provider, sessions, settings, audit, clock, log }),
  ]
}

/** Connects `users` to `auth`. */
function users({ core, auth: { passwords, publish }, signIn }: AccountFeatureDeps, { cameras }: Media): Route[] {
  const { accounts: store, config, roles, audit, clock, random } = core
  const { hash, isPasswordOf } = passwords
  const { begin } = signIn
  const ofUser = (user: User) => blockOf(user, config().auth)
  return [
    ...usersRoutes({
      store,
      passwords,
      roles,
      blockOf: ofUser,
      unblockedUsers: () => unblockedUsers(config().auth),
      cameraExists: cameras.exists,
      publish,
      clock,
      random,
    }),
    ...passwordRoutes({ store, signIn: { hash, isPasswordOf, begin }, blockOf: ofUser, publish, audit, clock }),
  ]
}

function invitations({ core, auth, signIn, afterPassword }: AccountFeatureDeps): Route[] {
  const { accounts, config, roles, audit, clock, random } = core
  const store = invitationStore(core.store)
  return invitationRoutes({
    store,
    links: createOneTimeLinks({ store, limit: limitOfLinks(auth.loginLimit), audit }),
    users: accounts,
    signIn,
    passwords: auth.passwords,
    secondFactor: afterPassword,
    settings: () => config().auth,
    roles,
    isAccepted: auth.isAccepted,
    publish: auth.publish,
    audit,
    clock,
    random,
  })
}
