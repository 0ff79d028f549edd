import { dirname, join } from 'node:path'
import { rmdir, stat } from '../../shared/storage/media-disk.ts'
import type { RecordingStore, Segment, SegmentKey } from '../index/recording-store.ts'
import type { FileRemoval } from '../../shared/storage/file-removal.ts'
import type { Usage } from './usage.ts'

export interface RemoveSegmentsDeps {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'remove'>
  readonly files: Pick<FileRemoval, 'remove'>
  readonly usage: Pick<Usage, 'removed' | 'missingOf'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
}

/**
 * Removes the files and rows of segments.
 *
 * @param gone called for each segment that this call removed, not for one that another removed first; also if another one
 *   fails
 */
export type RemoveSegments = (segments: readonly Segment[], gone?: (segment: Segment) => void) => Promise<void>

/**
 * Removes the file first: a crash leaves a row without a file, which the next startup drops. A segment in the object
 * storage can still have a file, which must not come back as a recording.
 *
 * @returns removes those segments whose files can be removed, and returns the errors of the others
 */
export const removeSegments =
  ({ folder, store, files, usage, requireDisk }: RemoveSegmentsDeps) =>
  async (...[segments, gone]: Parameters<RemoveSegments>): Promise<readonly Error[]> => {
    const without: Segment[] = []
    const errors: Error[] = []
    const missing = new Set<string>()
    if (segments.length > 0) await requireDisk()
    try {
      for (const segment of segments) {
        const isMissing = usage.missingOf(segment.camera) > 0 && !(await isOnDisk(folder, segment))
        const error = await files.remove(segment.file)
        if (error) {
          errors.push(error)
          continue
        }
        without.push(segment)
        if (isMissing) missing.add(keyOf(segment))
      }
    } finally {
      const removed = await store.remove(without.map(({ id }) => id)).catch((error: unknown) => {
        // Their files are removed.
        for (const each of without) gone?.(each)
        throw error
      })
      for (const each of removed) usage.removed(each, missing.has(keyOf(each)))
      // Another request or process may have removed some of them already.
      const rows = new Set(removed.map(keyOf))
      for (const each of without) if (rows.has(keyOf(each))) gone?.(each)
    }
    const folders = new Set(without.map(({ file }) => dirname(file)))
    for (const each of folders) {
      // rmdir removes only an empty folder. A day's folder goes after its last camera folder.
      await rmdir(join(folder, each))
        .then(() => rmdir(join(folder, dirname(each))))
        .catch(() => undefined)
    }
    return errors
  }

const keyOf = ({ camera, start }: SegmentKey): string => `${camera} ${start}`

/** Whether a segment's file is in the volume's folder; not if that can't be found out. */
export const isOnDisk = (folder: string, { file }: Pick<Segment, 'file'>): Promise<boolean> =>
  stat(join(folder, file)).then(
    () => true,
    () => false,
  )
