import { hostname } from 'node:os'
import { parseInvalidation, type Invalidation } from '../access/invalidation.ts'
import { firstAdmin } from '../users/first-admin.ts'
import { instanceStore } from '../users/instance-store.sql.ts'
import { createInstances } from '../users/instances.ts'
import { createPasswords } from '../users/password/passwords.ts'
import { createAccountCache, type AccountCache } from '../auth/account-cache.ts'
import { createLoginLimit } from '../auth/password/login-limit.ts'
import { createClientResolver } from '../auth/proxy/client-address.ts'
import { createApiTokens, type ApiTokens, type ApiTokensDeps } from '../auth/api-token/api-tokens.ts'
import { apiTokenStore } from '../auth/api-token/api-token-store.sql.ts'
import { createApiTokenUses } from '../auth/api-token/api-token-uses.ts'
import { screenStore } from '../auth/screen/screen-store.sql.ts'
import { createLinkKeys } from '../auth/share-link/link-keys.ts'
import { createShareLinks } from '../auth/share-link/share-links.ts'
import { shareLinkStore } from '../auth/share-link/share-link-store.sql.ts'
import { createScreens } from '../auth/screen/screens.ts'
import { createOrphanedRoles } from '../users/orphaned-roles.ts'
import { createRoleDeletion } from '../users/role-deletion.ts'
import { createStreamRegistry } from '../gate/stream-registry.ts'
import { createSessionTokens } from '../auth/session/session-token.ts'
import { createBus } from '../shared/bus.ts'
import { limitsOf } from '../shared/rate-limit.ts'
import type { Core, Opened, Surroundings } from './core.ts'
import { instanceId } from './instance-id.ts'

export type Auth = Awaited<ReturnType<typeof openAuth>>

const clientResolver = ({ config, started }: Core) =>
  createClientResolver({
    trustedProxies: () => config().auth.trusted_proxies,
    basePath: started.http.base_path,
  })

const openInstances = ({ store, started, customRoles, runtime }: Core) =>
  createInstances({
    store: store.engine === 'postgres' ? instanceStore(store) : undefined,
    name: `${hostname()}:${started.networking.gate.port}`,
    customRoles,
    ...runtime('service.instances'),
  })

interface ApiTokensNeed extends Pick<ApiTokensDeps, 'users' | 'limit'> {
  readonly clientOf: ReturnType<typeof clientResolver>
  readonly isListening: () => boolean
}

function openApiTokens(
  { store, registry, runtime }: Core,
  opened: Opened,
  { clientOf, isListening, ...need }: ApiTokensNeed,
) {
  const forTokens = { store: apiTokenStore(store), ...runtime('service.tokens') }
  const tokenUses = createApiTokenUses(forTokens)
  opened.defer(() => tokenUses.stop())
  const apiTokens = createApiTokens({
    ...forTokens,
    ...need,
    cameras: registry,
    uses: tokenUses,
    addressOf: (meta) => clientOf(meta).address,
    trusted: isListening,
  })
  return { apiTokens, tokenUses }
}

interface ShareLinksNeed extends Pick<AccountCache, 'users'> {
  readonly apiTokens: Pick<ApiTokens, 'identityOf'>
  readonly publish: (fact: Invalidation) => void
}

function openShareLinks(core: Core, opened: Opened, { users, apiTokens, publish }: ShareLinksNeed) {
  const { store, registry: cameras, roles, isClockTrusted, secret, runtime } = core
  const linkKeys = createLinkKeys(secret)
  const shareLinks = createShareLinks({
    store: shareLinkStore(store),
    users,
    isTokenValid: async (id) => (await apiTokens.identityOf(id, core.clock.now()))?.kind === 'known',
    roles,
    cameras,
    keys: linkKeys,
    trusted: () => store.changes.live(),
    isClockTrusted,
    publish,
    ...runtime('service.links'),
  })
  opened.defer(() => shareLinks.stop())
  return { linkKeys, shareLinks }
}

/** Users, sessions, tokens and open streams, and the bus of invalidations. */
export async function openAuth(core: Core, { output, createHashing }: Surroundings, opened: Opened) {
  const { clock, random, logs, runtime, config, started, roles, store, accounts, secret, audit } = core
  const bus = createBus<Invalidation>(logs.named('service'))
  const publish = (fact: Invalidation) => bus.publish(fact)
  const isListening = () => store.changes.live()
  const openStreams = createStreamRegistry({ ...runtime('service.streams'), isListening })
  opened.defer(() => openStreams.stop())
  const forAccounts = runtime('service.accounts')
  const accountCache = createAccountCache({ store: accounts, trusted: isListening, publish, ...forAccounts })
  opened.defer(() => accountCache.stop())
  const clientOf = clientResolver(core)
  const screens = createScreens({
    store: screenStore(store),
    cameras: core.registry,
    addressOf: (meta) => clientOf(meta).address,
    trusted: isListening,
    ...runtime('service.screens'),
  })
  const loginLimit = createLoginLimit({ limits: limitsOf(() => config().auth.failed_login_rate_limit), clock })
  const { users } = accountCache
  const { apiTokens, tokenUses } = openApiTokens(core, opened, { users, limit: loginLimit, clientOf, isListening })
  const { linkKeys, shareLinks } = openShareLinks(core, opened, { users, apiTokens, publish })
  // Caches are invalidated first, then every open stream is reauthorized.
  for (const cached of [accountCache, screens, apiTokens, shareLinks]) {
    bus.subscribe((fact) => cached.invalidate(fact))
  }
  bus.subscribe(() => void openStreams.decideAllAgain())
  store.changes.subscribe((change) =>
    publish(change === 'missed' ? { kind: 'anything' } : parseInvalidation(change.message)),
  )

  const deletion = createRoleDeletion({
    store: accounts,
    owner: instanceId(core.configDir, store.engine, random),
    roles,
    publish,
    ...forAccounts,
  })
  opened.defer(() => deletion.stop())
  await deletion.settle()
  const orphaned = createOrphanedRoles({ store: accounts, roles, audit, ...forAccounts })
  opened.defer(() => orphaned.stop())
  await orphaned.check()
  bus.subscribe((fact) => orphaned.onChange(fact))
  const instances = openInstances(core)
  opened.defer(() => instances.stop())
  bus.subscribe(({ kind }) => void (kind === 'config' && instances.changed()))
  const passwords = createPasswords({ createHashing, ...forAccounts })
  opened.defer(() => passwords.stop())
  const print = (text: string) => output.write(text)
  await firstAdmin({ store: accounts, passwords, settings: started.auth, print, publish, clock, random })
  const tokens = createSessionTokens({ secret, ...accountCache, settings: () => config().auth, clock })

  return {
    users: accountCache.users,
    sessions: accountCache.sessions,
    tokens,
    clientOf,
    /** Failed logins, and whatever else counts as one. */
    loginLimit,
    apiTokens,
    tokenUses,
    screens,
    linkKeys,
    shareLinks,
    passwords,
    deletion,
    instances,
    openStreams,
    publish,
    /** Ends every open stream and stops the timers. */
    dismiss() {
      openStreams.stop()
      shareLinks.stop()
      deletion.stop()
      orphaned.stop()
    },
    stop: () => Promise.all([accountCache.stop(), tokenUses.stop(), instances.stop(), passwords.stop()]),
  }
}
