import { LRUCache } from 'lru-cache'
import type { AuditEntry, RecordedRange } from '../shared/audit/audit.ts'
import { cacheLimit } from '../shared/cache-limit.ts'
import { createBudget, type Budget } from '../shared/rate/budget.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Log } from '../shared/log.ts'
import { actorKey, userKey } from './actor-key.ts'
import type { OpenRow, RowWriter } from './row-writer.ts'
import { day } from '../shared/time/durations.ts'

/**
 * Milliseconds: without a request a use ends after `idle`; it goes on in another entry after `longest`; its duration
 * is written every `update`, which is as much as a crash can take from it.
 */
const times = { idle: 120_000, longest: day, update: 30_000 }

/** Entries that one user can begin together, and the milliseconds after which another one can: some 3,500 a day. */
const budget = { max: 600, every: 30_000 }

/** Users whose budgets are kept. */
const users = 1_000

export const withoutTarget = ({ camera: _camera, ...entry }: AuditEntry): AuditEntry => ({ ...entry, target: null })

/** Entries of continuous uses, such as watching a camera: one entry per use (AUD-3). */
export interface Uses {
  /**
   * Begins a use, or continues the use of the same user and credential, address, action and target.
   *
   * @param range of what was recorded, where it is about that; the entry has all ranges of its use as one.
   * @returns a function to call when this part of it is over; a use ends some time after its last part.
   */
  begin(entry: AuditEntry, range?: RecordedRange): () => void
  /** Ends what is over, and writes how long the others have lasted. */
  sweep(): void
  /** Ends them all. */
  stop(): void
}

interface Use {
  row: OpenRow
  /** As of `elapsed`. */
  since: number
  lastAt: number
  writtenAt: number
  /** Parts that haven't ended. */
  open: number
  count: number
  range: RecordedRange | undefined
}

export function createUses({ writer, clock, log }: { writer: Pick<RowWriter, 'open'>; clock: Clock; log: Log }): Uses {
  const uses = new Map<string, Use>()
  const budgets = new LRUCache<string, Budget>(cacheLimit(users))

  const write = (use: Use) => {
    use.writtenAt = clock.elapsed()
    use.row.change({ count: use.count, duration: Math.round(use.lastAt - use.since), ...use.range })
  }
  const end = (key: string, use: Use) => {
    uses.delete(key)
    write(use)
    use.row.end()
    log.info({ ...use.row.entry }, 'audit: ended')
  }
  const isOver = ({ open, lastAt }: Use): boolean => open === 0 && clock.elapsed() - lastAt > times.idle
  /** A use that lasts for days has an entry for each day. */
  const split = (use: Use) => {
    write(use)
    use.row.end()
    const { start: _start, end: _end, ...entry } = use.row.entry
    use.row = writer.open({ ...entry, count: 0, duration: 0 })
    use.since = clock.elapsed()
    use.count = 0
    use.range = undefined
  }
  const begun = (key: string, entry: AuditEntry): Use => {
    const known = uses.get(key)
    if (known && !isOver(known)) return known
    if (known) end(key, known)
    log.info({ ...entry }, 'audit')
    const now = clock.elapsed()
    const row = writer.open({ ...entry, count: 0, duration: 0 })
    const use: Use = { row, since: now, lastAt: now, writtenAt: -Infinity, open: 0, count: 0, range: undefined }
    uses.set(key, use)
    return use
  }
  /** Of a user who begins more than anyone can watch, entries without a target. */
  const isAllowed = (who: string): boolean => {
    const known = budgets.get(who) ?? createBudget(budget, clock)
    budgets.set(who, known)
    return known.take()
  }

  return {
    begin(entry, range) {
      const { address, action, target, camera = '' } = entry
      const who = actorKey(entry)
      const key = [who, address, action, target, camera].join('\n')
      const known = uses.get(key)
      const use =
        (known && !isOver(known)) || isAllowed(userKey(entry))
          ? begun(key, entry)
          : begun([who, action].join('\n'), withoutTarget(entry))
      use.lastAt = clock.elapsed()
      use.open += 1
      use.count += 1
      if (range) use.range = both(use.range, range)
      // Short uses are complete immediately.
      if (use.writtenAt === -Infinity) write(use)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        use.open -= 1
        use.lastAt = clock.elapsed()
      }
    },
    sweep() {
      for (const [key, use] of uses) {
        if (use.open > 0) use.lastAt = clock.elapsed()
        if (isOver(use)) end(key, use)
        else if (clock.elapsed() - use.since > times.longest) split(use)
        else if (clock.elapsed() - use.writtenAt >= times.update) write(use)
      }
    },
    stop() {
      for (const [key, use] of uses) {
        if (use.open > 0) use.lastAt = clock.elapsed()
        end(key, use)
      }
    },
  }
}

const both = (one: RecordedRange | undefined, other: RecordedRange): RecordedRange =>
  one
    ? { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) }
    : { start: other.start, end: other.end }
