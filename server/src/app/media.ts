import { hkdfSync } from 'node:crypto'
import { createCameras, type Cameras } from '../cameras/cameras.ts'
import { createEvents } from '../events/events.ts'
import { exportedOn } from '../exports/exported.ts'
import { createExports, type Exports, type ExportsDeps } from '../exports/exports.ts'
import { findFfmpeg } from '../media/ffmpeg/find-ffmpeg.ts'
import { ffmpegSandbox } from '../media/ffmpeg/sandbox.ts'
import { createMotionDetection, type MotionDetection } from '../motion/motion.ts'
import { createObjectStorage } from '../object-storage/object-storage.ts'
import { createRecordings, type Recordings } from '../recordings/recordings.ts'
import { requireVolume } from '../recordings/storage/volume.ts'
import { createReview, type Review } from '../review/review.ts'
import { pullPlaceOf, type PullPlace } from '../shared/cluster/camera-leases.ts'
import type { Log } from '../shared/log.ts'
import type { Objects } from '../shared/storage/objects.ts'
import { createDiskCheck } from '../system/disk.ts'
import type { Auth } from './auth.ts'
import type { Core, Surroundings } from './core.ts'
import type { Feature } from './feature.ts'
import type { InnerConnections } from './inner.ts'
import { pullCameras } from './pull-cameras.ts'
import { createSharedEvents, type SharedEvents } from './shared-events.ts'
import { sharedVolumes, type SharedVolumes } from './shared-volumes.ts'
import type { Opened } from './lifecycle.ts'

export type Media = Awaited<ReturnType<typeof openMedia>>

/** What the features below get. */
interface MediaDeps extends SharedVolumes {
  readonly core: Core
  readonly ffmpeg: string | undefined
  /** Where a camera's video is read from now. */
  readonly placeOf: (camera: string) => PullPlace
  /** Whether this instance pulls a camera now. */
  readonly isHere: (camera: string) => boolean
}

/** Cameras, recordings, motion detection, review and exports, and the events they publish. */
export async function openMedia(
  core: Core,
  { publish }: Pick<Auth, 'publish'>,
  inner: InnerConnections | undefined,
  { env, startMuxer }: Pick<Surroundings, 'env' | 'startMuxer'>,
  opened: Opened,
) {
  const { runtime, config, logs } = core
  const ffmpeg = findFfmpeg(env)
  logFfmpeg(ffmpeg, logs.named('service'))
  const placeOf = (camera: string) => pullPlaceOf(core.leases, core.instances.self, core.registry.keyOf(camera))
  const isHere = (camera: string) => placeOf(camera).kind === 'here'
  const deps: MediaDeps = { core, ffmpeg, placeOf, isHere, ...(await sharedVolumes(core, inner?.client)) }

  const objects = opened.add(
    'object storage',
    createObjectStorage({ settings: () => config().storage, ...runtime('service.recordings') }),
  )
  const cameras = opened.add('cameras', camerasOf(deps, inner))
  const events = createEvents(runtime('service.events'))
  const shared = createSharedEvents(core, { events, cameras, inner })
  const motion = opened.add('motion', motionOf(deps))
  const recordings = opened.add('recordings', recordingsOf(deps, { objects, motion }))
  const review = opened.add('review', await reviewOf(deps, { cameras, shared }))
  motion.onResult(recordings.onMotion)
  motion.onResult(review.onMotion)
  const stopFollowing = pullCameras({
    leases: core.leases,
    cluster: core.cluster,
    registry: core.registry,
    features: [recordings, review, motion, cameras],
    pull: () => cameras.pull({ recordings, motion, review }),
  })
  opened.add('lease changes', { stop: stopFollowing })
  const endLinks = (links: readonly string[]) => links.forEach((id) => publish({ kind: 'credential', id }))
  const exports = opened.add(
    'exports',
    await exportsOf(deps, { cameras, recordings, shared, startMuxer, onLinksEnded: endLinks }),
  )
  shared.connect()
  /** In the order in which they follow a change: what works on a camera's stream before the camera. */
  const features: readonly Feature[] = [recordings, review, motion, cameras, exports, events, shared]
  return { objects, cameras, recordings, exports, features }
}

/** Before everything that starts ffmpeg, because this ends orphaned ffmpeg processes. They begin in {@link pullCameras}. */
function camerasOf({ core, ffmpeg, placeOf }: MediaDeps, inner: InnerConnections | undefined): Cameras {
  const { started, registry, mediaDir, audit, secret, runtime } = core
  return createCameras({
    cameras: started.cameras,
    keyOf: registry.keyOf,
    placeOf,
    others: inner,
    ffmpeg,
    mediaDir,
    audit,
    frameKey: Buffer.from(hkdfSync('sha256', secret, '', 'kept frames', 32)),
    ...runtime('service.cameras'),
  })
}

function motionOf({ core: { config, mediaDir, runtime }, isHere, ffmpeg }: MediaDeps): MotionDetection {
  return createMotionDetection({
    settings: () => config().cameras,
    isHere,
    ffmpeg,
    source: { mediaDir },
    ...runtime('service.motion'),
  })
}

function recordingsOf(
  { core, places, others, unowned, deletedFiles }: MediaDeps,
  { objects, motion }: { readonly objects: Objects; readonly motion: MotionDetection },
): Recordings {
  const { volume, registry, epochOf, store, config, audit, mediaDir, isClockTrusted, runtime } = core
  const recordings = createRecordings({
    objects,
    volume,
    places,
    others,
    unowned,
    deletedFiles,
    keys: registry,
    epochOf,
    store,
    settings: config,
    audit,
    wasAnalyzed: motion.wasAnalyzed,
    disk: createDiskCheck(mediaDir),
    exported: exportedOn(store, volume.id, mediaDir),
    isClockTrusted,
    ...runtime('service.recordings'),
  })
  core.cluster?.onStorage(() => ({
    recordings_bytes: recordings.bytesIn('disk'),
    objects_bytes: recordings.bytesIn('object'),
  }))
  return recordings
}

function reviewOf(
  { core, isHere, ffmpeg, places, others, unowned, shownIn, deletedFiles }: MediaDeps,
  { cameras, shared }: { readonly cameras: Cameras; readonly shared: SharedEvents },
): Promise<Review> {
  const { mediaDir, volume, registry, store, config, epochOf, isClockTrusted, runtime } = core
  return createReview({
    mediaDir,
    volume: volume.id,
    places,
    others,
    unowned,
    shownIn,
    deletedFiles,
    keys: registry,
    store,
    settings: config,
    isHere,
    epochOf,
    cameraNames: cameras.names,
    publish: ({ start, ...change }) => shared.publish({ type: 'review', ...change }, { start }),
    onMarked: (owner, marked) => shared.publish({ type: 'seen', ...marked }, { to: owner }),
    ffmpeg,
    isClockTrusted,
    ...runtime('service.review'),
  })
}

interface OpenExportsDeps extends Pick<Surroundings, 'startMuxer'>, Pick<ExportsDeps, 'onLinksEnded'> {
  readonly cameras: Cameras
  readonly recordings: Recordings
  readonly shared: SharedEvents
}

function exportsOf(
  { core, places, others, unowned, shownIn, deletedFiles }: MediaDeps,
  { cameras, recordings, shared, startMuxer, onLinksEnded }: OpenExportsDeps,
): Promise<Exports> {
  const { mediaDir, store, volume, registry, config, isClockTrusted, runtime } = core
  return createExports({
    mediaDir,
    store,
    volume: volume.id,
    places,
    others,
    unowned,
    shownIn,
    deletedFiles,
    keys: registry,
    recordedRanges: recordings.recordedRanges,
    requireRecordings: () => requireVolume(volume),
    limits: () => config().export,
    freeBytes: recordings.spaceForExports,
    startMuxer,
    isClockTrusted,
    cameraExists: cameras.exists,
    titleOf: (camera) => config().cameras.get(camera)?.title ?? camera,
    publish: ({ start, ...change }) => shared.publish({ type: 'export', ...change }, { start }),
    onLinksEnded,
    ...runtime('service.exports'),
  })
}

function logFfmpeg(ffmpeg: string | undefined, log: Log): void {
  if (ffmpeg === undefined) {
    const hint = 'install it, for example with `apt-get install ffmpeg`, and restart'
    return log.error({ hint }, 'ffmpeg missing: all cameras offline')
  }
  const { command, missing } = ffmpegSandbox()
  const active = command.join(' ')
  if (missing.length === 0) log.info({ active }, 'ffmpeg sandboxed')
  else log.warn({ active, missing, hint: 'install util-linux (setpriv, prlimit)' }, 'ffmpeg not fully sandboxed')
}
