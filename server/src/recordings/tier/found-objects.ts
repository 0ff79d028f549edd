import { dirname } from 'node:path'
import type { Log } from '../../shared/log.ts'
import type { Objects } from '../../shared/storage/objects.ts'
import type { RecordingStore, SegmentKey } from '../index/recording-store.ts'
import { objectsOfFiles } from './objects-of-files.ts'
import { day } from '../../shared/time/durations.ts'

export interface FoundObjectsDeps {
  readonly objects: Pick<Objects, 'configured' | 'list'>
  /** The index of a volume. */
  readonly indexOf: (volume: string) => Pick<RecordingStore, 'cameras' | 'firstStart' | 'filesFrom' | 'stored'>
  /** Ids of the volumes that no instance has. */
  readonly unowned: () => readonly string[]
  /** Called with the camera and a time of each day on which some were found. */
  readonly onFound: (day: SegmentKey) => void
  readonly log: Log
}

/**
 * @returns finds recordings of volumes that no instance has, which moved to the object storage after the backup from which
 *   the index was restored; once for each volume. An instance does this with its own volume itself, when it compares it
 *   with its disk.
 * @throws ObjectError if the storage can't be listed: then it's tried again
 */
export function foundObjects({ objects, indexOf, unowned, onFound, log }: FoundObjectsDeps) {
  const done = new Set<string>()

  const findOf = async (volume: string, signal: AbortSignal): Promise<number> => {
    const index = indexOf(volume)
    const objectsIn = objectsOfFiles(volume, objects)
    let found = 0
    for (const camera of await index.cameras()) {
      let start = await index.firstStart(camera, 0)
      while (start !== undefined && !signal.aborted) {
        const begin = Math.floor(start / day) * day
        const before = found
        const rows = await index.filesFrom(camera, begin, begin + day, 'disk')
        for (const [folder, some] of Map.groupBy(rows, ({ file }) => dirname(file))) {
          const keys = await objectsIn(folder, signal)
          for (const { id, file } of some) {
            const key = keys.get(file)
            if (key !== undefined && (await index.stored({ id, volume }, key))) found++
          }
        }
        if (found > before) onFound({ camera, start: begin })
        start = await index.firstStart(camera, begin + day)
      }
    }
    return found
  }

  return async (signal: AbortSignal): Promise<void> => {
    for (const volume of unowned().filter((each) => !done.has(each))) {
      const count = await findOf(volume, signal)
      if (signal.aborted) return
      done.add(volume)
      if (count > 0) log.info({ count }, 'recordings of a missing disk found in object storage')
    }
  }
}
