import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../store/store.ts'

/** A running instance, as it last reported itself. Times are Unix milliseconds of the database's clock. */
export interface InstanceRow {
  /** Another one at every start. */
  readonly id: string
  readonly name: string
  readonly startedAt: number
  readonly seenAt: number
  /** Each custom role, and a hash of its cameras. */
  readonly roles: ReadonlyMap<string, string>
}

export interface InstanceStore {
  /** Writes an instance's row, and forgets those that were not heard of for long. */
  report(instance: Pick<InstanceRow, 'id' | 'name' | 'roles'>): Promise<void>
  /** Those that reported themselves lately, by name. */
  running(): Promise<InstanceRow[]>
  remove(id: string): Promise<void>
}

/** Milliseconds without a report after which an instance does not count, and after which its row goes. */
const times = { counts: 20_000, forgotten: 300_000 }

/** The machines' clocks may differ; the database's is one. */
const now: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Instances that share a PostgreSQL database. */
export const instanceStore = ({ db }: Pick<Store, 'db'>): InstanceStore => ({
  async report({ id, name, roles }) {
    const row = { name, seen_at: now, roles: JSON.stringify([...roles]) }
    await db
      .insertInto('instance')
      .values({ id, started_at: now, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    await db
      .deleteFrom('instance')
      .where('seen_at', '<', sql<number>`${now} - ${sql.lit(times.forgotten)}`)
      .execute()
  },

  async running() {
    const rows = await db
      .selectFrom('instance')
      .selectAll()
      .where('seen_at', '>=', sql<number>`${now} - ${sql.lit(times.counts)}`)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return rows.map(({ id, name, started_at, seen_at, roles }) => ({
      id,
      name,
      startedAt: started_at,
      seenAt: seen_at,
      roles: new Map(JSON.parse(roles) as [string, string][]),
    }))
  },

  async remove(id) {
    await db.deleteFrom('instance').where('id', '=', id).execute()
  },
})
