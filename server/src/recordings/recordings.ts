import { join } from 'node:path'
import type { Route } from '../http/route.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Audit } from '../shared/audit.ts'
import { createBus } from '../shared/bus.ts'
import type { CameraKeys } from '../shared/camera-keys.ts'
import { truncate } from '../shared/media-disk.ts'
import type { Random } from '../shared/random.ts'
import type { Store } from '../store/store.ts'
import { quarantine } from './quarantine.ts'
import { createRecordedRanges, type RecordedRanges } from './recorded-ranges.ts'
import type { Volume } from './volume.ts'
import { byNames } from './named-recordings.ts'
import { reconcile } from './reconcile.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { RecorderStatus } from './recorder-state.ts'
import { deleteRoutes } from './delete.routes.ts'
import { recordingStore } from './recording-store.sql.ts'
import type { Segment } from './recording-store.ts'
import { cacheQuarters } from './cached-quarters.ts'
import type { RecordingSettings } from './recording.config.ts'
import { recordingRoutes } from './recordings.routes.ts'
import { createRetention } from './retention.ts'
import { segmentBytes } from './segment-bytes.ts'
import { segmentOf } from './segment-file.ts'
import { createSpace } from './space.ts'
import { storageRoutes, type StorageRouteDeps } from './storage.routes.ts'
import { createUsage } from './usage.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface RecordingsDeps extends Runtime {
  readonly volume: Volume
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

/** Milliseconds between two retention sweeps, and between two full counts of usage. */
const every = { sweep: 30_000, count: 60 * 60_000 }

/** Inside this folder, cameras are identified by their keys; callers pass camera names. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { volume, keys, settings, clock, random, log } = deps
  const { folder, id } = volume
  const writer = random.bytes(8).toString('hex')
  const store = cacheQuarters(recordingStore(deps.store, id))
  const usage = createUsage(store)
  const recorders = new Map<string, Recorder>()
  const statusChanges = createBus<string>(log)
  const ending = new AbortController()
  const startedAt = clock.now()
  /** Ends the wait for the next sweep. */
  let nextSweep = new AbortController()

  const space = createSpace({ folder, usage, settings, exported: deps.exported })
  /** undefined: the camera was removed. */
  const settingOf = (key: string) => settings().cameras.get(keys.nameOf(key))
  const limitsOf = (key: string) => settingOf(key)?.record
  const retention = createRetention({
    folder,
    store,
    usage,
    whole: () => ({ days: settings().recording.retain_days, gigabytes: settings().recording.max_gb }),
    room: space.forRecordings,
    ofCamera: (camera) => ({
      days: limitsOf(camera)?.retain_days ?? null,
      gigabytes: limitsOf(camera)?.max_gb ?? null,
    }),
    isClockTrusted: deps.isClockTrusted,
    clock,
    log,
  })

  const isEnabled = (key: string): boolean => {
    const { recording } = settings()
    const setting = settingOf(key)
    return recording.enabled && setting !== undefined && setting.enabled && setting.record.enabled
  }
  const recorderOf = (camera: string): Recorder => {
    let recorder = recorders.get(camera)
    if (!recorder) {
      recorder = createRecorder({
        camera,
        folder,
        writer,
        store,
        mayThin: (from, to) => limitsOf(camera)?.mode === 'motion' && deps.watched(keys.nameOf(camera), from, to),
        clock,
        log,
        onAdded({ bytes }) {
          usage.added(camera, bytes)
          if (retention.exceedsSpace()) nextSweep.abort()
        },
        onRemoved: ({ bytes }) => usage.removed(camera, bytes),
        onStatus: () => statusChanges.publish(keys.nameOf(camera)),
        // A sweep may free space.
        onDiskError: (kind) => kind === 'full' && nextSweep.abort(),
      })
      recorder.want(isEnabled(camera))
      recorders.set(camera, recorder)
    }
    return recorder
  }

  /** Checks a segment that failed to play: the playable part is indexed again; without any, the file is quarantined. */
  const rechecked = new Set<number>()
  const recheck = (segment: Segment): void => {
    const { id, camera, file, bytes } = segment
    if (rechecked.has(id)) return
    rechecked.add(id)
    const repair = async (): Promise<void> => {
      const found = await segmentOf(folder, file)
      if (found?.bytes === bytes) return
      for (const removed of await store.remove([id])) usage.removed(removed.camera, removed.bytes)
      if (!found) return quarantine(folder, file, log)
      log.warn({ file }, 'segment size changed')
      await truncate(join(folder, file), found.bytes)
      await store.add([{ ...found, motion: segment.motion }])
      usage.added(camera, found.bytes)
    }
    repair().catch((err: unknown) => log.warn({ camera, file, err }, 'failed to repair segment'))
  }

  /** Runs in the background until the service stops. */
  const cleanUp = async (): Promise<void> => {
    const { signal } = ending
    let countAt = 0
    let agreed = false
    while (!signal.aborted) {
      try {
        if (!agreed) {
          const reported = await reconcile({ folder, writer, startedAt, store, log, signal })
          agreed = true
          if (Object.values(reported).some((count) => count > 0)) log.info({ ...reported }, 'recordings reconciled')
        }
        if (clock.elapsed() >= countAt) {
          await usage.count()
          countAt = clock.elapsed() + every.count
        }
        await retention.sweep(signal)
      } catch (err) {
        log.warn({ err }, 'failed to enforce retention of recordings')
      }
      nextSweep = new AbortController()
      const either = AbortSignal.any([signal, nextSweep.signal])
      await clock.sleep(every.sweep, either)
    }
  }
  const named = byNames(store, keys)
  let cleanUpWork: Promise<void> | undefined
  const bytes = segmentBytes(folder, recheck)

  return {
    routes: [
      ...recordingRoutes({ store: named, bytes }),
      ...deleteRoutes({ named, store, keys, remove: retention.remove, audit: deps.audit }),
      ...storageRoutes({ store, keys, usage, settings, folder, disk: deps.disk, exported: space.exported }),
    ],
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
      for (const [camera, recorder] of recorders) recorder.want(isEnabled(camera))
    },
    cleanUp: () => void (cleanUpWork ??= cleanUp()),
    async stop() {
      ending.abort()
      await Promise.all([cleanUpWork, ...[...recorders.values()].map((recorder) => recorder.stop())])
    },
  }
}
