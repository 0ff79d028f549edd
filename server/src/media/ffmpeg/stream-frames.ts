import { waitAfter } from '../../shared/rate/backoff.ts'
import type { CameraSource } from '../../shared/camera/camera-source.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { Analysis } from './analysis.ts'
import { couldFindMore } from './could-find-more.ts'
import { startFfmpeg } from './ffmpeg-child.ts'
import { StreamError } from './output.ts'
import { createStallWatchdog } from '../stall-watchdog.ts'
import { reasonFrom, streamProblem, type StreamProblem } from './reason.ts'
import { explainedLogin } from './rtsp-login.ts'
import {
  createFrameSplitter,
  minInterval,
  plainDecoder,
  grayFrameArgs,
  type GrayFrameDecoderDeps,
} from './gray-frames.ts'
import { ffmpegInputArgs, maskOf, type SourceInput, type SourceDeps } from './source.ts'

export interface StreamFramesDeps extends Omit<GrayFrameDecoderDeps, 'clock'>, Runtime {
  readonly camera: string
  readonly from: CameraSource
  readonly source: Pick<SourceDeps, 'mediaDir'>
  /** Milliseconds of silence after which the stream is reopened. */
  readonly stallAfter: number
}

const spaced = `select='isnan(prev_selected_t)+gte(abs(t-prev_selected_t),${minInterval})'`
const unreadable = streamProblem('unreadable-source')

/** Small frames of a separate, completely decoded stream, which is reopened whenever it ends. */
export function startStreamFrames(deps: StreamFramesDeps): { stop(): Promise<void> } {
  const { ffmpeg, size, clock, random, stallAfter, log, camera } = deps
  const ending = new AbortController()
  const { signal } = ending

  let analysis: Analysis = 'quick'
  /** @returns why the stream ended, and whether frames had arrived; undefined: with a longer analysis, they may */
  const attempt = async (): Promise<{ problem: StreamProblem; shown: boolean } | undefined> => {
    let input: SourceInput
    try {
      const timeout = stallAfter * 1.2
      input = await ffmpegInputArgs(deps.from, { ...deps.source, timeout, audio: 'none', analysis, signal })
    } catch (error) {
      return { problem: error instanceof StreamError ? error.problem : unreadable, shown: false }
    }
    if (signal.aborted) {
      input.close()
      return undefined
    }
    let shown = false
    let silent = false
    const child = startFfmpeg({
      program: ffmpeg,
      nice: true,
      ...(input.input && { input: input.input }),
      ...(input.env && { env: input.env }),
      args: [...plainDecoder, ...input.args, ...grayFrameArgs(size, spaced)],
      mask: maskOf(deps.from),
    })
    const timeout = createStallWatchdog(stallAfter, () => {
      silent = true
      void child.stop()
    })
    const cut = createFrameSplitter(size.width * size.height, (pixels) => {
      timeout.reset()
      if (signal.aborted) return
      if (!shown) deps.onTrouble(undefined)
      shown = true
      // A frame arrives when it is taken, except for the network delay.
      deps.onFrame({ at: Math.round(clock.now()), pixels })
    })
    child.outputs[0]?.on('data', cut)
    const onAbort = (): void => void child.stop()
    signal.addEventListener('abort', onAbort)
    const ended = await child.ended
    input.close()
    timeout.end()
    signal.removeEventListener('abort', onAbort)
    log.debug({ camera, lines: ended.lines }, 'motion detection stream ended')
    if (!shown && !silent && couldFindMore(input, ended)) {
      analysis = 'thorough'
      return undefined
    }
    const seconds = Math.round(stallAfter / 1000)
    const known = input.problem() ?? (silent ? streamProblem('no-data', { seconds }) : reasonFrom(ended.lines))
    const problem = await explainedLogin(deps.from, known, signal)
    return { problem: problem ?? (shown ? streamProblem('stream-ended') : unreadable), shown }
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const result = await attempt()
      if (signal.aborted) return
      if (!result) continue
      // A thorough analysis delays each connection: it is only kept if it shows video.
      if (!result.shown) analysis = 'quick'
      failures = result.shown ? 1 : failures + 1
      deps.onTrouble(result.problem)
      await clock.sleep(waitAfter(failures, deps.backoff, random), signal)
    }
  }
  const done = run()
  return {
    async stop() {
      ending.abort()
      await done
    },
  }
}
