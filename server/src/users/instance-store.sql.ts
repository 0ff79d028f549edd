import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../store/store.ts'

/** A running instance's last report. Times are Unix milliseconds of the database's clock. */
export interface InstanceRow {
  /** New at every start. */
  readonly id: string
  readonly name: string
  readonly startedAt: number
  readonly seenAt: number
}

export interface InstanceStore {
  /** Writes an instance's row and deletes outdated rows. */
  report(instance: Pick<InstanceRow, 'id' | 'name'>): Promise<void>
  /** Instances with a recent report, sorted by name. */
  running(): Promise<InstanceRow[]>
  remove(id: string): Promise<void>
}

/** Milliseconds without a report after which an instance no longer counts as running, and after which its row is deleted. */
const times = { counts: 20_000, forgotten: 300_000 }

/** The database's clock, because the clocks of the instances may differ. */
const now: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Instances that share a PostgreSQL database. */
export const instanceStore = ({ db }: Pick<Store, 'db'>): InstanceStore => ({
  async report({ id, name }) {
    const row = { name, seen_at: now }
    await db
      .insertInto('instance')
      .values({ id, started_at: now, roles: '[]', ...row })
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
    return rows.map(({ id, name, started_at, seen_at }) => ({
      id,
      name,
      startedAt: started_at,
      seenAt: seen_at,
    }))
  },

  async remove(id) {
    await db.deleteFrom('instance').where('id', '=', id).execute()
  },
})
