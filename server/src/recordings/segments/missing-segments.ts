import { basename, dirname } from 'node:path'
import { ObjectError } from '../../shared/storage/objects.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import type { VolumeFolders } from './volume-folders.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface MissingSegmentsDeps {
  readonly folders: Pick<VolumeFolders, 'namesIn'>
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
 * @param undecidedBytes adds up the bytes of undecided rows, by camera
 * @returns drops those rows whose file isn't in its folder, which is read after the rows: a file is on disk before its row
 * is in the index, and its folder can be newer than what was listed before. A row whose object is in the object storage
 * gets it. Rows of a folder that can't be read stay.
 */
export function dropMissingSegments(
  { folders, volume, store, requireDisk, objectsIn, signal }: MissingSegmentsDeps,
  sum: { dropped: number; stored: number; undecided: number },
  undecidedBytes: Map<CameraKey, number>,
): (rows: readonly Pick<Segment, 'id' | 'camera' | 'file' | 'bytes'>[]) => Promise<void> {
  /** @returns undefined: the object storage fails, and isn't asked again */
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
      const names = await folders.namesIn(place)
      if (!names) continue
      const found = new Set(names)
      const missing = some.filter(({ file }) => !found.has(basename(file)))
      if (missing.length === 0) continue
      if (signal.aborted) return
      await requireDisk()
      const objects = await listed(place)
      if (!objects) {
        sum.undecided += missing.length
        for (const { camera, bytes } of missing) undecidedBytes.set(camera, (undecidedBytes.get(camera) ?? 0) + bytes)
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
