import type { Action } from '../../access/action.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { unauthenticated, type Identity } from '../../access/identity.ts'
import type { Authenticated, Authentication, RefusedToken } from '../../http/authentication.ts'
import { isRemovedName, type CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { createRowCache } from '../../users/accounts/row-cache.ts'
import type { CameraNames } from '../camera-names.ts'
import { hasHash } from '../link-secret.ts'
import { noAuthentication, refusedAuthentication } from '../no-authentication.ts'
import { onceFound } from '../once-found.ts'
import type { ProvenId } from '../cookie/proven-id.ts'
import type { PairingEnd } from './pairing-end.ts'
import { screenIn } from './screen-cookie.ts'
import type { Screen, ScreenStore } from './screen-store.ts'

/** Authenticates paired screens (KEY-6). */
export interface Screens {
  /** Authenticates a request by the cookie of its screen. */
  authenticate(meta: RequestMeta): Authenticated
  /**
   * A screen's identity at a time, for the access preview.
   *
   * @param at Unix milliseconds
   * @returns `unauthenticated` if it has ended by then; undefined if it does not exist
   */
  identityOf(id: string, at: number): Promise<Identity | undefined>
  /** The screen, as the requests see it. */
  byId(id: string): Screen | undefined | Promise<Screen | undefined>
  /** Whether a screen that exists shows nothing anymore (KEY-4). */
  hasEnded(screen: Pick<Screen, 'tokenId'>): Promise<boolean>
  /** Drops cached rows. Must be called before any other listener of the invalidation. */
  invalidate(invalidation: Invalidation): void
}

export interface ScreensDeps extends Runtime {
  readonly store: Pick<ScreenStore, 'screensById' | 'touch'>
  readonly cameras: CameraNames
  readonly pairingEnd: PairingEnd
  /** The originating address of a request. */
  readonly addressOf: (meta: RequestMeta) => string
  /** Whether all changes are being received. If not, the cache is bypassed. */
  readonly isFresh: () => boolean
}

const minute = 60_000
/** Max cached screens. */
const max = 1000

/** A screen's row, and what requests need of it. */
interface ActiveScreen {
  readonly screen: Screen
  identity: Identity
  /** {@link CameraNames.version} of the identity. */
  version: number
  touchedAt: number
}

export function createScreens(deps: ScreensDeps): Screens {
  const { store, cameras, pairingEnd, addressOf, isFresh, clock, log } = deps
  const active = (screen: Screen): ActiveScreen => ({
    screen,
    identity: identityFor(screen, cameras),
    version: cameras.version,
    touchedAt: screen.lastSeenAt ?? 0,
  })
  const loadMany = async (ids: readonly string[]) =>
    new Map((await store.screensById(ids)).map((screen) => [screen.id, active(screen)]))
  const cache = createRowCache({ loadMany, max, isFresh, clock })

  /** The same object as long as nothing changes, so that its grant is made once. */
  const identityOf = (of: ActiveScreen): Identity => {
    if (of.version !== cameras.version) {
      of.identity = identityFor(of.screen, cameras)
      of.version = cameras.version
    }
    return of.identity
  }

  const touch = (of: ActiveScreen, meta: RequestMeta) => {
    const now = clock.now()
    // `Math.abs`: the clock may have been set back.
    if (Math.abs(now - of.touchedAt) < minute) return
    of.touchedAt = now
    store
      .touch(of.screen.id, now, addressOf(meta))
      .catch((cause: unknown) => log.warn({ err: cause }, 'failed to save when a screen was seen'))
  }

  const judged = (of: ActiveScreen | undefined, shown: ProvenId, meta: RequestMeta): Authenticated => {
    if (!of) return refused('revoked-token')
    if (of.screen.secretHash === null || !hasHash(shown.proof, of.screen.secretHash)) return refused('bad-token')
    return onceFound(pairingEnd.of(of.screen), (until) => {
      if (until === 'ended') return refused('revoked-token')
      touch(of, meta)
      return { identity: identityOf(of), until, ambient: true, reauthenticate: () => judge(shown, meta) }
    })
  }

  const judge = (shown: ProvenId, meta: RequestMeta): Authenticated =>
    onceFound(cache.get(shown.id), (of) => judged(of, shown, meta))

  return {
    authenticate(meta) {
      const shown = screenIn(meta)
      if (shown === 'none') return noAuthentication
      return shown === 'invalid' ? refused('bad-token') : judge(shown, meta)
    },
    async identityOf(id, at) {
      const found = await cache.get(id)
      if (!found) return undefined
      return (await pairingEnd.hasEndedAt(found.screen, at)) ? unauthenticated : identityOf(found)
    },
    byId: (id) => onceFound(cache.get(id), (of) => of?.screen),
    hasEnded: async (screen) => (await pairingEnd.of(screen)) === 'ended',
    invalidate(invalidation) {
      if (invalidation.kind === 'credential') cache.invalidate(invalidation.id)
      else if (invalidation.kind === 'all') cache.invalidate()
    },
  }
}

/** The names of the cameras that a screen shows, in its order. */
export const camerasOf = (screen: Pick<Screen, 'cameras'>, { nameOf }: Pick<CameraKeys, 'nameOf'>): string[] =>
  screen.cameras.map(nameOf).filter((name) => !isRemovedName(name))

/** A screen belongs to no user: it can see its cameras, and hear them if an admin chose so. */
function identityFor(screen: Screen, cameras: CameraNames): Identity {
  const { id, name, audio } = screen
  const actions: ReadonlySet<Action> = new Set<Action>(audio ? ['live', 'audio'] : ['live'])
  return {
    kind: 'authenticated',
    authMethod: 'screen',
    name,
    key: id,
    userId: null,
    role: 'viewer',
    session: undefined,
    credential: { kind: 'screen', id, name, limits: { cameras: new Set(camerasOf(screen, cameras)), actions } },
  }
}

const refused = (reason: RefusedToken['reason']): Authentication => refusedAuthentication(reason, true)
