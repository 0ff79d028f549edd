import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Audit } from '../shared/audit/audit.ts'
import { createBus } from '../shared/bus.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Objects } from '../shared/storage/objects.ts'
import type { Places } from '../shared/storage/places.ts'
import type { Random } from '../shared/random.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { requireVolume, type Volume } from './storage/volume.ts'
import { cameraLimits, type CameraLimits } from './storage/camera-limits.ts'
import { createCleanUp, type CleanUp } from './clean-up.ts'
import { segmentInnerRoute } from './segments/inner-files.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { RecorderStatus } from './recorder-state.ts'
import { recordingStore } from './index/recording-store.sql.ts'
import { openShownHistory, type ShownHistory } from './index/shown-history.ts'
import type { RecordingSettings } from './recording.config.ts'
import { createFileRemoval } from '../shared/storage/file-removal.ts'
import { createRetention } from './storage/retention.ts'
import { createShownRecordings, type OtherInstances, type ShownRecordings } from './shown-recordings.ts'
import { removalQueue } from './index/removal-queue.sql.ts'
import { createSpace } from './storage/space.ts'
import { storageRoutes, type StorageRouteDeps } from './storage.routes.ts'
import { objectsOfFiles } from './tier/objects-of-files.ts'
import { createTier } from './tier/tier.ts'
import type { UnownedVolumes } from './storage/unowned-volumes.ts'
import { createUsage, type Usage } from './storage/usage.ts'
import { createLateSegments, type LateSegments } from './index/late-segments.ts'
import { quarantine } from './segments/quarantine.ts'
import { batchDelay, createSegmentBatch } from './index/segment-batch.ts'
import type { NewSegment, RecordingStore, SegmentPlace } from './index/recording-store.ts'
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
  readonly epochOf: ((camera: string) => number | undefined) | undefined
  readonly store: Store
  readonly settings: () => RecordingSettings
  /** Space on the recordings disk; null if the disk doesn't respond. */
  readonly disk: StorageRouteDeps['disk']
  readonly audit: Audit
  /** The exports folder, and the bytes of all finished and reserved exports. */
  readonly exported: () => Promise<{ readonly folder: string; readonly bytes: number }>
  /** Whether motion detection analyzed a camera during a whole time range, Unix milliseconds. Otherwise its segments are kept. */
  readonly watched: (camera: string, from: number, to: number) => boolean
  /** Whether the clock can be trusted enough to remove recordings by age. */
  readonly isClockTrusted: () => boolean
  readonly random: Random
  readonly objects: Objects
}

export interface Recordings extends Omit<ShownRecordings, 'amounts' | 'deleteNoted' | 'ofNone'> {
  /** What other instances read here. */
  readonly innerRoutes: readonly InnerRoute[]
  /** Consumes a camera's live stream. */
  consumerOf(camera: string): StreamConsumer
  statusOf(camera: string): RecorderStatus
  /** Calls the listener with the camera whose status changed. */
  subscribe(listener: (camera: string) => void): void
  /** Bytes that can still be written to an exports folder whose exports already take `done` bytes. */
  readonly spaceForExports: (folder: string, done: number) => Promise<number>
  /** Bytes of all recordings of this volume in one place; null until they are counted after a start. */
  bytesIn(place: SegmentPlace): number | null
  /** Notes how much of the frame moved (percent) at a time, Unix milliseconds. */
  moved(camera: string, at: number, percent: number): void
  /** Resolves once a camera's segments that ended are on disk and in the index. */
  settled(camera: string): Promise<void>
  /** Applies the active configuration. */
  apply(): void
  /**
   * Starts the background work: reconciles disk and index once, then enforces retention and moves recordings to the object
   * storage until the service stops.
   */
  cleanUp(): void
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** Milliseconds between attempts to index what couldn't be indexed. */
const retryAfter = 10_000

const lateSegments = (
  folder: string,
  store: Pick<RecordingStore, 'add'>,
  usage: Pick<Usage, 'removed'>,
  runtime: Runtime,
): LateSegments =>
  createLateSegments({
    add: store.add,
    async quarantine({ camera, file, bytes }) {
      await quarantine(folder, file, runtime.log)
      usage.removed({ camera, bytes, object: null })
    },
    ...runtime,
  })

/** What a recorder asks about its camera. */
const recorderFacts = (
  camera: string,
  { keys, watched, epochOf, clock, log }: RecordingsDeps,
  limits: Pick<CameraLimits, 'isMotionOnly'>,
) => ({
  camera,
  mayThin: (from: number, to: number) => limits.isMotionOnly(camera) && watched(keys.nameOf(camera), from, to),
  epoch: () => epochOf?.(camera),
  clock,
  log,
})

const diskOf = ({ volume, objects, clock, log }: RecordingsDeps) => ({
  folder: volume.folder,
  files: createFileRemoval({ folder: volume.folder, clock, log }),
  requireDisk: () => requireVolume(volume),
  objectsIn: objectsOfFiles(volume.id, objects),
})

const historyOf = (
  { volume, others, unowned, ...deps }: RecordingsDeps,
  onOutdated: ((segments: readonly NewSegment[]) => void) | undefined,
): ShownHistory =>
  openShownHistory({ ...deps, volume: volume.id, isShared: others !== undefined, unowned: unowned.lasting, onOutdated })

const tierFacts = (
  { store, unowned }: RecordingsDeps,
  { forget }: ShownHistory,
  { knowsObjectsIn }: Pick<CleanUp, 'knowsObjectsIn'>,
) => ({
  knowsObjectsIn,
  indexOf: (volume: string) => recordingStore(store, volume),
  unowned: unowned.lasting,
  onFound: forget,
})

/** Motion of a segment that ended is raised in the index. */
const noteMotion =
  (
    recorders: ReadonlyMap<string, Pick<Recorder, 'moved'>>,
    store: Pick<RecordingStore, 'raiseMotion'>,
    { keys, log }: Pick<RecordingsDeps, 'keys' | 'log'>,
  ): Recordings['moved'] =>
  (camera, at, percent) => {
    const key = keys.keyOf(camera)
    if (recorders.get(key)?.moved(at, percent)) return
    store
      .raiseMotion(key, at, at + 1, percent)
      .catch((err: unknown) => log.warn({ camera, err }, 'failed to save motion'))
  }

/** Inside this folder, cameras are identified by their keys; callers pass camera names. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { keys, settings, isClockTrusted, clock, random, log } = deps
  const { folder, id } = deps.volume
  const writer = random.bytes(8).toString('hex')
  const onOutdated = deps.epochOf && ((segments: readonly NewSegment[]) => late?.outdated(segments))
  const history = historyOf(deps, onOutdated)
  const store = history.index
  const usage = createUsage(store)
  const late = deps.epochOf && lateSegments(folder, store, usage, { clock, log })
  const batch = createSegmentBatch({ write: store.add, delay: deps.epochOf ? batchDelay : 0, clock })
  const recorders = new Map<string, Recorder>()
  const statusChanges = createBus<string>(log)
  const limits = cameraLimits(settings, keys)
  const space = createSpace({ folder, usage, settings, exported: deps.exported })
  const disk = diskOf(deps)
  const recording = { ...disk, writer, store, batch, own: new Set<string>(), late }
  const isOwn = (file: string): boolean => recording.own.has(file) || late?.has(file) === true
  const background = { ...disk, volume: id, store, usage, removals: removalQueue(deps.store), clock, log }
  const isReconciled = (): boolean => cleanUp.isReconciled()
  const retention = createRetention({ ...background, limits, room: space.forRecordings, isReconciled, isClockTrusted })
  const { amounts, deleteNoted, ofNone, ...shown } = createShownRecordings({
    ...deps,
    ...disk,
    history,
    limits,
    indexed: batch.flush,
    usage,
    removeOwn: retention.remove,
    isRecording: (camera) => recorders.get(camera)?.status.state === 'recording',
  })
  const cleanUp = createCleanUp({ ...background, writer, isOwn, sweep: retention.sweep, deleteNoted })
  const stopHearing = deps.deletedFiles.subscribe(() => cleanUp.sweepNow())
  const tier = createTier({ ...deps, ...background, ...tierFacts(deps, history, cleanUp) })

  const stopRetrying = clock.every(retryAfter, () => recorders.forEach((recorder) => void recorder.settled()))

  const recorderOf = (camera: string): Recorder => {
    const known = recorders.get(camera)
    if (known) return known
    const recorder = createRecorder({
      ...recording,
      ...recorderFacts(camera, deps, limits),
      onAdded({ bytes }) {
        usage.added(camera, bytes)
        if (retention.exceedsSpace()) cleanUp.sweepNow()
      },
      onRemoved: ({ bytes }) => usage.removed({ camera, bytes, object: null }),
      onStatus: () => statusChanges.publish(keys.nameOf(camera)),
      // A sweep may free space.
      onDiskError: (kind) => kind === 'full' && cleanUp.sweepNow(),
    })
    recorder.want(limits.isEnabled(camera))
    recorders.set(camera, recorder)
    return recorder
  }
  return {
    ...shown,
    routes: [...shown.routes, ...storageRoutes({ ...deps, amounts, own: usage, folder, exported: space.exported })],
    innerRoutes: [segmentInnerRoute({ ...disk, store })],
    consumerOf: (camera) => recorderOf(keys.keyOf(camera)),
    spaceForExports: space.forExports,
    bytesIn: (place) => (usage.counted ? usage.bytesIn(place) : null),
    statusOf: (camera) => recorders.get(keys.keyOf(camera))?.status ?? { state: 'off' },
    subscribe: (listener) => void statusChanges.subscribe(listener),
    moved: noteMotion(recorders, store, deps),
    apply: () => recorders.forEach((recorder, camera) => recorder.want(limits.isEnabled(camera))),
    settled: (camera) => batch.urgently(async () => recorders.get(keys.keyOf(camera))?.settled()),
    cleanUp: () => [cleanUp, tier, ofNone].forEach((each) => each.start()),
    async stop() {
      late?.stop()
      stopRetrying()
      stopHearing()
      await batch.urgently(() => Promise.all([cleanUp, tier, ofNone, ...recorders.values()].map((each) => each.stop())))
    },
  }
}
