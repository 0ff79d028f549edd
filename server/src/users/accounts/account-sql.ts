import { sql, type RawBuilder, type Transaction } from 'kysely'
import { bounded, type Invalidation } from '../../access/invalidation.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'

export type Within = Transaction<Tables>

/** Names of columns, and PostgreSQL's names of their types. */
type Columns = Readonly<Record<string, 'text' | 'bigint'>>

/** The differences between the two engines. */
interface Dialect {
  /** Serializes transactions that count admins or users, or compare a provider's sessions with its logouts. */
  readonly serialized: (within: Within) => Promise<void>
  /** Converts a JSON array of objects to a table with these columns. */
  readonly rows: (json: string, columns: Columns) => RawBuilder<unknown>
  /** Converts a JSON array of strings to a query that returns them. */
  readonly texts: (json: string) => RawBuilder<unknown>
  /** A column's text in lower case, also if it isn't ASCII. */
  readonly lower: (column: string) => RawBuilder<unknown>
}

/** The key of PostgreSQL's advisory lock for {@link Dialect.serialized}. An arbitrary number. */
const counting = 4_715_002

const postgres: Dialect = {
  serialized: async (within) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(counting)})`.execute(within)
  },
  rows(json, columns) {
    const typed = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`(select * from json_to_recordset(${json}::json) as row(${sql.join(typed)}))`
  },
  texts: (json) => sql`select json_array_elements_text(${json}::json)`,
  lower: (column) => sql`lower(${sql.ref(column)})`,
}

const sqlite: Dialect = {
  // SQLite runs one write transaction at a time.
  serialized: () => Promise.resolve(),
  rows(json, columns) {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
    return sql`(select ${sql.join(values)} from json_each(${json}))`
  },
  texts: (json) => sql`select value from json_each(${json})`,
  // Every connection of `store/sqlite/file.ts` has it.
  lower: (column) => sql`unicode_lower(${sql.ref(column)})`,
}

/** What the statements about users and sessions share. */
export interface AccountSql extends Pick<Store, 'db' | 'audit' | 'transaction'>, Dialect {
  /** Tells other instances of changes that affect access, once they are committed. */
  readonly announce: (invalidations: readonly Invalidation[], within: Within) => Promise<void>
}

export const accountSql = ({ db, engine, changes, audit, transaction }: Store): AccountSql => ({
  db,
  audit,
  transaction,
  ...(engine === 'postgres' ? postgres : sqlite),
  async announce(invalidations, within) {
    for (const invalidation of bounded(invalidations)) await changes.announce(invalidation, within)
  },
})

/** Rows read or changed at a time, so that even a million users don't block other requests. */
export const batch = 2_000

/** PostgreSQL rejects text with a NUL, and no name contains one. */
export const isText = (text: string): boolean => !text.includes('\0')

export const userInvalidation = ({ key }: { readonly key: string }): Invalidation => ({ kind: 'user', key })

export const sessionInvalidation = ({ id }: { readonly id: string }): Invalidation => ({ kind: 'session', id })

/** Deletes a user's sessions, except one, and announces each: a cached one must not be used again. Returns their ids. */
export async function deleteSessions(
  userId: string,
  within: Within,
  announce: AccountSql['announce'],
  except?: string,
): Promise<string[]> {
  const deleted = await within
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .$call((query) => (except === undefined ? query : query.where('id', '!=', except)))
    .returning('id')
    .execute()
  await announce(deleted.map(sessionInvalidation), within)
  return deleted.map(({ id }) => id)
}
