import { sql, type Selectable } from 'kysely'
import type { Owner } from '../access/identity.ts'
import type { Store } from '../store/store.ts'
import type { ReviewItemTable } from '../store/tables.ts'
import type { MotionBox } from './motion.ts'
import type { ReviewItem, ItemFilter, ItemPosition, PartCount, ReviewStore } from './review-store.ts'
import type { Severity } from './review-response.ts'

/** Rows marked or removed per statement. */
const chunk = 500

/** Cameras per query: SQLite allows at most 500 terms in a compound SELECT. */
const concurrency = 100

const severities: readonly Severity[] = ['alert', 'detection']

/** @param volume id of the volume; only its rows are read and changed */
export function reviewStore({ db, audit, transaction }: Store, volume: string): ReviewStore {
  const ours = () => db.selectFrom('review_item').where('volume', '=', volume)

  /** One range of the index. */
  const indexRange = (
    camera: string,
    severity: Severity,
    { after, before }: ItemFilter,
    from: ItemPosition | undefined,
  ) => {
    const all = ours()
      .where('camera', '=', camera)
      .where('severity', '=', severity)
      .where('start', '>=', after)
      .where('start', '<', before)
    return from ? all.where((of) => of(of.refTuple('start', 'id'), '<', of.tuple(from.start, from.id))) : all
  }

  const mark = async (owner: Owner, ids: readonly string[], cameras: readonly string[]): Promise<void> => {
    if (ids.length === 0 || cameras.length === 0) return
    const found = ours().where('review_item.id', 'in', ids).where('camera', 'in', cameras)
    const place = ['volume', 'camera', 'severity', 'start', 'review_item.id as item'] as const
    const theirs = [
      sql.lit(owner.authMethod).as('auth_method'),
      sql<string>`cast(${owner.key} as text)`.as('user_key'),
    ] as const
    // The join keeps a user who is deleted in the meantime from leaving a mark to the next user with that name.
    const rows =
      owner.authMethod === 'password'
        ? found
            .innerJoin('user', (join) => join.on('user.id', '=', owner.userId))
            .select([...theirs, 'user.id as user_id', ...place])
        : found.select([...theirs, sql<string | null>`cast(null as text)`.as('user_id'), ...place])
    await db
      .insertInto('review_seen')
      .columns(['auth_method', 'user_key', 'user_id', 'volume', 'camera', 'severity', 'start', 'item'])
      .expression(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const unmark = async (owner: Owner, ids: readonly string[], cameras: readonly string[]): Promise<void> => {
    if (ids.length === 0 || cameras.length === 0) return
    await db
      .deleteFrom('review_seen')
      .where('item', 'in', ids)
      .where('auth_method', '=', owner.authMethod)
      .where('user_key', '=', owner.key)
      .where('volume', '=', volume)
      .where('camera', 'in', cameras)
      .execute()
  }

  const store: ReviewStore = {
    async save(item) {
      const row = rowFrom(item, volume)
      const { id, volume: _volume, camera: _camera, start: _start, ...changing } = row
      await transaction(async (within) => {
        if (item.severity === 'alert') {
          await within.deleteFrom('review_seen').where('item', '=', id).where('severity', '!=', 'alert').execute()
        }
        await within
          .insertInto('review_item')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
          .execute()
      })
    },

    async closeOpen() {
      const { numUpdatedRows } = await db
        .updateTable('review_item')
        .set({ open: 0 })
        .where('volume', '=', volume)
        .where('open', '=', 1)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    async byId(id) {
      const row = await ours().where('id', '=', id).selectAll().executeTakeFirst()
      return row && itemFrom(row)
    },

    async camerasOf(ids) {
      const found = new Map<string, string>()
      for (const some of chunks(ids)) {
        const rows = await ours().where('id', 'in', some).select(['id', 'camera']).execute()
        for (const { id, camera } of rows) found.set(id, camera)
      }
      return ids.map((id) => found.get(id))
    },

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
      for (const cameras of chunks(filter.cameras, concurrency)) {
        // Each range is read from its newest row, and no further than one page.
        const [first, ...others] = cameras.flatMap((camera) =>
          (severity ? [severity] : severities).map((each) =>
            db
              .selectFrom(
                indexRange(camera, each, filter, from)
                  .select(['id', 'start'])
                  .orderBy('start', 'desc')
                  .orderBy('id', 'desc')
                  .limit(limit)
                  .as('stretch'),
              )
              .selectAll(),
          ),
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
      // One statement, so that both counts are from the same time; each count reads one range of an index.
      const { rows } = await sql<PartCount>`
        with part(number, first, last) as (values ${sql.join(parts)}),
        kind(severity) as (values ${sql.join(severities.map((each) => sql`(${sql.lit(each)})`))})
        select part.number as part, kind.severity,
          (select cast(count(*) as bigint) from review_item as item
            where item.volume = ${volume} and item.camera = ${camera} and item.severity = kind.severity
            and item.start >= part.first and item.start < part.last) as total,
          (select cast(count(*) as bigint) from review_seen as mark
            where mark.auth_method = ${owner.authMethod} and mark.user_key = ${owner.key} and mark.volume = ${volume}
            and mark.camera = ${camera} and mark.severity = kind.severity
            and mark.start >= part.first and mark.start < part.last) as seen
        from part cross join kind`.execute(db)
      return rows.filter(({ total }) => total > 0)
    },

    async markIds(owner, ids, cameras, seen) {
      for (const some of chunks(ids)) await (seen ? mark : unmark)(owner, some, cameras)
    },

    async markAll(owner, filter, seen) {
      for (const camera of filter.cameras) {
        for (const severity of filter.severity ? [filter.severity] : severities) {
          let from: ItemPosition | undefined
          for (;;) {
            const places = await indexRange(camera, severity, filter, from)
              .select(['id', 'start'])
              .orderBy('start', 'desc')
              .orderBy('id', 'desc')
              .limit(chunk)
              .execute()
            await (seen ? mark : unmark)(
              owner,
              places.map(({ id }) => id),
              [camera],
            )
            from = places.at(-1)
            if (places.length < chunk) break
            await new Promise((resolve) => void setImmediate(resolve))
          }
        }
      }
    },

    async cameras() {
      // One index lookup per camera, however many rows each has.
      const names: string[] = []
      for (;;) {
        const next = await ours()
          .where('camera', '>', names.at(-1) ?? '')
          .select('camera')
          .orderBy('camera')
          .limit(1)
          .executeTakeFirst()
        if (!next) return names
        names.push(next.camera)
      }
    },

    async olderThan(camera, before, limit) {
      const rows = await ours()
        .where('camera', '=', camera)
        .where('severity', 'in', severities)
        .where('start', '<', before)
        .where('open', '=', 0)
        .selectAll()
        .limit(limit)
        .execute()
      return rows.map(itemFrom)
    },

    async remove(ids, entry) {
      for (const some of chunks(ids)) {
        await transaction(async (within) => {
          const { numDeletedRows } = await within
            .deleteFrom('review_item')
            .where('volume', '=', volume)
            .where('id', 'in', some)
            .executeTakeFirstOrThrow()
          if (entry && numDeletedRows > 0n) await audit.insert(entry, within)
        })
      }
    },
  }
  return store
}

function* chunks<T>(all: readonly T[], size = chunk): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

const rowFrom = ({ open, thumbnailAt, box, ...item }: ReviewItem, volume: string) => ({
  ...item,
  volume,
  start: Math.round(item.start),
  end: Math.round(item.end),
  motion: Math.min(100, Math.ceil(item.motion)),
  open: open ? 1 : 0,
  box: box && JSON.stringify([box.x, box.y, box.width, box.height]),
  thumbnail_at: thumbnailAt === null ? null : Math.round(thumbnailAt),
})

function itemFrom({
  volume: _volume,
  open,
  thumbnail_at: thumbnailAt,
  box,
  severity,
  ...rest
}: Selectable<ReviewItemTable>): ReviewItem {
  return {
    ...rest,
    severity: severity as Severity,
    open: open === 1,
    box: box === null ? null : boxFrom(box),
    thumbnailAt,
  }
}

function boxFrom(text: string): MotionBox {
  const [x = 0, y = 0, width = 0, height = 0] = JSON.parse(text) as number[]
  return { x, y, width, height }
}
