import { sql, type Selectable } from 'kysely'
import { batches } from '../shared/batches.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { Store } from '../store/store.ts'
import type { ReviewItemTable } from '../store/tables.ts'
import { itemRanges, severities } from './item-range.ts'
import { itemFrom } from './item-rows.sql.ts'
import type { PartCount, SeenItems } from './review-store.ts'

/** Ranges per query: SQLite allows at most 500 terms in a compound SELECT. */
const rangesPerQuery = 200

export function seenItems({ db }: Store, shown: ShownVolumes): SeenItems {
  return {
    async isSeen(owner, id) {
      const row = await db
        .selectFrom('review_seen')
        .where('item', '=', id)
        .where('auth_method', '=', owner.authMethod)
        .where('user_key', '=', owner.key)
        .select('item')
        .executeTakeFirst()
      return row !== undefined
    },

    async items(owner, { limit, from, severity, ...filter }) {
      const found: (Selectable<ReviewItemTable> & { seen: number })[] = []
      const ranges = itemRanges({ db }, shown).flatMap((itemRange) =>
        filter.cameras.flatMap((camera) =>
          (severity ? [severity] : severities).map((each) => itemRange(camera, each, filter, from)),
        ),
      )
      for (const some of batches(ranges, rangesPerQuery)) {
        // Each range is read from its newest row, and no further than one page.
        const [first, ...others] = some.map((range) =>
          db
            .selectFrom(
              range.select(['id', 'start']).orderBy('start', 'desc').orderBy('id', 'desc').limit(limit).as('stretch'),
            )
            .selectAll(),
        )
        if (!first) continue
        const places = others.reduce((all, each) => all.unionAll(each), first)
        const rows = await db
          .with('place', () => places.orderBy('start', 'desc').orderBy('id', 'desc').limit(limit))
          .selectFrom('place')
          .innerJoin('review_item', 'review_item.id', 'place.id')
          .leftJoin('review_seen', (join) =>
            join
              .onRef('review_seen.item', '=', 'review_item.id')
              .on('review_seen.auth_method', '=', owner.authMethod)
              .on('review_seen.user_key', '=', owner.key),
          )
          .selectAll('review_item')
          .select(sql<number>`case when review_seen.item is null then 0 else 1 end`.as('seen'))
          .execute()
        found.push(...rows)
      }
      return found
        .sort((one, other) => other.start - one.start || (one.id < other.id ? 1 : -1))
        .slice(0, limit)
        .map(({ seen, ...row }) => ({ ...itemFrom(row), seen: seen === 1 }))
    },

    async counts(owner, camera, edges) {
      const parts = edges.slice(1).map((to, part) => sql`(${sql.lit(part)}, ${sql.lit(edges[part])}, ${sql.lit(to)})`)
      if (parts.length === 0) return []
      const volumes = shown()
      // One statement, so that both counts are from the same time; each count reads one range of an index.
      const { rows } = await sql<PartCount>`
        with part(number, first, last) as (values ${sql.join(parts)}),
        kind(severity) as (values ${sql.join(severities.map((each) => sql`(${sql.lit(each)})`))})
        select part.number as part, kind.severity,
          (select cast(count(*) as bigint) from review_item as item
            where ${only('item', volumes)} item.camera = ${camera} and item.severity = kind.severity
            and item.start >= part.first and item.start < part.last) as total,
          (select cast(count(*) as bigint) from review_seen as mark
            where mark.auth_method = ${owner.authMethod} and mark.user_key = ${owner.key} and ${only('mark', volumes)}
            mark.camera = ${camera} and mark.severity = kind.severity
            and mark.start >= part.first and mark.start < part.last) as seen
        from part cross join kind`.execute(db)
      return rows.filter(({ total }) => total > 0)
    },
  }
}

const only = (table: string, volumes: readonly string[] | undefined) =>
  volumes === undefined ? sql`` : sql`${sql.ref(`${table}.volume`)} in (${sql.join(volumes)}) and`
