import { LRUCache } from 'lru-cache'
import { unauthenticated, type Identity, type Principal } from '../../access/identity.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import type { GrantLimits } from '../../access/grant.ts'
import type { Authenticated, Authentication, RefusedToken } from '../../http/authentication.ts'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { isRemovedName, type CameraKeys } from '../../shared/camera/camera-keys.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { providerLimit, type CachedUser } from '../../users/user.ts'
import { userPrincipal } from '../user-principal.ts'
import { createRowCache } from '../../users/accounts/row-cache.ts'
import type { Users } from '../cached-users.ts'
import { hasHash, hashOfSecret } from '../link-secret.ts'
import type { CameraNames } from '../camera-names.ts'
import { refusedAuthentication } from '../no-authentication.ts'
import { onceFound } from '../once-found.ts'
import type { ApiToken, ApiTokenStore } from './api-token-store.ts'
import { apiTokenIn, type ApiTokenText, type PresentedApiToken } from './api-token-text.ts'
import type { ApiTokenUses } from './api-token-uses.ts'
import { hasTokenEnded } from './token-end.ts'

/** Authenticates API tokens (KEY-2, KEY-3). */
export interface ApiTokens {
  /**
   * Authenticates a request by its API token; undefined if it has none.
   *
   * @throws ServiceError `busy`
   */
  authenticate(meta: RequestMeta): Authenticated | undefined
  /**
   * The identity that a token gives at a time, for the access preview.
   *
   * @param at Unix milliseconds
   * @returns `unauthenticated` if it has ended by then; undefined if it does not exist
   */
  identityOf(id: string, at: number): Promise<Identity | undefined>
  /** What a token allows now, and until when, for what was made with it: refused if it has ended. */
  current(id: string): Authenticated
  /** Drops cached rows. Must be called before any other listener of the invalidation. */
  invalidate(invalidation: Invalidation): void
}

export interface ApiTokensDeps extends Runtime {
  readonly store: Pick<ApiTokenStore, 'tokensById'>
  readonly users: Pick<Users, 'byKey'>
  readonly cameras: CameraNames
  readonly uses: Pick<ApiTokenUses, 'note'>
  /** The originating address of a request. */
  readonly addressOf: (meta: RequestMeta) => string
  /** Whether all changes are being received. If not, the cache is bypassed. */
  readonly isFresh: () => boolean
  /** Whether the configuration accepts an active user's tokens now. */
  readonly isAccepted: (user: CachedUser) => boolean
}

/** Max cached tokens, and max wrong ones that are remembered. */
const max = 20_000
const maxRefused = 10_000
/** Max lookups of tokens that aren't cached at a time: beyond it the database has enough to do. */
const maxLookups = 500

/** A token's row, and what requests need of it. */
interface ActiveToken {
  readonly token: ApiToken
  /** Made for one {@link CameraNames.version}, so that the same grant is made once. */
  limits: GrantLimits
  version: number
  user: CachedUser | undefined
  identity: Principal | undefined
}

export function createApiTokens(deps: ApiTokensDeps): ApiTokens {
  const { store, users, cameras, uses, addressOf, isFresh, isAccepted, clock } = deps
  const loadMany = async (ids: readonly string[]) =>
    new Map((await store.tokensById(ids)).map((token) => [token.id, active(token, cameras)]))
  const cache = createRowCache({ loadMany, max, isFresh, clock })
  /** Hashes of wrong tokens, so that a program that repeats one asks the database nothing. */
  const refusedBefore = new LRUCache<string, true>(cacheLimit(maxRefused))
  const amongFew = limitLookups()

  const hasEnded = (of: ActiveToken, user: CachedUser, at = clock.now()): boolean =>
    hasTokenEnded(of.token, user, at) || !isAccepted(user)

  const judgedBy = (of: ActiveToken, user: CachedUser | undefined, ambient: boolean): Authentication => {
    if (!user || hasEnded(of, user)) return refused('revoked-token', user?.id === of.token.userId ? user : undefined)
    return {
      identity: identityFor(of, user, cameras),
      until: Math.min(of.token.expiresAt ?? Infinity, user.expiresAt ?? Infinity, providerLimit(user.provider)),
      ambient,
      reauthenticate: () => again(of.token, ambient),
    }
  }

  const judge = (of: ActiveToken, ambient: boolean): Authenticated =>
    onceFound(users.byKey(of.token.ownerKey), (user) => judgedBy(of, user, ambient))

  /** Of an open stream, whose token was right. It does not keep the secret. */
  const again = ({ id, secretHash }: ApiToken, ambient: boolean): Authenticated =>
    onceFound(cache.get(id), (of) =>
      of?.token.secretHash === secretHash ? judge(of, ambient) : refused('revoked-token'),
    )

  const accept = (of: ActiveToken, ambient: boolean, meta: RequestMeta): Authenticated => {
    const noted = (authentication: Authentication) => {
      if (authentication.identity.kind === 'authenticated') uses.note(of.token.id, clock.now(), addressOf(meta))
      return authentication
    }
    return onceFound(judge(of, ambient), noted)
  }

  /**
   * A wrong token is not a failed login: no one can guess 256 random bits, and a limit would lock out all users at the
   * address of one program with a revoked token.
   */
  const lookUp = async (token: ApiTokenText, { ambient, text }: PresentedApiToken, meta: RequestMeta) => {
    const hash = hashOfSecret(text)
    if (refusedBefore.has(hash)) return refused('bad-token')
    const found = await amongFew(async () => cache.get(copyOf(token.id)))
    if (found && isRight(found, token)) return accept(found, ambient, meta)
    refusedBefore.set(hash, true)
    return refused('bad-token')
  }

  return {
    authenticate(meta) {
      const presented = apiTokenIn(meta)
      if (presented === 'none') return undefined
      const { token, ambient } = presented
      if (token === 'invalid') return refused('bad-token')
      const cached = cache.cached(token.id)
      if (!cached) return lookUp(token, presented, meta)
      return isRight(cached, token) ? accept(cached, ambient, meta) : refused('bad-token')
    },
    async identityOf(id, at) {
      const found = await cache.get(id)
      if (!found) return undefined
      const user = await users.byKey(found.token.ownerKey)
      return !user || hasEnded(found, user, at) ? unauthenticated : identityFor(found, user, cameras)
    },
    current: (id) => onceFound(cache.get(id), (of) => (of ? judge(of, false) : refused('revoked-token'))),
    invalidate(invalidation) {
      if (invalidation.kind === 'credential') cache.invalidate(invalidation.id)
      else if (invalidation.kind === 'all') {
        cache.invalidate()
        // Such as a restored database, which has tokens that were revoked since.
        refusedBefore.clear()
      }
    },
  }
}

/** @returns runs a lookup, at most {@link maxLookups} at a time. Throws ServiceError `busy` */
function limitLookups(): <Found>(lookUp: () => Promise<Found>) => Promise<Found> {
  let underway = 0
  return async (lookUp) => {
    if (underway >= maxLookups) throw new ServiceError('busy', { retryAfter: 1 })
    underway += 1
    try {
      return await lookUp()
    } finally {
      underway -= 1
    }
  }
}

/** V8 keeps a part of a text together with the whole text, here with the secret, and a cache keeps its keys. */
const copyOf = (id: string): string => Buffer.from(id, 'latin1').toString('latin1')

const isRight = ({ token }: ActiveToken, { secret }: ApiTokenText): boolean => hasHash(secret, token.secretHash)

const active = (token: ApiToken, cameras: CameraNames): ActiveToken => ({
  token,
  limits: limitsOf(token, cameras),
  version: cameras.version,
  user: undefined,
  identity: undefined,
})

/** The names of the existing cameras of a token; null: all of the owner's. */
export const camerasOf = ({ cameras }: Pick<ApiToken, 'cameras'>, { nameOf }: Pick<CameraKeys, 'nameOf'>) =>
  cameras && cameras.map(nameOf).filter((name) => !isRemovedName(name))

/** Without a list, everything; with a list that has become empty, nothing. */
function limitsOf(token: ApiToken, cameras: CameraNames): GrantLimits {
  const names = camerasOf(token, cameras)
  return { cameras: names ? new Set(names) : undefined, actions: token.actions ? new Set(token.actions) : undefined }
}

/** The owner's identity, with the token's limits. The same object as long as nothing changes. */
function identityFor(of: ActiveToken, user: CachedUser, cameras: CameraNames): Principal {
  if (of.version !== cameras.version) {
    of.limits = limitsOf(of.token, cameras)
    of.version = cameras.version
    of.identity = undefined
  }
  if (of.identity && of.user === user) return of.identity
  const { id, name, expiresAt } = of.token
  of.user = user
  of.identity = { ...userPrincipal(user), credential: { kind: 'token', id, name, limits: of.limits, expiresAt } }
  return of.identity
}

const refused = (reason: RefusedToken['reason'], user?: CachedUser): Authentication =>
  refusedAuthentication(reason, false, user)
