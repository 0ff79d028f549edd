import { sql, type Selectable } from 'kysely'
import pLimit from 'p-limit'
import type { Store } from '../store/store.ts'
import type { RecordingTable } from '../store/tables.ts'
import type { NewSegment, RecordingStore, Segment } from './recording-store.ts'

/** Rows written or removed per statement. */
const chunk = 500

/** Maximum length of a segment in milliseconds: a segment that overlaps a range starts at most this long before it. */
const longest = 10 * 60_000

/** @param volume id of the volume; only its rows are read and changed */
export function recordingStore({ db }: Store, volume: string): RecordingStore {
  const of = (camera: string) => db.selectFrom('recording').where('volume', '=', volume).where('camera', '=', camera)
  const overlapping = (camera: string, after: number, before: number) =>
    of(camera)
      .where('start', '>', after - longest)
      .where('start', '<', before)
      .where('end', '>', after)

  /** A volume has one writer process, so serializing inserts keeps a free start free until its row is inserted. */
  const serialized = pLimit(1)
  const insert = async (segments: readonly NewSegment[]): Promise<void> => {
    const files = segments.map(({ file }) => file)
    const ours = db.selectFrom('recording').where('volume', '=', volume)
    const there = await ours.where('file', 'in', files).select('file').execute()
    const known = new Set(there.map(({ file }) => file))
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
    await db
      .insertInto('recording')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['volume', 'file']).doNothing())
      .execute()
  }

  const removing = () => db.deleteFrom('recording').where('volume', '=', volume).returning(['camera', 'start', 'bytes'])

  return {
    async add(segments) {
      for (const some of chunks(segments)) await serialized(() => insert(some))
    },

    async between(camera, after, before, limit) {
      const rows = await overlapping(camera, after, before).selectAll().orderBy('start').limit(limit).execute()
      return rows.map(segmentFrom)
    },

    entries: (camera, after, before, limit) =>
      overlapping(camera, after, before)
        .select(['start', 'end', 'motion', 'stream_id as streamId', 'bytes'])
        .orderBy('start')
        .limit(limit)
        .execute(),

    spans: (camera, after, before) =>
      overlapping(camera, after, before).select(['start', 'end', 'motion']).orderBy('start').execute(),

    quarters(camera, after, before) {
      // Integer division gives an integer on both engines.
      const quarter = sql<number>`start / 900000`
      return of(camera)
        .where('start', '>=', after)
        .where('start', '<', before)
        .select(({ fn }) => [
          quarter.as('quarter'),
          sql<number>`cast(sum("end" - start) as bigint)`.as('recorded'),
          fn.max('motion').as('motion'),
        ])
        .groupBy(quarter)
        .orderBy(quarter)
        .execute()
    },

    async within(camera, after, before, limit) {
      const rows = await of(camera)
        .where('start', '>=', after)
        .where('start', '<', before)
        .where('end', '<=', before)
        .selectAll()
        .orderBy('start')
        .limit(limit)
        .execute()
      return rows.map(segmentFrom)
    },

    async startingAt(camera, start) {
      const row = await of(camera).where('start', '=', start).selectAll().executeTakeFirst()
      return row && segmentFrom(row)
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

    async usage(camera) {
      const { segments, bytes, oldest, newest } = await of(camera)
        .select(({ fn }) => [
          fn.countAll<number>().as('segments'),
          sql<number>`cast(sum(bytes) as bigint)`.as('bytes'),
          fn.min('start').as('oldest'),
          fn.max('end').as('newest'),
        ])
        .executeTakeFirstOrThrow()
      return segments === 0 ? undefined : { segments, bytes, oldest, newest }
    },

    async ends(camera) {
      const first = await of(camera).select('start').orderBy('start').limit(1).executeTakeFirst()
      const last = await of(camera).select('end').orderBy('start', 'desc').limit(1).executeTakeFirst()
      return first && last && { oldest: first.start, newest: last.end }
    },

    async firstStart(camera, from) {
      const row = await of(camera)
        .where('start', '>=', from)
        .select('start')
        .orderBy('start')
        .limit(1)
        .executeTakeFirst()
      return row?.start
    },

    async oldest(camera, limit) {
      const all = camera === undefined ? db.selectFrom('recording').where('volume', '=', volume) : of(camera)
      return (await all.selectAll().orderBy('start').limit(limit).execute()).map(segmentFrom)
    },

    filesFrom: (camera, after, before) =>
      of(camera).where('start', '>=', after).where('start', '<', before).select(['id', 'file', 'bytes']).execute(),

    async cameras() {
      // One index lookup per camera, however many rows each has.
      const names: string[] = []
      for (;;) {
        const next = await db
          .selectFrom('recording')
          .where('volume', '=', volume)
          .where('camera', '>', names.at(-1) ?? '')
          .select('camera')
          .orderBy('camera')
          .limit(1)
          .executeTakeFirst()
        if (!next) return names
        names.push(next.camera)
      }
    },

    removeFiles: (files) => inChunks(files, (some) => removing().where('file', 'in', some).execute()),
    remove: (ids) => inChunks(ids, (some) => removing().where('id', 'in', some).execute()),
  }
}

async function inChunks<T, Result>(all: readonly T[], work: (some: readonly T[]) => Promise<Result[]>) {
  const results: Result[] = []
  for (const some of chunks(all)) results.push(...(await work(some)))
  return results
}

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += chunk) yield all.slice(at, at + chunk)
}

const rowFrom = ({ initBytes, streamId, start, end, motion, ...rest }: NewSegment, volume: string) => ({
  ...rest,
  volume,
  start: Math.round(start),
  end: Math.round(end),
  motion: Math.round(motion),
  init_bytes: initBytes,
  stream_id: streamId,
})

const segmentFrom = ({
  volume: _volume,
  init_bytes: initBytes,
  stream_id: streamId,
  ...rest
}: Selectable<RecordingTable>): Segment => ({
  ...rest,
  initBytes,
  streamId,
})
