import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Stills } from '../media/still.ts'
import type { Camera } from './camera.ts'

export interface Picture {
  readonly jpeg: Buffer
  /** Unix milliseconds at which its frame came. */
  readonly at: number
}

export interface Pictures {
  /** The newest picture held, no higher than `height` pixels; at most a second older than there could be. */
  latest(height?: number): Promise<Picture>
}

interface Made {
  readonly picture: Promise<Picture>
  /** {@link Clock.elapsed}. */
  readonly since: number
}

/** Milliseconds for which a picture is given out again, and heights remembered at once. */
const remembered = { time: 1000, heights: 8 }

/** Everybody who asks for the same picture within a second shares one decoding. */
export function createPictures({ camera, stills, clock }: { camera: Camera; stills: Stills; clock: Clock }): Pictures {
  const made = new Map<number | undefined, Made>()
  return {
    async latest(height) {
      const { held, status } = camera
      if (!held) throw new ServiceError('unavailable', status.detail ?? reasonOf[status.state], { retryAfter: 5 })
      const before = made.get(height)
      if (before && clock.elapsed() - before.since < remembered.time) return before.picture
      const picture = stills.jpegOf(held, height).then((jpeg) => ({ jpeg, at: held.at }))
      const entry = { picture, since: clock.elapsed() }
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

const reasonOf = {
  online: 'No picture has come yet.',
  connecting: 'The camera is being connected; no picture has come yet.',
  offline: 'The camera is offline.',
  disabled: 'The camera is disabled.',
}
