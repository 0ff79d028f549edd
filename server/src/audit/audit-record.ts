import type { Audit, AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { trimmed } from '../shared/audit-text.ts'
import { ServiceError } from '../shared/errors.ts'
import type { DatedEntry, Store } from '../store/store.ts'
import type { AuditStore } from './audit-store.ts'

/** Milliseconds. */
const times = { betweenWrites: 200, afterFailure: 2_000, beforeCleaning: 10_000, betweenCleanings: 86_400_000 }

/** Entries kept in memory while the database does not take them. */
const memory = 5_000

/** Entries written by one statement. */
const batch = 500

const day = 86_400_000

export interface AuditRecord extends Audit {
  /** Writes what waits; resolves when nothing waits, or when the database did not take it. */
  readonly flush: () => Promise<void>
  /** Deletes what is older than is kept. */
  readonly clean: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The record: in the log at once, in the database soon after. Nobody waits for it. */
export function auditRecord({
  store,
  clock,
  log,
  retainDays,
  healthy,
}: {
  store: AuditStore
  healthy: Store['healthy']
  clock: Clock
  log: Log
  /** Asked before each cleaning. */
  retainDays: () => number
}): AuditRecord {
  const waiting: DatedEntry[] = []
  let writing: Promise<void> | undefined
  let writeTimer: NodeJS.Timeout | undefined
  let cleanTimer: NodeJS.Timeout | undefined
  let stopped = false
  let dropped = 0

  const writeLater = (wait: number) => {
    if (stopped) return
    writeTimer ??= setTimeout(() => {
      writeTimer = undefined
      void flush()
    }, wait)
  }

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting.splice(0, batch)
      try {
        await store.add(some)
      } catch (error) {
        keep(some)
        log.error({ err: error, waiting: waiting.length, dropped }, 'the audit record cannot be written')
        dropped = 0
        writeLater(times.afterFailure)
        return
      }
    }
  }

  /** Puts back what could not be written, as far as there is room; the newest are kept. */
  const keep = (some: readonly DatedEntry[]) => {
    const room = Math.max(0, memory - waiting.length)
    const kept = room > 0 ? some.slice(-room) : []
    dropped += some.length - kept.length
    waiting.unshift(...kept)
  }

  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
      // What was recorded while the last batch was written.
      if (waiting.length > 0) writeLater(times.betweenWrites)
    })
    return writing
  }

  const clean = async (): Promise<void> => {
    try {
      await store.deleteBefore(clock.now() - retainDays() * day)
    } catch (error) {
      log.warn({ err: error }, 'old audit entries cannot be deleted; tomorrow again')
    }
  }

  const cleanLater = (wait: number) => {
    if (stopped) return
    cleanTimer = setTimeout(() => void clean().then(() => cleanLater(times.betweenCleanings)), wait)
    cleanTimer.unref()
  }
  cleanLater(times.beforeCleaning)

  const wait = (entry: AuditEntry) => {
    waiting.push({ ...entry, at: clock.now() })
    if (waiting.length > memory) {
      waiting.shift()
      dropped += 1
    }
    writeLater(times.betweenWrites)
  }

  return {
    record(entry) {
      const kept = trimmed(entry)
      log.info({ ...kept }, 'audit')
      wait(kept)
    },
    async commit(entry) {
      const kept = trimmed(entry)
      try {
        await store.commit(kept)
      } catch (error) {
        log.info({ ...kept }, 'audit')
        wait(kept)
        throw error
      }
    },
    async ready() {
      if (!(await healthy())) throw notReady()
    },
    flush,
    clean,
    async stop() {
      stopped = true
      clearTimeout(writeTimer)
      clearTimeout(cleanTimer)
      await writing
      await flush()
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'audit entries were not written before the end')
    },
  }
}

const notReady = () =>
  new ServiceError(
    'unavailable',
    'The database does not answer, so nothing was changed: the change could not be audited.',
    {
      reason: 'database-away',
      retryAfter: 5,
    },
  )
