import { waitAfter } from '../../shared/rate/backoff.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { livePath } from './live.inner-routes.ts'
import { readStream, type StreamReceiver } from './read-stream.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface KeepReadingDeps extends Runtime {
  readonly client: InnerClient
  readonly random: Random
  /** Milliseconds without any byte after which the connection has failed. */
  readonly silence: number
}

export interface RemoteStream {
  readonly instance: string
  /** Key of the camera. */
  readonly camera: CameraKey
  readonly receiver: StreamReceiver
  /** The stream has ended, or can't be opened. It is tried again. */
  readonly onFailure: () => void
}

const retry = { first: 250, max: 4_000 }

/** Reads the live stream of a camera from the instance that pulls it, again and again, until the signal is aborted. */
export async function keepReading(stream: RemoteStream, signal: AbortSignal, deps: KeepReadingDeps): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const hadVideo = await readOnce(stream, signal, deps)
    if (signal.aborted) return
    stream.onFailure()
    failures = hadVideo ? 1 : failures + 1
    await deps.clock.sleep(waitAfter(failures, retry, deps.random), signal)
  }
}

/** @returns whether any video arrived */
async function readOnce(
  { instance, camera, receiver }: RemoteStream,
  signal: AbortSignal,
  { client, clock, log, silence }: KeepReadingDeps,
): Promise<boolean> {
  let hadVideo = false
  try {
    const ticket = { camera, action: 'live' } as const
    const { status, body } = await client.request(instance, { path: livePath, ticket, signal })
    if (status !== 200) {
      body.destroy()
      throw new Error(`status ${status}`)
    }
    const counting: StreamReceiver = {
      ...receiver,
      fragment(fragment) {
        hadVideo = true
        receiver.fragment(fragment)
      },
    }
    await readStream(body, counting, { clock, silence })
  } catch (err) {
    if (!signal.aborted) log.debug({ camera, instance, err }, 'stream of another instance failed')
  }
  return hadVideo
}
