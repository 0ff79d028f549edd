import { hkdfSync } from 'node:crypto'
import { createCameras } from '../cameras/cameras.ts'
import { createEvents } from '../events/events.ts'
import { exportedOn } from '../exports/exported.ts'
import { createExports } from '../exports/exports.ts'
import { findFfmpeg } from '../media/ffmpeg/find-ffmpeg.ts'
import { ffmpegSandbox, type Sandbox } from '../media/ffmpeg/sandbox.ts'
import { createMotionDetection } from '../motion/motion.ts'
import { createObjectStorage } from '../object-storage/object-storage.ts'
import { createRecordings } from '../recordings/recordings.ts'
import { requireVolume } from '../recordings/storage/volume.ts'
import { createReview } from '../review/review.ts'
import { ownStream } from '../media/own-stream.ts'
import { pullPlaceOf } from '../shared/cluster/camera-leases.ts'
import type { Log } from '../shared/log.ts'
import { createDiskCheck } from '../system/disk.ts'
import type { Auth } from './auth.ts'
import type { Core, Surroundings } from './core.ts'
import type { InnerConnections } from './inner.ts'
import { createSharedEvents } from './instance-messages.ts'
import { sharedVolumes } from './shared-volumes.ts'
import type { Opened } from './shutdown.ts'

export type Media = Awaited<ReturnType<typeof openMedia>>

/** Cameras, recordings, motion detection, review and exports, and the events they publish. */
export async function openMedia(
  core: Core,
  { publish }: Pick<Auth, 'publish'>,
  inner: InnerConnections | undefined,
  { env, startMuxer }: Pick<Surroundings, 'env' | 'startMuxer'>,
  opened: Opened,
) {
  const { logs, runtime, mediaDir, volume, config, started, store, secret } = core
  const { isClockTrusted, audit, leases, registry, epochOf } = core
  const placeOf = (camera: string) => pullPlaceOf(leases, core.instances.self, registry.keyOf(camera))
  const isHere = (camera: string) => placeOf(camera).kind === 'here'
  const events = createEvents(runtime('service.events'))
  const shared = createSharedEvents(core, events, inner)
  const { places, unowned, shownIn, deletedFiles, others } = await sharedVolumes(core, inner?.client)
  const ffmpeg = findFfmpeg(env)
  if (ffmpeg === undefined) {
    logs
      .named('service')
      .error(
        { hint: 'install it, for example with `apt-get install ffmpeg`, and restart' },
        'ffmpeg missing: all cameras offline',
      )
  } else logSandbox(ffmpegSandbox(), logs.named('service'))

  const objects = createObjectStorage({ settings: () => config().storage, ...runtime('service.recordings') })
  opened.onStop('storage', () => objects.stop())
  const motion = createMotionDetection({
    settings: () => config().cameras,
    isHere,
    ffmpeg,
    source: { mediaDir },
    ...runtime('service.motion'),
  })
  opened.onStop('sources', () => motion.stop())
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
    watched: motion.watched,
    disk: createDiskCheck(mediaDir),
    exported: exportedOn(store, volume.id, mediaDir),
    isClockTrusted,
    ...runtime('service.recordings'),
  })
  opened.onStop('recordings', () => recordings.stop())
  core.cluster?.onStorage(() => ({
    recordings_bytes: recordings.bytesIn('disk'),
    objects_bytes: recordings.bytesIn('object'),
  }))
  const review = await createReview({
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
    // The cameras, which need review for its consumers, are created after it.
    cameraNames: (scope) => cameras.names(scope),
    publish: ({ start, ...change }) => shared.publish({ type: 'review', ...change }, { start }),
    onMarked: (owner, marked) => shared.publish({ type: 'seen', ...marked }, { to: owner }),
    ffmpeg,
    isClockTrusted,
    ...runtime('service.review'),
  })
  opened.onStop('review', () => review.stop())
  motion.onResult(recordings.onMotion)
  motion.onResult(review.onMotion)
  const cameras = createCameras({
    cameras: started.cameras,
    consumersOf: (camera) =>
      [recordings.consumerOf(camera), review.consumerOf(camera), motion.consumerOf(camera)].map((consumer) =>
        ownStream(consumer, () => isHere(camera)),
      ),
    keyOf: registry.keyOf,
    placeOf,
    recordingOf: recordings.statusOf,
    motionOf: motion.statusOf,
    others: inner,
    onChange: shared.onCamera,
    ffmpeg,
    mediaDir,
    audit,
    frameKey: Buffer.from(hkdfSync('sha256', secret, '', 'kept frames', 32)),
    ...runtime('service.cameras'),
  })
  opened.onStop('sources', () => cameras.stop())
  const sendStatus = (camera: string) => {
    if (cameras.exists(camera)) shared.onCamera(cameras.view(camera), true)
  }
  recordings.subscribe(sendStatus)
  motion.subscribe(sendStatus)
  followLeases(core, { cameras, motion, recordings, review }, opened)
  // After the cameras, which kill orphaned ffmpeg processes.
  const exports = await createExports({
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
    room: recordings.spaceForExports,
    startMuxer,
    isClockTrusted,
    cameraExists: cameras.exists,
    titleOf: (camera) => config().cameras.get(camera)?.title ?? camera,
    publish: ({ start, ...change }) => shared.publish({ type: 'export', ...change }, { start }),
    onLinksEnded: (links) => links.forEach((id) => publish({ kind: 'credential', id })),
    ...runtime('service.exports'),
  })
  opened.onStop('sources', () => exports.stop())
  const stored = [recordings, review, exports].flatMap((each) => each.innerRoutes)
  const innerRoutes = [...shared.connect(cameras), ...stored]
  return { objects, cameras, motion, recordings, review, exports, events, innerRoutes }
}

/** Starts and stops pulling cameras as their leases come and go. */
function followLeases(
  { cluster, leases, registry }: Core,
  { cameras, motion, recordings, review }: Pick<Media, 'cameras' | 'motion' | 'recordings' | 'review'>,
  opened: Opened,
): void {
  const moved = (key: string): Promise<void> => {
    const camera = registry.nameOf(key)
    const done = cameras.moved(camera)
    motion.moved(camera)
    review.moved(camera)
    return done
  }
  opened.onStop(
    'leases',
    leases.subscribe((key) => void moved(key)),
  )
  cluster?.onRelease(async (key) => {
    const camera = registry.nameOf(key)
    await moved(key)
    await recordings.settled(camera)
    await review.settled(camera)
  })
}

function logSandbox({ command, missing }: Sandbox, log: Log): void {
  const active = command.join(' ')
  if (missing.length === 0) log.info({ active }, 'ffmpeg sandboxed')
  else log.warn({ active, missing, hint: 'install util-linux (setpriv, prlimit)' }, 'ffmpeg not fully sandboxed')
}
