import type { ExpressionBuilder, Selectable, SelectQueryBuilder, Transaction } from 'kysely'
import { batches } from '../shared/batches.ts'
import { cameraKeysIn } from '../shared/storage/camera-keys-in.sql.ts'
import { ofVolume, ofVolumes } from '../shared/storage/of-volume.sql.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import type { ReviewItemTable, Tables } from '../store/tables.ts'
import { severities } from './item-range.ts'
import type { MotionBox } from '../shared/camera/motion-sample.ts'
import type { Severity } from './review-response.ts'
import type { ItemPosition, ItemRows, ReviewItem } from './review-store.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Rows read or removed per statement. */
const batch = 500

export function itemRows(
  { db, audit, transaction }: Store,
  volume: string,
  deletedFiles: DeletedFiles | undefined,
): Omit<ItemRows, keyof ShownItems> {
  const ours = () => db.selectFrom('review_item').where('volume', '=', volume)

  return {
    async save(item) {
      const row = rowFrom(item, volume)
      const { id, volume: _volume, camera: _camera, start: _start, ...changing } = row
      return transaction(async (within) => {
        if (await isOutdated(item, within)) {
          await within.updateTable('review_item').set({ open: 0 }).where('id', '=', id).execute()
          return false
        }
        // Deleted through another instance while this one still updates it.
        if ((await deletedFiles?.among('review', [id], within))?.has(id)) return false
        if (item.severity === 'alert') {
          await within.deleteFrom('review_seen').where('item', '=', id).where('severity', '!=', 'alert').execute()
        }
        await within
          .insertInto('review_item')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
          .execute()
        return true
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

    olderThan: olderThan(ours),

    async remove(ids, entry, owner) {
      for (const some of batches(ids, batch)) {
        await transaction(async (within) => {
          const rows = within.deleteFrom('review_item').where('id', 'in', some)
          const removed = await (deletedFiles ? rows : rows.where(ofVolume(volume)))
            .returning(['id', 'volume', 'start'])
            .execute()
          const files = removed.map(({ id: file, ...each }) => ({ ...each, file }))
          await deletedFiles?.note('review', files, within, owner)
          if (entry && removed.length > 0) await audit.insert(entry, within)
        })
      }
    },

    cameras: () => cameraKeysIn(db, 'review_item', volume),
  }
}

/** @param ours rows of the own volume */
const olderThan =
  (ours: () => SelectQueryBuilder<Tables, 'review_item', object>): ItemRows['olderThan'] =>
  async (camera, before, limit, after) => {
    const found: ReviewItem[] = []
    // Each range of the index is read in its order, and no further than one page.
    for (const severity of severities.slice(after ? severities.indexOf(after.severity) : 0)) {
      const old = ours()
        .where('camera', '=', camera)
        .where('severity', '=', severity)
        .where('start', '<', before)
        .where('open', '=', 0)
      const rows = after?.severity === severity ? old.where((eb) => isAfter(eb, after)) : old
      const page = rows.selectAll().orderBy('start').orderBy('id')
      found.push(...(await page.limit(limit - found.length).execute()).map(itemFrom))
      if (found.length >= limit) break
    }
    return found
  }

const isAfter = (eb: ExpressionBuilder<Tables, 'review_item'>, { start, id }: ItemPosition) =>
  eb(eb.refTuple('start', 'id'), '>', eb.tuple(start, id))

/** Whether the camera was leased again since an item began. Locks the lease, so that this stays true in the transaction. */
async function isOutdated({ camera, epoch }: ReviewItem, within: Transaction<Tables>): Promise<boolean> {
  if (epoch === undefined) return false
  const lease = await within
    .selectFrom('camera_lease')
    .where('camera', '=', camera)
    .select('epoch')
    .forShare()
    .executeTakeFirst()
  return lease !== undefined && lease.epoch > epoch
}

type ShownItems = Pick<ItemRows, 'byId' | 'volumeOf' | 'starts'>

export function shownItems({ db }: Pick<Store, 'db'>, volumes: ShownVolumes): ShownItems {
  const shown = () => {
    const items = db.selectFrom('review_item')
    const only = volumes()
    return only ? items.where('volume', 'in', only) : items
  }
  return {
    async byId(id) {
      const row = await shown().where('id', '=', id).selectAll().executeTakeFirst()
      return row && itemFrom(row)
    },

    volumeOf: (id) => shown().where('id', '=', id).select(['volume', 'camera', 'start']).executeTakeFirst(),

    async starts(ids) {
      const found = new Map<string, { camera: CameraKey; start: number }>()
      const only = volumes()
      for (const some of batches(ids, batch)) {
        const items = db.selectFrom('review_item').where('id', 'in', some)
        const rows = await (only ? items.where(ofVolumes(only)) : items).select(['id', 'camera', 'start']).execute()
        for (const { id, ...item } of rows) found.set(id, item)
      }
      return ids.map((id) => found.get(id))
    },
  }
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

export function itemFrom({
  volume: _volume,
  epoch: _epoch,
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
