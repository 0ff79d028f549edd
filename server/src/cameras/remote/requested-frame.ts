import type { Frame } from '../../media/ffmpeg/jpeg-encoder.ts'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import { FrameError, readMessages } from '../../shared/cluster/message-frames.ts'
import { framePath } from './live.inner-routes.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface FrameRequestDeps {
  readonly client: InnerClient
  readonly clock: Clock & Timers
  /** Milliseconds without any byte after which the connection has failed. */
  readonly silence: number
}

/** Milliseconds for which one requested frame is reused. */
const reused = 1_000

/**
 * Requests single frames of a camera from the instance that pulls it; callers at the same time share a request.
 *
 * @returns a function that returns undefined if the instance answers without a frame, and rejects if it can't be
 *   reached or its response breaks off
 */
export function createFrameRequests(
  deps: FrameRequestDeps,
): (instance: string, camera: CameraKey) => Promise<Frame | undefined> {
  let last: { readonly of: string; readonly at: number; readonly frame: Promise<Frame | undefined> } | undefined
  return (instance, camera) => {
    const of = `${instance} ${camera}`
    const now = deps.clock.elapsed()
    if (last?.of === of && now - last.at < reused) return last.frame
    last = { of, at: now, frame: requestFrame(deps, instance, camera) }
    return last.frame
  }
}

async function requestFrame(
  { client, clock, silence }: FrameRequestDeps,
  instance: string,
  camera: CameraKey,
): Promise<Frame | undefined> {
  const { status, body } = await client.request(instance, { path: framePath, ticket: { camera, action: 'snapshot' } })
  if (status !== 200) {
    body.destroy()
    return undefined
  }
  const parts: Buffer[] = []
  let at = 0
  await readMessages(
    body,
    (message) => {
      if (parts.length === 2) throw new FrameError('more than one frame')
      if (typeof message === 'string') at = Number(message)
      else parts.push(message)
    },
    { clock, silence },
  )
  if (parts.length < 2) throw new FrameError('no whole frame')
  return { mp4: parts, at }
}
