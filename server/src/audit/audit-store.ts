import { type Selectable } from 'kysely'
import type { AuditEntry } from '../shared/audit.ts'
import type { DatedEntry, Store } from '../store/store.ts'
import type { AuditTable } from '../store/tables.ts'

export interface Numbered extends DatedEntry {
  readonly id: number
}

/** An entry's place in the record, from which a page goes on. */
export type Place = Pick<Numbered, 'at' | 'id'>

export interface AuditQuery {
  /** Without regard to case. */
  readonly user?: string | undefined
  readonly action?: string | undefined
  readonly result?: string | undefined
  /** Unix milliseconds: at or later than. */
  readonly after?: number | undefined
  /** Unix milliseconds: earlier than. */
  readonly before?: number | undefined
  /** Entries older than the one of this place. */
  readonly from?: Place | undefined
  readonly limit: number
}

export interface AuditStore {
  add(entries: readonly DatedEntry[]): Promise<void>
  /** One entry, of this moment. */
  commit(entry: AuditEntry): Promise<void>
  /** Newest first. */
  entries(query: AuditQuery): Promise<Numbered[]>
  /** In small batches, so that it holds up nobody. */
  deleteBefore(at: number): Promise<void>
}

/** Rows deleted at a time. */
const chunk = 1_000

export const auditStore = ({ db, audit, transaction }: Pick<Store, 'db' | 'audit' | 'transaction'>): AuditStore => ({
  add: (entries) => audit.add(entries),
  commit: (entry) => transaction((within) => audit.insert(entry, within)),

  async entries({ user, action, result, after, before, from, limit }) {
    let query = db.selectFrom('audit').selectAll()
    if (user !== undefined) query = query.where('user_key', '=', user.toLowerCase())
    if (action !== undefined) query = query.where('action', '=', action)
    if (result !== undefined) query = query.where('result', '=', result)
    if (after !== undefined) query = query.where('at', '>=', after)
    if (before !== undefined) query = query.where('at', '<', before)
    if (from !== undefined) query = query.where((of) => of(of.refTuple('at', 'id'), '<', of.tuple(from.at, from.id)))
    const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    return rows.map(entryFrom)
  },

  async deleteBefore(at) {
    for (;;) {
      const { numDeletedRows } = await db
        .deleteFrom('audit')
        .where('id', 'in', (of) => of.selectFrom('audit').select('id').where('at', '<', at).orderBy('at').limit(chunk))
        .executeTakeFirstOrThrow()
      if (numDeletedRows < chunk) return
      await new Promise((resolve) => void setImmediate(resolve))
    }
  },
})

const entryFrom = ({
  id,
  at,
  action,
  result,
  user,
  source,
  address,
  target,
  detail,
}: Selectable<AuditTable>): Numbered => ({
  id,
  at,
  action: action as AuditEntry['action'],
  result: result as AuditEntry['result'],
  user,
  source: source as AuditEntry['source'],
  address,
  target,
  ...(detail !== null && { detail }),
})
