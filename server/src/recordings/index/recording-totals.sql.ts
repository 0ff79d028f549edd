import { sql } from 'kysely'
import type { RecordingTotals } from './recording-store.ts'
import type { SegmentRows } from './segment-rows.ts'

export function recordingTotals({ of, cameras }: SegmentRows): RecordingTotals {
  return {
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

    async usage(camera) {
      const { segments, bytes, oldest, newest } = await of(camera)
        .select(({ fn }) => [
          fn.countAll<number>().as('segments'),
          sql<number>`cast(sum(bytes) as bigint)`.as('bytes'),
          fn.min('start').as('oldest'),
          fn.max('end').as('newest'),
        ])
        .executeTakeFirstOrThrow()
      if (segments === 0) return undefined
      // Its own query, because each of the two is answered from an index alone.
      const { stored } = await of(camera)
        .where('object', 'is not', null)
        .select(sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('stored'))
        .executeTakeFirstOrThrow()
      return { segments, bytes, stored, oldest, newest }
    },

    async ends(camera) {
      const first = await of(camera).select('start').orderBy('start').limit(1).executeTakeFirst()
      const last = await of(camera).select('end').orderBy('start', 'desc').limit(1).executeTakeFirst()
      return first && last && { oldest: first.start, newest: last.end }
    },

    cameras,
  }
}
