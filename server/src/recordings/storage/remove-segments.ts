import { dirname, join } from 'node:path'
import { rm, rmdir } from '../../shared/storage/media-disk.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import type { Usage } from './usage.ts'

export interface RemoveSegmentsDeps {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'remove'>
  readonly usage: Pick<Usage, 'removed'>
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
}

/**
 * Removes the files and rows of segments.
 *
 * @param gone called for each segment whose file was removed, also if a later one fails
 */
export type RemoveSegments = (segments: readonly Segment[], gone?: (segment: Segment) => void) => Promise<void>

/**
 * Removes the file first: a crash leaves a row without a file, which the next start drops. A segment in the object
 * storage can still have a file, which must not come back as a recording.
 */
export const removeSegments =
  ({ folder, store, usage, requireDisk }: RemoveSegmentsDeps): RemoveSegments =>
  async (segments, gone) => {
    const without: Segment[] = []
    if (segments.length > 0) await requireDisk()
    try {
      for (const segment of segments) {
        await rm(join(folder, segment.file), { force: true })
        without.push(segment)
        gone?.(segment)
      }
    } finally {
      // Another process may have removed some of them already.
      const removed = await store.remove(without.map(({ id }) => id))
      for (const each of removed) usage.removed(each)
    }
    const folders = new Set(segments.map(({ file }) => dirname(file)))
    for (const each of folders) {
      // rmdir removes only an empty folder. A day's folder goes after its last camera folder.
      await rmdir(join(folder, each))
        .then(() => rmdir(join(folder, dirname(each))))
        .catch(() => undefined)
    }
  }
