import type { CameraPlace, Caller, Route, RouteResponse } from '../http/route.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Audit, RecordedRange } from '../shared/audit.ts'
import { createBus } from '../shared/bus.ts'
import type { CameraKeys } from '../shared/camera-keys.ts'
import type { Places } from '../shared/places.ts'
import type { Random } from '../shared/random.ts'
import type { Store } from '../store/store.ts'
import { createRecordedRanges, type RecordedRanges } from './recorded-ranges.ts'
import { requireVolume, type Volume } from './volume.ts'
import { cameraLimits } from './camera-limits.ts'
import { createCleanUp } from './clean-up.ts'
import { byNames } from './named-recordings.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { RecorderStatus } from './recorder-state.ts'
import { deleteRoutes } from './delete.routes.ts'
import { recordingStore } from './recording-store.sql.ts'
import { cacheQuarters } from './cached-quarters.ts'
import type { RecordingSettings } from './recording.config.ts'
import { recordingRoutes, sendClip, sharedRecordingRoutes, type SentFile } from './recordings.routes.ts'
import { createSegmentRepair } from './repair-segment.ts'
import { createRetention } from './retention.ts'
import { segmentBytes } from './segment-bytes.ts'
import { filesAtPlaces, filesOnDisk } from './segment-files.ts'
import { createSpace } from './space.ts'
import { storageRoutes, type StorageRouteDeps } from './storage.routes.ts'
import { createUsage } from './usage.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface RecordingsDeps extends Runtime {
  readonly volume: Volume
  readonly places: Places
  readonly keys: CameraKeys
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
}

export interface Recordings {
  readonly routes: readonly Route[]
  /** The routes of the recorded video that a share link shows. */
  videoRoutes(place: CameraPlace): Route[]
  /**
   * The whole segments that overlap a range, Unix milliseconds; undefined: nothing was recorded.
   *
   * @param since segments that begin earlier are left out
   */
  wholeRange(camera: string, range: RecordedRange, since: number): Promise<RecordedRange | undefined>
  /** Sends all recorded video in the caller's scope as one file. */
  sendClip(file: SentFile, caller: Caller): Promise<RouteResponse>
  /** Consumes a camera's live stream. */
  consumerOf(camera: string): StreamConsumer
  statusOf(camera: string): RecorderStatus
  /** Calls the listener with the camera whose status changed. */
  subscribe(listener: (camera: string) => void): void
  /** Takes camera keys. */
  readonly recordedRanges: RecordedRanges
  /** Bytes that can still be written to an exports folder whose exports already take `done` bytes. */
  readonly spaceForExports: (folder: string, done: number) => Promise<number>
  /** Notes how much of the frame moved (percent) at a time, Unix milliseconds. */
  moved(camera: string, at: number, percent: number): void
  /** Applies the active configuration. */
  apply(): void
  /** Starts the background work: reconciles disk and index once, then enforces retention until the service stops. */
  cleanUp(): void
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** Inside this folder, cameras are identified by their keys; callers pass camera names. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { keys, settings, isClockTrusted, clock, random, log } = deps
  const { folder, id } = deps.volume
  const writer = random.bytes(8).toString('hex')
  const store = cacheQuarters(recordingStore(deps.store, id))
  const usage = createUsage(store)
  const recorders = new Map<string, Recorder>()
  const statusChanges = createBus<string>(log)
  const limits = cameraLimits(settings, keys)
  const space = createSpace({ folder, usage, settings, exported: deps.exported })
  const disk = { folder, requireDisk: () => requireVolume(deps.volume) }
  const room = space.forRecordings
  const retention = createRetention({ ...disk, store, usage, limits, room, isClockTrusted, clock, log })
  const cleanUp = createCleanUp({ ...disk, writer, store, usage, sweep: retention.sweep, clock, log })

  const recorderOf = (camera: string): Recorder => {
    const known = recorders.get(camera)
    if (known) return known
    const recorder = createRecorder({
      camera,
      ...disk,
      writer,
      store,
      mayThin: (from, to) => limits.isMotionOnly(camera) && deps.watched(keys.nameOf(camera), from, to),
      clock,
      log,
      onAdded({ bytes }) {
        usage.added(camera, bytes)
        if (retention.exceedsSpace()) cleanUp.sweepNow()
      },
      onRemoved: ({ bytes }) => usage.removed(camera, bytes),
      onStatus: () => statusChanges.publish(keys.nameOf(camera)),
      // A sweep may free space.
      onDiskError: (kind) => kind === 'full' && cleanUp.sweepNow(),
    })
    recorder.want(limits.isEnabled(camera))
    recorders.set(camera, recorder)
    return recorder
  }
  const named = byNames(store, keys)
  const files = filesAtPlaces(deps.places, { disk: filesOnDisk(folder) })
  const bytes = segmentBytes(files, createSegmentRepair({ ...deps.volume, store, usage, log }))

  return {
    routes: [
      ...recordingRoutes({ store: named, bytes }),
      ...deleteRoutes({ named, store, keys, remove: retention.remove, audit: deps.audit }),
      ...storageRoutes({ store, keys, usage, settings, folder, disk: deps.disk, exported: space.exported }),
    ],
    videoRoutes: (place) => sharedRecordingRoutes(place, { store: named, bytes }),
    sendClip: (file, caller) =>
      sendClip({ store: named, bytes }, { after: caller.scope.since, before: caller.scope.until }, file, caller),
    wholeRange: async (camera, range, since) =>
      widened(range, await named.spans(camera, range.start, range.end), since),
    consumerOf: (camera) => recorderOf(keys.keyOf(camera)),
    recordedRanges: createRecordedRanges({
      bytes,
      store,
      isRecording: (camera) => recorders.get(camera)?.status.state === 'recording',
      now: () => clock.now(),
    }),
    spaceForExports: space.forExports,
    statusOf: (camera) => recorders.get(keys.keyOf(camera))?.status ?? { state: 'off' },
    subscribe: (listener) => void statusChanges.subscribe(listener),
    moved(camera, at, percent) {
      const key = keys.keyOf(camera)
      if (recorders.get(key)?.moved(at, percent)) return
      store
        .raiseMotion(key, at, at + 1, percent)
        .catch((err: unknown) => log.warn({ camera, err }, 'failed to save motion'))
    },
    apply() {
      for (const [camera, recorder] of recorders) recorder.want(limits.isEnabled(camera))
    },
    cleanUp: cleanUp.start,
    stop: async () =>
      void (await Promise.all([cleanUp.stop(), ...[...recorders.values()].map((recorder) => recorder.stop())])),
  }
}

/** The range with the whole of the segments that overlap it, but for those that begin too early. */
function widened(range: RecordedRange, segments: readonly RecordedRange[], since: number): RecordedRange | undefined {
  const found = segments.filter(({ start }) => start >= since)
  if (found.length === 0) return undefined
  return {
    start: Math.min(range.start, ...found.map(({ start }) => start)),
    end: Math.max(range.end, ...found.map(({ end }) => end)),
  }
}
