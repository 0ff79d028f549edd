import { sql } from 'kysely'
import { readActions } from '../../shared/audit/audit.ts'
import type { Store } from '../../store/store.ts'
import { entryFrom, type Numbered } from '../audit-store.ts'

/** An entry and its place in the order in which the outputs write. */
export interface Sequenced extends Numbered {
  readonly sequence: number
}

/** How far an output has come. */
export interface OutputPosition {
  /** `sequence` of the last entry written. */
  readonly position: number
  /** Entries left out that the output doesn't say yet. */
  readonly missed: number
}

/** The outputs of this instance: the audit log itself is their queue. */
export interface OutputStore {
  /**
   * Where the output continues; a new one begins after the newest entry.
   *
   * @param known where it is, if this run has read that: another instance deletes the stored position of one that has not
   *   reported to it yet
   */
  position(name: string, known?: number): Promise<OutputPosition>
  /** Complete entries of this instance after a position, in order. */
  entriesAfter(position: number, limit: number): Promise<Sequenced[]>
  /** Saves the position, and that the output says `reported` missed entries. */
  save(name: string, position: number, reported: number): Promise<void>
  /** Leaves out the oldest entries of an output so that at most `max` wait. @returns how many it left out */
  leaveOut(name: string, position: number, max: number): Promise<number>
  /** Counts as missed, for each output of any instance, what {@link AuditStore.deleteBefore} will delete unwritten. */
  countDeleted(at: number, which: 'reads' | 'others'): Promise<void>
  /** Forgets the positions of all other outputs of this instance. */
  keepOnly(names: readonly string[]): Promise<void>
  /** Entries after a position, at most. */
  waitingAfter(position: number): number
}

export function outputStore({ db, audit }: Pick<Store, 'db' | 'audit'>): OutputStore {
  const instance = (): string => {
    const name = audit.instance()
    if (name === null) throw new Error('audit entries are not numbered')
    return name
  }
  const entries = (after: number) =>
    db
      .selectFrom('audit')
      .where('instance', '=', instance())
      .where('sequence', '>', after)
      .where('sequence', '<=', audit.settled())
  const rowOf = (name: string) =>
    db.updateTable('audit_output').where('instance', '=', instance()).where('name', '=', name)

  return {
    async position(name, known = audit.settled()) {
      const found = await db
        .selectFrom('audit_output')
        .where('instance', '=', instance())
        .where('name', '=', name)
        .select(['position', 'missed'])
        .executeTakeFirst()
      if (found) return found
      const added = { position: known, missed: 0 }
      await db
        .insertInto('audit_output')
        .values({ instance: instance(), name, ...added })
        .execute()
      return added
    },

    async entriesAfter(position, limit) {
      const rows = await entries(position).selectAll().orderBy('sequence').limit(limit).execute()
      return rows.map((row) => ({ ...entryFrom(row), sequence: Number(row.sequence) }))
    },

    async save(name, position, reported) {
      await rowOf(name)
        .set(({ eb }) => ({ position, missed: eb('missed', '-', reported) }))
        .execute()
    },

    async leaveOut(name, position, max) {
      if (audit.settled() - position <= max) return 0
      const last = await entries(position)
        .select('sequence')
        .orderBy('sequence', 'desc')
        .limit(1)
        .offset(max)
        .executeTakeFirst()
      if (last?.sequence === undefined || last.sequence === null) return 0
      const { count } = await entries(position)
        .where('sequence', '<=', last.sequence)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      await rowOf(name)
        .set(({ eb }) => ({ position: Number(last.sequence), missed: eb('missed', '+', count) }))
        .execute()
      return count
    },

    countDeleted: (at, which) => countDeleted(db, at, which),

    async keepOnly(names) {
      let others = db.deleteFrom('audit_output').where('instance', '=', instance())
      if (names.length > 0) others = others.where('name', 'not in', [...names])
      await others.execute()
    },

    waitingAfter: (position) => Math.max(0, audit.settled() - position),
  }
}

async function countDeleted(db: Store['db'], at: number, which: 'reads' | 'others'): Promise<void> {
  await db
    .updateTable('audit_output')
    .set(({ selectFrom, eb }) => ({
      missed: eb(
        'missed',
        '+',
        sql<number>`(${selectFrom('audit')
          .whereRef('audit.instance', '=', 'audit_output.instance')
          .whereRef('audit.sequence', '>', 'audit_output.position')
          .where('audit.at', '<', at)
          .where('audit.action', which === 'reads' ? 'in' : 'not in', [...readActions])
          .select(({ fn }) => fn.countAll<number>().as('count'))})`,
      ),
    }))
    .execute()
}
