import type { Kysely } from 'kysely'
import { batches } from '../../shared/batches.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'

/** Objects that no segment refers to anymore. Any instance removes them, whichever one dropped their segments. */
export interface RemovalQueue {
  add(keys: readonly string[]): Promise<void>
  /** Keys that no other instance removes for the next minute. @param now Unix milliseconds */
  claim(limit: number, now: number): Promise<string[]>
  /** Forgets a key once its object is removed. */
  done(key: string): Promise<void>
}

/** Milliseconds until another instance, or this one again, removes an object whose removal has not ended. */
const claimed = 60_000

/** Rows of one statement. */
const batch = 500

export function removalQueue({ db }: Pick<Store, 'db'>): RemovalQueue {
  return {
    add: (keys) => queueRemovals(keys, db),
    async claim(limit, now) {
      const rows = await db
        .updateTable('removed_object')
        .set({ due_at: now + claimed })
        .where('due_at', '<=', now)
        .where('key', 'in', (from) =>
          from.selectFrom('removed_object').select('key').where('due_at', '<=', now).orderBy('due_at').limit(limit),
        )
        .returning('key')
        .execute()
      return rows.map(({ key }) => key)
    },
    done: async (key) => void (await db.deleteFrom('removed_object').where('key', '=', key).execute()),
  }
}

/** @param within the transaction that drops the rows of the objects */
export async function queueRemovals(keys: readonly string[], within: Kysely<Tables>): Promise<void> {
  for (const some of batches(keys, batch)) {
    await within
      .insertInto('removed_object')
      .values(some.map((key) => ({ key, due_at: 0 })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}
