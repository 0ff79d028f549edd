import type { StartJpegDecoder } from '../media/ffmpeg/jpeg-decoders.ts'
import type { Frame, JpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import { createLiveHls, type LiveHls } from '../media/live/live-hls.ts'
import { createJpegOutputs, type JpegOutputs } from '../media/live/jpeg-outputs.ts'
import { createMjpeg, type Mjpeg } from '../media/live/mjpeg.ts'
import type { PullPlace } from '../shared/cluster/camera-leases.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { SharedCamera } from './shared-camera.ts'
import type { CameraConfig } from './cameras.config.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** What is needed here of a camera's settings, with placeholders resolved. */
export type CameraSetting = Pick<CameraConfig, 'source' | 'title' | 'enabled'>

/** A camera of the active configuration, and what is made of its video on request. */
export interface CameraEntry {
  /** The key under which its data is stored: what consumes its video belongs to it (CAM-4). */
  readonly key: CameraKey
  setting: CameraSetting
  /** Where its video is read from. */
  place: PullPlace
  readonly camera: SharedCamera
  readonly snapshots: Snapshots
  readonly hls: LiveHls
  readonly mjpeg: Mjpeg
  /** Frame of this run or the previous one; undefined before the first request. */
  kept: Promise<Frame | undefined> | undefined
}

export interface CameraEntryDeps extends Pick<Runtime, 'clock'> {
  readonly key: CameraKey
  readonly setting: CameraSetting
  readonly camera: SharedCamera
  readonly jpegEncoder: JpegEncoder
  readonly startJpegDecoder: StartJpegDecoder
  /** The stored frame of a source. */
  readonly storedFrame: (source: string) => Promise<Frame | undefined>
}

export function createCameraEntry({ key, setting, camera, ...deps }: CameraEntryDeps): CameraEntry {
  const { jpegEncoder, startJpegDecoder, storedFrame, clock } = deps
  const outputs = createJpegOutputs({ follow: camera.follow, startDecoder: startJpegDecoder, clock })
  /**
   * Only of a camera that is pulled here: to follow another one opens its whole stream between the instances, with other
   * arrival times than those of its frame.
   */
  const liveJpeg: JpegOutputs['newest'] = async (height, at) =>
    entry.place.kind === 'here' ? outputs.newest(height, at) : undefined
  const kept = () => (entry.kept ??= storedFrame(entry.setting.source))
  const entry: CameraEntry = {
    key,
    setting,
    place: { kind: 'nowhere' },
    camera,
    snapshots: createSnapshots({ camera, jpegEncoder, liveJpeg, kept, clock }),
    hls: createLiveHls({ follow: camera.follow, clock }),
    mjpeg: createMjpeg(outputs),
    kept: undefined,
  }
  return entry
}
