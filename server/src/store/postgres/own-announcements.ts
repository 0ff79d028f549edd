import type { Transaction } from 'kysely'
import type { StopTimer, Timers } from '../../shared/time/clock.ts'
import type { Tables } from '../tables.ts'

type Within = Transaction<Tables>

/**
 * Announcements of this instance, which it receives like every other one. After an acknowledged commit, the caller
 * applies its change itself. A commit whose acknowledgment was lost, or came too late, may still take effect, at any
 * later time: then the announcement is the only sign of it.
 */
export interface OwnAnnouncements {
  /** The number of a transaction, which its announcements carry. */
  numberOf(within: Within): number
  /** Reports that a transaction has ended, and whether its commit was acknowledged. */
  ended(within: Within, isCommitted: boolean): void
  /** Delivers what was received, unless the commit of the transaction was acknowledged. */
  received(transaction: number, deliver: () => void): void
  stop(): void
}

/** Milliseconds that an acknowledgment can be later than the announcement: they come over two connections. */
const grace = 100

/** Ended transactions that are remembered. Of an earlier one, an announcement is delivered needlessly. */
const remembered = 1_000

export function ownAnnouncements({ after }: Pick<Timers, 'after'>): OwnAnnouncements {
  let last = 0
  const numbers = new WeakMap<Within, number>()
  /** Whether the commit of a transaction was acknowledged, in the order of the ends. */
  const ended = new Map<number, boolean>()
  const stopTimers = new Set<StopTimer>()

  return {
    numberOf(within) {
      const number = numbers.get(within) ?? (last += 1)
      numbers.set(within, number)
      return number
    },
    ended(within, isCommitted) {
      const number = numbers.get(within)
      if (number === undefined) return
      ended.set(number, isCommitted)
      for (const oldest of ended.keys()) {
        if (ended.size <= remembered) break
        ended.delete(oldest)
      }
    },
    received(transaction, deliver) {
      const isCommitted = ended.get(transaction)
      if (isCommitted === false) deliver()
      if (isCommitted !== undefined) return
      const stopTimer = after(grace, () => {
        stopTimers.delete(stopTimer)
        if (!ended.get(transaction)) deliver()
      })
      stopTimers.add(stopTimer)
    },
    stop() {
      for (const stopTimer of stopTimers) stopTimer()
    },
  }
}
