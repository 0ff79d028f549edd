import {
  diskSpace,
  onOneDisk,
  reserveOf,
  spaceForExports,
  spaceForRecordings,
  spaceOnOwnDisk,
} from '../../shared/storage/disk-space.ts'
import type { RecordingSettings } from '../recording.config.ts'
import type { Usage } from './usage.ts'

/** Space that exports take, in bytes. */
export interface Exported {
  /** Bytes of all finished and reserved exports. */
  readonly bytes: number
  /** Bytes that exports leave to recordings, used or not; 0 if exports have their own disk. */
  readonly reserve: number
}

export interface SpaceDeps {
  /** The recordings folder. */
  readonly folder: string
  readonly usage: Pick<Usage, 'counted' | 'count' | 'bytesIn'>
  readonly settings: () => Pick<RecordingSettings, 'recording'>
  readonly exported: () => Promise<{ readonly folder: string; readonly bytes: number }>
}

/** How recordings and exports share the disk. */
export function createSpace({ folder, usage, settings, exported }: SpaceDeps): {
  /** Bytes that can still be written to an exports folder whose exports already take `done` bytes. */
  forExports(exportFolder: string, done: number): Promise<number>
  /** Bytes that recordings can take; null if the disk doesn't respond. */
  forRecordings(): Promise<number | null>
  exported(): Promise<Exported>
} {
  const recorded = async (): Promise<number> => {
    if (!usage.counted) await usage.count()
    return usage.bytesIn('disk')
  }
  /** Maximum bytes of recordings by configuration; if recording is disabled, the bytes that exist. */
  const given = (bytes: number): number => {
    const { enabled, max_gb } = settings().recording
    return enabled ? max_gb * 1e9 : bytes
  }

  return {
    async forExports(exportFolder, done) {
      const disk = await diskSpace(exportFolder)
      if (!(await onOneDisk(folder, exportFolder))) return spaceOnOwnDisk(disk)
      const recordings = await recorded()
      return spaceForExports(disk, { recordings, exports: done }, given(recordings))
    },
    async forRecordings() {
      const exports = await exported()
      try {
        const shared = await onOneDisk(folder, exports.folder)
        const stored = { recordings: await recorded(), exports: shared ? exports.bytes : 0 }
        return spaceForRecordings(await diskSpace(folder), stored)
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
