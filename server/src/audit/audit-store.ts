import { type Selectable } from 'kysely'
import { readActions, type AuditEntry } from '../shared/audit/audit.ts'
import type { AuditRow, DatedEntry, Store } from '../store/store.ts'
import type { AuditTable } from '../store/tables.ts'
import { yieldToEventLoop } from '../shared/yield-to-event-loop.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export interface Numbered extends DatedEntry {
  readonly id: number
}

/** An entry's position in the audit log, where a page continues. */
export type EntryPosition = Pick<Numbered, 'at' | 'id'>

export interface AuditQuery {
  /** Case-insensitive. */
  readonly user?: string | undefined
  /** Of reads, exports and share links: the camera's key. */
  readonly camera?: CameraKey | undefined
  /** Of reads: the user, as `ownerText` gives it. */
  readonly owner?: string | undefined
  /** Any of these. */
  readonly actions?: readonly string[] | undefined
  readonly result?: string | undefined
  /** Unix milliseconds: at or later than. */
  readonly after?: number | undefined
  /** Unix milliseconds: earlier than. */
  readonly before?: number | undefined
  /** Only entries older than this position. */
  readonly from?: EntryPosition | undefined
  readonly limit: number
}

export interface AuditStore {
  /** Inserts new entries and updates existing ones. @returns their ids, in order. */
  write(rows: readonly AuditRow[]): Promise<number[]>
  /** Writes one entry with the current time. */
  commit(entry: AuditEntry): Promise<void>
  /** Newest first. */
  entries(query: AuditQuery): Promise<Numbered[]>
  /** Deletes old entries in small batches, so that other requests aren't blocked. */
  deleteBefore(at: number, which: 'reads' | 'others'): Promise<void>
}

/** Rows deleted at a time. */
const chunk = 1_000

export function auditStore({ db, audit, transaction }: Pick<Store, 'db' | 'audit' | 'transaction'>): AuditStore {
  const newest = async (
    { user, camera, owner, result, after, before, from }: Omit<AuditQuery, 'actions' | 'limit'>,
    action: string | undefined,
    limit: number,
  ): Promise<Numbered[]> => {
    let query = db.selectFrom('audit').selectAll()
    if (user !== undefined) query = query.where('user_key', '=', user.toLowerCase())
    if (camera !== undefined) query = query.where('camera', '=', camera)
    if (owner !== undefined) query = query.where('owner', '=', owner)
    if (action !== undefined) query = query.where('action', '=', action)
    if (result !== undefined) query = query.where('result', '=', result)
    if (after !== undefined) query = query.where('at', '>=', after)
    if (before !== undefined) query = query.where('at', '<', before)
    if (from !== undefined) query = query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(from.at, from.id)))
    const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    return rows.map(entryFrom)
  }

  return {
    write: (rows) => transaction((within) => audit.write(rows, within)),
    commit: (entry) => transaction((within) => audit.insert(entry, within)),

    async entries({ actions, limit, ...query }) {
      // One query per action uses the index; a combined query would first sort all matching rows.
      const parts = actions === undefined ? [undefined] : [...new Set(actions)]
      const found: Numbered[] = []
      for (const action of parts) found.push(...(await newest(query, action, limit)))
      return parts.length === 1
        ? found
        : found.sort((one, other) => other.at - one.at || other.id - one.id).slice(0, limit)
    },

    async deleteBefore(at, which) {
      for (;;) {
        const { numDeletedRows } = await db
          .deleteFrom('audit')
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('audit')
              .select('id')
              .where('at', '<', at)
              .where('action', which === 'reads' ? 'in' : 'not in', [...readActions])
              .orderBy('at')
              .limit(chunk),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows < chunk) return
        await yieldToEventLoop()
      }
    },
  }
}

export function entryFrom(row: Selectable<AuditTable>): Numbered {
  const { id, at, user, address, target, detail, count, duration, start, end } = row
  return {
    id,
    at,
    action: row.action as AuditEntry['action'],
    result: row.result as AuditEntry['result'],
    user,
    auth_method: row.auth_method as AuditEntry['auth_method'],
    ...(row.credential_id !== null && { credential: { id: row.credential_id, name: row.credential ?? '' } }),
    address,
    target,
    ...(detail !== null && { detail }),
    ...(count !== 1 && { count }),
    ...(duration !== null && { duration }),
    ...(start !== null && end !== null && { start, end }),
  }
}
