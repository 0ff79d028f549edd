import type { Actor, AuditEntry } from '../../shared/audit/audit.ts'
import type { CachedSession, ProviderSession, Session } from './session.ts'
import type { CachedUser, PasswordOrigin, UnblockedUsers, User, UserStatus } from '../user.ts'

/** What a provider says about a user. `recheckAt` in Unix milliseconds. */
export interface ConfirmedUser {
  readonly name: string
  readonly role: string
  readonly recheckAt: number
}

/** A logout token of a provider. Names a session, a user, or both. Times are Unix milliseconds. */
export interface ProviderLogout {
  readonly issuer: string
  /** SHA-256 of issuer and the token's id. */
  readonly hash: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  readonly now: number
  /** From when the token is invalid anyway. */
  readonly expiresAt: number
}

export interface NewPassword {
  readonly hash: string
  /** Unix milliseconds. */
  readonly at: number
  readonly origin: PasswordOrigin
}

/** A role that users have, but the configuration doesn't. */
export interface OrphanedRole {
  readonly role: string
  /** Names of its users, up to a limit. */
  readonly users: readonly string[]
  /** The number of all its users. */
  readonly count: number
}

export type UserOrder = 'username' | 'role' | 'last_login_at' | 'created_at'

/** A user's position in a sorted list: names are keys; times are Unix milliseconds, 0 for never. */
export interface UserPosition {
  readonly value: string | number
  readonly key: string
}

/** Filters of a user list. All given filters must match. */
export interface UserFilter {
  /** A substring of the key. */
  readonly search?: string | undefined
  readonly role?: string | undefined
  /** Only users with one of these roles. */
  readonly roles?: readonly string[] | undefined
  /** Only users who can sign in at this time, Unix milliseconds. */
  readonly activeAt?: number | undefined
  /** Only users to whom the configuration gives access. */
  readonly unblocked?: UnblockedUsers | undefined
  /** Only users whose role is one of these (`holds: true`) or none of them (`false`). The built-in roles always exist. */
  readonly existing?: { readonly roles: readonly string[]; readonly holds: boolean }
  /** Only users of an identity provider (`true`), or only local users (`false`). */
  readonly provider?: boolean | undefined
}

/** One page of users. Users with equal values are sorted by key. */
export interface UserPageQuery extends UserFilter {
  readonly order: UserOrder
  /** Descending order. */
  readonly down: boolean
  /** undefined for the first page. */
  readonly after: UserPosition | undefined
  readonly limit: number
}

/** Creates the audit entry that is committed with a change, from the change's outcome. */
export type EntryOf<Fact> = (done: Fact) => AuditEntry

/** The note of a role deletion in progress (ROLE-7). */
export interface RoleDeletionNote {
  readonly role: string
  /** The instance that deletes it. */
  readonly owner: string
  /** Unix milliseconds. */
  readonly at: number
  /** Who deleted it. */
  readonly by: Actor
}

/** A role that was found to exist. */
export interface ExistingRole {
  readonly role: string
  /** Which of the roles with this name: it differs from that of a role that is created later, or was deleted before. */
  readonly generation: number
}

export interface UserQueries {
  userByKey(key: string): Promise<User | undefined>
  /** Returns only rows that exist, in any order. */
  usersByKey(keys: readonly string[]): Promise<CachedUser[]>
  userById(id: string): Promise<User | undefined>
  users(requested: UserPageQuery): Promise<User[]>
  countUsers(filter: UserFilter): Promise<number>
  /** The {@link ExistingRole.generation} of the role that has a name now, if one does. */
  roleGeneration(role: string): Promise<number>
  /** The number of users by role. */
  roleCounts(): Promise<ReadonlyMap<string, number>>
  hasUsers(): Promise<boolean>
  /** All roles of users that are not among `existing`, each with at most `limit` of its users, by role and name. */
  orphans(existing: readonly string[], limit: number): Promise<OrphanedRole[]>
}

/** Changes of the users of an identity provider (OIDC-2, OIDC-3). */
export interface ProviderUserChanges {
  /**
   * Adds a provider's user, or sets the name and role of the row with the same key. Writes an audit entry only for what
   * has changed.
   *
   * @param entry creates the audit entry from the user's previous role; undefined: the user is new.
   * @returns the user as stored, with a status that an admin set.
   */
  putProviderUser(user: User, entry: EntryOf<string | undefined>): Promise<User>
  /**
   * Sets what the provider says about an existing user. Writes an audit entry only for a changed role.
   *
   * @param entry creates the audit entry from the user's previous role.
   * @returns false if there is no such user.
   */
  confirmProviderUser(id: string, confirmed: ConfirmedUser, entry: EntryOf<string>): Promise<boolean>
  /** The provider no longer confirms the user: nothing that rests on it is accepted until it does. */
  forgetConfirmation(id: string): Promise<void>
}

/** Users are named by id: a later user with the same name isn't changed by a request for the former one (ROLE-10). */
export interface UserChanges {
  /** @param generation that of the user's role; `role-replaced` if it's another one by now */
  addUser(user: User, entry: AuditEntry, generation: number): Promise<'added' | 'taken' | 'role-replaced'>
  /** Adds the user only if there are no users, even if two instances call it at the same time. */
  addFirstUser(user: User, entry: AuditEntry): Promise<boolean>
  /** Adds the user, or sets the password and role of the existing user with that name. Revokes the user's sessions. */
  resetUser(user: User, entry: AuditEntry): Promise<void>
  /**
   * @param entry creates the audit entry from the user's previous role.
   * @param expected the user's expected role; `stale` if the user has another role.
   * @returns `role-replaced` if the role is another one by now
   */
  setRole(
    id: string,
    role: ExistingRole,
    entry: EntryOf<string>,
    expected?: string,
  ): Promise<'changed' | 'absent' | 'stale' | 'last-admin' | 'role-replaced'>
  /**
   * Deletes the sessions of a user who is disabled. An admin who will not stay isn't an admin that others can rely on.
   *
   * @returns the ids of the deleted sessions.
   */
  setStatus(
    id: string,
    status: UserStatus,
    entry: AuditEntry,
  ): Promise<{ readonly ended: readonly string[] } | 'absent' | 'last-admin'>
  /** Deletes the user's sessions too. */
  deleteUser(id: string, entry: AuditEntry): Promise<'deleted' | 'absent' | 'last-admin'>
}

export interface PasswordChanges {
  /**
   * Increments the credential version and deletes all the user's sessions.
   *
   * @param expected the credential version the old password was checked against; `stale` if it has changed.
   */
  setPassword(
    id: string,
    password: NewPassword,
    entry: AuditEntry,
    expected?: number,
  ): Promise<'changed' | 'absent' | 'stale'>
  /** Replaces the hash of the same password. Does nothing if the stored hash is no longer `from`. */
  replaceHash(id: string, from: string, to: string): Promise<void>
}

/** A user who was moved from a deleted role to `viewer`. */
export type ReassignedUser = Pick<User, 'key' | 'name'>

/** The username of each invitation that was ended with its role; null: the invited person would have chosen it. */
export type InvitationsEnded = readonly (string | null)[]

/** What the deletion of a role has changed. */
export interface Reassigned {
  /** Names of the users who were moved to `viewer`. */
  readonly users: readonly string[]
  readonly invitations: InvitationsEnded
}

export interface RoleDeletions {
  /** Notes that an instance starts to delete a role. Replaces an earlier note. */
  beginRoleDeletion(deletion: RoleDeletionNote): Promise<void>
  /** An instance's unfinished deletions. */
  roleDeletions(owner: string): Promise<RoleDeletionNote[]>
  /** Deletes an instance's note about the role; without an owner, the notes of all instances. */
  cancelRoleDeletion(role: string, owner?: string): Promise<void>
  /**
   * Moves all users of the role to `viewer`, ends the invitations for it, and deletes the note.
   *
   * @returns those users; undefined if the note no longer exists and nothing was changed.
   */
  finishRoleDeletion(
    role: string,
    owner: string,
    entries: (done: RoleDeletionNote & Reassigned) => readonly AuditEntry[],
  ): Promise<ReassignedUser[] | undefined>
  /** Ends the invitations for a role that is about to be created (LINK-4). */
  endInvitations(role: string, entries: (invitations: InvitationsEnded) => readonly AuditEntry[]): Promise<void>
}

export interface SessionQueries {
  session(id: string): Promise<Session | undefined>
  /** Returns only rows that exist, in any order. */
  sessionsById(ids: readonly string[]): Promise<CachedSession[]>
  /** Addresses of sessions that expire after `now`, those of the latest sessions first. @param limit max addresses */
  sessionAddresses(now: number, limit: number): Promise<string[]>
  /** The sessions of one user or of all users, newest first. */
  sessions(userId?: string): Promise<Session[]>
}

/** A session that ends because another one begins (TOK-12). */
export interface ReplacedSession {
  readonly id: string
  /** Inserted only if the session still exists. */
  readonly entry: AuditEntry
}

export interface SessionChanges {
  /**
   * Returns false if the user was deleted or disabled, or the password or a second factor has changed since the user was
   * read.
   *
   * Returns false too if a logout token named the session while its user signed in at the provider (OIDC-4).
   *
   * @param isSignIn whether it counts as the user's last login
   * @param lastLogout the number of the last logout token before the provider was asked
   * @param replaced a session that ends in the same transaction
   */
  addSession(
    session: Session,
    user: Pick<User, 'factorVersion' | 'provider'>,
    isSignIn: boolean,
    entry: AuditEntry | null,
    lastLogout?: number,
    replaced?: ReplacedSession,
  ): Promise<boolean>
  /**
   * Writes session activity: the last as `lastSeen` says, and the later expiry. Deleted sessions are not recreated.
   *
   * @param now Unix milliseconds
   */
  touch(seen: readonly Pick<Session, 'id' | 'lastSeenAt' | 'expiresAt'>[], now: number): Promise<void>
  deleteSession(id: string, entry: AuditEntry): Promise<boolean>
  /**
   * @param entry creates the audit entry from the number of deleted sessions, which can be 0.
   * @returns the ids of the deleted sessions.
   */
  deleteSessionsOf(userId: string, entry: EntryOf<number>, except?: string): Promise<string[]>
  /**
   * Deletes some of the sessions that expired before this time, Unix milliseconds.
   *
   * @returns the ids of the deleted sessions; none if there are no more.
   */
  deleteExpired(before: number): Promise<readonly string[]>
}

/** Times of a re-check, Unix milliseconds. What is later than it can be was set by a clock that was ahead: it is due. */
export interface RecheckTimes {
  readonly now: number
  /** The latest time of the next re-check, if the provider confirmed a session now at an instance whose clock is ahead. */
  readonly maxRecheckAt: number
  /** The end of a reservation that begins now. */
  readonly leaseUntil: number
  /** The latest end of one that an instance made whose clock is ahead. */
  readonly maxLease: number
}

/** Sessions of users of the identity provider. */
export interface ProviderSessions {
  /** The number of the last logout token that was used; 0: none. Later ones have larger numbers. */
  lastLogout(): Promise<number>
  /** Sessions whose provider has to be asked now, and that no instance is asking for, the most overdue first. */
  dueSessions(times: RecheckTimes, limit: number): Promise<Session[]>
  /**
   * Reserves a due session, so that one instance alone uses its refresh token. Its re-check is due now, at the latest.
   *
   * @returns false if another instance has reserved or changed it.
   */
  leaseSession(session: Session, times: RecheckTimes): Promise<boolean>
  /**
   * Replaces the sealed tokens of a session while it is reserved.
   *
   * @param former the sealed tokens that are replaced
   * @returns false if the session has others by now, because its reservation expired, or was deleted
   */
  keepProviderToken(id: string, former: string, token: string): Promise<boolean>
  /**
   * Sets what a session keeps of the provider. Does nothing if its sealed tokens aren't `former` anymore: another
   * instance has newer ones. Nor if the session was deleted.
   */
  setProviderSession(id: string, former: string, provider: ProviderSession): Promise<void>
  /**
   * Deletes the sessions that a logout token of the provider names, once for each token (OIDC-4).
   *
   * @param entry creates the audit entry of each session.
   * @returns the ids of the deleted sessions; `used`: the token was used before.
   */
  endProviderSessions(
    logout: ProviderLogout,
    entry: (ended: { readonly id: string; readonly user: string }) => AuditEntry,
  ): Promise<readonly string[] | 'used'>
}

/**
 * Users and their sessions. Each method is one transaction. The audit entry of a change is part of the transaction
 * (AUD-1) and is written only if something has changed.
 * All methods throw ServiceError `unavailable` if the database does not respond.
 */
export interface AccountStore
  extends
    UserQueries,
    UserChanges,
    ProviderUserChanges,
    PasswordChanges,
    RoleDeletions,
    SessionQueries,
    SessionChanges,
    ProviderSessions {}
