import type { Timers } from '../shared/clock.ts'
import type { AccountStore, User } from './account-store.ts'
import { createRowCache } from './row-cache.ts'

/** Cached users, for the requests. */
export interface Users {
  byKey(key: string): User | undefined | Promise<User | undefined>
  /** Drops a cached user; without a key, all of them. */
  invalidate(key?: string): void
}

/** Max cached users, about 400 bytes each. */
const max = 20_000

export function createUsers(store: Pick<AccountStore, 'usersByKey'>, trusted: () => boolean, clock: Timers): Users {
  const loadMany = async (keys: readonly string[]) =>
    new Map((await store.usersByKey(keys)).map((user) => [user.key, user]))
  const cache = createRowCache({ loadMany, max, trusted, clock })
  return { byKey: (key) => cache.get(key), invalidate: (key) => cache.invalidate(key) }
}
