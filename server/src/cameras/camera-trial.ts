import { ServiceError } from '../shared/errors.ts'
import { parseCameraSource } from '../shared/camera-source.ts'
import { reasonShown, type ReasonShown } from '../shared/shown.ts'
import { noPictureWithin } from '../media/reason.ts'
import type { Stills } from '../media/still.ts'
import type { Camera } from './camera.ts'

/** What trying a source gave. */
export type TrialResult =
  | {
      readonly ok: true
      readonly codec: string
      readonly resolution: string
      readonly fps: number | null
      /** A JPEG as a `data:` address. */
      readonly picture: string
    }
  | { readonly ok: false; readonly detail: string; readonly reason: ReasonShown }

export interface Trial {
  try(source: string): Promise<TrialResult>
}

/** Milliseconds a trial may take, trials at once, and pixels of the picture's height. */
const limits = { time: 10_000, atOnce: 2, height: 360 }

export interface TrialParts {
  readonly cameraNamed: () => Camera
  readonly mediaDir: string
  readonly stills: Stills
}

/** Tries a source as a camera would read it, without making one. */
export function createTrial({ cameraNamed, mediaDir, stills }: TrialParts): Trial {
  let running = 0
  return {
    async try(source) {
      const parsed = parseCameraSource(source, mediaDir)
      if ('problem' in parsed) {
        const problems = [{ field: 'source', ...parsed.problem }]
        throw new ServiceError('invalid', `source ${parsed.problem.message}.`, { problems })
      }
      if (running >= limits.atOnce) {
        throw new ServiceError('busy', 'Other sources are being tried.', { reason: 'many-trials', retryAfter: 10 })
      }
      running++
      const camera = cameraNamed()
      try {
        await camera.show(parsed)
        await settled(camera)
        const { status, frame } = camera
        const { codec, resolution, fps } = status
        if (!frame || codec === null || resolution === null) {
          const problem = status.problem ?? noPictureWithin(limits.time / 1000)
          return { ok: false, detail: problem.message, reason: reasonShown(problem) }
        }
        const jpeg = await stills.jpegOf(frame, limits.height)
        return { ok: true, codec, resolution, fps, picture: `data:image/jpeg;base64,${jpeg.toString('base64')}` }
      } finally {
        running--
        await camera.stop()
      }
    },
  }
}

/** Waits until it failed, or shows pictures of which the pace is known, or time is up. */
function settled(camera: Camera): Promise<void> {
  return new Promise((resolve) => {
    const started = performance.now()
    const look = setInterval(() => {
      const { state, fps } = camera.status
      const waited = performance.now() - started
      if (state === 'offline' || (state === 'online' && fps !== null) || waited >= limits.time) {
        clearInterval(look)
        resolve()
      }
    }, 50)
  })
}
