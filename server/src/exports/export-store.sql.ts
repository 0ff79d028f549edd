import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { Owner, AuthMethod } from '../access/identity.ts'
import type { Invalidation } from '../access/invalidation.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Store } from '../store/store.ts'
import type { ExportTable, Tables } from '../store/tables.ts'
import type { ExportChanges, ExportQueries, ExportStore, StoredExport } from './export-store.ts'
import { storedProblem, problemFrom } from './problem.ts'

/** @param volume id of the volume; only its rows are read and changed */
export const exportStore = (store: Store, volume: string): ExportStore => ({
  ...exportQueries(store, volume),
  ...exportChanges(store, volume),
})

function exportQueries({ db }: Store, volume: string): ExportQueries {
  const ours = () => db.selectFrom('export').where('volume', '=', volume).selectAll()

  return {
    async byId(id) {
      const row = await ours().where('id', '=', id).executeTakeFirst()
      return row && exportFrom(row)
    },

    async page({ cameras, since }, from, limit) {
      if (cameras !== 'all' && cameras.length === 0) return []
      let query = ours()
      if (cameras !== 'all') query = query.where('camera', 'in', cameras)
      if (since > 0) query = query.where('start', '>=', since)
      if (from) query = query.where((of) => of(of.refTuple('created_at', 'id'), '<', of.tuple(from.createdAt, from.id)))
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return rows.map(exportFrom)
    },

    async unfinished() {
      const rows = await ours()
        .where('state', 'in', ['queued', 'running'])
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(exportFrom)
    },

    done: async () => (await ours().where('state', '=', 'done').execute()).map(exportFrom),

    async failedBefore(at, limit) {
      const rows = await ours().where('state', '=', 'failed').where('finished_at', '<', at).limit(limit).execute()
      return rows.map(exportFrom)
    },

    async bytes(owner) {
      let query = db.selectFrom('export').where('volume', '=', volume)
      if (owner) {
        const { authMethod, key, userId } = owner
        query = query.where('owner_auth_method', '=', authMethod).where('owner_key', '=', key)
        // A later user with the same name doesn't own these exports.
        query = userId === null ? query.where('owner_user', 'is', null) : query.where('owner_user', '=', userId)
      }
      return query
        .select([sumWhere(['done'], 'bytes').as('done'), sumWhere(['queued', 'running'], 'promised').as('promised')])
        .executeTakeFirstOrThrow()
    },
  }
}

function exportChanges({ db, audit, transaction, changes }: Store, volume: string): ExportChanges {
  const one = (id: string, within: Pick<Kysely<Tables>, 'updateTable'> = db) =>
    within.updateTable('export').where('volume', '=', volume).where('id', '=', id)
  const unfinished = (id: string, within?: Transaction<Tables>) =>
    one(id, within).where('state', 'in', ['queued', 'running'])

  /** Runs a change and inserts its audit entry in one transaction; without a change, no entry is inserted. */
  const audited = (entry: AuditEntry | undefined, change: (within: Transaction<Tables>) => Promise<boolean>) =>
    transaction(async (within) => {
      const done = await change(within)
      if (done && entry) await audit.insert(entry, within)
      return done
    })

  return {
    async add({ owner, createdAt, createdBy, ...rest }, entry) {
      const row = { created_at: createdAt, created_by: createdBy, ...rowOf(owner) }
      await audited(entry, async (within) => {
        await within
          .insertInto('export')
          .values({ ...rest, ...row, volume, state: 'queued', tries: 0 })
          .execute()
        return true
      })
    },

    rename: (id, name, entry) => audited(entry, (within) => changed(one(id, within).set({ name }).executeTakeFirst())),

    begin: (id, promised) =>
      changed(
        unfinished(id)
          .set((of) => ({ state: 'running', promised, tries: of('tries', '+', 1) }))
          .executeTakeFirst(),
      ),

    putBack: (id) =>
      changed(
        one(id)
          .where('state', '=', 'running')
          .set((of) => ({ state: 'queued', tries: of('tries', '-', 1) }))
          .executeTakeFirst(),
      ),

    finish: (id, { bytes, duration }, at) =>
      changed(unfinished(id).set({ state: 'done', bytes, duration, finished_at: at }).executeTakeFirst()),

    fail: (id, problem, at, entry) =>
      audited(entry, (within) =>
        changed(
          unfinished(id, within)
            .set({ state: 'failed', problem: storedProblem(problem), finished_at: at })
            .executeTakeFirst(),
        ),
      ),

    lose: (id, problem, at) =>
      changed(
        one(id)
          .where('state', '=', 'done')
          .set({ state: 'failed', problem: storedProblem(problem), finished_at: at })
          .executeTakeFirst(),
      ),

    remove: (id, entry) =>
      transaction(async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom('export')
          .where('volume', '=', volume)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return []
        if (entry) await audit.insert(entry, within)
        const links = await within.selectFrom('share_link').select('id').where('export_id', '=', id).execute()
        for (const link of links) {
          await changes.announce({ kind: 'credential', id: link.id } satisfies Invalidation, within)
        }
        return links.map((link) => link.id)
      }),
  }
}

const rowOf = ({ authMethod, key, userId }: Owner) => ({
  owner_auth_method: authMethod,
  owner_key: key,
  owner_user: userId,
})

const sumWhere = (states: readonly string[], column: 'bytes' | 'promised') =>
  sql<number>`cast(coalesce(sum(case when state in (${sql.join(states)}) then ${sql.ref(column)} end), 0) as bigint)`

const changed = async (update: Promise<{ readonly numUpdatedRows: bigint }>): Promise<boolean> =>
  (await update).numUpdatedRows > 0n

function exportFrom(row: Selectable<ExportTable>): StoredExport {
  const { id, camera, name, start, end, expected, promised, tries, created_at: createdAt, created_by: createdBy } = row
  const owner = { authMethod: row.owner_auth_method as AuthMethod, key: row.owner_key, userId: row.owner_user }
  const all = { id, camera, name, start, end, expected, promised, tries, createdAt, createdBy, owner }
  const finishedAt = row.finished_at ?? createdAt
  switch (row.state) {
    case 'done':
      return { ...all, state: 'done', bytes: row.bytes ?? 0, duration: row.duration ?? 0, finishedAt }
    case 'failed':
      return { ...all, state: 'failed', problem: problemFrom(row.problem ?? '{"code":"ffmpeg-failed"}'), finishedAt }
    default:
      return { ...all, state: row.state as 'queued' | 'running' }
  }
}
