import type { Audit } from '../shared/audit/audit.ts'
import type { CameraKey, CameraKeys } from '../shared/camera/camera-keys.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Objects } from '../shared/storage/objects.ts'
import type { Places } from '../shared/storage/places.ts'
import type { Random } from '../shared/random.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { createBackground } from './background.ts'
import { createRecorders, type Recorders } from './recorders.ts'
import { requireVolume, type Volume } from './storage/volume.ts'
import { cameraLimits } from './storage/camera-limits.ts'
import { segmentInnerRoute } from './segments/inner-files.ts'
import { recordingStore } from './index/recording-store.sql.ts'
import { openShownHistory } from './index/shown-history.ts'
import type { RecordingSettings } from './recording.config.ts'
import { createFileRemoval } from '../shared/storage/file-removal.ts'
import {
  createShownRecordings,
  type OtherInstances,
  type ShownRecordings,
  type ShownRecordingsDeps,
} from './shown-recordings.ts'
import { removalQueue } from './index/removal-queue.sql.ts'
import { createSpace } from './storage/space.ts'
import { storageRoutes, type StorageRouteDeps } from './storage.routes.ts'
import type { UnownedVolumes } from './storage/unowned-volumes.ts'
import { createUsage } from './storage/usage.ts'
import { createLateSegments } from './index/late-segments.ts'
import { quarantine } from './segments/quarantine.ts'
import { batchDelay, createSegmentBatch } from './index/segment-batch.ts'
import type { SegmentPlace } from './index/recording-store.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface RecordingsDeps extends Runtime {
  readonly volume: Volume
  readonly places: Places
  /** undefined: this instance is alone and shows the recordings of its own volume, and of those that no instance has. */
  readonly others: OtherInstances | undefined
  readonly unowned: UnownedVolumes
  readonly deletedFiles: DeletedFiles
  readonly keys: CameraKeys
  /** Epoch of the lease of a camera, by key; undefined: cameras have no leases. */
  readonly epochOf: ((camera: CameraKey) => number | undefined) | undefined
  readonly store: Store
  readonly settings: () => RecordingSettings
  /** Space on the recordings disk; null if the disk doesn't respond. */
  readonly disk: StorageRouteDeps['disk']
  readonly audit: Audit
  /** The exports folder, and the bytes of all finished and reserved exports. */
  readonly exported: () => Promise<{ readonly folder: string; readonly bytes: number }>
  /** Whether motion detection analyzed a camera during a whole time range, Unix milliseconds. Otherwise its segments are kept. */
  readonly wasAnalyzed: (camera: string, from: number, to: number) => boolean
  /** Whether the clock can be trusted enough to remove recordings by age. */
  readonly isClockTrusted: () => boolean
  readonly random: Random
  readonly objects: Objects
}

export interface Recordings
  extends Omit<ShownRecordings, 'amounts' | 'ofNone'>, Omit<Recorders, 'isUnindexed' | 'stop'> {
  /** What other instances read here. */
  readonly innerRoutes: readonly InnerRoute[]
  /** Bytes that can still be written to an exports folder whose exports already take `done` bytes. */
  readonly spaceForExports: (folder: string, done: number) => Promise<number>
  /** Bytes of all recordings of this volume in one place; null until they are counted after a start. */
  bytesIn(place: SegmentPlace): number | null
  /**
   * Starts the background work: reconciles disk and index once, then enforces retention and moves recordings to the object
   * storage until the service stops.
   */
  start(): void
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** The index of the own volume, and what users see of all. */
function openIndex({ volume, others, unowned, store, places, epochOf, clock, log }: RecordingsDeps) {
  const history = openShownHistory({
    store,
    places,
    volume: volume.id,
    isShared: others !== undefined,
    unowned: unowned.lasting,
    // The index rejects late segments, and they are added to it again: neither can exist before the other.
    onOutdated: epochOf && ((segments) => late?.outdated(segments)),
  })
  const { index } = history
  const usage = createUsage(async () => index)
  const late =
    epochOf &&
    createLateSegments({
      add: index.add,
      onAdded: usage.added,
      quarantine: ({ file }) => quarantine(volume.folder, file, log),
      clock,
      log,
    })
  const batch = createSegmentBatch({ write: index.add, delay: epochOf ? batchDelay : 0, clock })
  return { history, index, usage, late, batch }
}

type OwnRecordings = Pick<
  ShownRecordingsDeps,
  'history' | 'usage' | 'limits' | 'indexed' | 'removeOwn' | 'requireDisk' | 'isUnindexed'
>

/** What users see of the own recordings and of those of others. */
const showRecordings = (deps: RecordingsDeps, own: OwnRecordings): ShownRecordings =>
  createShownRecordings({
    ...own,
    volume: deps.volume,
    places: deps.places,
    objects: deps.objects,
    others: deps.others,
    unowned: deps.unowned,
    deletedFiles: deps.deletedFiles,
    store: deps.store,
    keys: deps.keys,
    isClockTrusted: deps.isClockTrusted,
    audit: deps.audit,
    clock: deps.clock,
    log: deps.log,
  })

/** Inside this folder, cameras are identified by their keys; callers pass camera names. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { volume, objects, unowned, deletedFiles, store, keys, settings, isClockTrusted, clock, random, log } = deps
  const { folder } = volume
  const { history, index, usage, late, batch } = openIndex(deps)
  const writer = random.bytes(8).toString('hex')
  /** Files of this process that aren't in the index yet. */
  const own = new Set<string>()
  const limits = cameraLimits(settings, keys)
  const { forRecordings, forExports, exported } = createSpace({ folder, usage, settings, exported: deps.exported })
  const files = createFileRemoval({ folder, clock, log })
  const requireDisk = (): Promise<void> => requireVolume(volume)
  const background = createBackground({
    volume,
    history,
    indexOf: (of) => recordingStore(store, of),
    removals: removalQueue(store),
    usage,
    limits,
    settings,
    objects,
    unowned,
    deletedFiles,
    files,
    requireDisk,
    writer,
    isOwn: (file) => own.has(file) || late?.has(file) === true,
    availableBytes: forRecordings,
    isClockTrusted,
    clock,
    random,
    log,
  })
  const recorders = createRecorders({
    folder,
    writer,
    store: index,
    batch,
    own,
    late,
    usage,
    limits,
    keys,
    wasAnalyzed: deps.wasAnalyzed,
    epochOf: deps.epochOf,
    requireDisk,
    onAdded: () => background.exceedsSpace() && background.sweepNow(),
    // A sweep may free space.
    onDiskFull: background.sweepNow,
    clock,
    log,
  })
  const { amounts, ofNone, ...shown } = showRecordings(deps, {
    history,
    usage,
    limits,
    indexed: (camera) => batch.urgently(() => recorders.settled(camera)),
    removeOwn: background.remove,
    requireDisk,
    isUnindexed: recorders.isUnindexed,
  })
  const storage = storageRoutes({ amounts, keys, own: usage, settings, folder, objects, disk: deps.disk, exported })
  return {
    ...shown,
    routes: [...shown.routes, ...storage],
    innerRoutes: [segmentInnerRoute({ folder, requireDisk, store: index })],
    consumerOf: recorders.consumerOf,
    statusOf: recorders.statusOf,
    subscribe: recorders.subscribe,
    onMotion: recorders.onMotion,
    apply: recorders.apply,
    settled: (camera) => batch.urgently(() => recorders.settled(camera)),
    spaceForExports: forExports,
    bytesIn: (place) => (usage.counted ? usage.bytesIn(place) : null),
    start: () => [background, ofNone].forEach((each) => each.start()),
    async stop() {
      late?.stop()
      await batch.urgently(() => Promise.all([background, ofNone, recorders].map((each) => each.stop())))
    },
  }
}
