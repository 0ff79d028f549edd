import type { Clock, Timers } from '../shared/time/clock.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { parseCameraSource } from '../shared/camera/camera-source.ts'
import { connectionTestTimeout } from '../shared/with-web/connection-test-timeout.ts'
import { reasonResponse, type ReasonResponse } from '../shared/http/message-schema.ts'
import { streamProblem } from '../media/ffmpeg/reason.ts'
import type { JpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import type { Camera } from './camera-supervisor.ts'
import type { CameraReasons } from './reasons.ts'

/** Result of a connection test. */
export type ConnectionTestResult =
  | {
      readonly ok: true
      readonly codec: string
      readonly resolution: string
      readonly fps: number | null
      /** A JPEG as a `data:` URL. */
      readonly snapshot: string
    }
  | { readonly ok: false; readonly detail: string; readonly reason: ReasonResponse }

export interface ConnectionTest {
  /**
   * @param signal cancels the test, and ends its child
   * @returns once no child is running; undefined: it was canceled
   */
  try(source: string, signal: AbortSignal): Promise<ConnectionTestResult | undefined>
}

/**
 * Milliseconds per test and after the first frame, concurrent tests, and height of the snapshot in pixels. A camera that
 * sends nothing is offline sooner; key frames can be this far apart.
 */
const limits = { time: connectionTestTimeout * 1000, rateTime: 2000, concurrency: 2, height: 360 }

export interface ConnectionTestDeps {
  readonly createCamera: () => Camera
  readonly mediaDir: string
  readonly jpegEncoder: JpegEncoder
  readonly clock: Clock & Timers
}

/** Tests a source as a camera would read it, without adding one. */
export function createConnectionTest({
  createCamera,
  mediaDir,
  jpegEncoder,
  clock,
}: ConnectionTestDeps): ConnectionTest {
  let running = 0
  return {
    async try(source, signal) {
      const parsed = parseCameraSource(source, mediaDir)
      if ('problem' in parsed) throw invalidField('source', parsed.problem)
      if (running >= limits.concurrency) {
        throw new ServiceError<CameraReasons>('busy', {
          reason: 'connection-test-busy',
          retryAfter: 10,
        })
      }
      running++
      const camera = createCamera()
      try {
        await camera.show(parsed)
        await settled(camera, signal, clock)
        if (signal.aborted) return undefined
        const { status, frame } = camera
        const { codec, resolution, fps } = status
        if (!frame || codec === null || resolution === null) {
          const problem = status.problem ?? streamProblem('no-frame', { seconds: connectionTestTimeout })
          return { ok: false, detail: problem.message, reason: reasonResponse(problem) }
        }
        const jpeg = await jpegEncoder.jpegOf(frame, limits.height)
        return { ok: true, codec, resolution, fps, snapshot: `data:image/jpeg;base64,${jpeg.toString('base64')}` }
      } finally {
        await camera.stop().finally(() => running--)
      }
    },
  }
}

/** Waits until the test fails or is canceled, the frame rate is known or takes too long, or time is up. */
function settled(camera: Camera, signal: AbortSignal, clock: Clock & Timers): Promise<void> {
  return new Promise((resolve) => {
    const started = clock.elapsed()
    let onlineSince: number | undefined
    const stopPolling = clock.every(50, () => {
      const { state, fps } = camera.status
      const now = clock.elapsed()
      if (state === 'online') onlineSince ??= now
      // It is reported with a later key frame, which can be long in coming.
      const isComplete = onlineSince !== undefined && (fps !== null || now - onlineSince >= limits.rateTime)
      if (signal.aborted || state === 'offline' || isComplete || now - started >= limits.time) {
        stopPolling()
        resolve()
      }
    })
  })
}
