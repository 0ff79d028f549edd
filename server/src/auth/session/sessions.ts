import type { Invalidation } from '../../access/invalidation.ts'
import type { AuditEntry } from '../../shared/audit.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Random } from '../../shared/random.ts'
import type { AccountStore, EntryOf, Session, User } from '../../users/account-store.ts'
import { createRowCache } from '../../users/row-cache.ts'

/** A session's row, and what of it memory knows better. Times are Unix milliseconds. */
export interface ActiveSession {
  readonly session: Session
  /** The latest expiry of any of its tokens. */
  expiresAt: number
  lastSeenAt: number
  /** What the row says of {@link expiresAt}. */
  writtenExpiry: number
}

/** How a session begins. `expiresAt` in Unix milliseconds. */
export interface Beginning {
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
}

/** Sessions as every request asks for them. Reading costs no write: what was seen is written once a minute. */
export interface Sessions {
  find(id: string): ActiveSession | undefined | Promise<ActiveSession | undefined>
  /** Past the memory, for who is about to be told that it is over: another instance may have renewed it. */
  findUncached(id: string): Promise<ActiveSession | undefined>
  /**
   * undefined where the user is gone, or their password is another by now.
   *
   * @param entry of a login; null where another entry tells of what began the session.
   */
  begin(user: User, beginning: Beginning, entry: AuditEntry | null): Promise<ActiveSession | undefined>
  touch(live: ActiveSession): void
  /**
   * A token was made that lives until then. Written at once only where the row would be far behind.
   *
   * @param length the session length, milliseconds.
   */
  extend(live: ActiveSession, expiresAt: number, length: number): void
  /** One user's, as they stand now, newest first. */
  ofUser(userId: string): Promise<ActiveSession[]>
  end(id: string, entry: AuditEntry): Promise<boolean>
  /** @param entry of the number of sessions that were ended. */
  revokeAllOf(userId: string, entry: EntryOf<number>, except?: string): Promise<void>
  /** Without an id: all. */
  invalidate(id?: string): void
  /** Writes what has not been written yet. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface SessionsDeps {
  readonly store: Pick<
    AccountStore,
    'sessionsById' | 'sessions' | 'addSession' | 'touch' | 'deleteSession' | 'deleteSessionsOf' | 'deleteExpired'
  >
  readonly trusted: () => boolean
  readonly publish: (fact: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

type Seen = Pick<Session, 'id' | 'lastSeenAt' | 'expiresAt'>

const minute = 60_000
const hour = 60 * minute
/** Rows outlive their expiry by this: what memory knew better may not have been written. */
const grace = 10 * minute
/** Sessions kept in memory, at some 600 bytes each. */
const max = 20_000
/** Past so many, one fact that anything may have changed costs less than each by itself. */
const manyFacts = 100

export function createSessions({ store, trusted, publish, clock, random, log }: SessionsDeps): Sessions {
  const unwritten = new Map<string, Seen>()

  const live = (session: Session): ActiveSession => {
    const seen = unwritten.get(session.id)
    return {
      session,
      expiresAt: Math.max(session.expiresAt, seen?.expiresAt ?? 0),
      lastSeenAt: Math.max(session.lastSeenAt, seen?.lastSeenAt ?? 0),
      writtenExpiry: session.expiresAt,
    }
  }
  const loadMany = async (ids: readonly string[]) =>
    new Map((await store.sessionsById(ids)).map((session) => [session.id, live(session)]))
  const cache = createRowCache({ loadMany, max, trusted })

  const note = ({ session: { id }, lastSeenAt, expiresAt }: ActiveSession) => {
    unwritten.set(id, { id, lastSeenAt, expiresAt })
  }

  const write = async (): Promise<void> => {
    const batch = [...unwritten.values()]
    if (batch.length === 0) return
    unwritten.clear()
    try {
      await store.touch(batch)
    } catch (cause) {
      for (const seen of batch) if (!unwritten.has(seen.id)) unwritten.set(seen.id, seen)
      log.warn({ err: cause, sessions: batch.length }, 'what was seen of sessions could not be written yet')
      return
    }
    for (const { id, expiresAt } of batch) {
      const kept = cache.peek(id)
      if (kept) kept.writtenExpiry = Math.max(kept.writtenExpiry, expiresAt)
    }
  }

  let writing: Promise<void> = Promise.resolve()
  const flush = () => (writing = writing.then(write))

  let forgotAt = clock.elapsed()
  const cleanUp = async () => {
    await flush()
    if (clock.elapsed() - forgotAt < hour) return
    forgotAt = clock.elapsed()
    await store.deleteExpired(clock.now() - grace)
  }
  let tidying: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    tidying = cleanUp().catch((cause: unknown) => log.warn({ err: cause }, 'old sessions could not be forgotten'))
  }, minute).unref()

  const notify = (ids: readonly string[]) => {
    for (const id of ids) unwritten.delete(id)
    if (ids.length > manyFacts) publish({ kind: 'anything' })
    else for (const id of ids) publish({ kind: 'session', id })
  }

  return {
    find: (id) => cache.get(id),
    findUncached(id) {
      cache.invalidate(id)
      return cache.load(id)
    },
    async begin(user, { expiresAt, address, userAgent }, entry) {
      const now = clock.now()
      const session: Session = {
        id: random.bytes(16).toString('hex'),
        userId: user.id,
        credentialVersion: user.credentialVersion,
        createdAt: now,
        lastSeenAt: now,
        expiresAt,
        address,
        userAgent: userAgent.slice(0, 256).toWellFormed(),
      }
      return (await store.addSession(session, entry)) ? live(session) : undefined
    },
    touch(of) {
      const now = clock.now()
      // A clock that was set back is seen too.
      if (Math.abs(now - of.lastSeenAt) < minute) return
      of.lastSeenAt = now
      note(of)
    },
    extend(of, expiresAt, length) {
      if (expiresAt <= of.expiresAt) return
      of.expiresAt = expiresAt
      note(of)
      if (expiresAt - of.writtenExpiry <= Math.min(minute, length / 4)) return
      of.writtenExpiry = expiresAt
      // Not waited for: whoever crashes first has a token that lasts, and a row that is kept for the grace at least.
      void flush()
    },
    async ofUser(userId) {
      const now = clock.now()
      return (await store.sessions(userId)).map(live).filter(({ expiresAt }) => expiresAt > now)
    },
    async end(id, entry) {
      const ended = await store.deleteSession(id, entry)
      notify([id])
      return ended
    },
    revokeAllOf: async (userId, entry, except) => notify(await store.deleteSessionsOf(userId, entry, except)),
    invalidate: (id) => cache.invalidate(id),
    flush,
    async stop() {
      clearInterval(timer)
      await tidying
      await flush()
    },
  }
}
