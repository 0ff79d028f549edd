import type { CameraSource } from '../shared/camera/camera-source.ts'
import type { PullPlace } from '../shared/cluster/camera-leases.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { Viewer } from '../media/live/viewers.ts'
import { createCamera, type Camera, type CameraDeps } from './camera-supervisor.ts'
import { liveNotice } from './live-notice.ts'
import type { ReportedCamera } from './remote/camera-report.ts'
import { createRemoteCamera, type Elsewhere, type OtherInstances } from './remote/remote-camera.ts'

export interface SharedCameraDeps extends CameraDeps {
  /** undefined: no other instance can pull the camera. */
  readonly others: OtherInstances | undefined
}

/** A camera that this instance pulls, or otherwise the instance that has its lease. Viewers stay when it moves. */
export interface SharedCamera extends Omit<Camera, 'show' | 'broadcaster'> {
  /** Switches to this source, at this place; undefined: no source. @returns once the old child has exited */
  show(source: CameraSource | undefined, place: PullPlace): Promise<void>
  /** What the instance that pulls the camera reports; undefined if it is this one, or nothing is known. */
  readonly reported: ReportedCamera | undefined
  /** A viewer that is another instance: gets the stream with audio until this instance no longer pulls the camera. */
  lend(viewer: Viewer): void
  /** The newest frame, requested from the instance that has it. */
  latestFrame(): Promise<Frame | undefined>
  /** After the source has changed: no frame of the former one is shown anymore. */
  forget(): void
}

export function createSharedCamera({ others, ...deps }: SharedCameraDeps): SharedCamera {
  const { name, clock, log, random } = deps
  let elsewhere: Elsewhere | undefined
  const lent = new Set<Viewer>()
  const local = createCamera({ ...deps, onChange: (status) => void (elsewhere || deps.onChange?.(status)) })
  const { broadcaster } = local
  const remote =
    others &&
    createRemoteCamera({ name, others, broadcaster, clock, log, random, onChange: () => deps.onChange?.(status()) })
  const status = () => (elsewhere && remote ? remote.status : local.status)
  /** A viewer of a camera elsewhere waits for the stream that begins for the first of them. */
  const notice = (): string =>
    status().state === 'online' ? JSON.stringify({ state: 'connecting' }) : liveNotice(status())

  return {
    get status() {
      return status()
    },
    get reported() {
      return elsewhere && remote?.reported
    },
    get counts() {
      return local.counts
    },
    get viewers() {
      return broadcaster.viewers
    },
    get frame() {
      return elsewhere ? undefined : local.frame
    },
    latestFrame: () => (elsewhere && remote ? remote.frame() : Promise.resolve(local.frame)),
    forget: () => remote?.forget(),
    watch(viewer, audio) {
      const release = remote?.demand()
      if (release) viewer.onClose(release)
      broadcaster.join(viewer, notice(), audio)
    },
    follow(consumer) {
      const release = remote?.demand()
      const unfollow = broadcaster.follow(consumer)
      return () => {
        unfollow()
        release?.()
      }
    },
    lend(viewer) {
      lent.add(viewer)
      viewer.onClose(() => lent.delete(viewer))
      local.watch(viewer, true)
    },
    async show(source, place) {
      elsewhere = source && place.kind !== 'here' ? place : undefined
      if (elsewhere) for (const viewer of lent) viewer.close(1001, 'the camera has moved')
      if (!elsewhere) remote?.show(undefined)
      const shown = local.show(elsewhere ? 'elsewhere' : source)
      // After the stream of this instance has ended.
      if (elsewhere) remote?.show(elsewhere)
      await shown
    },
    async stop() {
      remote?.show(undefined)
      await local.stop()
    },
  }
}
