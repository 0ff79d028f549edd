import type { Invalidation } from '../access/invalidation.ts'
import { createSessions, type Sessions, type SessionsDeps } from './session/sessions.ts'
import type { AccountStore } from '../users/account-store.ts'
import { createUsers, type Users } from '../users/users.ts'

/** Users and sessions as requests ask for them, from memory. */
export interface AccountCache {
  readonly users: Users
  readonly sessions: Sessions
  /** To be told of every fact before anybody else is. */
  invalidate(fact: Invalidation): void
  stop(): Promise<void>
}

export interface AccountCacheDeps extends Omit<SessionsDeps, 'store'> {
  readonly store: AccountStore
}

export function createAccountCache(deps: AccountCacheDeps): AccountCache {
  const users = createUsers(deps.store, deps.trusted)
  const sessions = createSessions(deps)
  return {
    users,
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
          return undefined
      }
    },
    stop: () => sessions.stop(),
  }
}
