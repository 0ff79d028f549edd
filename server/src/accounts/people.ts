import type { Fact } from '../access/fact.ts'
import { createSessions, type Sessions, type SessionsParts } from './sessions.ts'
import type { AccountStore } from './account-store.ts'
import { createUsers, type Users } from './users.ts'

/** Users and sessions as requests ask for them, from memory. */
export interface People {
  readonly users: Users
  readonly sessions: Sessions
  /** To be told of every fact before anybody else is. */
  forget(fact: Fact): void
  stop(): Promise<void>
}

export interface PeopleParts extends Omit<SessionsParts, 'store'> {
  readonly store: AccountStore
}

export function createPeople(parts: PeopleParts): People {
  const users = createUsers(parts.store, parts.trusted)
  const sessions = createSessions(parts)
  return {
    users,
    sessions,
    forget(fact) {
      switch (fact.kind) {
        case 'user':
          return users.forget(fact.key)
        case 'session':
          return sessions.forget(fact.id)
        case 'anything':
          users.forget()
          return sessions.forget()
        case 'config':
          return undefined
      }
    },
    stop: () => sessions.stop(),
  }
}
