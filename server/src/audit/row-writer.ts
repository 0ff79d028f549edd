import { isRead, type AuditEntry } from '../shared/audit/audit.ts'
import { batches } from '../shared/batches.ts'
import type { StopTimer } from '../shared/time/clock.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { AuditRow } from '../store/store.ts'
import type { AuditStore } from './audit-store.ts'

/** Milliseconds. */
const times = { beforeInsert: 200, beforeUpdate: 5_000, afterFailure: 2_000 }

/** Rows in memory that the database has not taken. */
const memory = 5_000

/** Rows written in one transaction. */
const batch = 200

/** What of a row may change once it is there. */
export type RowChange = Pick<AuditEntry, 'address' | 'count' | 'start' | 'end' | 'duration'>

/** An entry that may still change: it is written soon, and again after each change. */
export interface OpenRow {
  readonly entry: AuditEntry
  change(change: Partial<RowChange>): void
  /** The entry changes no more: with its next write, the outputs can write it. */
  end(): void
}

export interface RowWriter {
  open(entry: AuditEntry): OpenRow
  /** Writes the waiting entries; resolves when none are left, or when the database rejected them. */
  flush(): Promise<void>
  /** The last {@link flush}. */
  stop(): Promise<void>
}

interface WaitingRow extends OpenRow {
  entry: AuditEntry
  readonly at: number
  /** Of the row in the database, once it is there. */
  id: number | undefined
  complete: boolean
}

interface RowWriterDeps extends Runtime {
  readonly store: AuditStore
}

/** Writes rows that no request waits for, a few at a time. */
export function createRowWriter({ store, clock, log }: RowWriterDeps): RowWriter {
  const waiting = new Set<WaitingRow>()
  let writing: Promise<void> | undefined
  let stopTimer: StopTimer | undefined
  let writeAt = Infinity
  /** After a failure, whatever else is to be written. */
  let notBefore = 0
  let stopped = false
  let dropped = 0

  const writeWithin = (wait: number) => {
    const elapsed = clock.elapsed()
    const at = Math.max(elapsed + wait, notBefore)
    if (stopped || at >= writeAt) return
    stopTimer?.()
    writeAt = at
    stopTimer = clock.after(at - elapsed, () => {
      writeAt = Infinity
      void flush()
    })
  }

  const write = async (): Promise<void> => {
    // What changes from now on waits its time: else a flood would be written without a pause.
    for (const some of batches([...waiting], batch)) {
      for (const row of some) waiting.delete(row)
      try {
        const ids = await store.write(
          some.map(({ entry, at, id, complete }): AuditRow => ({ ...entry, at, id, complete })),
        )
        for (const [nth, row] of some.entries()) row.id = ids[nth]
        notBefore = 0
      } catch (error) {
        // What changed while it was being written is newer, and the same object.
        const newer = [...waiting]
        waiting.clear()
        for (const row of [...some, ...newer]) waiting.add(row)
        makeRoom()
        log.error({ err: error, waiting: waiting.size, dropped }, 'failed to write audit entries; retrying')
        dropped = 0
        stopTimer?.()
        writeAt = Infinity
        notBefore = clock.elapsed() + times.afterFailure
        return
      }
    }
  }

  const makeRoom = () => {
    while (waiting.size > memory) {
      waiting.delete(firstToDrop(waiting)!)
      dropped += 1
    }
  }

  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
      // Entries that arrived during the write, or that the database rejected.
      if (waiting.size > 0) writeWithin([...waiting].some(isNew) ? times.beforeInsert : times.beforeUpdate)
    })
    return writing
  }

  const rewrite = (row: WaitingRow) => {
    waiting.add(row)
    makeRoom()
    writeWithin(times.beforeUpdate)
  }

  return {
    open(entry) {
      const row: WaitingRow = {
        entry,
        at: clock.now(),
        id: undefined,
        complete: false,
        change(change) {
          row.entry = { ...row.entry, ...change }
          rewrite(row)
        },
        end() {
          row.complete = true
          rewrite(row)
        },
      }
      waiting.add(row)
      makeRoom()
      writeWithin(times.beforeInsert)
      return row
    },
    flush,
    async stop() {
      stopped = true
      stopTimer?.()
      await writing
      await flush()
      if (waiting.size > 0) log.error({ count: waiting.size }, 'audit entries lost at shutdown')
    },
  }
}

const isNew = ({ id }: WaitingRow): boolean => id === undefined

/** The oldest denial; without one the oldest read, and without one the oldest change. */
function firstToDrop(rows: Iterable<WaitingRow>): WaitingRow | undefined {
  let read: WaitingRow | undefined
  let oldest: WaitingRow | undefined
  for (const row of rows) {
    if (row.entry.result === 'denied') return row
    if (!read && isRead(row.entry)) read = row
    oldest ??= row
  }
  return read ?? oldest
}
