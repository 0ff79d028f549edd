import {
  diskSpace,
  onOneDisk,
  reserveOf,
  roomForExports,
  roomForRecordings,
  roomOnOwnDisk,
} from '../shared/disk-space.ts'
import type { RecordingSettings } from './recording-settings.ts'
import type { Usage } from './usage.ts'

/** Exports as recordings share a disk with them. Bytes. */
export interface Exported {
  /** Of all that are done or promised. */
  readonly bytes: number
  /** What exports leave to recordings, used by these already or not; 0 where each has its own disk. */
  readonly reserve: number
}

export interface SpaceDeps {
  /** Of the recordings. */
  readonly folder: string
  readonly usage: Pick<Usage, 'counted' | 'count' | 'bytes'>
  readonly settings: () => Pick<RecordingSettings, 'recording'>
  readonly exported: () => Promise<{ readonly folder: string; readonly bytes: number }>
}

/** How recordings and exports share the disk. */
export function createSpace({ folder, usage, settings, exported }: SpaceDeps): {
  /** Bytes that may be written to a folder of exports, of which so many bytes are done. */
  forExports(exportFolder: string, done: number): Promise<number>
  /** Bytes that recordings may take; null where the disk does not answer. */
  forRecordings(): Promise<number | null>
  exported(): Promise<Exported>
} {
  const recorded = async (): Promise<number> => {
    if (!usage.counted) await usage.count()
    return usage.bytes()
  }
  /** Bytes that recordings may take at most; where nothing is recorded, what there is of them. */
  const given = (bytes: number): number => {
    const { enabled, max_gb } = settings().recording
    return enabled ? max_gb * 1e9 : bytes
  }

  return {
    async forExports(exportFolder, done) {
      const disk = await diskSpace(exportFolder)
      if (!(await onOneDisk(folder, exportFolder))) return roomOnOwnDisk(disk)
      const recordings = await recorded()
      return roomForExports(disk, { recordings, exports: done }, given(recordings))
    },
    async forRecordings() {
      const exports = await exported()
      try {
        const shared = await onOneDisk(folder, exports.folder)
        const stored = { recordings: await recorded(), exports: shared ? exports.bytes : 0 }
        return roomForRecordings(await diskSpace(folder), stored)
      } catch {
        return null
      }
    },
    async exported() {
      const exports = await exported()
      if (!(await onOneDisk(folder, exports.folder))) return { bytes: exports.bytes, reserve: 0 }
      const recordings = await recorded()
      const stored = { recordings, exports: exports.bytes }
      return { bytes: exports.bytes, reserve: reserveOf(await diskSpace(folder), stored, given(recordings)) }
    },
  }
}
