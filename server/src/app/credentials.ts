import type { Invalidation } from '../access/invalidation.ts'
import type { AccountCache } from '../auth/account-cache.ts'
import { createApiTokens, type ApiTokensDeps } from '../auth/api-token/api-tokens.ts'
import { apiTokenStore } from '../auth/api-token/api-token-store.sql.ts'
import { createApiTokenUses } from '../auth/api-token/api-token-uses.ts'
import { screenStore } from '../auth/screen/screen-store.sql.ts'
import { createScreens } from '../auth/screen/screens.ts'
import { createLinkKeys } from '../auth/share-link/link-keys.ts'
import { createShareLinks, type ShareLinksDeps } from '../auth/share-link/share-links.ts'
import { shareLinkStore } from '../auth/share-link/share-link-store.sql.ts'
import type { Core } from './core.ts'
import type { Opened } from './shutdown.ts'

interface CredentialsNeed extends Pick<AccountCache, 'users'>, Pick<ApiTokensDeps, 'isAccepted' | 'addressOf'> {
  readonly publish: (fact: Invalidation) => void
}

/** The credentials that allow less than their owner's role: API tokens, paired screens and share links. */
export function openCredentials(core: Core, opened: Opened, need: CredentialsNeed) {
  const { store, registry: cameras, runtime } = core
  const trusted = () => store.changes.live()
  const { addressOf } = need
  const forTokens = { store: apiTokenStore(store), ...runtime('service.tokens') }
  const tokenUses = createApiTokenUses(forTokens)
  opened.onStop('records', () => tokenUses.stop())
  const apiTokens = createApiTokens({ ...forTokens, ...need, cameras, uses: tokenUses, trusted })
  const screens = createScreens({
    store: screenStore(store),
    cameras,
    addressOf,
    trusted,
    ...runtime('service.screens'),
  })
  const isTokenValid = async (id: string, at: number) => (await apiTokens.identityOf(id, at))?.kind === 'known'
  return { apiTokens, tokenUses, screens, ...openShareLinks(core, opened, { ...need, isTokenValid, trusted }) }
}

type ShareLinksNeed = Pick<ShareLinksDeps, 'users' | 'isAccepted' | 'isTokenValid' | 'trusted' | 'publish'>

function openShareLinks(core: Core, opened: Opened, need: ShareLinksNeed) {
  const { store, registry: cameras, roles, isClockTrusted, secret, runtime } = core
  const linkKeys = createLinkKeys(secret)
  const shareLinks = createShareLinks({
    ...need,
    store: shareLinkStore(store),
    roles,
    cameras,
    keys: linkKeys,
    isClockTrusted,
    ...runtime('service.links'),
  })
  opened.onStop('streams', () => shareLinks.stop())
  return { linkKeys, shareLinks }
}
