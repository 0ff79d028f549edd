import type { Invalidation } from '../access/invalidation.ts'
import { createSessions, type Sessions, type SessionsDeps } from './session/sessions.ts'
import type { AccountStore } from '../users/accounts/account-store.ts'
import { createCachedUsers, type CachedUsers } from './cached-users.ts'

/** Cached users and sessions, for the requests. */
export interface AccountCache {
  readonly users: CachedUsers
  readonly sessions: Sessions
  /** Drops cached rows. Must be called before any other listener of the invalidation. */
  invalidate(invalidation: Invalidation): void
  stop(): Promise<void>
}

export interface AccountCacheDeps extends SessionsDeps {
  readonly store: SessionsDeps['store'] & Pick<AccountStore, 'usersByKey'>
}

export function createAccountCache(deps: AccountCacheDeps): AccountCache {
  const users = createCachedUsers(deps)
  const sessions = createSessions(deps)
  return {
    users,
    sessions,
    invalidate(invalidation) {
      switch (invalidation.kind) {
        case 'user':
          return users.invalidate(invalidation.key)
        case 'session':
          return sessions.invalidate(invalidation.id)
        case 'all':
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
