import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { Owner, AuthMethod } from '../access/identity.ts'
import type { Invalidation } from '../access/invalidation.ts'
import { shownName } from '../shared/display-name.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import type { ExportTable, Tables } from '../store/tables.ts'
import type { ExportChanges, ExportQueries, ExportStore, StoredExport } from './export-store.ts'
import { exportProblem, storedProblem, problemFrom } from './problem.ts'

/** What users see and change of other volumes. */
export interface OtherVolumes {
  readonly shown: ShownVolumes
  readonly deletedFiles: DeletedFiles
}

/**
 * @param volume id of the own volume
 * @param others undefined: only the own volume's rows are read and changed
 */
export function exportStore(store: Store, volume: string, others?: OtherVolumes): ExportStore {
  const shown = others?.shown ?? (() => [volume])
  return {
    ...exportQueries(store, volume, shown),
    ...exportChanges(store, volume, shown),
    ...exportEnds(store, shown, others?.deletedFiles),
  }
}

function exportQueries({ db }: Store, volume: string, volumes: ShownVolumes): ExportQueries {
  const ours = () => db.selectFrom('export').where('volume', '=', volume).selectAll()
  const shown = () => {
    const only = volumes()
    const exports = db.selectFrom('export').selectAll()
    return only ? exports.where('volume', 'in', only) : exports
  }

  return {
    async byId(id) {
      const row = await shown().where('id', '=', id).executeTakeFirst()
      return row && exportFrom(row)
    },

    async page({ scope, cameras }, from, limit) {
      const { since } = scope
      const isAll = scope.cameras === 'all'
      if (!isAll && cameras.length === 0) return []
      let query = shown()
      if (!isAll) query = query.where('camera', 'in', cameras)
      if (since > 0) query = query.where('start', '>=', since)
      if (from) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(from.createdAt, from.id)))
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

    async lost() {
      const problem = storedProblem(exportProblem('file-missing'))
      return (await ours().where('state', '=', 'failed').where('problem', '=', problem).execute()).map(exportFrom)
    },

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

function exportChanges(
  { db, audit, transaction }: Store,
  volume: string,
  shown: ShownVolumes,
): Omit<ExportChanges, keyof ExportEnds> {
  const { one, unfinished } = rowsToChange(db, shown)
  const audited = auditing({ audit, transaction })

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
          .set((eb) => ({ state: 'running', promised, tries: eb('tries', '+', 1) }))
          .executeTakeFirst(),
      ),

    putBack: (id) =>
      changed(
        one(id)
          .where('state', '=', 'running')
          .set((eb) => ({ state: 'queued', tries: eb('tries', '-', 1) }))
          .executeTakeFirst(),
      ),

    finish: (id, { bytes, duration }, at) =>
      changed(unfinished(id).set({ state: 'done', bytes, duration, finished_at: at }).executeTakeFirst()),

    lose: (id, problem, at) =>
      changed(
        one(id)
          .where('state', '=', 'done')
          .set({ state: 'failed', problem: storedProblem(problem), finished_at: at })
          .executeTakeFirst(),
      ),

    // Only an export that was finished has a size.
    recover: (id, bytes) =>
      changed(
        one(id)
          .where('state', '=', 'failed')
          .where('bytes', '=', bytes)
          .set({ state: 'done', problem: null })
          .executeTakeFirst(),
      ),
  }
}

type ExportEnds = Pick<ExportChanges, 'fail' | 'remove'>

/** The changes after which the instance with the file, if it is another one, ends the job and deletes the file. */
function exportEnds(store: Store, shown: ShownVolumes, deletedFiles: DeletedFiles | undefined): ExportEnds {
  const { db, audit, transaction, changes } = store
  const { unfinished } = rowsToChange(db, shown)
  const audited = auditing(store)
  return {
    fail: (id, problem, at, entry) =>
      audited(entry, async (within) => {
        const failed = await unfinished(id, within)
          .set({ state: 'failed', problem: storedProblem(problem), finished_at: at })
          .returning(['id', 'volume', 'start'])
          .executeTakeFirst()
        if (failed) await deletedFiles?.note('export', [fileOf(failed)], within)
        return failed !== undefined
      }),

    remove: (id, entry) =>
      transaction(async (within) => {
        const row = within.deleteFrom('export').where('id', '=', id)
        const only = shown()
        const removed = await (only ? row.where('volume', 'in', only) : row)
          .returning(['id', 'volume', 'start'])
          .executeTakeFirst()
        if (!removed) return undefined
        await deletedFiles?.note('export', [fileOf(removed)], within)
        if (entry) await audit.insert(entry, within)
        const links = await within.selectFrom('share_link').select('id').where('export_id', '=', id).execute()
        for (const link of links) {
          await changes.announce({ kind: 'credential', id: link.id } satisfies Invalidation, within)
        }
        return links.map((link) => link.id)
      }),
  }
}

function rowsToChange(db: Store['db'], shown: ShownVolumes) {
  const one = (id: string, within: Pick<Kysely<Tables>, 'updateTable'> = db) => {
    const row = within.updateTable('export').where('id', '=', id)
    const only = shown()
    return only ? row.where('volume', 'in', only) : row
  }
  const unfinished = (id: string, within?: Transaction<Tables>) =>
    one(id, within).where('state', 'in', ['queued', 'running'])
  return { one, unfinished }
}

/** Runs a change and inserts its audit entry in one transaction; without a change, no entry is inserted. */
const auditing =
  ({ audit, transaction }: Pick<Store, 'audit' | 'transaction'>) =>
  (entry: AuditEntry | undefined, change: (within: Transaction<Tables>) => Promise<boolean>) =>
    transaction(async (within) => {
      const done = await change(within)
      if (done && entry) await audit.insert(entry, within)
      return done
    })

const fileOf = ({ id, ...row }: { readonly id: string; readonly volume: string; readonly start: number }) => ({
  ...row,
  file: id,
})

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
  const { id, volume, camera, start, end, expected, promised, tries } = row
  const { created_at: createdAt, created_by: createdBy } = row
  const owner = { authMethod: row.owner_auth_method as AuthMethod, key: row.owner_key, userId: row.owner_user }
  // Names stored by an earlier version can have characters that are refused now.
  const name = shownName(row.name) ?? ''
  const all = { id, camera, name, start, end, expected, promised, tries, createdAt, createdBy, owner, volume }
  const finishedAt = row.finished_at ?? createdAt
  switch (row.state) {
    case 'done':
      return { ...all, state: 'done', bytes: row.bytes ?? 0, duration: row.duration ?? 0, finishedAt }
    case 'failed':
      return { ...all, state: 'failed', problem: problemFrom(row.problem ?? '{"code":"muxing-failed"}'), finishedAt }
    default:
      return { ...all, state: row.state as 'queued' | 'running' }
  }
}
