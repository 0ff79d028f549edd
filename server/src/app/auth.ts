import type { Invalidation } from '../access/invalidation.ts'
import { firstAdmin } from '../users/first-admin.ts'
import { createAccountCache } from '../auth/account-cache.ts'
import { followInvalidations } from '../auth/follow-invalidations.ts'
import { failedLoginStore } from '../auth/password/failed-login-store.sql.ts'
import { createLoginLimit, type LoginLimit } from '../auth/password/login-limit.ts'
import { createPasswords, type Passwords, type PasswordsDeps } from '../auth/password/passwords.ts'
import { createSharedLoginLimit } from '../auth/password/shared-login-limit.ts'
import { createClientResolver } from '../auth/proxy/client-address.ts'
import { createOrphanedRoles } from '../users/roles/orphaned-roles.ts'
import { accountSql } from '../users/accounts/account-sql.ts'
import { createRoleDeletion, createSharedRoleDeletion, type RoleDeletion } from '../users/roles/role-deletion.ts'
import { invitationEnd, reassignment } from '../users/accounts/role-deletions.sql.ts'
import { createStreamRegistry } from '../gate/stream-registry.ts'
import { createKnownAddresses, maxKnownAddresses } from '../auth/session/known-addresses.ts'
import { createSessionTokens } from '../auth/session/session-token.ts'
import { createTokenIssuer } from '../auth/session/token-issuer.ts'
import { createJwtCodec } from '../auth/token/jwt-codec.ts'
import { mustEnroll } from '../auth/must-enroll.ts'
import { isAcceptedUser } from '../auth/oidc/accepted-user.ts'
import { createProvider } from '../auth/oidc/provider/provider.ts'
import { watchProvider } from '../auth/oidc/provider/provider-status.ts'
import { createRecheck } from '../auth/oidc/recheck.ts'
import { createSecretBox } from '../auth/secret-box.ts'
import type { Sessions } from '../auth/session/sessions.ts'
import type { CachedUser } from '../users/user.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import { createBus } from '../shared/bus.ts'
import { limitsOf } from '../shared/rate/rate-limit.ts'
import type { Core, Surroundings } from './core.ts'
import { openCredentials } from './credentials.ts'
import { instanceId } from './instance-id.ts'
import type { Opened } from './lifecycle.ts'

export type Auth = Awaited<ReturnType<typeof openAuth>>

const clientResolver = ({ config, started }: Core) =>
  createClientResolver({
    trustedProxies: () => config().auth.trusted_proxies,
    prefixHeader: () => config().proxy.prefix_header,
    basePath: started.http.base_path,
  })

/** Instances on one PostgreSQL database count failed logins together. */
function openLoginLimit({ store, config, clock, runtime }: Core, opened: Opened): LoginLimit {
  const limits = limitsOf(() => config().auth.failed_login_rate_limit)
  const local = createLoginLimit({ limits, clock })
  if (store.engine === 'sqlite') return local
  return opened.add(
    'shared login limit',
    createSharedLoginLimit({ local, store: failedLoginStore(store), limits, ...runtime('service.api.auth') }),
  )
}

/** The identity provider, and the loop that asks it about open sessions. */
function openIdentityProvider(
  { accounts, config, roles, secret, random, runtime }: Core,
  opened: Opened,
  sessions: Sessions,
  publish: (invalidation: Invalidation) => void,
) {
  const forProvider = runtime('service.oidc')
  const settings = () => config().auth.oidc
  const provider = watchProvider(createProvider({ settings, ...forProvider }), {
    issuer: () => settings().issuer,
    ...forProvider,
  })
  const box = createSecretBox(secret, 'gatehouse provider tokens', random)
  opened.add(
    'sessions of the identity provider',
    createRecheck({ provider, store: accounts, sessions, box, settings, roles, publish, ...forProvider }),
  )
  return { provider, box }
}

function openRoleDeletion(
  { accounts, configDir, isShared, random, roles, runtime, store }: Core,
  publish: (invalidation: Invalidation) => void,
): RoleDeletion {
  const forAccounts = runtime('service.accounts')
  const owner = instanceId(configDir, store.engine, random)
  const inFile = createRoleDeletion({ store: accounts, owner, roles, publish, ...forAccounts })
  if (!isShared) return inFile
  return createSharedRoleDeletion({
    reassign: reassignment(accountSql(store)),
    endInvitations: invitationEnd(accountSql(store)),
    earlier: inFile,
    roles,
    publish,
    ...forAccounts,
  })
}

const openPasswords = (
  { accounts: store, runtime }: Core,
  opened: Opened,
  deps: Pick<PasswordsDeps, 'limit' | 'knownAddresses' | 'createHashing' | 'isAccepted'>,
): Passwords => opened.add('passwords', createPasswords({ store, ...deps, ...runtime('service.accounts') }))

/** Users, sessions, tokens and open streams, and the bus of invalidations. */
export async function openAuth(core: Core, { output, createHashing }: Surroundings, opened: Opened) {
  const { clock, random, logs, runtime, configStore, config, started, roles, store, accounts, secret } = core
  const { isClockTrusted, audit } = core
  const bus = createBus<Invalidation>(logs.named('service'))
  const publish = (invalidation: Invalidation) => bus.publish(invalidation)
  const isListening = () => store.changes.isListening()
  const openStreams = opened.add(
    'open streams',
    createStreamRegistry({
      ...runtime('service.streams'),
      isListening: () => isListening() && configStore.isCurrent(),
    }),
  )
  const forAccounts = runtime('service.accounts')
  const knownAddresses = createKnownAddresses(await accounts.sessionAddresses(clock.now(), maxKnownAddresses))
  const accountCache = opened.add(
    'accounts',
    createAccountCache({
      store: accounts,
      isFresh: isListening,
      isClockTrusted,
      publish,
      knownAddresses,
      ...forAccounts,
    }),
  )
  const clientOf = clientResolver(core)
  const isAccepted = (user: CachedUser) => isAcceptedUser(user, config().auth.oidc)
  const enrolls = (user: CachedUser) => mustEnroll(user, config().auth.mfa)
  const loginLimit = openLoginLimit(core, opened)
  const { users, sessions } = accountCache
  const addressOf = (meta: RequestMeta) => clientOf(meta).address
  const ofUsers = { users, isAccepted, addressOf, publish }
  const { stores, apiTokens, tokenUses, screens, linkKeys, shareLinks } = openCredentials(core, opened, ofUsers)
  // Caches are invalidated first, then every open stream is reauthorized.
  for (const cached of [accountCache, screens, apiTokens, shareLinks]) {
    bus.subscribe((invalidation) => cached.invalidate(invalidation))
  }
  bus.subscribe(() => void openStreams.reauthorizeAll())
  opened.add('invalidations', followInvalidations({ changes: store.changes, publish, clock }))

  const deletion = opened.add('role deletion', openRoleDeletion(core, publish))
  await deletion.settle()
  const orphaned = opened.add('orphaned roles', createOrphanedRoles({ store: accounts, roles, audit, ...forAccounts }))
  await orphaned.check()
  bus.subscribe((invalidation) => orphaned.onChange(invalidation))
  const passwords = openPasswords(core, opened, { limit: loginLimit, knownAddresses, createHashing, isAccepted })
  const print = (text: string) => output.write(text)
  await firstAdmin({ store: accounts, passwords, settings: started.auth, print, publish, clock, random })
  const settings = () => config().auth
  const codec = createJwtCodec(secret)
  const issueToken = createTokenIssuer({ codec, sessions, settings, clock })
  const tokens = createSessionTokens({ codec, issueToken, users, sessions, settings, isAccepted, clock })
  const identityProvider = openIdentityProvider(core, opened, sessions, publish)

  return {
    users,
    sessions,
    isAccepted,
    mustEnroll: enrolls,
    tokens,
    issueToken,
    clientOf,
    /** Failed logins, and whatever else counts as one. */
    loginLimit,
    /** Of API tokens, screens and share links. */
    credentialStores: stores,
    apiTokens,
    tokenUses,
    screens,
    linkKeys,
    shareLinks,
    identityProvider,
    passwords,
    deletion,
    openStreams,
    publish,
  }
}
