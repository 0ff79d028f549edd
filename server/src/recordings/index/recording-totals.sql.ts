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

    async usage(camera, after, before) {
      const those = of(camera).where('start', '>=', after).where('start', '<', before)
      const sum = sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`
      const { segments, bytes } = await those
        .select(({ fn }) => [fn.countAll<number>().as('segments'), sum.as('bytes')])
        .executeTakeFirstOrThrow()
      // Its own query, because the other one is answered from an index alone.
      const { stored } = await those.where('object', 'is not', null).select(sum.as('stored')).executeTakeFirstOrThrow()
      return { segments, bytes, stored }
    },

    async ends(camera) {
      const first = await of(camera).select('start').orderBy('start').limit(1).executeTakeFirst()
      const last = await of(camera).select('end').orderBy('start', 'desc').limit(1).executeTakeFirst()
      return first && last && { oldest: first.start, newest: last.end }
    },

    cameras,
  }
}
