import type { Writable } from 'node:stream'
import type { Frame } from '../../media/ffmpeg/jpeg-encoder.ts'
import type { Viewer } from '../../media/live/viewers.ts'
import type { CameraKey, CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { Timers } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { InnerRoute } from '../../shared/cluster/inner-route.ts'
import { encodeFrame } from '../../shared/cluster/message-frames.ts'
import { createInnerViewer } from './inner-viewer.ts'

/** The cameras, as other instances need them. */
export interface CamerasForInstances {
  /** Whether this instance pulls the camera. */
  isHere(name: string): boolean
  /** The viewer gets the live stream with audio, and is closed when this instance no longer pulls the camera. */
  lend(name: string, viewer: Viewer): void
  /** The newest frame, of this run or an earlier one. */
  frameOf(name: string): Promise<Frame | undefined>
}

export interface LiveInnerRoutesDeps {
  readonly cameras: CamerasForInstances
  readonly keys: CameraKeys
  readonly clock: Timers
}

export const livePath = '/live'
export const framePath = '/frame'

/** The live video of the cameras that this instance pulls. */
export function liveInnerRoutes({ cameras, keys, clock }: LiveInnerRoutesDeps): InnerRoute[] {
  /** @throws ServiceError if this instance doesn't pull the camera, for example no longer */
  const ownCamera = (key: CameraKey): string => {
    const name = keys.nameOf(key)
    if (!cameras.isHere(name)) throw new ServiceError('not-found', { reason: 'no-such-camera' })
    return name
  }
  return [
    {
      path: livePath,
      action: 'live',
      scope: 'camera',
      handle({ camera }) {
        const name = ownCamera(camera)
        // With audio, which the instance that asks takes out for users who may not hear it (GRANT-2).
        const body = (to: Writable): void => cameras.lend(name, createInnerViewer(to, clock))
        return { body, headers: { 'content-type': 'application/octet-stream' } }
      },
    },
    {
      path: framePath,
      action: 'snapshot',
      scope: 'camera',
      /** The time of the frame, the init segment and the key frame. */
      async handle({ camera }) {
        const frame = await cameras.frameOf(ownCamera(camera))
        if (!frame) throw new ServiceError('not-found')
        const parts = [String(frame.at), ...frame.mp4].map(encodeFrame)
        return { body: Buffer.concat(parts), headers: { 'content-type': 'application/octet-stream' } }
      },
    },
  ]
}
