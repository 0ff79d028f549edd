import { decide } from '../../access/decide.ts'
import { grantOfIdentity } from '../../access/identity-grant.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { unauthenticated, type Identity, type Principal } from '../../access/identity.ts'
import type { Roles } from '../../access/role.ts'
import type { Found } from '../../access/rule.ts'
import type { Authentication } from '../../http/authentication.ts'
import { isRemovedName } from '../../shared/camera/camera-keys.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { providerLimit, type CachedUser } from '../../users/user.ts'
import { createRowCache } from '../../users/accounts/row-cache.ts'
import type { CameraNames } from '../camera-names.ts'
import type { Users } from '../cached-users.ts'
import { noAuthentication } from '../no-authentication.ts'
import type { ProvenId } from '../cookie/proven-id.ts'
import type { AuthReasons } from '../reasons.ts'
import { viewerIn } from './link-cookie.ts'
import type { LinkKeys } from './link-keys.ts'
import { endOf, identityFor, keptAfterEnd, ruleOf, type LinkEnd, type ShareLink } from './share-link.ts'
import type { ShareLinkStore } from './share-link-store.ts'
import { createViewerSlots, type ViewerSlots } from './viewer-slots.ts'
import { isId } from '../../shared/random-id.ts'
import { hour } from '../../shared/time/durations.ts'

/** Authenticates the viewers of share links (LINK-2, LINK-3). */
export interface ShareLinks {
  /**
   * Authenticates a request for what a link shows by the link's cookie, and by nothing else.
   *
   * @throws ServiceError `gone` if the link has ended; `busy` if it has too many viewers
   */
  authenticate(meta: RequestMeta, id: string): Promise<Authentication>
  /** The viewer of a link in a request's cookie, if the service signed it. */
  viewerOf(link: ShareLink, meta: RequestMeta): string | undefined
  /** The link, as the requests see it. */
  byId(id: string): Promise<ShareLink | undefined>
  /**
   * The identity of a link's viewers at a time: `unauthenticated` if the link has ended by then, or its creator's account
   * does not allow it. @param at Unix milliseconds @returns undefined if the link does not exist
   */
  identityOf(id: string, at: number): Promise<Identity | undefined>
  /** What keeps a link from being opened; undefined: nothing. */
  endOf(link: ShareLink): Promise<LinkEnd | undefined>
  /** The camera of what a link shows, and the time of an export; undefined if the link does not exist. */
  cameraOf(id: string): Promise<Found | undefined>
  readonly slots: ViewerSlots
  /** Drops cached rows. Must be called before any other listener of the invalidation. */
  invalidate(invalidation: Invalidation): void
  stop(): void
}

export interface ShareLinksDeps extends Runtime {
  readonly store: Pick<ShareLinkStore, 'linksById' | 'takeSlot' | 'viewerCounts' | 'removeEnded'>
  readonly users: Users
  /** Whether the configuration accepts an active user's links now. */
  readonly isAccepted: (user: CachedUser) => boolean
  /** Whether an API token can be used at a time, Unix milliseconds: a link made with one ends with it. */
  readonly isTokenValid: (id: string, at: number) => Promise<boolean>
  readonly roles: () => Roles
  readonly cameras: CameraNames
  readonly keys: LinkKeys
  /** Whether all changes are being received. If not, the cache is bypassed. */
  readonly isFresh: () => boolean
  /** Whether the clock can be trusted enough to delete by age. */
  readonly isClockTrusted: () => boolean
  readonly publish: (invalidation: Invalidation) => void
}

/** Max cached links. */
const max = 5000
/** Milliseconds between two removals of links that ended long ago. */
const removeEvery = hour
/** Seconds until a slot may be free. */
const retryAfter = 15

/** `request`: the error says why. `stream`: an open stream ends without one. */
type Check = 'request' | 'stream'

/** A link's row, and its last identity: the same object as long as nothing changes, so that its grant is made once. */
interface ActiveLink {
  readonly link: ShareLink
  made?: { readonly user: CachedUser; readonly version: number; readonly identity: Principal }
}

export function createShareLinks(deps: ShareLinksDeps): ShareLinks {
  const { store, roles, cameras, keys, isFresh, clock } = deps
  const loadMany = async (ids: readonly string[]) =>
    new Map((await store.linksById(ids)).map((link): [string, ActiveLink] => [link.id, { link }]))
  const cache = createRowCache({ loadMany, max, isFresh, clock })
  const slots = createViewerSlots(deps)
  const nameOf = ({ camera }: ShareLink): string | undefined => {
    const name = cameras.nameOf(camera)
    return isRemovedName(name) ? undefined : name
  }
  const identityOf = (active: ActiveLink, user: CachedUser): Principal => {
    const { version } = cameras
    if (active.made?.user !== user || active.made.version !== version) {
      active.made = { user, version, identity: identityFor(active.link, user, nameOf(active.link)) }
    }
    return active.made.identity
  }
  const foundOf = (link: ShareLink | undefined): Found | undefined => {
    if (!link) return undefined
    const camera = nameOf(link)
    if (camera === undefined) return undefined
    return link.kind === 'export' && link.start !== null ? { camera, time: link.start } : camera
  }
  const endNow = async (link: ShareLink): Promise<LinkEnd | undefined> => {
    const owner = await ownerOrEndOf(link, clock.now(), deps)
    if (typeof owner === 'string') return owner
    const identity = identityFor(link, owner, nameOf(link))
    const found = foundOf(link)
    const named = typeof found === 'object' ? found : { camera: found }
    const decision = decide(ruleOf(link), identity, grantOfIdentity(roles(), identity), named)
    return decision === 'allow' ? undefined : 'link-unavailable'
  }

  const judge = async (id: string, viewer: ProvenId, check: Check): Promise<Authentication> => {
    const active = await cache.get(id)
    if (!active || !keys.isSigned(active.link, viewer.id, viewer.proof)) return noAuthentication
    const { link } = active
    const owner = await ownerOrEndOf(link, clock.now(), deps)
    if (typeof owner === 'string') return ended(check, owner)
    const held = await slots.hold(id, viewer.id, link.maxViewers)
    if (held === 'full') return crowded(check)
    const until = Math.min(link.expiresAt, owner.expiresAt ?? Infinity, providerLimit(owner.provider), held)
    return {
      identity: identityOf(active, owner),
      until,
      ambient: true,
      reauthenticate: () => judge(id, viewer, 'stream'),
    }
  }

  const stopRemoving = removeEndedLinks(deps)

  return {
    async authenticate(meta, id) {
      const viewer = viewerIn(meta)
      return viewer && isId(id) ? judge(id, viewer, 'request') : noAuthentication
    },
    viewerOf(link, meta) {
      const viewer = viewerIn(meta)
      return viewer && keys.isSigned(link, viewer.id, viewer.proof) ? viewer.id : undefined
    },
    byId: async (id) => (await cache.get(id))?.link,
    async identityOf(id, at) {
      const active = isId(id) ? await cache.get(id) : undefined
      if (!active) return undefined
      const owner = await ownerOrEndOf(active.link, at, deps)
      return typeof owner === 'string' ? unauthenticated : identityOf(active, owner)
    },
    endOf: endNow,
    cameraOf: async (id) => foundOf((await cache.get(id))?.link),
    slots,
    invalidate(invalidation) {
      if (invalidation.kind === 'credential') cache.invalidate(invalidation.id)
      else if (invalidation.kind === 'all') cache.invalidate()
    },
    stop: stopRemoving,
  }
}

/** The owner of a link, or what keeps the link from being opened at a time, Unix milliseconds. */
async function ownerOrEndOf(
  link: ShareLink,
  at: number,
  { users, isAccepted, isTokenValid }: Pick<ShareLinksDeps, 'users' | 'isAccepted' | 'isTokenValid'>,
): Promise<CachedUser | LinkEnd> {
  const user = await users.byKey(link.userKey)
  const end = endOf(link, user, at)
  if (end !== undefined) return end
  if (!user || !isAccepted(user) || providerLimit(user.provider) <= at) return 'link-unavailable'
  return link.tokenId === null || (await isTokenValid(link.tokenId, at)) ? user : 'link-unavailable'
}

/** Deletes links that ended long ago. @returns a function that stops it */
function removeEndedLinks({ store, isClockTrusted, publish, clock, log }: ShareLinksDeps): StopTimer {
  const remove = async (): Promise<void> => {
    if (!isClockTrusted()) return
    for (const id of await store.removeEnded(clock.now() - keptAfterEnd)) publish({ kind: 'credential', id })
  }
  return clock.every(
    removeEvery,
    () => void remove().catch((err: unknown) => log.warn({ err }, 'failed to remove ended links')),
  )
}

function ended(check: Check, reason: LinkEnd): Authentication {
  if (check === 'request') throw new ServiceError<AuthReasons>('gone', { reason })
  return noAuthentication
}

function crowded(check: Check): Authentication {
  if (check === 'request') throw new ServiceError<AuthReasons>('busy', { reason: 'too-many-viewers', retryAfter })
  return noAuthentication
}
