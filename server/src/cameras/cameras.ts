import type { CameraConfig } from './cameras.config.ts'
import { join } from 'node:path'
import { inScope, type CameraScope } from '../access/grant.ts'
import type { Route } from '../http/route.ts'
import { killOrphans } from '../media/ffmpeg/ffmpeg-child.ts'
import { createLiveHls, type LiveHls } from '../media/live/live-hls.ts'
import { createMjpeg, mjpegHeight, type Mjpeg } from '../media/live/mjpeg.ts'
import { createJpegEncoder, type Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { parseCameraSource, type CameraSource } from '../shared/camera-source.ts'
import type { Audit } from '../shared/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import { createCamera, type Camera, type CameraCounts, type CameraDeps } from './camera-supervisor.ts'
import {
  motionResponse,
  recordingResponse,
  reasonFields,
  type CameraResponse,
  type MotionStatus,
  type RecordingStatus,
} from './camera-response.ts'
import type { CameraStatus } from './camera-state.ts'
import { cameraRoutes, type CamerasToShow } from './cameras.routes.ts'
import { createConnectionTest } from './connection-test.ts'
import { createLastFrameStore } from './last-frame-store.ts'
import { liveRoutes, type LiveForOthers } from './live.routes.ts'
import { createSnapshots, noFrame, type Snapshots } from './snapshots.ts'

/** What is needed here of a camera's settings, with placeholders resolved. */
export type CameraSetting = Pick<CameraConfig, 'source' | 'title' | 'enabled'>

export type CameraSettings = ReadonlyMap<string, CameraSetting>

/** Status and counters of a camera. */
export interface CameraFigures extends CameraResponse, CameraCounts {
  readonly viewers: number
}

export interface CamerasDeps extends Runtime {
  readonly audit: Audit
  readonly cameras: CameraSettings
  /** undefined if ffmpeg is not installed: then every camera is offline with that reason. */
  readonly ffmpeg: string | undefined
  readonly mediaDir: string
  /** Key of the hash that recognizes the sources of stored frames; the same at every start. */
  readonly frameKey: Uint8Array
  readonly random: Random
  /** Consumers that always receive each camera's live stream. */
  readonly consumersOf?: (camera: string) => readonly StreamConsumer[]
  /** Recording status of a camera. */
  readonly recordingOf?: (camera: string) => RecordingStatus
  /** Motion detection status of a camera. */
  readonly motionOf?: (camera: string) => MotionStatus
  /** Called when a camera's state has changed. */
  readonly onState?: (camera: string, state: CameraStatus['state']) => void
  readonly times?: Partial<typeof usualTimes>
}

export interface Cameras extends CamerasToShow, LiveForOthers {
  readonly routes: readonly Route[]
  exists(name: string): boolean
  names(scope: CameraScope): string[]
  figures(scope: CameraScope): CameraFigures[]
  /** Starts, changes and ends cameras that differ from before; the others keep running. Immediate; children follow. */
  apply(settings: CameraSettings): void
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** `keepFrames`: milliseconds between two saves of the newest frames, which is also what a crash can lose. */
export const usualTimes = { keepFrames: 600_000, stallAfter: 20_000, backoff: { first: 1000, max: 30_000 } }

interface Entry {
  setting: CameraSetting
  readonly camera: Camera
  readonly snapshots: Snapshots
  readonly hls: LiveHls
  readonly mjpeg: Mjpeg
  /** Frame of this run or the previous one; undefined before the first request. */
  kept: Promise<Frame | undefined> | undefined
}

/** All cameras of the active configuration. First kills orphaned children of an earlier process. */
export function createCameras(deps: CamerasDeps): Cameras {
  const { ffmpeg, mediaDir, clock, random, log } = deps
  const orphans = killOrphans()
  if (orphans > 0) log.warn({ orphans }, 'killed orphaned ffmpeg processes')
  const times = { ...usualTimes, ...deps.times }
  const jpegEncoder = createJpegEncoder({ ffmpeg: ffmpeg ?? '' })
  const source = { mediaDir }
  const lastFrames = createLastFrameStore({ folder: join(mediaDir, 'last'), key: deps.frameKey, log })
  const cameraNamed = (name: string, more: Pick<CameraDeps, 'consumers' | 'onChange'>): Camera =>
    createCamera({ name, ffmpeg, source, times, clock, random, log, ...more })
  let entries = new Map<string, Entry>()
  let stopped = false
  /** Old children that are still exiting. */
  const leaving = new Set<Promise<void>>()
  const follow = (change: Promise<void>): void => {
    leaving.add(change)
    void change.finally(() => leaving.delete(change))
  }

  /** Time of the last saved frame, by camera. */
  const writtenAt = new Map<string, number>()
  const keepFrame = async (name: string): Promise<void> => {
    const { camera, setting } = entries.get(name) ?? {}
    const frame = camera?.frame
    if (!setting || !frame || writtenAt.get(name) === frame.at) return
    writtenAt.set(name, frame.at)
    await lastFrames.keep(name, setting.source, frame)
  }
  const keepAll = async (): Promise<void> => {
    await Promise.all([...entries.keys()].map(keepFrame))
  }
  const forgetFrame = (name: string): void => {
    writtenAt.delete(name)
    void lastFrames.forget(name)
  }
  const stopKeeping = clock.every(times.keepFrames, () => void keepAll())

  const start = (name: string, setting: CameraSetting): Entry => {
    let reported: CameraStatus['state'] | undefined
    const camera = cameraNamed(name, {
      consumers: deps.consumersOf?.(name) ?? [],
      onChange({ state }) {
        if (state === 'offline') void keepFrame(name)
        if (state !== reported) deps.onState?.(name, state)
        reported = state
      },
    })
    const kept = () => (entry.kept ??= lastFrames.of(name, entry.setting.source))
    const entry: Entry = {
      setting,
      camera,
      snapshots: createSnapshots({ camera, jpegEncoder, kept, clock }),
      hls: createLiveHls({ follow: camera.follow, clock }),
      mjpeg: createMjpeg({ follow: camera.follow, jpegOf: jpegEncoder.jpegOf, clock }),
      kept: undefined,
    }
    follow(camera.show(sourceOf(setting, mediaDir)))
    return entry
  }

  const viewOf = (name: string, { setting, camera }: Entry): CameraResponse => {
    const { state, resolution, fps, codec } = camera.status
    return {
      name,
      title: setting.title ?? name,
      state,
      ...reasonFields(camera.status),
      resolution,
      fps,
      codec,
      ...recordingResponse(deps.recordingOf?.(name) ?? { state: 'off' }),
      ...motionResponse(deps.motionOf?.(name) ?? { state: 'off' }),
    }
  }
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name)
    if (!entry) throw new ServiceError('not-found', { reason: 'no-such-camera' })
    return entry
  }

  const cameras: Omit<Cameras, 'routes'> = {
    exists: (name) => entries.has(name),
    names: (scope) => [...entries.keys()].filter((name) => inScope(scope, name)),
    list: (scope) => [...entries].filter(([name]) => inScope(scope, name)).map(([name, entry]) => viewOf(name, entry)),
    figures: (scope) =>
      [...entries]
        .filter(([name]) => inScope(scope, name))
        .map(([name, entry]) => {
          const { counts, viewers } = entry.camera
          return { ...viewOf(name, entry), ...counts, viewers: viewers + entry.mjpeg.readers }
        }),
    view: (name) => viewOf(name, entryOf(name)),
    sourceOf: (name) => entryOf(name).setting.source,
    watch: (name, viewer) => entryOf(name).camera.watch(viewer),
    latest: async (name, height, isKnown) => entryOf(name).snapshots.latest(height, isKnown),
    hls(name) {
      const { hls, camera } = entryOf(name)
      return {
        ...hls,
        async playlist() {
          const { state } = camera.status
          const playlist = state === 'offline' || state === 'disabled' ? undefined : await hls.playlist()
          return playlist ?? Promise.reject(noFrame(camera.status))
        },
      }
    },
    async mjpeg(name, height) {
      const { snapshots, mjpeg } = entryOf(name)
      const made = mjpegHeight(height)
      const first = await snapshots.latest(made)
      return mjpeg.open(first?.jpeg ?? Buffer.alloc(0), made)
    },
    apply(settings) {
      if (stopped) return
      const before = entries
      // A new Map, so that its order is that of the new settings.
      entries = new Map()
      for (const [name, setting] of settings) {
        let entry = before.get(name)
        if (!entry) {
          entry = start(name, setting)
        } else if (entry.setting.source !== setting.source || entry.setting.enabled !== setting.enabled) {
          follow(entry.camera.show(sourceOf(setting, mediaDir)))
          // Frames of another source or of a disabled camera are never shown.
          entry.hls.forget()
          entry.kept = undefined
          forgetFrame(name)
        }
        entry.setting = setting
        entries.set(name, entry)
      }
      for (const [name, { camera, hls, mjpeg }] of before) {
        if (settings.has(name)) continue
        hls.forget()
        mjpeg.close()
        follow(camera.stop())
        forgetFrame(name)
      }
    },
    async stop() {
      stopped = true
      stopKeeping()
      await Promise.all([keepAll(), ...leaving, ...[...entries.values()].map(({ camera }) => camera.stop())])
    },
  }
  const connectionTest = createConnectionTest({
    cameraNamed: () => cameraNamed('(trial)', { consumers: [] }),
    mediaDir,
    jpegEncoder,
    clock,
  })
  void lastFrames.forgetAllBut(new Set([...deps.cameras].flatMap(([name, { enabled }]) => (enabled ? [name] : []))))
  cameras.apply(deps.cameras)
  return {
    ...cameras,
    routes: [...cameraRoutes({ cameras, connectionTest, audit: deps.audit }), ...liveRoutes(cameras)],
  }
}

function sourceOf({ source, enabled }: CameraSetting, mediaDir: string): CameraSource | undefined {
  if (!enabled) return undefined
  const parsed = parseCameraSource(source, mediaDir)
  // The configuration was checked by the same function.
  if ('problem' in parsed) throw new Error(`a camera's source: ${parsed.problem.message}`)
  return parsed
}
