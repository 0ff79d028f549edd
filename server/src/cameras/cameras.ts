import { join } from 'node:path'
import { inScope, type CameraScope, type ScopedCamera } from '../access/grant.ts'
import type { CameraPlace } from '../http/camera-place.ts'
import type { Route } from '../http/route.ts'
import { killOrphans } from '../media/ffmpeg/orphans.ts'
import { mjpegHeight } from '../media/live/mjpeg.ts'
import { createJpegDecoders, maxDecoders } from '../media/ffmpeg/jpeg-decoders.ts'
import { createJpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import { createBus } from '../shared/bus.ts'
import type { Audit } from '../shared/audit/audit.ts'
import type { PullPlace } from '../shared/cluster/camera-leases.ts'
import type { Random } from '../shared/random.ts'
import type { Log } from '../shared/log.ts'
import type { Runtime } from '../shared/runtime.ts'
import { createCameraEntry, type CameraEntry, type CameraSetting } from './camera-entry.ts'
import { createCameraSet, type CameraSet, type CameraSettings } from './camera-set.ts'
import { createFrameKeeper } from './frame-keeper.ts'
import { createCamera, type CameraCounts, type CameraDeps } from './camera-supervisor.ts'
import { motionResponse, recordingResponse, reasonFields, type CameraResponse } from './camera-response.ts'
import type { CameraStatus } from './camera-state.ts'
import { cameraRoutes, snapshotRoutes, type CamerasToShow } from './cameras.routes.ts'
import { createConnectionTest } from './connection-test.ts'
import { createLastFrameStore } from './last-frame-store.ts'
import { liveRoutes, liveVideoRoutes, type LiveVideo } from './live.routes.ts'
import type { CamerasForInstances } from './remote/live.inner-routes.ts'
import type { OtherInstances } from './remote/remote-camera.ts'
import { createSharedCamera } from './shared-camera.ts'
import { noFrame } from './snapshots.ts'
import { createStreamFeatures, type ConsumingFeatures, type StreamFeatures } from './stream-features.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Status and counters of a camera. */
export interface CameraFigures extends CameraResponse, CameraCounts {
  readonly viewers: number
}

export interface CamerasDeps extends Runtime {
  readonly audit: Audit
  /** Of the cameras with which the service starts. */
  readonly cameras: CameraSettings
  /** undefined if ffmpeg is not installed: then every camera is offline with that reason. */
  readonly ffmpeg: string | undefined
  readonly mediaDir: string
  /** Key of the hash that recognizes the sources of stored frames; the same at every start. */
  readonly frameKey: Uint8Array
  readonly random: Random
  /** The other instances that can pull a camera; undefined: there are none. */
  readonly others: OtherInstances | undefined
  /** The key of the camera that has a name now. */
  readonly keyOf: (camera: string) => CameraKey
  /** Where a camera's video is read from now. */
  readonly placeOf: (camera: string) => PullPlace
  readonly times?: Partial<typeof defaultTimes>
}

/**
 * Receives a camera that has changed.
 *
 * @param isState whether its state, its recording or its motion detection changed; false: only figures such as the resolution
 */
export type OnCamera = (camera: CameraResponse, isState: boolean) => void

export interface Cameras extends CamerasToShow, LiveVideo, CamerasForInstances {
  readonly routes: readonly Route[]
  /** The routes of a camera's live video at another place. */
  videoRoutes(place: CameraPlace): Route[]
  /** Starts the cameras, with the features that work on each one's live stream. Until then there are no cameras. */
  pull(features: ConsumingFeatures): void
  /** Calls the listener when anything about a camera has changed. */
  subscribe(listener: OnCamera): void
  exists(name: string): boolean
  /** Also for work in the background. */
  responseOf(name: string): CameraResponse
  names(scope: CameraScope): ScopedCamera[]
  /** The cameras that this instance pulls. */
  own(): CameraResponse[]
  figures(scope: CameraScope): CameraFigures[]
  /** Starts, changes and ends cameras that differ from before; the others keep running. Immediate; children follow. */
  apply(config: { readonly cameras: CameraSettings }): void
  /** Follows a camera whose place may have changed. @returns once no child of the old place is running */
  moved(camera: string): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** `keepFrames`: milliseconds between two saves of the newest frames, which is also what a crash can lose. */
export const defaultTimes = {
  keepFrames: 600_000,
  stallAfter: 20_000,
  keyFrameAfter: 120_000,
  backoff: { first: 1000, max: 30_000 },
}

/** All cameras of the active configuration. First kills orphaned children of an earlier process. */
export function createCameras(deps: CamerasDeps): Cameras {
  const { ffmpeg, mediaDir, keyOf, placeOf, clock, random, log } = deps
  logOrphans(killOrphans(), log)
  const times = { ...defaultTimes, ...deps.times }
  const jpegEncoder = createJpegEncoder({ ffmpeg: ffmpeg ?? '' })
  const ofDecoders = { ffmpeg: ffmpeg ?? '', cameras: () => set.all().size, clock, random, log, backoff: times.backoff }
  const jpegDecodersOf = createJpegDecoders(ofDecoders)
  const lastFrames = createLastFrameStore({ folder: join(mediaDir, 'last'), key: deps.frameKey, log })
  const depsOf = (name: string, more: Pick<CameraDeps, 'consumers' | 'onChange'>): CameraDeps => ({
    name,
    ffmpeg,
    source: { mediaDir },
    times,
    clock,
    random,
    log,
    ...more,
  })
  const frames = createFrameKeeper({ store: lastFrames, cameras: () => set.all(), interval: times.keepFrames, clock })

  const changes = createBus<Parameters<OnCamera>>(log)
  const features = createStreamFeatures((name) => placeOf(name).kind === 'here')
  const responseOf = createResponse(features)
  const create = (name: string, setting: CameraSetting): CameraEntry => {
    let before = ''
    const onChange = ({ state }: CameraStatus): void => {
      if (state === 'offline') void frames.keep(name)
      const response = responseOf(name, entry)
      // What else changes here notifies by itself.
      const next = camera.reported ? JSON.stringify({ ...response, resolution: null, fps: null, codec: null }) : state
      changes.publish([response, next !== before])
      before = next
    }
    const ofCamera = depsOf(name, { consumers: features.consumersOf(name), onChange })
    const camera = createSharedCamera({ ...ofCamera, others: deps.others })
    const jpeg = { jpegEncoder, startJpegDecoder: jpegDecodersOf(name) }
    const storedFrame = (of: string) => lastFrames.of(name, of)
    const entry = createCameraEntry({ key: keyOf(name), setting, camera, ...jpeg, storedFrame, clock })
    return entry
  }
  const set = createCameraSet({ mediaDir, keyOf, placeOf, create, forgetFrame: frames.forget })

  const cameras: Omit<Cameras, 'routes' | 'videoRoutes'> = {
    pull(consuming) {
      features.connect(consuming)
      void lastFrames.forgetAllBut(enabledIn(deps.cameras))
      set.apply(deps.cameras)
      features.subscribe((name) => cameras.exists(name) && changes.publish([cameras.responseOf(name), true]))
    },
    subscribe: (listener) => void changes.subscribe((change) => listener(...change)),
    exists: (name) => set.all().has(name),
    ...listsOf(set, responseOf),
    responseOf: (name) => responseOf(name, set.named(name)),
    sourceOf: (name) => set.named(name).setting.source,
    latest: async (name, height, isKnown, caller) => set.named(name).snapshots.latest(height, isKnown, caller),
    isHere: (name) => set.all().get(name)?.place.kind === 'here',
    lend: (name, viewer) => set.named(name).camera.lend(viewer),
    async frameOf(name) {
      const { camera, setting } = set.named(name)
      return camera.frame ?? lastFrames.of(name, setting.source)
    },
    ...liveVideo(set),
    apply: (config) => set.apply(config.cameras),
    moved: set.moved,
    async stop() {
      await Promise.all([frames.stop(), set.stop()])
    },
  }
  const connectionTest = createConnectionTest({
    createCamera: () => createCamera(depsOf('(connection test)', { consumers: [] })),
    mediaDir,
    jpegEncoder,
    clock,
  })
  return {
    ...cameras,
    routes: [...cameraRoutes({ cameras, connectionTest, audit: deps.audit }), ...liveRoutes(cameras)],
    videoRoutes: (place) => [...snapshotRoutes(place, cameras), ...liveVideoRoutes(place, cameras)],
  }
}

function logOrphans(count: number, log: Log): void {
  if (count > 0) log.warn({ count }, 'killed orphaned ffmpeg processes')
}

const enabledIn = (settings: CameraSettings): Set<string> =>
  new Set([...settings].flatMap(([name, { enabled }]) => (enabled ? [name] : [])))

type Lists = Pick<Cameras, 'names' | 'list' | 'own' | 'figures'>

const listsOf = (set: CameraSet, responseOf: ReturnType<typeof createResponse>): Lists => ({
  names: (scope) => [...set.all().keys()].filter((name) => inScope(scope, name)),
  list: (scope) =>
    [...set.all()].filter(([name]) => inScope(scope, name)).map(([name, entry]) => responseOf(name, entry)),
  own: () => [...set.all()].flatMap(([name, entry]) => (entry.place.kind === 'here' ? [responseOf(name, entry)] : [])),
  figures: (scope) =>
    [...set.all()]
      .filter(([name]) => inScope(scope, name))
      .map(([name, entry]) => {
        const { counts, viewers } = entry.camera
        return { ...responseOf(name, entry), ...counts, viewers: viewers + entry.mjpeg.readers }
      }),
})

/** A camera as the API shows it. */
const createResponse =
  ({ recordingOf, motionOf }: StreamFeatures) =>
  (name: string, { setting, camera }: CameraEntry): CameraResponse => {
    const { state, resolution, fps, codec } = camera.status
    const title = setting.title ?? name
    if (camera.reported) return { name, title, ...camera.reported }
    return {
      name,
      title,
      state,
      ...reasonFields(camera.status),
      resolution,
      fps,
      codec,
      ...recordingResponse(recordingOf(name)),
      ...motionResponse(motionOf(name)),
    }
  }

const liveVideo = (set: CameraSet): LiveVideo => ({
  watch: (name, viewer, audio) => set.named(name).camera.watch(viewer, audio),
  hls(name) {
    const { hls, camera } = set.named(name)
    return {
      ...hls,
      async playlist() {
        const { state } = camera.status
        const playlist = state === 'offline' || state === 'disabled' ? undefined : await hls.playlist()
        return playlist ?? Promise.reject(noFrame(camera.status))
      },
    }
  },
  async mjpeg(name, height, caller) {
    const { snapshots, mjpeg } = set.named(name)
    const made = mjpegHeight(height)
    const first = async () => (await snapshots.latest(made, undefined, caller))?.jpeg ?? Buffer.alloc(0)
    return mjpeg.open(first, made, caller.signal)
  },
  get maxMjpegPerUser() {
    return maxDecoders(set.all().size) / 2
  },
})
