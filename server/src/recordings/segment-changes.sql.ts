import pLimit from 'p-limit'
import type { Store } from '../store/store.ts'
import { batches } from '../shared/batches.ts'
import type { NewSegment, RemovedSegment, SegmentChanges } from './recording-store.ts'
import { fencedInsert } from './fenced-insert.sql.ts'
import { queueRemovals } from './removal-queue.sql.ts'
import { longest, rowFrom, type SegmentRows } from './segment-rows.ts'

/** Rows written or removed per statement. */
const batch = 500

export interface SegmentChangesDeps {
  readonly store: Pick<Store, 'db' | 'transaction'>
  readonly volume: string
  /** Those of the volume. */
  readonly rows: SegmentRows
  /** Which files were deleted through another instance and are not to be indexed again. */
  readonly deleted: (files: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Called with segments that weren't added, because the camera has another owner since. undefined: cameras have no
   * leases.
   */
  readonly onOutdated: ((segments: readonly NewSegment[]) => void) | undefined
}

export function segmentChanges({
  store: { db, transaction },
  volume,
  rows: { all, of },
  deleted,
  onOutdated,
}: SegmentChangesDeps): SegmentChanges {
  /** A volume has one writer process, so serializing inserts keeps a free start free until its row is inserted. */
  const serialized = pLimit(1)
  const insert = async (segments: readonly NewSegment[]): Promise<void> => {
    const files = segments.map(({ file }) => file)
    const there = await all().where('file', 'in', files).select('file').execute()
    const known = new Set([...there.map(({ file }) => file), ...(await deleted(files))])
    const rows = segments.filter(({ file }) => !known.has(file)).map((segment) => rowFrom(segment, volume))
    for (const row of rows) {
      const taken = new Set(rows.filter((each) => each !== row && each.camera === row.camera).map(({ start }) => start))
      while (
        taken.has(row.start) ||
        (await of(row.camera).where('start', '=', row.start).select('id').executeTakeFirst())
      )
        row.start++
    }
    if (rows.length === 0) return
    if (onOutdated) {
      const added = new Set((await fencedInsert(rows).execute(db)).rows.map(({ file }) => file))
      const outdated = segments.filter(({ file }) => !known.has(file) && !added.has(file))
      if (outdated.length > 0) onOutdated(outdated)
      return
    }
    await db
      .insertInto('recording')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['volume', 'file']).doNothing())
      .execute()
  }

  /** The objects are removed later, also after a kill: the transaction that drops the rows queues them. */
  const removeWhere = (column: 'id' | 'file', values: readonly (number | string)[]): Promise<RemovedSegment[]> =>
    transaction(async (within) => {
      const removed = await within
        .deleteFrom('recording')
        .where('volume', '=', volume)
        .where(column, 'in', values)
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
      for (const some of batches(segments, batch)) await serialized(() => insert(some))
    },

    raiseMotion: (camera, after, before, motion) =>
      db
        .updateTable('recording')
        .set({ motion })
        .where('volume', '=', volume)
        .where('camera', '=', camera)
        .where('start', '>', after - longest)
        .where('start', '<', before)
        .where('end', '>', after)
        .where('motion', '<', motion)
        .returning(['camera', 'start'])
        .execute(),

    removeFiles: (files) => inBatches(files, (some) => removeWhere('file', some)),

    remove: (ids) => inBatches(ids, (some) => removeWhere('id', some)),
  }
}

async function inBatches<T, Result>(all: readonly T[], work: (some: readonly T[]) => Promise<Result[]>) {
  const results: Result[] = []
  for (const some of batches(all, batch)) results.push(...(await work(some)))
  return results
}
