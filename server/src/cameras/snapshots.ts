import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Frame, JpegEncoder } from '../media/jpeg-encoder.ts'
import type { Camera, CameraStatus } from './camera-supervisor.ts'

export interface Picture {
  readonly jpeg: Buffer
  /** Unix milliseconds at which its frame came. */
  readonly at: number
}

export interface Snapshots {
  /**
   * The newest picture held, no higher than `height` pixels; at most a second older than there could be.
   *
   * @param isKnown asked of the moment of the newest; undefined is answered where it says so.
   */
  latest(height?: number, isKnown?: (at: number) => boolean): Promise<Picture | undefined>
}

export interface PicturesDeps {
  readonly camera: Camera
  readonly stills: JpegEncoder
  /** The frame of an earlier run, for a camera that has not been reached in this one. */
  readonly kept: () => Promise<Frame | undefined>
  readonly clock: Clock
}

interface Made {
  readonly picture: Promise<Picture>
  readonly at: number
  /** {@link Clock.elapsed}. */
  readonly since: number
}

/** Milliseconds for which a picture is given out again though there are newer ones, and heights remembered at once. */
const remembered = { time: 1000, heights: 8 }

/** Everybody who asks for the same picture shares one decoding. */
export function createPictures({ camera, stills, kept, clock }: PicturesDeps): Snapshots {
  const made = new Map<number | undefined, Made>()
  return {
    async latest(height, isKnown) {
      const { status } = camera
      const frame = status.state === 'disabled' ? undefined : (camera.frame ?? (await kept()))
      if (!frame) {
        throw noPicture(status)
      }
      const before = made.get(height)
      const fresh = before && (before.at === frame.at || clock.elapsed() - before.since < remembered.time)
      if (isKnown?.(fresh ? before.at : frame.at)) return undefined
      if (fresh) return before.picture
      const picture = stills.jpegOf(frame, height).then((jpeg) => ({ jpeg, at: frame.at }))
      const entry = { picture, at: frame.at, since: clock.elapsed() }
      made.delete(height)
      made.set(height, entry)
      for (const oldest of made.keys()) if (made.size > remembered.heights) made.delete(oldest)
      picture.catch(() => {
        if (made.get(height) === entry) made.delete(height)
      })
      return picture
    },
  }
}

/** That there is nothing to show, and why. */
export const noPicture = ({ problem, state }: Pick<CameraStatus, 'problem' | 'state'>): ServiceError =>
  new ServiceError('unavailable', problem?.message ?? reasonOf[state], { reason: 'no-picture', retryAfter: 5 })

const reasonOf = {
  online: 'No picture has come yet.',
  connecting: 'The camera is being connected; no picture has come yet.',
  offline: 'The camera is offline.',
  disabled: 'The camera is disabled.',
}
