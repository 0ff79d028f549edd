import { sql, type Transaction } from 'kysely'
import type { Owner } from '../access/identity.ts'
import { batches } from '../shared/batches.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { Engine, Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { itemRanges, severities } from './item-range.ts'
import type { ItemPosition, SeenMarks } from './review-store.ts'
import { yieldToEventLoop } from '../shared/yield-to-event-loop.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Rows marked per statement. */
const batch = 500

export function seenMarks({ db, engine, transaction }: Store, shown: ShownVolumes): SeenMarks {
  const mark = async (owner: Owner, ids: readonly string[], cameras: readonly CameraKey[]): Promise<void> => {
    if (ids.length === 0 || cameras.length === 0) return
    // Again after a deadlock with a transaction that deletes these items.
    await transaction((within) => addMarks(within, engine, shown(), { owner, ids, cameras }))
  }

  const unmark = async (owner: Owner, ids: readonly string[], cameras: readonly CameraKey[]): Promise<void> => {
    if (ids.length === 0 || cameras.length === 0) return
    const marks = db.deleteFrom('review_seen')
    const volumes = shown()
    await (volumes ? marks.where('volume', 'in', volumes) : marks)
      .where('item', 'in', ids)
      .where('auth_method', '=', owner.authMethod)
      .where('user_key', '=', owner.key)
      .where('camera', 'in', cameras)
      .execute()
  }

  return {
    async markIds(owner, ids, cameras, seen) {
      for (const some of batches(ids, batch)) await (seen ? mark : unmark)(owner, some, cameras)
    },

    async markAll(owner, filter, seen) {
      const severitiesOf = filter.severity ? [filter.severity] : severities
      const ranges = itemRanges({ db }, shown).flatMap((itemRange) =>
        filter.cameras.flatMap((camera) => severitiesOf.map((severity) => ({ itemRange, camera, severity }))),
      )
      for (const { itemRange, camera, severity } of ranges) {
        let from: ItemPosition | undefined
        for (;;) {
          const places = await itemRange(camera, severity, filter, from)
            .select(['id', 'start'])
            .orderBy('start', 'desc')
            .orderBy('id', 'desc')
            .limit(batch)
            .execute()
          await (seen ? mark : unmark)(
            owner,
            places.map(({ id }) => id),
            [camera],
          )
          from = places.at(-1)
          if (places.length < batch) break
          await yieldToEventLoop()
        }
      }
    },
  }
}

interface Marked {
  readonly owner: Owner
  readonly ids: readonly string[]
  readonly cameras: readonly CameraKey[]
}

async function addMarks(
  within: Transaction<Tables>,
  engine: Engine,
  volumes: readonly string[] | undefined,
  { owner, ids, cameras }: Marked,
): Promise<void> {
  const items = within.selectFrom('review_item')
  const found = (volumes ? items.where('volume', 'in', volumes) : items)
    .where('review_item.id', 'in', ids)
    .where('camera', 'in', cameras)
  const place = ['volume', 'camera', 'severity', 'start', 'review_item.id as item'] as const
  const theirs = [
    sql.lit(owner.authMethod).as('auth_method'),
    sql<string>`cast(${owner.key} as text)`.as('user_key'),
  ] as const
  // The join keeps a user who is deleted in the meantime from leaving a mark to the next user with that name.
  const rows =
    owner.userId !== null
      ? found
          .innerJoin('user', (join) => join.on('user.id', '=', owner.userId))
          .select([...theirs, 'user.id as user_id', ...place])
      : found.select([...theirs, sql<string | null>`cast(null as text)`.as('user_id'), ...place])
  await within
    .insertInto('review_seen')
    .columns(['auth_method', 'user_key', 'user_id', 'volume', 'camera', 'severity', 'start', 'item'])
    // An item or a user that is being deleted is left out. Without the lock, the mark would refer to a row that is gone.
    .expression(engine === 'postgres' ? rows.forKeyShare() : rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
