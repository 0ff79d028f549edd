import type { Actor, AuditEntry } from '../shared/audit.ts'

/** Who knows a password: its user alone, a reader of the log, an admin. But for the first, a new one is asked for. */
export type PasswordOrigin = 'own' | 'printed' | 'given'

/** A person who signs in. Times are Unix milliseconds. */
export interface User {
  /** Random, and never used again for another user of that name. */
  readonly id: string
  readonly name: string
  /** The name in lower case: names are compared without regard to case. */
  readonly key: string
  readonly role: string
  /** `pbkdf2_sha256$<iterations>$<salt>$<base64 hash>`. */
  readonly passwordHash: string
  /** Every password change raises it, so that validity depends on no clock. */
  readonly credentialVersion: number
  readonly passwordSetAt: number
  readonly passwordOrigin: PasswordOrigin
  readonly createdAt: number
  readonly lastLoginAt: number | null
}

/** A login that still holds. Tokens only point at it. Times are Unix milliseconds. */
export interface Session {
  /** 128 random bits, as hex. */
  readonly id: string
  readonly userId: string
  /** The user's at login; the session is dead once the user's is another. */
  readonly credentialVersion: number
  readonly createdAt: number
  readonly lastSeenAt: number
  /** The latest expiry of any token of this session. */
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
}

export interface NewPassword {
  readonly hash: string
  /** Unix milliseconds. */
  readonly at: number
  readonly origin: PasswordOrigin
}

/** A user by name, and their role. */
export interface Holder {
  readonly name: string
  readonly role: string
}

export type UserOrder = 'username' | 'role' | 'last_login_at' | 'created_at'

/** Where a user stands in an order: names are keys, times Unix milliseconds, 0 for never. */
export interface UserPlace {
  readonly value: string | number
  readonly key: string
}

/** Which users are wanted, by every filter that is given. */
export interface UserFilter {
  /** Part of the key. */
  readonly search?: string | undefined
  readonly role?: string | undefined
  /** Only those who hold one of these. */
  readonly roles?: readonly string[] | undefined
  /** Only those who hold one of these roles, or none of them. The built-in roles always exist. */
  readonly existing?: { readonly roles: readonly string[]; readonly holds: boolean }
}

/** One page of users; among equals by key. */
export interface UsersWanted extends UserFilter {
  readonly order: UserOrder
  /** The last comes first. */
  readonly down: boolean
  /** Undefined for the first page. */
  readonly after: UserPlace | undefined
  readonly limit: number
}

/** What a change did, for the entry that is committed with it. */
export type EntryOf<Fact> = (done: Fact) => AuditEntry

/** A role whose deletion has begun (ROLE-7). */
export interface RoleDeletionNote {
  readonly role: string
  /** The instance that deletes it. */
  readonly owner: string
  /** Unix milliseconds. */
  readonly at: number
  /** Who deleted it. */
  readonly by: Actor
}

/**
 * Users and their sessions. Each method is one transaction: all of it happens, or nothing. The audit entry of a change
 * is part of it (AUD-1), and is written only where something was changed.
 * A database that does not answer throws ServiceError `unavailable`.
 */
export interface AccountStore {
  userByKey(key: string): Promise<User | undefined>
  /** Those of them that exist, in any order. */
  usersByKey(keys: readonly string[]): Promise<User[]>
  userById(id: string): Promise<User | undefined>
  users(requested: UsersWanted): Promise<User[]>
  countUsers(filter: UserFilter): Promise<number>
  /** Number of users holding each role. */
  roleCounts(): Promise<ReadonlyMap<string, number>>
  hasUsers(): Promise<boolean>
  addUser(user: User, entry: AuditEntry): Promise<'added' | 'taken'>
  /** Adds the user only where there is none at all, by two instances at once either. */
  addFirstUser(user: User, entry: AuditEntry): Promise<boolean>
  /** Adds the user, or gives the one with that name this password and role. Ends their sessions. */
  resetUser(user: User, entry: AuditEntry): Promise<void>
  /**
   * @param entry of the role that the user had.
   * @param expected the role that the user is known to have; another one by now is `stale`.
   */
  setRole(
    key: string,
    role: string,
    entry: EntryOf<string>,
    expected?: string,
  ): Promise<'changed' | 'absent' | 'stale' | 'last-admin'>
  /** Deletes the user's sessions too. */
  deleteUser(key: string, entry: AuditEntry): Promise<'deleted' | 'absent' | 'last-admin'>
  /**
   * Raises the credential version and deletes all the user's sessions.
   *
   * @param expected the credential version that the old password was checked against; another one by now is `stale`.
   */
  setPassword(
    key: string,
    password: NewPassword,
    entry: AuditEntry,
    expected?: number,
  ): Promise<'changed' | 'absent' | 'stale'>
  /** Same password, more iterations: nothing else changes. Does nothing where the hash is another by now. */
  replaceHash(id: string, from: string, to: string): Promise<void>
  noteLogin(id: string, at: number): Promise<void>
  /** At most `limit` users whose role is not among `existing`, by role and name. */
  orphans(existing: readonly string[], limit: number): Promise<Holder[]>

  /** Notes that an instance begins to delete a role. Beginning again replaces the note. */
  beginRoleDeletion(deletion: RoleDeletionNote): Promise<void>
  /** The deletions that an instance began and did not finish. */
  roleDeletions(owner: string): Promise<RoleDeletionNote[]>
  /** Forgets the deletions of that role; without an owner, those of every instance. */
  cancelRoleDeletion(role: string, owner?: string): Promise<void>
  /**
   * Gives `viewer` to every user of the role, and forgets the note: one transaction.
   *
   * @returns the names of those users; undefined where there is no such note by now, and nothing has changed.
   */
  finishRoleDeletion(
    role: string,
    owner: string,
    entries: (done: RoleDeletionNote & { readonly users: readonly string[] }) => readonly AuditEntry[],
  ): Promise<string[] | undefined>

  /** Refused where the user is gone, or its credential version is another by now. */
  addSession(session: Session, entry: AuditEntry | null): Promise<boolean>
  session(id: string): Promise<Session | undefined>
  /** Those of them that exist, in any order. */
  sessionsById(ids: readonly string[]): Promise<Session[]>
  /** One user's, or everybody's; newest first. */
  sessions(userId?: string): Promise<Session[]>
  /** Writes what was seen since the last call; a session that is gone stays gone. */
  touch(seen: readonly Pick<Session, 'id' | 'lastSeenAt' | 'expiresAt'>[]): Promise<void>
  deleteSession(id: string, entry: AuditEntry): Promise<boolean>
  /**
   * @param entry of the number of sessions deleted, which may be none.
   * @returns the ids deleted.
   */
  deleteSessionsOf(userId: string, entry: EntryOf<number>, except?: string): Promise<string[]>
  /** Forgets sessions that expired before a moment, Unix milliseconds. */
  deleteExpired(before: number): Promise<void>
}
