import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraSource } from '../shared/camera-source.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { createBroadcaster, type Held, type Viewer } from '../media/live/broadcaster.ts'
import { startFfmpeg, type FfmpegChild } from '../media/ffmpeg/ffmpeg-child.ts'
import { liveOutputs } from '../media/live/live-output.ts'
import { StreamError, SoundRefusal, type Output } from '../media/ffmpeg/output.ts'
import { createStallWatchdog } from '../media/stall-watchdog.ts'
import { reasonFrom, silentFor, streamProblem, type StreamProblem } from '../media/ffmpeg/reason.ts'
import { afterwards, soundBroken, soundFailed, type SoundMode } from '../media/ffmpeg/audio.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { ffmpegInputArgs, maskOf, type SourceInput, type SourceDeps } from '../media/ffmpeg/source.ts'
import { waitAfter, type Backoff } from '../shared/backoff.ts'
import { reasonFields, type CameraResponse } from './camera-response.ts'

/** `connecting`: no response yet since the source was set. `offline`: with a reason; the connection is retried. */
export type CameraState = 'online' | 'connecting' | 'offline' | 'disabled'

export interface CameraStatus {
  readonly state: CameraState
  /** Why the camera is not online, for every user of the camera: never contains part of the URL. */
  readonly problem?: StreamProblem
  /** `1280x720`. */
  readonly resolution: string | null
  /** Frames per second. */
  readonly fps: number | null
  readonly codec: string | null
}

export interface CameraTimes {
  /** Milliseconds of silence after which a camera is offline. */
  readonly stallAfter: number
  readonly backoff: Backoff
}

export interface CameraDeps {
  readonly name: string
  /** undefined if ffmpeg is not installed. */
  readonly ffmpeg: string | undefined
  readonly source: Pick<SourceDeps, 'mediaDir' | 'demo'>
  /** Other outputs that ffmpeg makes of the stream. */
  readonly outputs: readonly Output[]
  /** Consumers that always receive the live stream. */
  readonly taps: readonly StreamConsumer[]
  readonly times: CameraTimes
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onChange?: (status: CameraStatus) => void
}

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
  /** The newest key frame of the current source, online or not. */
  readonly frame: Frame | undefined
  watch(viewer: Viewer): void
  /** Subscribes to the live stream. @returns a function that unsubscribes */
  follow(tap: StreamConsumer): () => void
  /** Switches to this source; undefined: no source. Viewers stay. @returns once the old child has exited. */
  show(source: CameraSource | undefined): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

interface Attempt {
  readonly reason: StreamProblem
  /** Whether frames had arrived for a while. */
  readonly shown: boolean
  /** Whether another audio mode may work better. */
  readonly soundFailed?: boolean
}

/** Sent to viewers while there is no video. */
export type LiveNotice = Pick<CameraResponse, 'state' | 'detail' | 'reason'>

const nothingKnown = { resolution: null, fps: null, codec: null }

/** Keeps one child reading one camera, and restarts it whenever it ends. */
export function createCamera(deps: CameraDeps): Camera {
  const { name, ffmpeg, outputs, times, clock, random, log } = deps
  const fanOut = createBroadcaster(deps.taps)
  let status: CameraStatus = { state: 'disabled', ...nothingKnown }
  let since = clock.now()
  let restarts = 0
  let bytes = 0
  let pid: number | undefined
  /** The last frame of a stream that has ended. */
  let last: Frame | undefined
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined

  const become = (next: CameraStatus): void => {
    const before = status
    status = next
    if (before.state === 'online' && next.state !== 'online') last = frameOf(fanOut.held) ?? last
    if (before.state !== next.state) since = clock.now()
    const same = before.state === next.state && before.problem?.message === next.problem?.message
    if (next.state !== 'online' && !same) fanOut.end(notice())
    if (!same) {
      const fields = { camera: name, state: next.state, ...(next.problem && { detail: next.problem.message }) }
      if (next.state === 'offline') log.warn(fields, 'camera')
      else log.info(fields, 'camera')
    }
    deps.onChange?.(status)
  }
  const notice = (): string => JSON.stringify({ state: status.state, ...reasonFields(status) } satisfies LiveNotice)

  /** Reads the source until the stream ends. */
  const attempt = async (source: CameraSource, sound: SoundMode, signal: AbortSignal): Promise<Attempt> => {
    if (!ffmpeg) return { reason: streamProblem('ffmpeg-missing'), shown: false }
    let input: SourceInput
    try {
      input = await ffmpegInputArgs(source, { ...deps.source, timeout: times.stallAfter * 1.2, sound, signal })
    } catch (error) {
      return { reason: error instanceof StreamError ? error.problem : unread, shown: false }
    }
    if (signal.aborted) {
      input.close()
      return { reason: unread, shown: false }
    }

    let reason: StreamProblem | undefined
    let shownAt: number | undefined
    let soundRefused = false
    let child: FfmpegChild | undefined = undefined
    const stop = (why: StreamProblem): void => {
      reason ??= why
      // The reason applies from now on, however long the child takes to exit.
      if (!signal.aborted) become({ state: 'offline', problem: reason, ...nothingKnown })
      void child?.stop()
    }
    const seconds = Math.round(times.stallAfter / 1000)
    const timeout = createStallWatchdog(times.stallAfter, () => stop(input.problem() ?? silentFor(seconds)))
    const live = liveOutputs({
      fanOut,
      clock,
      mode: sound,
      onPicture: timeout.reset,
      onStream: (found) => {
        if (signal.aborted || reason !== undefined) return
        shownAt ??= clock.elapsed()
        become({ state: 'online', ...found })
      },
    })
    const views = sound === 'none' ? [live.picture] : [live.picture, live.sound]
    const all = [...views, ...outputs]
    const pipes = all.map((_, i) => `pipe:${i === 0 ? 1 : i + 2}`)
    child = startFfmpeg({
      program: ffmpeg,
      args: [...input.args, ...all.flatMap((output, i) => output.args(pipes[i]!, sound))],
      extraPipes: all.length - 1,
      ...(input.input && { input: input.input }),
      ...(input.env && { env: input.env }),
      // Time to finish writing to disk; the live view needs none.
      ...(outputs.length > 0 && { grace: 1500 }),
      mask: maskOf(source),
    })
    pid = child.pid
    const sinks = all.map((output) => output.open())
    for (const [i, sink] of sinks.entries()) {
      child.outputs[i]?.on('data', (chunk: Buffer) => {
        if (i === 0) bytes += chunk.length
        // The live view ends with the reason; a recording is written to its end.
        if (i < views.length && (reason !== undefined || soundRefused)) return
        try {
          // A player that fails on the audio shows no video either; ffmpeg decodes whatever it can.
          if (sound === 'copy' && child?.stderrText(soundBroken)) throw new SoundRefusal('The sound is broken.')
          sink.write(chunk)
        } catch (error) {
          if (error instanceof SoundRefusal) {
            soundRefused = true
            void child?.stop()
            return
          }
          stop(error instanceof StreamError ? error.problem : streamProblem('unreadable-video'))
        }
      })
    }
    const onAbort = (): void => stop(unread)
    signal.addEventListener('abort', onAbort)
    const ending = await child.ended
    input.close()
    pid = undefined
    timeout.end()
    signal.removeEventListener('abort', onAbort)
    for (const sink of sinks) sink.end()
    log.debug({ camera: name, code: ending.code, signal: ending.signal, lines: ending.lines }, 'ffmpeg ended')
    if (reason === undefined && sound !== 'none' && (soundRefused || soundFailed(ending.lines))) {
      return { reason: unread, shown: false, soundFailed: true }
    }
    const why =
      reason ?? input.problem() ?? reasonFrom(ending.lines) ?? (shownAt ? streamProblem('stream-ended') : unread)
    return { reason: why, shown: shownAt !== undefined && clock.elapsed() - shownAt > times.backoff.first * 5 }
  }

  const run = async (source: CameraSource, signal: AbortSignal): Promise<void> => {
    let failures = 0
    let sound: SoundMode = 'copy'
    while (!signal.aborted) {
      const { reason, shown, soundFailed: failed } = await attempt(source, sound, signal)
      if (signal.aborted) return
      if (failed) {
        sound = afterwards(sound)
        log.debug({ camera: name, sound }, 'audio mode changed')
        continue
      }
      // A camera that reconnects may have audio that it did not have before.
      if (shown && sound === 'none') sound = 'copy'
      failures = shown ? 1 : failures + 1
      become({ state: 'offline', problem: reason, ...nothingKnown })
      await sleep(waitAfter(failures, times.backoff, random), undefined, { signal }).catch(() => {})
      if (!signal.aborted) restarts += 1
    }
  }

  const halt = async (): Promise<void> => {
    running?.abort.abort()
    await running?.done
  }

  return {
    get status() {
      return status
    },
    get counts() {
      return { since, restarts, bytes, pid }
    },
    get viewers() {
      return fanOut.viewers
    },
    get frame() {
      return (status.state === 'online' ? frameOf(fanOut.held) : undefined) ?? last
    },
    watch: (viewer) => fanOut.join(viewer, notice()),
    follow: fanOut.follow,
    async show(source) {
      const before = running
      before?.abort.abort()
      become({ state: source ? 'connecting' : 'disabled', ...nothingKnown })
      last = undefined
      const abort = new AbortController()
      const done = (async () => {
        await before?.done
        if (source && !abort.signal.aborted) await run(source, abort.signal)
      })()
      running = { abort, done }
      await before?.done
    },
    async stop() {
      await halt()
      fanOut.close(1001, 'The camera is gone.')
    },
  }
}

const frameOf = (held: Held | undefined): Frame | undefined =>
  held && { mp4: [held.init.data, held.key.data], at: held.at }

const unread = streamProblem('unreadable-source')
