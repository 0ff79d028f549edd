import type { CameraSource } from '../shared/camera/camera-source.ts'
import type { Random } from '../shared/random.ts'
import type { ReadMode } from '../media/ffmpeg/analysis.ts'
import { createBroadcaster, type Broadcaster } from '../media/live/broadcaster.ts'
import type { Held } from '../media/live/retained-stream-state.ts'
import type { Viewer } from '../media/live/viewers.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import { streamProblem } from '../media/ffmpeg/reason.ts'
import type { SourceDeps } from '../media/ffmpeg/source.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { waitAfter, type Backoff } from '../shared/rate/backoff.ts'
import { startCameraChild, type CameraChild } from './camera-child.ts'
import {
  idle,
  step,
  type CameraEffect,
  type CameraEvent,
  type CameraStatus,
  type SupervisorState,
} from './camera-state.ts'
import { liveNotice } from './live-notice.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface CameraTimes {
  /** Milliseconds of silence after which a camera is offline. */
  readonly stallAfter: number
  /** Milliseconds without a first key frame after which a camera is offline. */
  readonly keyFrameAfter: number
  readonly backoff: Backoff
}

export interface CameraDeps extends Runtime {
  readonly name: string
  /** undefined if ffmpeg is not installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir'>
  /** Consumers that always receive the live stream. */
  readonly consumers: readonly StreamConsumer[]
  readonly times: CameraTimes
  readonly random: Random
  readonly onChange?: (status: CameraStatus) => void
}

const stateMessages = {
  disabled: 'camera disabled',
  connecting: 'camera connecting',
  online: 'camera online',
} as const

/** Counters of a camera since it was added. */
export interface CameraCounts {
  /** Unix milliseconds of the last state change. */
  readonly since: number
  /** Number of times its child was restarted. */
  readonly restarts: number
  /** Bytes of live video received. */
  readonly bytes: number
  /** Process id of its child; undefined without a child. */
  readonly pid: number | undefined
}

export interface Camera {
  readonly status: CameraStatus
  readonly counts: CameraCounts
  readonly viewers: number
  /** Sends the stream to the viewers: of the source, or another one while the source is elsewhere. */
  readonly broadcaster: Broadcaster
  /** The newest key frame of the current source, online or not. */
  readonly frame: Frame | undefined
  /** @param audio false: without audio (GRANT-2) */
  watch(viewer: Viewer, audio: boolean): void
  /** Subscribes to the live stream. @returns a function that unsubscribes */
  follow(consumer: StreamConsumer): () => void
  /**
   * Switches to this source; undefined: no source. Viewers stay.
   *
   * @returns once the old child has exited
   */
  show(source: ShownSource): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

/** `elsewhere`: the camera is not pulled by this instance. */
export type ShownSource = CameraSource | 'elsewhere' | undefined

/** One source, from `show` until the next `show` or `stop`. */
interface Connection {
  readonly source: CameraSource | undefined
  readonly abort: AbortController
  /** Settles once no child of this connection, or of one before it, is running. */
  work: Promise<void>
}

/** Keeps one child reading one camera. The decisions are in `camera-state.ts`; this carries them out. */
export function createCamera(deps: CameraDeps): Camera {
  const { name, ffmpeg, times, clock, log } = deps
  const broadcaster = createBroadcaster(deps.consumers)
  const counts = { since: clock.now(), restarts: 0, bytes: 0 }
  let state: SupervisorState = idle
  let child: CameraChild | undefined
  /** The last frame of a stream that has ended. */
  let last: Frame | undefined
  let connection: Connection | undefined

  const dispatch = (event: CameraEvent): void => {
    const before = state.status.state
    const { state: next, effects } = step(state, event, clock.elapsed(), times.backoff.first * 5)
    state = next
    if (before !== next.status.state) counts.since = clock.now()
    for (const effect of effects) carryOut(effect)
  }
  const carryOut = (effect: CameraEffect): void => {
    switch (effect.kind) {
      case 'keep-last-frame':
        last = frameOf(broadcaster.held) ?? last
        return
      case 'report-status':
        return report(effect.status)
      case 'publish-status':
        return deps.onChange?.(effect.status)
      case 'connect':
        return connect(effect.mode)
      case 'log-mode':
        return log.debug({ camera: name, ...effect.mode }, 'camera read in another mode')
      case 'stop-child':
        return child?.stop()
      case 'wait-for-retry':
        return waitForRetry(effect.failures)
    }
  }

  const notice = (): string => liveNotice(state.status)
  const report = (status: CameraStatus): void => {
    if (status.state !== 'online') broadcaster.end(notice())
    const fields = { camera: name, ...(status.problem && { reason: status.problem.message }) }
    if (status.state === 'offline') log.warn(fields, 'camera offline')
    else log.info(fields, stateMessages[status.state])
  }

  const connect = (mode: ReadMode): void => {
    if (connection) connection.work = attempt(connection, mode)
  }
  const attempt = async ({ source, abort: { signal }, work }: Connection, mode: ReadMode): Promise<void> => {
    await work
    if (!source || signal.aborted) return
    const onEvent = (event: CameraEvent): void => {
      if (!signal.aborted) dispatch(event)
    }
    if (!ffmpeg) return onEvent({ kind: 'source-refused', problem: streamProblem('ffmpeg-missing') })
    const started = await startCameraChild(source, mode, signal, {
      camera: name,
      ffmpeg,
      source: deps.source,
      broadcaster,
      stallAfter: times.stallAfter,
      keyFrameAfter: times.keyFrameAfter,
      clock,
      log,
      onEvent,
      onBytes: (received) => void (counts.bytes += received),
    })
    if (!started) return
    child = started
    const exited = await started.exited
    child = undefined
    onEvent(exited)
  }
  const waitForRetry = (failures: number): void => {
    if (!connection) return
    const { signal } = connection.abort
    const due = (): void => {
      if (signal.aborted) return
      counts.restarts += 1
      dispatch({ kind: 'retry-due' })
    }
    void clock.sleep(waitAfter(failures, times.backoff, deps.random), signal).then(due)
  }

  return {
    get status() {
      return state.status
    },
    get counts() {
      return { ...counts, pid: child?.pid }
    },
    broadcaster,
    get viewers() {
      return broadcaster.viewers
    },
    get frame() {
      return (state.status.state === 'online' ? frameOf(broadcaster.held) : undefined) ?? last
    },
    watch: (viewer, audio) => broadcaster.join(viewer, notice(), audio),
    follow: broadcaster.follow,
    async show(source) {
      const before = connection?.work ?? Promise.resolve()
      connection?.abort.abort()
      const own = source === 'elsewhere' ? undefined : source
      connection = { source: own, abort: new AbortController(), work: before }
      if (source === 'elsewhere') dispatch({ kind: 'source-elsewhere' })
      else dispatch({ kind: own ? 'source-set' : 'source-removed' })
      last = undefined
      await before
    },
    async stop() {
      connection?.abort.abort()
      await connection?.work
      broadcaster.close(1001, 'The camera is gone.')
    },
  }
}

const frameOf = (held: Held | undefined): Frame | undefined =>
  held && { mp4: [held.init.data, held.key.data], at: held.at }
