import { testEntry } from '../../shared/audit/test-entry.ts'
import type {
  AccountStore,
  NewPassword,
  PasswordChanges,
  RoleDeletionNote,
  RoleDeletions,
  ProviderSessions,
  SessionChanges,
  SessionQueries,
  ProviderUserChanges,
  UserChanges,
  UserQueries,
} from './account-store.ts'
import type { Session } from './session.ts'
import type { User } from '../user.ts'

/** A store's changes with default audit entries, for tests that don't check them. */
export const withTestEntries = (store: AccountStore) => ({
  ...store,
  addUser: (user: User) => store.addUser(user, testEntry),
  addFirstUser: (user: User) => store.addFirstUser(user, testEntry),
  setRole: (key: string, role: string, expected?: string) => store.setRole(key, role, () => testEntry, expected),
  deleteUser: (key: string) => store.deleteUser(key, testEntry),
  setPassword: (key: string, password: NewPassword, expected?: number) =>
    store.setPassword(key, password, testEntry, expected),
  finishRoleDeletion: (role: string, owner: string) => store.finishRoleDeletion(role, owner, () => [testEntry]),
  addSession: (session: Session, isSignIn = false, factorVersion = 0) =>
    store.addSession(session, { factorVersion, provider: null }, isSignIn, testEntry),
  deleteSession: (id: string) => store.deleteSession(id, testEntry),
  deleteSessionsOf: (userId: string, except?: string) => store.deleteSessionsOf(userId, () => testEntry, except),
})

/** An in-memory AccountStore for tests, and the rows in it. */
export function fakeAccountStore(): AccountStore & { readonly rows: FakeRows } {
  const rows: FakeRows = { reads: 0, users: new Map(), sessions: new Map() }
  return {
    rows,
    ...fakeUserQueries(rows),
    ...fakeUserChanges(rows),
    ...fakePasswordChanges(rows),
    ...fakeRoleDeletions(rows),
    ...fakeSessionQueries(rows),
    ...fakeSessionChanges(rows),
    ...fakeProviderSessions(rows),
  }
}

interface FakeRows {
  /** Number of lookups of users and sessions. */
  reads: number
  /** By key. */
  readonly users: Map<string, User>
  /** By id. */
  readonly sessions: Map<string, Session>
}

const byId = ({ users }: FakeRows, id: string) => [...users.values()].find((user) => user.id === id)

const lastAdmin = ({ users }: FakeRows, { role, key }: User) =>
  role === 'admin' &&
  ![...users.values()].some(
    (user) => user.role === 'admin' && user.key !== key && !user.disabled && user.expiresAt === null,
  )

const deleteSessions = ({ sessions }: FakeRows, userId: string, except?: string) => {
  const deleted = [...sessions.values()].filter((session) => session.userId === userId && session.id !== except)
  for (const { id } of deleted) sessions.delete(id)
  return deleted.map(({ id }) => id)
}

function fakeUserQueries(rows: FakeRows): UserQueries {
  const { users } = rows
  return {
    async userByKey(key) {
      rows.reads += 1
      return users.get(key)
    },
    async usersByKey(keys) {
      rows.reads += 1
      return keys.map((key) => users.get(key)).filter((user) => user !== undefined)
    },
    userById: async (id) => byId(rows, id),
    users: async ({ limit }) =>
      [...users.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1)).slice(0, limit),
    countUsers: async () => users.size,
    async roleCounts() {
      const counts = new Map<string, number>()
      for (const { role } of users.values()) counts.set(role, (counts.get(role) ?? 0) + 1)
      return counts
    },
    hasUsers: async () => users.size > 0,
    orphans: async (existing, limit) =>
      [...users.values()]
        .filter(({ role }) => role !== 'admin' && role !== 'viewer' && !existing.includes(role))
        .slice(0, limit)
        .map(({ name, role }) => ({ name, role })),
  }
}

function fakeUserChanges(rows: FakeRows): UserChanges & ProviderUserChanges {
  const { users } = rows
  return {
    async addUser(user) {
      if (users.has(user.key)) return 'taken'
      users.set(user.key, user)
      return 'added'
    },
    async addFirstUser(user) {
      if (users.size > 0) return false
      users.set(user.key, user)
      return true
    },
    async resetUser(user) {
      const known = users.get(user.key)
      users.set(user.key, { ...user, ...(known && { id: known.id, credentialVersion: known.credentialVersion + 1 }) })
      if (known) deleteSessions(rows, known.id)
    },
    async setRole(key, role, _entry, expected) {
      const user = users.get(key)
      if (!user) return 'absent'
      if (expected !== undefined && user.role !== expected) return 'stale'
      if (role !== 'admin' && lastAdmin(rows, user)) return 'last-admin'
      users.set(key, { ...user, role })
      return 'changed'
    },
    async setStatus(key, status) {
      const user = users.get(key)
      if (!user) return 'absent'
      const next = { ...user, ...status }
      if ((next.disabled || next.expiresAt !== null) && lastAdmin(rows, user)) return 'last-admin'
      users.set(key, next)
      return { ended: next.disabled ? deleteSessions(rows, user.id) : [] }
    },
    async deleteUser(key) {
      const user = users.get(key)
      if (!user) return 'absent'
      if (lastAdmin(rows, user)) return 'last-admin'
      users.delete(key)
      deleteSessions(rows, user.id)
      return 'deleted'
    },
    async putProviderUser(user) {
      const before = users.get(user.key)
      const stored = before ? { ...before, name: user.name, role: user.role } : user
      users.set(user.key, stored)
      return stored
    },
    async confirmProviderUser(id, { recheckAt, ...given }) {
      const user = byId(rows, id)
      if (!user) return false
      users.set(user.key, { ...user, ...given, provider: user.provider && { ...user.provider, recheckAt } })
      return true
    },
    async forgetConfirmation(id) {
      const user = byId(rows, id)
      if (user?.provider) users.set(user.key, { ...user, provider: { ...user.provider, recheckAt: 0 } })
    },
  }
}

function fakePasswordChanges(rows: FakeRows): PasswordChanges {
  const { users } = rows
  return {
    async setPassword(key, { hash, at, origin }, _entry, expected) {
      const user = users.get(key)
      if (!user) return 'absent'
      if (expected !== undefined && user.credentialVersion !== expected) return 'stale'
      const credentialVersion = user.credentialVersion + 1
      users.set(key, { ...user, passwordHash: hash, passwordSetAt: at, passwordOrigin: origin, credentialVersion })
      deleteSessions(rows, user.id)
      return 'changed'
    },
    async replaceHash(id, from, to) {
      const user = byId(rows, id)
      if (user?.passwordHash === from) users.set(user.key, { ...user, passwordHash: to })
    },
  }
}

function fakeRoleDeletions({ users }: FakeRows): RoleDeletions {
  const deletions = new Map<string, RoleDeletionNote>()
  return {
    async beginRoleDeletion(note) {
      deletions.set(`${note.role} ${note.owner}`, note)
    },
    roleDeletions: async (owner) => [...deletions.values()].filter((note) => note.owner === owner),
    async cancelRoleDeletion(role, owner) {
      for (const [key, note] of deletions) {
        if (note.role === role && (owner ?? note.owner) === note.owner) deletions.delete(key)
      }
    },
    async finishRoleDeletion(role, owner) {
      if (!deletions.delete(`${role} ${owner}`)) return undefined
      const held = [...users.values()].filter((user) => user.role === role)
      for (const user of held) users.set(user.key, { ...user, role: 'viewer' })
      return held.map(({ key, name }) => ({ key, name }))
    },
  }
}

function fakeSessionQueries(rows: FakeRows): SessionQueries {
  const { sessions } = rows
  return {
    async session(id) {
      rows.reads += 1
      return sessions.get(id)
    },
    async sessionsById(ids) {
      rows.reads += 1
      return ids.map((id) => sessions.get(id)).filter((session) => session !== undefined)
    },
    sessionAddresses: async () => [...new Set([...sessions.values()].map(({ address }) => address))],
    sessions: async (userId) =>
      [...sessions.values()].filter((session) => userId === undefined || session.userId === userId),
  }
}

function fakeSessionChanges(rows: FakeRows): SessionChanges {
  const { sessions } = rows
  return {
    async addSession(session, { factorVersion }, isSignIn) {
      const user = byId(rows, session.userId)
      if (user?.credentialVersion !== session.credentialVersion || user.disabled) return false
      if (user.factorVersion !== factorVersion) return false
      if (isSignIn) rows.users.set(user.key, { ...user, lastLoginAt: session.createdAt })
      sessions.set(session.id, session)
      return true
    },
    async touch(seen) {
      for (const { id, lastSeenAt, expiresAt } of seen) {
        const session = sessions.get(id)
        if (session) sessions.set(id, { ...session, lastSeenAt, expiresAt: Math.max(expiresAt, session.expiresAt) })
      }
    },
    deleteSession: async (id) => sessions.delete(id),
    deleteSessionsOf: async (userId, _entry, except) => deleteSessions(rows, userId, except),
    async deleteExpired(before) {
      const expired = [...sessions.values()].filter(({ expiresAt }) => expiresAt < before)
      for (const { id } of expired) sessions.delete(id)
      return expired.map(({ id }) => id)
    },
  }
}

function fakeProviderSessions({ sessions }: FakeRows): ProviderSessions {
  return {
    lastLogout: async () => 0,
    dueSessions: async () => [],
    leaseSession: async () => true,
    keepProviderToken: async () => true,
    async setProviderSession(id, _former, provider) {
      const session = sessions.get(id)
      if (session) sessions.set(id, { ...session, provider })
    },
    endProviderSessions: async () => [],
  }
}
