import type { CameraSource } from '../shared/camera/camera-source.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Log } from '../shared/log.ts'
import { analysisTooShort, unknownAudio, type ReadMode } from '../media/ffmpeg/analysis.ts'
import { audioFailedIn, brokenAudio, isUncopyableIn } from '../media/ffmpeg/audio.ts'
import type { Broadcaster } from '../media/live/broadcaster.ts'
import { couldFindMore } from '../media/ffmpeg/could-find-more.ts'
import { startFfmpeg, type Ending } from '../media/ffmpeg/ffmpeg-child.ts'
import { liveOutputs } from '../media/live/live-output.ts'
import { AudioError, StreamError } from '../media/ffmpeg/output.ts'
import { reasonFrom, streamProblem, type StreamProblem } from '../media/ffmpeg/reason.ts'
import { explainedLogin } from '../media/ffmpeg/rtsp-login.ts'
import { ffmpegInputArgs, maskOf, type SourceDeps, type SourceInput } from '../media/ffmpeg/source.ts'
import { createStallWatchdog, type StallWatchdog } from '../media/stall-watchdog.ts'
import type { CameraEvent, ChildOutput } from './camera-state.ts'

export interface CameraChildDeps {
  readonly camera: string
  readonly ffmpeg: string
  readonly source: Pick<SourceDeps, 'mediaDir'>
  readonly broadcaster: Broadcaster
  /** Milliseconds of silence after which the stream has failed. */
  readonly stallAfter: number
  /** Milliseconds without a first key frame after which the stream has failed. */
  readonly keyFrameAfter: number
  readonly clock: Clock
  readonly log: Log
  readonly onEvent: (event: CameraEvent) => void
  readonly onBytes: (bytes: number) => void
}

export type ChildExited = Extract<CameraEvent, { kind: 'child-exited' }>

/** A child that reads a camera's source. */
export interface CameraChild {
  readonly pid: number | undefined
  /** Ignores the child's further output, and ends the child. */
  stop(): void
  /** Settles once the child has exited. */
  readonly exited: Promise<ChildExited>
}

/**
 * Opens a source and starts a child that reads it.
 *
 * @param signal once aborted, the child is ended, and nothing more is passed on
 * @returns undefined if the source cannot be opened, after the event `source-refused`, or if the signal was aborted
 */
export async function startCameraChild(
  source: CameraSource,
  mode: ReadMode,
  signal: AbortSignal,
  deps: CameraChildDeps,
): Promise<CameraChild | undefined> {
  const timeout = deps.stallAfter * 1.2
  let input: SourceInput
  try {
    input = await ffmpegInputArgs(source, { ...deps.source, ...mode, timeout, signal })
  } catch (error) {
    const problem = error instanceof StreamError ? error.problem : streamProblem('unreadable-source')
    deps.onEvent({ kind: 'source-refused', problem })
    return undefined
  }
  if (signal.aborted) {
    input.close()
    return undefined
  }
  return readInput(input, source, signal, deps)
}

function readInput(
  input: SourceInput,
  source: CameraSource,
  signal: AbortSignal,
  { camera, ffmpeg, broadcaster, stallAfter, keyFrameAfter, clock, log, onEvent, onBytes }: CameraChildDeps,
): CameraChild {
  const { audio } = input
  let isStopped = false
  const fail = (problem: StreamProblem): void => onEvent({ kind: 'stream-failed', problem })
  const watchdog = createStallWatchdog(stallAfter, () =>
    fail(input.problem() ?? streamProblem('no-data', { seconds: Math.round(stallAfter / 1000) })),
  )
  const keyFrameWatchdog = createStallWatchdog(keyFrameAfter, () =>
    fail(streamProblem('no-frame', { seconds: Math.round(keyFrameAfter / 1000) })),
  )
  const audioWatchdog = createAudioWatchdog(stallAfter / 4, () => onEvent({ kind: 'audio-unknown' }))
  const live = liveOutputs({
    broadcaster,
    clock,
    mode: audio,
    isFirstTimeUnknown: input.isFirstTimeUnknown,
    onFrame(isKey) {
      watchdog.reset()
      if (isKey) keyFrameWatchdog.end()
    },
    onStream(facts) {
      audioWatchdog.end()
      onEvent({ kind: 'video-arrived', facts })
    },
  })
  const outputs = audio === 'none' ? [live.video] : [live.video, live.audio]
  const child = startFfmpeg({
    program: ffmpeg,
    args: [...input.args, ...outputs.flatMap((output, i) => output.args(`pipe:${i === 0 ? 1 : i + 2}`, audio))],
    extraPipes: outputs.length - 1,
    ...(input.input && { input: input.input }),
    ...(input.env && { env: input.env }),
    mask: maskOf(source),
    onErrorOutput() {
      if (isStopped) return
      if (input.isQuick && child.stderrText(analysisTooShort(audio))) onEvent({ kind: 'analysis-too-short', audio })
      else if (audio === 'aac' && child.stderrText(unknownAudio)) audioWatchdog.begin()
    },
  })
  const sinks = outputs.map((output) => output.open())
  for (const [i, sink] of sinks.entries()) {
    child.outputs[i]?.on('data', (chunk: Buffer) => {
      if (i === 0) onBytes(chunk.length)
      if (isStopped) return
      try {
        // A player that fails on the audio shows no video either; ffmpeg decodes whatever it can.
        if (audio === 'copy' && child.stderrText(brokenAudio)) throw new AudioError('The audio is broken.')
        sink.write(chunk)
      } catch (error) {
        if (error instanceof AudioError) onEvent({ kind: 'audio-refused', audio })
        else fail(error instanceof StreamError ? error.problem : streamProblem('unreadable-video'))
      }
    })
  }
  const stop = (): void => {
    isStopped = true
    void child.stop()
  }
  signal.addEventListener('abort', stop)
  const cleanUp = (): void => {
    input.close()
    watchdog.end()
    keyFrameWatchdog.end()
    audioWatchdog.end()
    signal.removeEventListener('abort', stop)
    for (const sink of sinks) sink.end()
  }
  const exited = child.ended.then(async ({ code, signal: by, lines }): Promise<ChildExited> => {
    cleanUp()
    log.debug({ camera, exit_code: code, signal: by, lines }, 'ffmpeg ended')
    const problem = await explainedLogin(source, input.problem() ?? reasonFrom(lines), signal)
    return { kind: 'child-exited', problem, ...outputOf(input, { signal: by, lines }) }
  })
  return { pid: child.pid, stop, exited }
}

const outputOf = (input: SourceInput, ended: Pick<Ending, 'signal' | 'lines'>): ChildOutput => ({
  audio: input.audio,
  audioFailed: audioFailedIn(ended.lines),
  audioUncopyable: isUncopyableIn(ended.lines),
  couldFindMore: couldFindMore(input, ended),
})

/**
 * Waits for video once an audio stream is unknown. If it's another one than that in the output, video is shown.
 *
 * Only a shown key frame ends the wait: ffmpeg also sends frames while it waits for audio, so a camera whose next key frame
 * is later can't be told apart, and its audio is left out.
 *
 * @param milliseconds without video after which the audio can't be used
 */
function createAudioWatchdog(milliseconds: number, onSilence: () => void): { begin(): void; end(): void } {
  let watchdog: StallWatchdog | undefined
  let isOver = false
  return {
    begin() {
      if (!isOver) watchdog ??= createStallWatchdog(milliseconds, onSilence)
    },
    end() {
      isOver = true
      watchdog?.end()
    },
  }
}
