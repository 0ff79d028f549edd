import { join, relative } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { rename, rm, stat, truncate } from '../../shared/storage/media-disk.ts'
import { quarantine } from './quarantine.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import { freePath } from './segment-draft.ts'
import { probeSegment, segmentOf } from './segment-file.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface SegmentRecoveryDeps {
  readonly folder: string
  readonly store: Pick<RecordingStore, 'add' | 'removeMissing'>
  readonly log: Log
  /** Counts what was found. */
  readonly sum: { broken: number; changed: number }
}

/** What is done with a file that the index doesn't describe. A file without playable video is quarantined. */
export interface SegmentRecovery {
  /** Gives an abandoned draft its final name. @returns the file; undefined if the draft has no playable video. */
  complete(draft: string, file: string): Promise<string | undefined>
  /** @param camera its key, which isn't always that of the folder. @returns whether the file is in the index now */
  addToIndex(camera: CameraKey, file: string, size: number): Promise<boolean>
  /** Indexes a file again whose size changed, because of a power cut or an edit by hand. */
  reindex(row: Pick<Segment, 'id' | 'camera' | 'file'>, size: number): Promise<void>
}

export function createSegmentRecovery({ folder, store, log, sum }: SegmentRecoveryDeps): SegmentRecovery {
  const abandon = async (file: string): Promise<void> => {
    sum.broken++
    await quarantine(folder, file, log)
  }

  const complete = async (draft: string, file: string): Promise<string | undefined> => {
    if ((await stat(join(folder, draft))).size === 0) {
      await rm(join(folder, draft))
      return undefined
    }
    const probed = await probeSegment(join(folder, draft))
    if (!probed) {
      await abandon(draft)
      return undefined
    }
    await truncate(join(folder, draft), probed.bytes)
    const free = await freePath(join(folder, file))
    await rename(join(folder, draft), free)
    return relative(folder, free)
  }

  const addToIndex = async (camera: CameraKey, file: string, size: number): Promise<boolean> => {
    const segment = await segmentOf(folder, file)
    if (!segment) {
      await abandon(file)
      return false
    }
    if (segment.bytes < size) await truncate(join(folder, file), segment.bytes)
    await store.add([{ ...segment, camera }])
    return true
  }

  const reindex: SegmentRecovery['reindex'] = async ({ id, camera, file }, size) => {
    log.warn({ file }, 'segment size changed')
    // Deleted, or moved to the object storage, since its row was read.
    if ((await store.removeMissing([id])).length === 0) return
    if (await addToIndex(camera, file, size)) sum.changed++
  }

  return { complete, addToIndex, reindex }
}
