import { dirname, join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { readdir } from '../../shared/storage/media-disk.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'
import { isMissing } from '../../shared/files/missing-file.ts'

export interface VolumeFoldersDeps {
  /** The volume's folder. */
  readonly folder: string
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  /** Paths of what couldn't be read, each of which is logged once. Kept from one comparison to the next. */
  readonly logged: Set<string>
  readonly log: Log
}

/** The folders of a volume: one per day, and in it one per camera. Their paths are relative to the volume's folder. */
export interface VolumeFolders {
  /** What a folder contains; nothing if it doesn't exist; undefined if it, or the folder that it's in, can't be read. */
  namesIn(path: string): Promise<readonly string[] | undefined>
  /** Those that couldn't be read. */
  readonly unreadable: ReadonlySet<string>
}

/** The folder of the volume itself. */
export const wholeVolume = '.'

export function volumeFolders({ folder, requireDisk, logged, log }: VolumeFoldersDeps): VolumeFolders {
  const unreadable = new Set<string>()
  return {
    unreadable,
    async namesIn(path) {
      // What such a folder says of a name in it can't be trusted.
      if (isIn(unreadable, path)) return undefined
      try {
        const names = await readdir(join(folder, path)).catch(nothingIfMissing)
        logged.delete(path)
        return names
      } catch (err) {
        await requireDisk()
        unreadable.add(path)
        if (!logged.has(path)) log.warn({ folder: path, err }, 'failed to read folder of recordings; retrying')
        logged.add(path)
        return undefined
      }
    },
  }
}

/** Whether a folder, or one that it's in, is among these. */
export const isIn = (folders: ReadonlySet<string>, path: string): boolean =>
  [path, dirname(path), wholeVolume].some((each) => folders.has(each))

function nothingIfMissing(error: unknown): string[] {
  if (isMissing(error) || systemCodeOf(error) === 'ENOTDIR') return []
  throw error
}
