import { testEntry } from './test-entry.ts'
import type { User } from '../../src/users/user.ts'
import type {
  AccountStore,
  NewPassword,
  PasswordChanges,
  SessionChanges,
  SessionQueries,
  UserChanges,
  UserQueries,
} from '../../src/users/accounts/account-store.ts'
import { lastSeen } from '../../src/users/accounts/last-seen.ts'
import type { Session } from '../../src/users/accounts/session.ts'

/** What tests of sign-ins and sessions need of an AccountStore. */
export type FakedAccounts = Pick<UserQueries, 'userByKey' | 'usersByKey' | 'userById'> &
  Pick<UserChanges, 'addUser' | 'setRole' | 'deleteUser'> &
  PasswordChanges &
  Pick<SessionQueries, 'session' | 'sessionsById' | 'sessions'> &
  Pick<SessionChanges, 'addSession' | 'touch' | 'deleteSession' | 'deleteSessionsOf' | 'deleteExpired'>

/** A store's changes with default audit entries, for tests that don't check them. */
export const withTestEntries = <Store extends FakedAccounts>(store: Store) => ({
  ...store,
  addUser: (user: User, generation = 0) => store.addUser(user, testEntry, generation),
  setRole: async (key: string, role: string, expected?: string, generation = 0) =>
    store.setRole(await idOf(key, store), { role, generation }, () => testEntry, expected),
  deleteUser: async (key: string) => store.deleteUser(await idOf(key, store), testEntry),
  setPassword: async (key: string, password: NewPassword, expected?: number) =>
    store.setPassword(await idOf(key, store), password, testEntry, expected),
  addSession: (session: Session, isSignIn = false, factorVersion = 0, replaced?: string) =>
    store.addSession(
      session,
      { factorVersion, provider: null },
      isSignIn,
      testEntry,
      undefined,
      replaced === undefined ? undefined : { id: replaced, entry: testEntry },
    ),
  deleteSession: (id: string) => store.deleteSession(id, testEntry),
  deleteSessionsOf: (userId: string, except?: string) => store.deleteSessionsOf(userId, () => testEntry, except),
})

/** The key itself, if there is no such user: no id has it. */
const idOf = async (key: string, store: FakedAccounts): Promise<string> => (await store.userByKey(key))?.id ?? key

interface FakeRows {
  /** Number of lookups of users and sessions. */
  reads: number
  /** By key. */
  readonly users: Map<string, User>
  /** By id. */
  readonly sessions: Map<string, Session>
}

/**
 * Users and sessions in memory, and their rows. `fake-account-store.test.ts` compares its results with those of the
 * store. Logouts by a provider aren't faked.
 */
export function fakeAccountStore(): FakedAccounts &
  Pick<AccountStore, 'endProviderSessions'> & { readonly rows: FakeRows } {
  const rows: FakeRows = { reads: 0, users: new Map(), sessions: new Map() }
  return {
    rows,
    ...fakeUsers(rows),
    ...fakePasswords(rows),
    ...fakeSessionQueries(rows),
    ...fakeSessionChanges(rows),
    endProviderSessions: () => Promise.reject(new Error('logouts by a provider are not faked')),
  }
}

const byId = ({ users }: FakeRows, id: string) => [...users.values()].find((user) => user.id === id)

const isLocalAdmin = ({ role, provider }: User) => role === 'admin' && provider === null

const isLastAdmin = ({ users }: FakeRows, id: string) =>
  ![...users.values()].some((user) => user.id !== id && isLocalAdmin(user) && !user.disabled && user.expiresAt === null)

const deleteSessions = ({ sessions }: FakeRows, userId: string, except?: string) => {
  const deleted = [...sessions.values()].filter((session) => session.userId === userId && session.id !== except)
  for (const { id } of deleted) sessions.delete(id)
  return deleted.map(({ id }) => id)
}

function fakeUsers(
  rows: FakeRows,
): Omit<FakedAccounts, keyof PasswordChanges | keyof SessionQueries | keyof SessionChanges> {
  const { users } = rows
  return {
    async userByKey(key) {
      rows.reads += 1
      return users.get(key)
    },
    async usersByKey(keys) {
      rows.reads += 1
      return keys
        .map((key) => users.get(key))
        .filter((user) => user !== undefined)
        .map(({ passwordHash: _hash, ...user }) => user)
    },
    userById: async (id) => byId(rows, id),
    async addUser(user) {
      if (users.has(user.key)) return 'taken'
      users.set(user.key, user)
      return 'added'
    },
    async setRole(id, { role }, _entry, expected) {
      const user = byId(rows, id)
      if (!user) return 'absent'
      if (expected !== undefined && user.role !== expected) return 'stale'
      if (user.role === 'admin' && role !== 'admin' && isLastAdmin(rows, id)) return 'last-admin'
      users.set(user.key, { ...user, role })
      return 'changed'
    },
    async deleteUser(id) {
      const user = byId(rows, id)
      if (!user) return 'absent'
      if (isLocalAdmin(user) && isLastAdmin(rows, id)) return 'last-admin'
      users.delete(user.key)
      deleteSessions(rows, id)
      return 'deleted'
    },
  }
}

function fakePasswords(rows: FakeRows): PasswordChanges {
  const { users } = rows
  return {
    async setPassword(id, { hash, at, origin }, _entry, expected) {
      const user = byId(rows, id)
      if (!user) return 'absent'
      if (expected !== undefined && user.credentialVersion !== expected) return 'stale'
      const credentialVersion = user.credentialVersion + 1
      users.set(user.key, { ...user, passwordHash: hash, passwordSetAt: at, passwordOrigin: origin, credentialVersion })
      deleteSessions(rows, id)
      return 'changed'
    },
    async replaceHash(id, from, to) {
      const user = byId(rows, id)
      if (user?.passwordHash === from) users.set(user.key, { ...user, passwordHash: to })
    },
  }
}

function fakeSessionQueries(rows: FakeRows): Pick<FakedAccounts, 'session' | 'sessionsById' | 'sessions'> {
  const { sessions } = rows
  return {
    async session(id) {
      rows.reads += 1
      return sessions.get(id)
    },
    async sessionsById(ids) {
      rows.reads += 1
      return ids
        .map((id) => sessions.get(id))
        .filter((session) => session !== undefined)
        .map(({ address: _address, userAgent: _userAgent, provider, ...session }) => ({
          ...session,
          provider: provider && { recheckAt: provider.recheckAt },
        }))
    },
    sessions: async (userId) =>
      [...sessions.values()]
        .filter((session) => userId === undefined || session.userId === userId)
        .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)),
  }
}

function fakeSessionChanges(rows: FakeRows): Pick<FakedAccounts, keyof FakedAccounts & keyof SessionChanges> {
  const { sessions } = rows
  return {
    async addSession(session, { factorVersion }, isSignIn, _entry, _lastLogout, replaced) {
      const user = byId(rows, session.userId)
      if (user?.credentialVersion !== session.credentialVersion || user.disabled) return false
      if (user.factorVersion !== factorVersion) return false
      if (isSignIn) rows.users.set(user.key, { ...user, lastLoginAt: session.createdAt })
      sessions.set(session.id, session)
      if (replaced) sessions.delete(replaced.id)
      return true
    },
    async touch(seen, now) {
      for (const { id, lastSeenAt, expiresAt } of seen) {
        const session = sessions.get(id)
        if (!session) continue
        const latest = {
          lastSeenAt: lastSeen(session.lastSeenAt, lastSeenAt, now),
          expiresAt: Math.max(expiresAt, session.expiresAt),
        }
        sessions.set(id, { ...session, ...latest })
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
