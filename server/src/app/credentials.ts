import type { Invalidation } from '../access/invalidation.ts'
import type { AccountCache } from '../auth/account-cache.ts'
import { createApiTokens, type ApiTokensDeps } from '../auth/api-token/api-tokens.ts'
import { apiTokenStore } from '../auth/api-token/api-token-store.sql.ts'
import { createApiTokenUses } from '../auth/api-token/api-token-uses.ts'
import { screenStore } from '../auth/screen/screen-store.sql.ts'
import { createPairingEnd } from '../auth/screen/pairing-end.ts'
import { createScreens } from '../auth/screen/screens.ts'
import { createLinkKeys } from '../auth/share-link/link-keys.ts'
import { createShareLinks } from '../auth/share-link/share-links.ts'
import { shareLinkStore } from '../auth/share-link/share-link-store.sql.ts'
import type { Core } from './core.ts'
import type { Opened } from './lifecycle.ts'

interface CredentialsDeps extends Pick<AccountCache, 'users'>, Pick<ApiTokensDeps, 'isAccepted' | 'addressOf'> {
  readonly publish: (invalidation: Invalidation) => void
}

/** The credentials that allow less than their owner's role: API tokens, paired screens and share links. */
export function openCredentials(
  core: Core,
  opened: Opened,
  { users, isAccepted, addressOf, publish }: CredentialsDeps,
) {
  const { store, registry: cameras, runtime } = core
  const isFresh = () => store.changes.isListening()
  const stores = { tokens: apiTokenStore(store), screens: screenStore(store), links: shareLinkStore(store) }
  const tokenUses = opened.add(
    'uses of tokens',
    createApiTokenUses({ store: stores.tokens, ...runtime('service.tokens') }),
  )
  const apiTokens = createApiTokens({
    store: stores.tokens,
    users,
    isAccepted,
    addressOf,
    cameras,
    uses: tokenUses,
    isFresh,
    ...runtime('service.tokens'),
  })
  const screens = createScreens({
    store: stores.screens,
    cameras,
    pairingEnd: createPairingEnd({ apiTokens, roles: core.roles }),
    addressOf,
    isFresh,
    ...runtime('service.screens'),
  })
  const isTokenValid = async (id: string, at: number) => (await apiTokens.identityOf(id, at))?.kind === 'authenticated'
  const linkKeys = createLinkKeys(core.secret)
  const shareLinks = opened.add(
    'share links',
    createShareLinks({
      store: stores.links,
      users,
      isAccepted,
      isTokenValid,
      roles: core.roles,
      cameras,
      keys: linkKeys,
      isFresh,
      isClockTrusted: core.isClockTrusted,
      publish,
      ...runtime('service.links'),
    }),
  )
  return { stores, apiTokens, tokenUses, screens, linkKeys, shareLinks }
}
