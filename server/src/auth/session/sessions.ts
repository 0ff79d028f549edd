import { bounded, type Invalidation } from '../../access/invalidation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { Random } from '../../shared/random.ts'
import type { AccountStore, EntryOf, ReplacedSession } from '../../users/accounts/account-store.ts'
import type { CachedSession, ProviderSession, Session } from '../../users/accounts/session.ts'
import type { User } from '../../users/user.ts'
import { lastSeen } from '../../users/accounts/last-seen.ts'
import { createRowCache } from '../../users/accounts/row-cache.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { createSessionActivity, type Seen } from './session-activity.ts'
import { newId } from '../../shared/random-id.ts'

/** A session's row, with values that are newer in memory. Times are Unix milliseconds. */
export interface ActiveSession<Row extends CachedSession = CachedSession> {
  readonly session: Row
  /** The latest expiry of any of its tokens. */
  expiresAt: number
  lastSeenAt: number
  /** {@link expiresAt} and {@link lastSeenAt} in the database row. */
  writtenExpiry: number
  writtenSeenAt: number
}

/** The values of a new session. Times are Unix milliseconds. */
export interface Beginning {
  readonly expiresAt: number
  readonly confirmedAt: number | null
  /** Whether it counts as the user's last login. */
  readonly isSignIn: boolean
  readonly address: string
  readonly userAgent: string
  /** Of a user of an identity provider. */
  readonly provider?: ProviderSession | null
  /** The number of the last logout token before the provider was asked. */
  readonly lastLogout?: number
  /** Ends with the beginning of the new one. */
  readonly replaced?: ReplacedSession | undefined
}

/** Cached sessions, for the requests. Reading causes no write: session activity is written once a minute. */
export interface Sessions {
  find(id: string): ActiveSession | undefined | Promise<ActiveSession | undefined>
  /** Bypasses the cache, for a session that seems expired: another instance may have renewed it. */
  findUncached(id: string): Promise<ActiveSession | undefined>
  /**
   * Returns undefined if the user was deleted, the password or a second factor has changed, or the user has signed out at
   * the provider.
   *
   * @param entry the audit entry of a login; null if another entry covers the new session.
   */
  begin(user: User, beginning: Beginning, entry: AuditEntry | null): Promise<ActiveSession<Session> | undefined>
  touch(active: ActiveSession): void
  /**
   * Extends the session to a new token's expiry. Written immediately only if the row would otherwise be far behind.
   *
   * @param length the session length, milliseconds.
   */
  extend(active: ActiveSession, expiresAt: number, length: number): void
  /** A user's unexpired sessions, newest first. */
  ofUser(userId: string): Promise<ActiveSession<Session>[]>
  end(id: string, entry: AuditEntry): Promise<boolean>
  /** @param entry creates the audit entry from the number of revoked sessions. */
  revokeAllOf(userId: string, entry: EntryOf<number>, except?: string): Promise<void>
  /** Ends the sessions that a logout token of the provider names. @returns `used`: the token was used before */
  endAtProvider(...logout: Parameters<AccountStore['endProviderSessions']>): Promise<'ended' | 'used'>
  /** Drops a cached session; without an id, all of them. */
  invalidate(id?: string): void
  /** Writes pending session activity. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface SessionsDeps extends Runtime {
  readonly store: Pick<
    AccountStore,
    | 'sessionsById'
    | 'sessions'
    | 'addSession'
    | 'touch'
    | 'deleteSession'
    | 'deleteSessionsOf'
    | 'endProviderSessions'
    | 'deleteExpired'
  >
  readonly isFresh: () => boolean
  /** Whether the clock can be trusted enough to delete sessions by their expiry. */
  readonly isClockTrusted: () => boolean
  readonly publish: (invalidation: Invalidation) => void
  /** Gets the address of each new session. */
  readonly knownAddresses: Pick<KnownAddresses, 'add'>
  readonly random: Random
}

const minute = 60_000
/** Max cached sessions, less than 600 bytes each. */
const max = 100_000

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, isFresh, isClockTrusted, publish, knownAddresses, clock, random, log } = deps
  const activeFrom = <Row extends CachedSession>(session: Row): ActiveSession<Row> => {
    const seen = activity.unwritten(session.id)
    return {
      session,
      expiresAt: Math.max(session.expiresAt, seen?.expiresAt ?? 0),
      lastSeenAt: seen ? lastSeen(session.lastSeenAt, seen.lastSeenAt, clock.now()) : session.lastSeenAt,
      writtenExpiry: session.expiresAt,
      writtenSeenAt: session.lastSeenAt,
    }
  }
  const loadMany = async (ids: readonly string[]) =>
    new Map((await store.sessionsById(ids)).map((session) => [session.id, activeFrom(session)]))
  const cache = createRowCache({ loadMany, max, isFresh, clock })

  const activity = createSessionActivity({
    store,
    isClockTrusted,
    clock,
    log,
    onWritten: (seen) => noteWritten(cache.peek(seen.id), seen, clock.now()),
    onDeleted: (ids) => notify(ids),
  })
  const queue = ({ session: { id }, lastSeenAt, expiresAt }: ActiveSession) =>
    activity.queue({ id, lastSeenAt, expiresAt })

  const notify = (ids: readonly string[]) => {
    for (const id of ids) activity.forget(id)
    for (const invalidation of bounded(ids.map((id) => ({ kind: 'session', id }) as const))) publish(invalidation)
  }

  return {
    find: (id) => cache.get(id),
    findUncached(id) {
      cache.invalidate(id)
      return cache.load(id)
    },
    async begin(user, beginning, entry) {
      const session = newSession(newId(random), user, beginning, clock.now())
      const { isSignIn, lastLogout, replaced } = beginning
      if (!(await store.addSession(session, user, isSignIn, entry, lastLogout, replaced))) return undefined
      if (replaced) notify([replaced.id])
      knownAddresses.add(session.address)
      return activeFrom(session)
    },
    touch(active) {
      const now = clock.now()
      // `Math.abs`: the clock may have been set back.
      if (Math.abs(now - active.lastSeenAt) < minute) return
      active.lastSeenAt = now
      queue(active)
    },
    extend(active, expiresAt, length) {
      const write = noteRenewal(active, expiresAt, length, clock.now())
      if (write === 'nothing') return
      queue(active)
      // Not awaited: if the service crashes first, the token is still valid and the row is kept for the grace period.
      if (write === 'now') void activity.flush()
    },
    async ofUser(userId) {
      const now = clock.now()
      return (await store.sessions(userId)).map(activeFrom).filter(({ expiresAt }) => expiresAt > now)
    },
    async end(id, entry) {
      const ended = await store.deleteSession(id, entry)
      notify([id])
      return ended
    },
    revokeAllOf: async (userId, entry, except) => notify(await store.deleteSessionsOf(userId, entry, except)),
    async endAtProvider(logout, entry) {
      const ended = await store.endProviderSessions(logout, entry)
      if (ended !== 'used') notify(ended)
      return ended === 'used' ? 'used' : 'ended'
    },
    invalidate: (id) => cache.invalidate(id),
    flush: activity.flush,
    stop: activity.stop,
  }
}

/**
 * Notes that a session is renewed, in memory. With a shorter length, the new expiry can be earlier: then only the time of
 * the renewal counts, see `sessionEnd`.
 *
 * @returns what has to be written, now only if the row is far behind
 */
function noteRenewal(
  active: ActiveSession,
  expiresAt: number,
  length: number,
  now: number,
): 'nothing' | 'later' | 'now' {
  const behind = Math.min(minute, length / 4)
  const isSeenBehind = now - active.writtenSeenAt > behind
  if (expiresAt <= active.expiresAt && !isSeenBehind) return 'nothing'
  active.expiresAt = Math.max(active.expiresAt, expiresAt)
  active.lastSeenAt = now
  if (active.expiresAt - active.writtenExpiry <= behind && !isSeenBehind) return 'later'
  noteWritten(active, active, now)
  return 'now'
}

function noteWritten(
  active: ActiveSession | undefined,
  { expiresAt, lastSeenAt }: Omit<Seen, 'id'>,
  now: number,
): void {
  if (!active) return
  active.writtenExpiry = Math.max(active.writtenExpiry, expiresAt)
  active.writtenSeenAt = lastSeen(active.writtenSeenAt, lastSeenAt, now)
}

const newSession = (
  id: string,
  { id: userId, credentialVersion }: User,
  { expiresAt, confirmedAt, address, userAgent, provider = null }: Beginning,
  now: number,
): Session => ({
  id,
  userId,
  credentialVersion,
  createdAt: now,
  lastSeenAt: now,
  expiresAt,
  address,
  userAgent: userAgent.slice(0, 256).toWellFormed(),
  confirmedAt,
  provider,
})
