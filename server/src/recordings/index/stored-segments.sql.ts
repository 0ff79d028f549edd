import type { Store } from '../../store/store.ts'
import type { StoredSegments } from './recording-store.ts'
import { afterPosition, inPlace } from './segment-queries.sql.ts'
import { segmentFrom, type SegmentRows } from './segment-rows.ts'

/** @param rows those of the own volume */
export function storedSegments({ db }: Pick<Store, 'db'>, { all }: SegmentRows): StoredSegments {
  return {
    async waiting(before, after, limit) {
      const rows = await afterPosition(inPlace(all(), 'disk'), after)
        .where('start', '<', before)
        .where('end', '<', before)
        .selectAll()
        .orderBy('start')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(segmentFrom)
    },

    async stored({ id, volume }, object) {
      const { numUpdatedRows } = await db
        .updateTable('recording')
        .set({ object })
        .where('volume', '=', volume)
        .where('id', '=', id)
        .where('object', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async objectOf(id) {
      const row = await db.selectFrom('recording').where('id', '=', id).select('object').executeTakeFirst()
      return row?.object
    },

    async knownObjects(keys) {
      if (keys.length === 0) return new Set()
      const rows = await db.selectFrom('recording').where('object', 'in', keys).select('object').execute()
      return new Set(rows.flatMap(({ object }) => object ?? []))
    },
  }
}
