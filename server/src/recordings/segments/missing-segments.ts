import { basename, dirname, join } from 'node:path'
import { readdir } from '../../shared/storage/media-disk.ts'
import { ObjectError } from '../../shared/storage/objects.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'

export interface MissingSegmentsDeps {
  /** The volume's folder. */
  readonly folder: string
  /** Id of the volume. */
  readonly volume: string
  readonly store: Pick<RecordingStore, 'stored' | 'removeMissing'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  /** Keys of the objects of a folder's segments, by file. @throws ObjectError */
  readonly objectsIn: (folder: string, signal: AbortSignal) => Promise<ReadonlyMap<string, string>>
  readonly signal: AbortSignal
}

/**
 * @param sum counts what became of the rows
 * @returns drops those rows whose file isn't in its folder, which is read after the rows: a file is on disk before its row
 * is in the index, and its folder can be newer than what was listed before. A row whose object is in the object storage
 * gets it.
 */
export function dropMissingSegments(
  { folder, volume, store, requireDisk, objectsIn, signal }: MissingSegmentsDeps,
  sum: { dropped: number; stored: number; undecided: number },
): (rows: readonly Pick<Segment, 'id' | 'file'>[]) => Promise<void> {
  /** undefined: the object storage fails, and isn't asked again. */
  const listed = async (place: string): Promise<ReadonlyMap<string, string> | undefined> => {
    if (sum.undecided > 0) return undefined
    try {
      return await objectsIn(place, signal)
    } catch (error) {
      if (error instanceof ObjectError) return undefined
      throw error
    }
  }

  return async (rows) => {
    for (const [place, some] of Map.groupBy(rows, ({ file }) => dirname(file))) {
      const names = new Set(await namesIn(join(folder, place)))
      const missing = some.filter(({ file }) => !names.has(basename(file)))
      if (missing.length === 0) continue
      if (signal.aborted) return
      await requireDisk()
      const objects = await listed(place)
      if (!objects) {
        sum.undecided += missing.length
        continue
      }
      for (const { id, file } of missing) {
        const object = objects.get(file)
        if (object !== undefined && (await store.stored({ id, volume }, object))) sum.stored++
      }
      const lost = missing.filter(({ file }) => !objects.has(file))
      if (lost.length > 0) sum.dropped += (await store.removeMissing(lost.map(({ id }) => id))).length
    }
  }
}

/** What a folder contains; nothing if it doesn't exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
