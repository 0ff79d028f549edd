import { join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { truncate } from '../../shared/storage/media-disk.ts'
import { quarantine } from './quarantine.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import { segmentOf } from './segment-file.ts'
import type { Usage } from '../storage/usage.ts'
import type { Volume } from '../storage/volume.ts'

export interface SegmentRepairDeps extends Volume {
  readonly store: Pick<RecordingStore, 'add' | 'removeMissing'>
  readonly usage: Pick<Usage, 'added' | 'removed'>
  readonly log: Log
}

/**
 * @returns checks a segment that failed to play, once: the playable part is indexed again; without any, the file is
 * quarantined. A file that isn't on the own disk is left to the instance that has it.
 */
export function createSegmentRepair({
  folder,
  id: own,
  store,
  usage,
  log,
}: SegmentRepairDeps): (segment: Segment) => void {
  const checked = new Set<number>()
  const repair = async ({ id, camera, file, bytes, motion }: Segment): Promise<void> => {
    const found = await segmentOf(folder, file)
    if (found?.bytes === bytes) return
    const removed = await store.removeMissing([id])
    for (const each of removed) usage.removed(each)
    // Deleted, or moved to the object storage, since its row was read.
    if (removed.length === 0) return
    if (!found) return quarantine(folder, file, log)
    log.warn({ file }, 'segment size changed')
    await truncate(join(folder, file), found.bytes)
    await store.add([{ ...found, camera, motion }])
    usage.added({ ...found, camera })
  }
  return (segment) => {
    const { id, camera, file, volume, object } = segment
    if (volume !== own || object !== null || checked.has(id)) return
    checked.add(id)
    repair(segment).catch((err: unknown) => log.warn({ camera, file, err }, 'failed to repair segment'))
  }
}
