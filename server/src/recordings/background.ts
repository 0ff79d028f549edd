import type { FileRemoval } from '../shared/storage/file-removal.ts'
import type { Objects } from '../shared/storage/objects.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import { createCleanUp } from './clean-up.ts'
import type { RecordingStore } from './index/recording-store.ts'
import type { RemovalQueue } from './index/removal-queue.sql.ts'
import type { ShownHistory } from './index/shown-history.ts'
import { createReconciliation } from './reconciliation.ts'
import type { RecordingSettings } from './recording.config.ts'
import { deleteNotedFiles } from './segments/noted-files.ts'
import type { CameraLimits } from './storage/camera-limits.ts'
import type { RemoveSegments } from './storage/remove-segments.ts'
import { createRetention, type RetentionDeps } from './storage/retention.ts'
import type { UnownedVolumes } from './storage/unowned-volumes.ts'
import type { Usage } from './storage/usage.ts'
import type { Volume } from './storage/volume.ts'
import { objectsOfFiles } from './tier/objects-of-files.ts'
import { createTier } from './tier/tier.ts'

export interface BackgroundDeps
  extends Runtime, Pick<RetentionDeps, 'availableBytes' | 'requireDisk' | 'isClockTrusted'> {
  readonly volume: Volume
  readonly history: Pick<ShownHistory, 'index' | 'forget'>
  /** The index of any volume. */
  readonly indexOf: (volume: string) => RecordingStore
  readonly removals: RemovalQueue
  readonly usage: Usage
  readonly limits: CameraLimits
  readonly settings: () => RecordingSettings
  readonly objects: Objects
  readonly unowned: Pick<UnownedVolumes, 'lasting'>
  readonly deletedFiles: DeletedFiles
  readonly files: FileRemoval
  /** Id of this process in draft names. */
  readonly writer: string
  /** Whether a file is from this process and isn't in the index yet. */
  readonly isOwn: (file: string) => boolean
  readonly random: Random
}

/** The work on the own volume that no request waits for. */
export interface Background {
  /** Removes segments of the volume. */
  readonly remove: RemoveSegments
  /** Whether recordings exceed the available space so far that the next sweep should run early. */
  exceedsSpace(): boolean
  /** Begins the next sweep now. */
  sweepNow(): void
  /** Reconciles disk and index, then enforces retention and moves recordings to the object storage, until it's stopped. */
  start(): void
  stop(): Promise<void>
}

export function createBackground(deps: BackgroundDeps): Background {
  const { usage, limits, settings, objects, unowned, deletedFiles, files, writer, isOwn } = deps
  const { availableBytes, requireDisk, isClockTrusted, removals, indexOf, clock, random, log } = deps
  const { index, forget } = deps.history
  const { folder, id: volume } = deps.volume
  const reconciliation = createReconciliation({
    folder,
    volume,
    store: index,
    usage,
    objectsIn: objectsOfFiles(volume, objects),
    requireDisk,
    writer,
    isOwn,
    clock,
    log,
  })
  const retention = createRetention({
    folder,
    store: index,
    files,
    usage,
    limits,
    availableBytes,
    requireDisk,
    isReconciled: reconciliation.isReconciled,
    isClockTrusted,
    clock,
    log,
  })
  const cleanUp = createCleanUp({
    reconciliation,
    usage,
    sweep: retention.sweep,
    deleteNoted: (signal) => deleteNotedFiles({ folder, deletedFiles, files, usage, requireDisk }, signal),
    clock,
    log,
  })
  const tier = createTier({
    folder,
    volume,
    objects,
    store: index,
    removals,
    usage,
    settings,
    indexOf,
    unowned: unowned.lasting,
    onFound: forget,
    knowsObjectsIn: reconciliation.knowsObjectsIn,
    requireDisk,
    isClockTrusted,
    clock,
    random,
    log,
  })
  const stopHearing = deletedFiles.subscribe(cleanUp.sweepNow)

  return {
    remove: retention.remove,
    exceedsSpace: retention.exceedsSpace,
    sweepNow: cleanUp.sweepNow,
    start() {
      cleanUp.start()
      tier.start()
    },
    async stop() {
      stopHearing()
      await Promise.all([cleanUp.stop(), tier.stop()])
    },
  }
}
