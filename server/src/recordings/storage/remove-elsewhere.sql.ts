import { batches } from '../../shared/batches.ts'
import { queueRemovals } from '../index/removal-queue.sql.ts'
import type { DeletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import type { RemoveSegments } from './remove-segments.ts'

/** Segments removed per transaction. */
const batch = 100

/** Removes the rows of segments of other volumes, whose files their instances then delete. */
export const removeElsewhere =
  ({ transaction }: Pick<Store, 'transaction'>, deletedFiles: Pick<DeletedFiles, 'note'>): RemoveSegments =>
  async (segments, gone) => {
    for (const some of batches(segments, batch)) {
      const removed = await transaction(async (within) => {
        const rows = await within
          .deleteFrom('recording')
          .where(
            'id',
            'in',
            some.map(({ id }) => id),
          )
          .returning(['id', 'volume', 'file', 'start', 'object'])
          .execute()
        const files = rows.map(({ volume, file, start }) => ({ volume, file, start }))
        await deletedFiles.note('recording', files, within)
        await queueRemovals(
          rows.flatMap(({ object }) => object ?? []),
          within,
        )
        return new Set(rows.map(({ id }) => id))
      })
      for (const segment of some) if (removed.has(segment.id)) gone?.(segment)
    }
  }
