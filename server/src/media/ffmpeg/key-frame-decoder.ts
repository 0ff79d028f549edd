import { PassThrough } from 'node:stream'
import { waitAfter, type Backoff } from '../../shared/rate/backoff.ts'
import { instantOf, type Clock } from '../../shared/time/clock.ts'
import type { Random } from '../../shared/random.ts'
import { startFfmpeg, type FfmpegChild } from './ffmpeg-child.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import { step, withoutStream, type KeyFrameEffect, type KeyFrameEvent, type KeyFrameState } from './key-frame-state.ts'
import { reasonFrom, streamProblem, type StreamProblem } from './reason.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

/** What is made of each key frame. */
export interface KeyFrameOutput {
  /** ffmpeg's options for the decoder. */
  readonly decoder: readonly string[]
  /** ffmpeg's arguments from the decoded stream to standard output. */
  readonly encoder: readonly string[]
  /** Cuts the output into frames, regardless of chunk boundaries. */
  readonly splitter: (onFrame: (data: Uint8Array) => void) => (chunk: Buffer) => void
  /** Minimum seconds of the stream between two key frames that are decoded. */
  readonly minInterval: number
  /** Whether to run at low priority. */
  readonly nice: boolean
}

export interface DecodedFrame {
  /** Time of the frame, Unix milliseconds: when it arrived, without the jitter of the network. */
  readonly at: number
  /** The arrival time with which it was given to the decoder, Unix milliseconds. */
  readonly arrivedAt: number
  readonly data: Uint8Array
}

export interface KeyFrameDecoderDeps {
  readonly ffmpeg: string
  readonly output: KeyFrameOutput
  readonly onFrame: (frame: DecodedFrame) => void
  /** Called with the reason when decoding fails, and with undefined when it works again. */
  readonly onTrouble: (problem: StreamProblem | undefined) => void
  readonly clock: Clock
  readonly random: Random
  readonly backoff: Backoff
}

export interface KeyFrameDecoder extends StreamConsumer {
  /** @returns whether the child got the fragment; false if it is busy or fails */
  fragment(fragment: Fragment, arrivedAt: number): boolean
  /** Seconds between the last key frames of the stream; undefined before the second. */
  readonly interval: number | undefined
  /** @returns once no child is running. */
  stop(): Promise<void>
}

interface Running {
  readonly id: number
  readonly child: FfmpegChild
  /** Standard input of the decoder. */
  readonly feed: PassThrough
}

/**
 * Images of the key frames of a live stream, by a separate decoder that runs as long as the stream.
 *
 * The decoder gets one key frame at a time from the live view, and the next only after the previous one is decoded. So
 * a decoder that fails, stalls or gets no CPU time never delays the stream, and each result belongs to a known
 * key frame. The decisions are in `key-frame-state.ts`; this carries them out.
 */
export function createKeyFrameDecoder(deps: KeyFrameDecoderDeps): KeyFrameDecoder {
  const { ffmpeg, output, clock } = deps
  let state: KeyFrameState = withoutStream
  let running: Running | undefined
  let leaving: Promise<void> = Promise.resolve()

  const dispatch = (event: KeyFrameEvent): readonly KeyFrameEffect[] => {
    const { state: next, effects } = step(state, event, instantOf(clock), output.minInterval)
    state = next
    for (const effect of effects) carryOut(effect)
    return effects
  }
  const carryOut = (effect: KeyFrameEffect): void => {
    switch (effect.kind) {
      case 'start-decoder':
        return start(effect.decoder, effect.init)
      case 'feed-decoder':
        return void running?.feed.write(effect.data)
      case 'stop-decoder':
        return stop()
      case 'abandon-decoder': {
        const hasComplained = running?.child.stderrText(/\S/) ?? false
        stop()
        return void dispatch({ kind: 'decoder-abandoned', hasComplained, wait: nextWait() })
      }
      case 'emit-frame':
        return deps.onFrame({ at: effect.at, arrivedAt: effect.arrivedAt, data: effect.data })
      case 'report-problem':
        return deps.onTrouble(effect.problem)
    }
  }
  const nextWait = (): number => waitAfter(state.failures + 1, deps.backoff, deps.random)

  const start = (id: number, init: InitSegment): void => {
    const feed = new PassThrough()
    // The end of the decoder reports a broken pipe.
    feed.on('error', () => {})
    const child = startDecoder(ffmpeg, output, feed)
    running = { id, child, feed }
    const split = output.splitter((data) => dispatch({ kind: 'frame-decoded', decoder: id, data }))
    child.outputs[0]?.on('data', split)
    void notifyExit(id, child)
    feed.write(init.data)
  }
  const notifyExit = async (id: number, child: FfmpegChild): Promise<void> => {
    const { lines } = await child.ended
    if (running?.id !== id) return
    running = undefined
    const problem = reasonFrom(lines) ?? streamProblem('unreadable-video')
    dispatch({ kind: 'decoder-exited', decoder: id, problem, wait: nextWait() })
  }
  const stop = (): void => {
    if (!running) return
    running.feed.destroy()
    leaving = Promise.all([leaving, running.child.stop()]).then(() => undefined)
    running = undefined
  }

  return {
    get interval() {
      return state.interval
    },
    begin: (init) => void dispatch({ kind: 'stream-began', init }),
    fragment: (fragment, arrivedAt) =>
      dispatch({ kind: 'fragment-arrived', fragment, arrivedAt }).some(({ kind }) => kind === 'feed-decoder'),
    end: () => void dispatch({ kind: 'stream-ended' }),
    async stop() {
      dispatch({ kind: 'stream-ended' })
      await leaving
    },
  }
}

const startDecoder = (ffmpeg: string, { decoder, encoder, nice }: KeyFrameOutput, input: PassThrough): FfmpegChild =>
  startFfmpeg({
    program: ffmpeg,
    input,
    nice,
    args: [
      // Output must start with the first frame: the init segment describes the stream.
      [...decoder, '-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
      ['-protocol_whitelist', 'pipe', '-f', 'mp4', '-i', 'pipe:0'],
      encoder,
    ].flat(),
  })
