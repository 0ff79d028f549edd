import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import pLimit from 'p-limit'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { batches } from '../../shared/batches.ts'
import { ofVolume } from '../../shared/storage/of-volume.sql.ts'
import type { NewSegment, RemovedSegment, SegmentChanges } from './recording-store.ts'
import { fencedInsert, type FencedRow } from './fenced-insert.sql.ts'
import { queueRemovals } from './removal-queue.sql.ts'
import { rowFrom, type SegmentRow, type SegmentRows } from './segment-rows.ts'
import { longestSegment } from '../longest-segment.ts'

/** Rows written or removed per statement. */
const batch = 500

type Condition = (eb: ExpressionBuilder<Tables, 'recording'>) => Expression<SqlBool>

export interface SegmentChangesDeps {
  readonly store: Pick<Store, 'db' | 'transaction'>
  readonly volume: string
  /** Those of the volume. */
  readonly rows: SegmentRows
  /**
   * Called with segments that weren't added, because the camera has another owner since. undefined: cameras have no
   * leases.
   */
  readonly onOutdated: ((segments: readonly NewSegment[]) => void) | undefined
}

export function segmentChanges({
  store: { db, transaction },
  volume,
  rows: { of },
  onOutdated,
}: SegmentChangesDeps): SegmentChanges {
  /** A volume has one writer process, so serializing inserts keeps a free start free until its row is inserted. */
  const serialized = pLimit(1)
  const insert = async (segments: readonly NewSegment[]): Promise<void> => {
    const files = segments.map(({ file }) => file)
    const known = await knownFiles(db, volume, files)
    const rows = segments.filter(({ file }) => !known.has(file)).map((segment) => rowFrom(segment, volume))
    for (const row of rows) {
      while (
        isTakenIn(rows, row) ||
        (await of(row.camera).where('start', '=', row.start).select('id').executeTakeFirst())
      )
        row.start++
    }
    if (rows.length === 0) return
    await db
      .insertInto('recording')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['volume', 'file']).doNothing())
      .execute()
  }
  /** The objects are removed later, also after a kill: the transaction that drops the rows queues them. */
  const removeWhere = (those: Condition): Promise<RemovedSegment[]> =>
    transaction(async (within) => {
      const removed = await within
        .deleteFrom('recording')
        .where(those)
        .returning(['camera', 'start', 'bytes', 'object'])
        .execute()
      await queueRemovals(
        removed.flatMap(({ object }) => object ?? []),
        within,
      )
      return removed
    })

  return {
    async add(segments) {
      for (const some of batches(segments, batch))
        await serialized(() => (onOutdated ? insertFenced(db, some, volume, onOutdated) : insert(some)))
    },

    raiseMotion: (camera, after, before, motion) =>
      db
        .updateTable('recording')
        .set({ motion })
        .where('volume', '=', volume)
        .where('camera', '=', camera)
        .where('start', '>', after - longestSegment)
        .where('start', '<', before)
        .where('end', '>', after)
        .where('motion', '<', motion)
        .returning(['camera', 'start'])
        .execute(),

    removeFiles: (files) => inBatches(files, (some) => removeWhere(withFiles(volume, some))),

    remove: (ids) => inBatches(ids, (some) => removeWhere(withIds(volume, some))),

    removeMissing: (ids) =>
      inBatches(ids, (some) =>
        db
          .deleteFrom('recording')
          .where(withIds(volume, some))
          .where('object', 'is', null)
          .returning(['camera', 'start', 'bytes', 'object'])
          .execute(),
      ),
  }
}

const withFiles =
  (volume: string, files: readonly string[]): Condition =>
  (eb) =>
    eb.and([eb('volume', '=', volume), eb('file', 'in', files)])

const withIds =
  (volume: string, ids: readonly number[]): Condition =>
  (eb) =>
    eb.and([eb('id', 'in', ids), ofVolume(volume)])

/** Files that are indexed already, or were deleted while their disk wasn't here. */
async function knownFiles(db: Store['db'], volume: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const indexed = db.selectFrom('recording').where('volume', '=', volume).where('file', 'in', files).select('file')
  const deleted = db
    .selectFrom('deleted_file')
    .where('volume', '=', volume)
    .where('kind', '=', 'recording')
    .where('file', 'in', files)
    .select('file')
  const rows = await indexed.unionAll(deleted).execute()
  return new Set(rows.map(({ file }) => file))
}

/** Whether another of the rows has the same start. */
const isTakenIn = (rows: readonly SegmentRow[], row: SegmentRow): boolean =>
  rows.some((each) => each !== row && each.camera === row.camera && each.start === row.start)

/** Reads nothing beforehand; only segments whose start is taken, which is rare, need another statement. */
async function insertFenced(
  db: Store['db'],
  segments: readonly NewSegment[],
  volume: string,
  onOutdated: (segments: readonly NewSegment[]) => void,
): Promise<void> {
  let rows = segments.map((segment) => rowFrom(segment, volume))
  const late = new Set<string>()
  while (rows.length > 0) {
    for (const row of rows) while (isTakenIn(rows, row)) row.start++
    const { rows: results } = await fencedInsert(rows).execute(db)
    const filesWith = (expected: FencedRow['result']) =>
      new Set(results.filter(({ result }) => result === expected).map(({ file }) => file))
    for (const file of filesWith('outdated')) late.add(file)
    const taken = filesWith('taken')
    rows = rows.filter(({ file }) => taken.has(file))
    for (const row of rows) row.start++
  }
  if (late.size > 0) onOutdated(segments.filter(({ file }) => late.has(file)))
}

async function inBatches<T, Result>(all: readonly T[], work: (some: readonly T[]) => Promise<Result[]>) {
  const results: Result[] = []
  for (const some of batches(all, batch)) results.push(...(await work(some)))
  return results
}
