import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Within = Transaction<Tables>

/** The instance of entries of the command `gatehouse`, until an instance of the service numbers them. */
export const unclaimed = 'command'

/** Numbers the entries of this instance in the order in which the outputs write them. */
export interface AuditSequence {
  /**
   * Begins after the last number that this instance ever used, and numbers the entries that an earlier run left
   * incomplete, and those of the command. Entries before this call have no instance, and no output writes them.
   */
  start(instance: string, within: Within): Promise<void>
  readonly instance: () => string | null
  /** Numbers the entries of the command as those of this instance, unless another instance does. */
  claim(within: Within): Promise<void>
  /** The next number, of an entry of this transaction; null before {@link start}. */
  next(within: Within): number | null
  /** Reports that a transaction was committed or rolled back. @returns whether it had numbers */
  ended(within: Within): boolean
  /** Every number up to this one belongs to a transaction that has ended. */
  settled(): number
}

export function auditSequence(): AuditSequence {
  let instance: string | null = null
  let last = 0
  /** The first number of each transaction that is still running: those of PostgreSQL overlap. */
  const running = new Map<Within, number>()

  const next = (within: Within): number | null => {
    if (instance === null) return null
    last += 1
    if (!running.has(within)) running.set(within, last)
    return last
  }

  const claim = async (within: Within): Promise<void> => {
    const found = await within
      .selectFrom('audit')
      .where('instance', '=', unclaimed)
      .select('id')
      .orderBy('id')
      .execute()
    for (const { id } of found) {
      await within
        .updateTable('audit')
        .set({ instance, sequence: next(within) })
        .where('id', '=', id)
        .where('instance', '=', unclaimed)
        .execute()
    }
  }
  return {
    claim,
    async start(name, within) {
      const { used } = await within
        .selectFrom('audit')
        .where('instance', '=', name)
        .select(sql<number | null>`max(sequence)`.as('used'))
        .executeTakeFirstOrThrow()
      const { written } = await within
        .selectFrom('audit_output')
        .where('instance', '=', name)
        .select(sql<number | null>`max(position)`.as('written'))
        .executeTakeFirstOrThrow()
      instance = name
      last = Math.max(used ?? 0, written ?? 0)
      const incomplete = await within
        .selectFrom('audit')
        .where('instance', '=', name)
        .where('sequence', 'is', null)
        .select('id')
        .orderBy('at')
        .orderBy('id')
        .execute()
      for (const { id } of incomplete) {
        await within
          .updateTable('audit')
          .set({ sequence: next(within) })
          .where('id', '=', id)
          .execute()
      }
      await claim(within)
    },
    instance: () => instance,
    next,
    ended: (within) => running.delete(within),
    settled: () => Math.min(last, ...[...running.values()].map((first) => first - 1)),
  }
}
