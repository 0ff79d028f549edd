import { sql } from 'kysely'
import { readActions, type AuditAction } from '../shared/audit/audit.ts'
import type { Store } from '../store/store.ts'

/** Actions that are summed up: viewing, and what takes video out of the service. */
const summedActions = [...readActions, 'export.create', 'link.create'] as const satisfies readonly AuditAction[]
export type SummedAction = (typeof summedActions)[number]

export interface SummaryQuery {
  readonly by: 'user' | 'camera'
  /** Only reads of this user, as `ownerText` gives it. */
  readonly owner?: string | undefined
  /** Unix milliseconds: at or later than. */
  readonly after?: number | undefined
  /** Unix milliseconds: earlier than. */
  readonly before?: number | undefined
}

/** What one user did, or what was done with one camera. */
export interface Summed {
  /** Username as last recorded, or the camera's key; null if the entries name none. */
  readonly name: string | null
  /** Of each action, the number of entries and their duration in milliseconds. */
  readonly of: ReadonlyMap<SummedAction, { readonly count: number; readonly duration: number }>
}

/** Sums of successful entries. Users are compared by name, without case. */
export async function summaryOf(
  { db }: Pick<Store, 'db'>,
  { by, owner, after, before }: SummaryQuery,
): Promise<Summed[]> {
  const key = by === 'user' ? 'user_key' : 'camera'
  let query = db
    .selectFrom('audit')
    .where('action', 'in', [...summedActions])
    .where('result', '=', 'success')
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (after !== undefined) query = query.where('at', '>=', after)
  if (before !== undefined) query = query.where('at', '<', before)
  const rows = await query
    .select(({ fn, ref }) => [
      `${key} as key` as const,
      'action',
      fn.max(by === 'user' ? 'user' : 'camera').as('name'),
      fn.countAll<number>().as('count'),
      // PostgreSQL sums integers to a decimal number, which it returns as text.
      sql<number>`cast(coalesce(sum(${ref('duration')}), 0) as double precision)`.as('duration'),
    ])
    .groupBy([key, 'action'])
    .execute()
  return [...Map.groupBy(rows, (row) => row.key).values()].map((ofKey) => ({
    name: ofKey[0]?.name ?? null,
    of: new Map(ofKey.map(({ action, count, duration }) => [action as SummedAction, { count, duration }])),
  }))
}
