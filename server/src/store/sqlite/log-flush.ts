import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemClock } from '../../shared/time/clock.ts'

const flushOnPool = promisify(fdatasync)

/**
 * Milliseconds after which the calling thread flushes: the thread pool may be blocked, and a revocation has a second
 * (ROLE-10).
 */
const limit = 200

/** Puts what was committed on disk without blocking the thread, which `synchronous = full` would do at every commit. */
export interface LogFlush {
  /**
   * Resolves when everything committed before the call is on disk. Concurrent commits share a flush.
   *
   * @throws the error of the system
   */
  flush(): Promise<void>
  /** Flushes that were asked for still end. */
  close(): void
}

/**
 * SQLite locks the database and the index of the log, but not the log, so that another descriptor of it can be closed.
 *
 * @param log the path of the write-ahead log, which exists
 */
export function openLogFlush(log: string): LogFlush {
  const fd = openSync(log, 'r')
  const flush = shared(() => flushFile(fd))
  let unfinished = 0
  let closed = false
  const closeIfIdle = () => {
    if (closed && unfinished === 0) closeSync(fd)
  }
  return {
    async flush() {
      unfinished += 1
      try {
        await flush()
      } finally {
        unfinished -= 1
        closeIfIdle()
      }
    },
    close() {
      closed = true
      closeIfIdle()
    },
  }
}

async function flushFile(fd: number): Promise<void> {
  const isLate = Promise.withResolvers<void>()
  const stopWaiting = systemClock.after(limit, isLate.resolve)
  await Promise.race([flushOnPool(fd), isLate.promise.then(() => fdatasyncSync(fd))]).finally(stopWaiting)
}

/**
 * Work that runs once at a time. Calls during a run share the next one, because what they are about may have come too
 * late for the one that runs.
 */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => (running ? (next ??= running.then(run, run)) : run())
}
