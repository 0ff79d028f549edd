import { createBus } from '../../shared/bus.ts'
import { systemClock, type StopTimer } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { SqliteFile } from './file.ts'
import type { Changes, ChangeMessage } from '../store.ts'

export interface SqliteChanges extends Changes {
  start(): void
  stop(): void
}

/** Milliseconds between checks. ROLE-10 allows a second. */
const interval = 400

/**
 * Notices that another process changed the file, such as the command `gatehouse user`: each such change is received as
 * `resync`, because the file doesn't say what changed. Announcing isn't necessary.
 */
export function sqliteChanges(file: SqliteFile, log: Log): SqliteChanges {
  const bus = createBus<ChangeMessage>(log)
  let seen: number | undefined
  let checkedAt = -Infinity
  let stopTimer: StopTimer | undefined

  const check = () => {
    checkedAt = systemClock.elapsed()
    const found = foreignVersion(file)
    if (found === undefined || found === seen) return
    const isFirst = seen === undefined
    seen = found
    if (!isFirst) bus.publish('resync')
  }
  return {
    announce: () => Promise.resolve(),
    subscribe: (receive) => bus.subscribe(receive),
    isListening() {
      // A busy process may be late with its timer.
      if (stopTimer && systemClock.elapsed() - checkedAt >= interval) check()
      return true
    },
    start() {
      check()
      stopTimer = systemClock.every(interval, check)
    },
    stop() {
      stopTimer?.()
      stopTimer = undefined
    },
  }
}

/**
 * Changes when another connection commits; all writes of this process use one connection. A file that was replaced has a
 * new one. undefined: the file can't be read, so nothing else can read it either.
 */
function foreignVersion(file: SqliteFile): number | undefined {
  try {
    return file.foreignVersion()
  } catch {
    return undefined
  }
}
