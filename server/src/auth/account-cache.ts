import type { Invalidation } from '../access/invalidation.ts'
import { createSessions, type Sessions, type SessionsDeps } from './session/sessions.ts'
import type { AccountStore, User } from '../users/account-store.ts'
import { createRowCache } from '../users/row-cache.ts'

/** Cached users, for the requests. */
export interface Users {
  byKey(key: string): User | undefined | Promise<User | undefined>
}

/** Max cached users, about 400 bytes each. */
const maxUsers = 20_000

/** Cached users and sessions, for the requests. */
export interface AccountCache {
  readonly users: Users
  readonly sessions: Sessions
  /** Drops cached rows. Must be called before any other listener of the invalidation. */
  invalidate(fact: Invalidation): void
  stop(): Promise<void>
}

export interface AccountCacheDeps extends Omit<SessionsDeps, 'store'> {
  readonly store: AccountStore
}

export function createAccountCache(deps: AccountCacheDeps): AccountCache {
  const { store, trusted, clock } = deps
  const loadMany = async (keys: readonly string[]) =>
    new Map((await store.usersByKey(keys)).map((user) => [user.key, user]))
  const users = createRowCache({ loadMany, max: maxUsers, trusted, clock })
  const sessions = createSessions(deps)
  return {
    users: { byKey: (key) => users.get(key) },
    sessions,
    invalidate(fact) {
      switch (fact.kind) {
        case 'user':
          return users.invalidate(fact.key)
        case 'session':
          return sessions.invalidate(fact.id)
        case 'anything':
          users.invalidate()
          return sessions.invalidate()
        case 'config':
        case 'credential':
          return undefined
      }
    },
    stop: () => sessions.stop(),
  }
}
