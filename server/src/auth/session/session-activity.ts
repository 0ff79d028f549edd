import pLimit from 'p-limit'
import type { Runtime } from '../../shared/runtime.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import type { Session } from '../../users/accounts/session.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'

/** What changes of a session while it is used. */
export type Seen = Pick<Session, 'id' | 'lastSeenAt' | 'expiresAt'>

export interface SessionActivityDeps extends Runtime {
  readonly store: Pick<AccountStore, 'touch' | 'deleteExpired'>
  readonly onWritten: (seen: Seen) => void
  /** Gets the ids of expired sessions that were deleted. */
  readonly onDeleted: (ids: readonly string[]) => void
  /** Whether the clock can be trusted enough to delete sessions by their expiry. */
  readonly isClockTrusted: () => boolean
}

/** The activity of sessions, which is written once a minute. Expired sessions are deleted once an hour. */
export interface SessionActivity {
  /** What isn't written yet. */
  unwritten(id: string): Seen | undefined
  queue(seen: Seen): void
  /** The session was deleted. */
  forget(id: string): void
  /** Writes what is pending. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const minute = 60_000
const hour = 60 * minute
/** Milliseconds that rows are kept after their expiry, because a later expiry in memory may not be written yet. */
const grace = 10 * minute

export function createSessionActivity(deps: SessionActivityDeps): SessionActivity {
  const { store, onWritten, onDeleted, isClockTrusted, clock, log } = deps
  const unwritten = new Map<string, Seen>()

  const write = async (): Promise<void> => {
    const batch = [...unwritten.values()]
    if (batch.length === 0) return
    unwritten.clear()
    try {
      await store.touch(batch, clock.now())
    } catch (cause) {
      for (const seen of batch) if (!unwritten.has(seen.id)) unwritten.set(seen.id, seen)
      log.warn({ err: cause, count: batch.length }, 'failed to save session activity; retrying')
      return
    }
    for (const seen of batch) onWritten(seen)
  }
  const serialized = pLimit(1)
  const flush = () => serialized(write)

  let cleanedAt = clock.elapsed()
  const cleanUp = async () => {
    await flush()
    if (clock.elapsed() - cleanedAt < hour || !isClockTrusted()) return
    cleanedAt = clock.elapsed()
    const before = clock.now() - grace
    for (;;) {
      const deleted = await store.deleteExpired(before)
      if (deleted.length === 0) return
      // The clock can be set back: what is still cached of them must not be used then.
      onDeleted(deleted)
      await yieldToEventLoop()
    }
  }
  let cleaning: Promise<void> = Promise.resolve()
  const stopCleaning = clock.every(minute, () => {
    cleaning = cleanUp().catch((cause: unknown) => log.warn({ err: cause }, 'failed to delete expired sessions'))
  })

  return {
    unwritten: (id) => unwritten.get(id),
    queue: (seen) => void unwritten.set(seen.id, seen),
    forget: (id) => void unwritten.delete(id),
    flush,
    async stop() {
      stopCleaning()
      await cleaning
      await flush()
    },
  }
}
