import { setTimeout as pause } from 'node:timers/promises'
import type { Route } from '../http/route.ts'
import type { Tap } from '../media/tap.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { Store } from '../store/store.ts'
import { openLibrary } from './library.ts'
import { reconcile } from './reconcile.ts'
import { createRecorder, type Recorder, type RecorderStatus } from './recorder.ts'
import { recordingStore } from './recording-store.sql.ts'
import { recordingRoutes } from './recordings.routes.ts'
import { createRetention } from './retention.ts'
import { createUsage } from './usage.ts'

/** Of the configuration, what is needed here. */
export interface RecordingSettings {
  readonly recording: { readonly enabled: boolean; readonly retain_days: number; readonly max_gb: number }
  readonly cameras: ReadonlyMap<string, { readonly enabled: boolean; readonly record: CameraRecording }>
}

export interface CameraRecording {
  readonly enabled: boolean
  readonly retain_days: number | null
  readonly max_gb: number | null
}

export interface RecordingsParts {
  readonly mediaDir: string
  readonly store: Store
  readonly settings: () => RecordingSettings
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface Recordings {
  readonly routes: readonly Route[]
  /** What takes a camera's live stream along. */
  tapOf(camera: string): Tap
  statusOf(camera: string): RecorderStatus
  /** Follows the configuration in force. */
  apply(): void
  /** @returns once all that came is on disk and in the index. */
  stop(): Promise<void>
}

/** Milliseconds between two looks at what is too old or too much, and between two counts of everything. */
const every = { sweep: 30_000, count: 60 * 60_000 }

/** @throws StartError where the folder of recordings cannot be used. */
export async function createRecordings(parts: RecordingsParts): Promise<Recordings> {
  const { mediaDir, settings, clock, random, log } = parts
  const { folder, id } = await openLibrary(mediaDir, random)
  const writer = random.bytes(8).toString('hex')
  const store = recordingStore(parts.store, id)
  const usage = createUsage(store)
  const recorders = new Map<string, Recorder>()
  const ending = new AbortController()

  const limitsOf = (camera: string) => settings().cameras.get(camera)?.record
  const retention = createRetention({
    folder,
    store,
    usage,
    whole: () => ({ days: settings().recording.retain_days, gigabytes: settings().recording.max_gb }),
    ofCamera: (camera) => ({
      days: limitsOf(camera)?.retain_days ?? null,
      gigabytes: limitsOf(camera)?.max_gb ?? null,
    }),
    clock,
    log,
  })

  const isWanted = (camera: string): boolean => {
    const { recording, cameras } = settings()
    const setting = cameras.get(camera)
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
        clock,
        log,
        onAdded: ({ bytes }) => usage.added(camera, bytes),
      })
      recorder.want(isWanted(camera))
      recorders.set(camera, recorder)
    }
    return recorder
  }

  /** Beside everything else, from the start to the end. */
  const tidy = async (): Promise<void> => {
    const { signal } = ending
    let countAt = 0
    let agreed = false
    while (!signal.aborted) {
      try {
        if (!agreed) {
          const { found, dropped, broken } = await reconcile({ folder, writer, store, log, signal })
          agreed = true
          if (found + dropped + broken > 0) log.info({ found, dropped, broken }, 'disk and index agree again')
        }
        if (clock.elapsed() >= countAt) {
          await usage.count()
          countAt = clock.elapsed() + every.count
        }
        await retention.sweep(signal)
      } catch (err) {
        log.warn({ err }, 'recordings could not be tidied')
      }
      await pause(every.sweep, undefined, { ref: false, signal }).catch(() => undefined)
    }
  }
  const tidying = tidy()

  return {
    routes: recordingRoutes({ store, folder }),
    tapOf: recorderOf,
    statusOf: (camera) => recorders.get(camera)?.status ?? { state: 'off' },
    apply() {
      for (const [camera, recorder] of recorders) recorder.want(isWanted(camera))
    },
    async stop() {
      ending.abort()
      await Promise.all([tidying, ...[...recorders.values()].map((recorder) => recorder.stop())])
    },
  }
}
