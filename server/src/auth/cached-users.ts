import type { AccountStore } from '../users/accounts/account-store.ts'
import type { CachedUser } from '../users/user.ts'
import { createRowCache, type RowCacheDeps } from '../users/accounts/row-cache.ts'

/** Cached users, for the requests. */
export interface Users {
  byKey(key: string): CachedUser | undefined | Promise<CachedUser | undefined>
}

export interface CachedUsers extends Users {
  /** Drops a user; without a key, all of them. */
  invalidate(key?: string): void
}

/** Max cached users, less than 400 bytes each. */
const maxUsers = 100_000

export interface CachedUsersDeps extends Pick<RowCacheDeps<CachedUser>, 'isFresh' | 'clock'> {
  readonly store: Pick<AccountStore, 'usersByKey'>
}

export function createCachedUsers({ store, isFresh, clock }: CachedUsersDeps): CachedUsers {
  const loadMany = async (keys: readonly string[]) =>
    new Map((await store.usersByKey(keys)).map((user) => [user.key, user]))
  const rows = createRowCache({ loadMany, max: maxUsers, isFresh, clock })
  return { byKey: (key) => rows.get(key), invalidate: (key) => rows.invalidate(key) }
}
