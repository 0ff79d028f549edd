import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Route } from '../http/route.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { Audit } from '../shared/audit.ts'
import { createBus } from '../shared/bus.ts'
import type { CameraKeys } from '../shared/camera-keys.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { truncate } from '../shared/media-disk.ts'
import type { Random } from '../shared/random.ts'
import type { Store } from '../store/store.ts'
import { quarantine } from './quarantine.ts'
import { createRecordedRanges, type RecordedRanges } from './recorded-ranges.ts'
import type { Volume } from './volume.ts'
import { byNames } from './named-recordings.ts'
import { reconcile } from './reconcile.ts'
import { createRecorder, type Recorder, type RecorderStatus } from './recorder.ts'
import { deleteRoutes } from './delete.routes.ts'
import { recordingStore } from './recording-store.sql.ts'
import type { Segment } from './recording-store.ts'
import { cacheQuarters } from './cached-quarters.ts'
import type { RecordingSettings } from './recording-settings.ts'
import { recordingRoutes } from './recordings.routes.ts'
import { createRetention } from './retention.ts'
import { segmentBytes } from './segment-bytes.ts'
import { segmentOf } from './segment-file.ts'
import { createSpace } from './space.ts'
import { storageRoutes, type StorageRouteDeps } from './storage.routes.ts'
import { createUsage } from './usage.ts'

export interface RecordingsDeps {
  readonly library: Volume
  readonly keys: CameraKeys
  readonly store: Store
  readonly settings: () => RecordingSettings
  /** How full the disk of recordings is; null where it does not answer. */
  readonly disk: StorageRouteDeps['disk']
  readonly audit: Audit
  /** Where exports lie, and the bytes of all that are done or promised. */
  readonly exported: () => Promise<{ readonly folder: string; readonly bytes: number }>
  /** Whether a camera was looked at for motion all of a time, Unix milliseconds. What nobody looked at is kept. */
  readonly watched: (camera: string, from: number, to: number) => boolean
  /** Whether things may be removed for their age by now. */
  readonly agesCount: () => boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface Recordings {
  readonly routes: readonly Route[]
  /** What takes a camera's live stream along. */
  tapOf(camera: string): StreamConsumer
  statusOf(camera: string): RecorderStatus
  /** Tells which camera's status has changed. */
  subscribe(listener: (camera: string) => void): void
  /** By the keys of cameras. */
  readonly excerpts: RecordedRanges
  /** Bytes that may be written to a folder of exports, of which so many bytes are done. */
  readonly roomForExports: (folder: string, done: number) => Promise<number>
  /** So much of the picture moved (percent) at a moment, Unix milliseconds. */
  moved(camera: string, at: number, percent: number): void
  /** Follows the configuration in force. */
  apply(): void
  /** Compares disk and index, and removes what is too old or too much, from now on. */
  cleanUp(): void
  /** @returns once all that came is on disk and in the index. */
  stop(): Promise<void>
}

/** Milliseconds between two looks at what is too old or too much, and between two counts of everything. */
const every = { sweep: 30_000, count: 60 * 60_000 }

/** Everything within goes by the keys of cameras; what comes in from outside goes by their names. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { library, keys, settings, clock, random, log } = deps
  const { folder, id } = library
  const writer = random.bytes(8).toString('hex')
  const store = cacheQuarters(recordingStore(deps.store, id))
  const usage = createUsage(store)
  const recorders = new Map<string, Recorder>()
  const statusChanges = createBus<string>(log)
  const ending = new AbortController()
  const startedAt = clock.now()
  /** Ends the wait for the next look. */
  let hurry = new AbortController()

  const space = createSpace({ folder, usage, settings, exported: deps.exported })
  /** undefined: it was removed. */
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
    agesCount: deps.agesCount,
    clock,
    log,
  })

  const isWanted = (key: string): boolean => {
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
          if (retention.isOverRoom()) hurry.abort()
        },
        onRemoved: ({ bytes }) => usage.removed(camera, bytes),
        onStatus: () => statusChanges.publish(keys.nameOf(camera)),
        // Perhaps there is something that should have gone already.
        onTrouble: (kind) => kind === 'full' && hurry.abort(),
      })
      recorder.want(isWanted(camera))
      recorders.set(camera, recorder)
    }
    return recorder
  }

  /** Somebody wanted to play it, and could not: what of it plays is indexed anew, what does not is set aside. */
  const doubted = new Set<number>()
  const doubt = (segment: Segment): void => {
    const { id, camera, file, bytes } = segment
    if (doubted.has(id)) return
    doubted.add(id)
    const decide = async (): Promise<void> => {
      const inside = await segmentOf(folder, file)
      if (inside?.bytes === bytes) return
      for (const removed of await store.remove([id])) usage.removed(removed.camera, removed.bytes)
      if (!inside) return quarantine(folder, file, log)
      log.warn({ file }, 'a recorded file is not as long as it was')
      await truncate(join(folder, file), inside.bytes)
      await store.add([{ ...inside, motion: segment.motion }])
      usage.added(camera, inside.bytes)
    }
    decide().catch((err: unknown) => log.warn({ camera, file, err }, 'a recorded file is broken'))
  }

  /** Beside everything else, from the start to the end. */
  const cleanUp = async (): Promise<void> => {
    const { signal } = ending
    let countAt = 0
    let agreed = false
    while (!signal.aborted) {
      try {
        if (!agreed) {
          const reported = await reconcile({ folder, writer, startedAt, store, log, signal })
          agreed = true
          if (Object.values(reported).some((count) => count > 0))
            log.info({ ...reported }, 'disk and index agree again')
        }
        if (clock.elapsed() >= countAt) {
          await usage.count()
          countAt = clock.elapsed() + every.count
        }
        await retention.sweep(signal)
      } catch (err) {
        log.warn({ err }, 'recordings could not be tidied')
      }
      hurry = new AbortController()
      const either = AbortSignal.any([signal, hurry.signal])
      await pause(every.sweep, undefined, { ref: false, signal: either }).catch(() => undefined)
    }
  }
  const named = byNames(store, keys)
  let tidying: Promise<void> | undefined
  const bytes = segmentBytes(folder, doubt)

  return {
    routes: [
      ...recordingRoutes({ store: named, bytes }),
      ...deleteRoutes({ named, store, keys, remove: retention.remove, audit: deps.audit }),
      ...storageRoutes({ store, keys, usage, settings, folder, disk: deps.disk, exported: space.exported }),
    ],
    tapOf: (camera) => recorderOf(keys.keyOf(camera)),
    excerpts: createRecordedRanges({
      bytes,
      store,
      isRecording: (camera) => recorders.get(camera)?.status.state === 'recording',
      now: () => clock.now(),
    }),
    roomForExports: space.forExports,
    statusOf: (camera) => recorders.get(keys.keyOf(camera))?.status ?? { state: 'off' },
    subscribe: (listener) => void statusChanges.subscribe(listener),
    moved(camera, at, percent) {
      const key = keys.keyOf(camera)
      if (recorders.get(key)?.moved(at, percent)) return
      store
        .raiseMotion(key, at, at + 1, percent)
        .catch((err: unknown) => log.warn({ camera, err }, 'motion was not noted'))
    },
    apply() {
      for (const [camera, recorder] of recorders) recorder.want(isWanted(camera))
    },
    cleanUp: () => void (tidying ??= cleanUp()),
    async stop() {
      ending.abort()
      await Promise.all([tidying, ...[...recorders.values()].map((recorder) => recorder.stop())])
    },
  }
}
