import type { SegmentCursor, SegmentPlace, SegmentQueries } from './recording-store.ts'
import { segmentFrom, type SegmentRows } from './segment-rows.ts'

export function segmentQueries({ all, of, overlapping }: SegmentRows): SegmentQueries {
  return {
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

    async firstStart(camera, from) {
      const row = await of(camera)
        .where('start', '>=', from)
        .select('start')
        .orderBy('start')
        .limit(1)
        .executeTakeFirst()
      return row?.start
    },

    async oldest(camera, limit, place, after) {
      const those = inPlace(camera === undefined ? all() : of(camera), place)
      const rows = after ? afterPosition(those, after) : those
      return (await rows.selectAll().orderBy('start').orderBy('id').limit(limit).execute()).map(segmentFrom)
    },

    filesFrom: (camera, after, before, place) =>
      inPlace(of(camera), place)
        .where('start', '>=', after)
        .where('start', '<', before)
        .select(['id', 'camera', 'file', 'bytes', 'object'])
        .execute(),
  }
}

type Rows = ReturnType<SegmentRows['all']>

/** Rows of segments in one place, or in both. */
export const inPlace = (rows: Rows, place: SegmentPlace | undefined): Rows =>
  place === undefined ? rows : rows.where('object', place === 'disk' ? 'is' : 'is not', null)

/** Rows of segments after a position, in the order of start and id. */
export const afterPosition = (rows: Rows, { start, id }: SegmentCursor): Rows =>
  rows.where('start', '>=', start).where(({ or, eb }) => or([eb('start', '>', start), eb('id', '>', id)]))
