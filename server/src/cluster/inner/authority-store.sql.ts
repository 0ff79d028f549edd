import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'

/** What one read of the database shows. */
export interface StoredAuthority {
  readonly text: string | undefined
  /** The database's clock, Unix milliseconds. The authority belongs to all instances, and a clock of theirs can be wrong. */
  readonly now: number
}

/** The certificate authority of the instances in the database, as text. */
export interface AuthorityStore {
  read(key: string): Promise<StoredAuthority>
  /** Replaces `previous`, unless another instance did. @returns the text that is stored now */
  replace(key: string, previous: string | undefined, next: string): Promise<string>
}

/** In the table `meta` of PostgreSQL. */
export const authorityStore = ({ db, transaction }: Pick<Store, 'db' | 'transaction'>): AuthorityStore => {
  const textOf = (key: string) => db.selectFrom('meta').select('value').where('key', '=', key)
  return {
    async read(key) {
      const { rows } = await sql<{ now: number; text: string | null }>`
        select (extract(epoch from clock_timestamp()) * 1000)::bigint as now, ${textOf(key)} as text`.execute(db)
      const [row] = rows
      if (!row) throw new Error('a select without a table has one row')
      return { now: row.now, text: row.text ?? undefined }
    },
    replace: (key, previous, next) =>
      transaction(async (within) => {
        if (previous === undefined) {
          await within
            .insertInto('meta')
            .values({ key, value: next })
            .onConflict((conflict) => conflict.column('key').doNothing())
            .execute()
        } else {
          await within
            .updateTable('meta')
            .set({ value: next })
            .where('key', '=', key)
            .where('value', '=', previous)
            .execute()
        }
        return (await within.executeQuery(textOf(key))).rows[0]?.value ?? next
      }),
  }
}
