import { batches } from '../../shared/batches.ts'
import { queueRemovals } from '../index/removal-queue.sql.ts'
import type { DeletedFiles } from '../../store/deleted-files.ts'
import type { Store } from '../../store/store.ts'
import type { RemoveSegments } from './remove-segments.ts'

/** Segments removed per transaction. */
const batch = 100

/**
 * Removes the rows of segments of other volumes, whose files their instances then delete, or the instance that has the
 * disk again.
 *
 * @param noted `on-disk`: of volumes that no instance has, by age; a segment in the object storage has no file, unless a
 *   kill left it. `all`: also if it's left, it never becomes a recording again
 */
export const removeElsewhere =
  (
    { transaction }: Pick<Store, 'transaction'>,
    deletedFiles: Pick<DeletedFiles, 'note'>,
    noted: 'all' | 'on-disk',
  ): RemoveSegments =>
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
        const files = rows
          .filter(({ object }) => noted === 'all' || object === null)
          .map(({ volume, file, start }) => ({ volume, file, start }))
        await deletedFiles.note('recording', files, within, noted === 'all' ? 'running' : 'none')
        await queueRemovals(
          rows.flatMap(({ object }) => object ?? []),
          within,
        )
        return new Set(rows.map(({ id }) => id))
      })
      for (const segment of some) if (removed.has(segment.id)) gone?.(segment)
    }
  }
