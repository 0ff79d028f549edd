import { PassThrough } from 'node:stream'
import { waitAfter, type Backoff } from '../../shared/backoff.ts'
import { instantOf, type Clock } from '../../shared/clock.ts'
import type { Random } from '../../shared/random.ts'
import { startFfmpeg, type FfmpegChild } from './ffmpeg-child.ts'
import type { Fragment, InitSegment } from '../mp4/fmp4.ts'
import { reasonFrom, streamProblem, type StreamProblem } from './reason.ts'
import {
  createPictureCutter,
  plainDecoder,
  smallPictures,
  type GreyPicture,
  type PictureSize,
} from './small-pictures.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { hasJumped, hasStrayed, observe, settle, startWallTime, wallTimeOf, type WallTime } from '../wall-time.ts'

export interface PicturesDeps {
  readonly ffmpeg: string
  readonly size: PictureSize
  readonly onPicture: (picture: GreyPicture) => void
  /** Called with the reason when decoding fails, and with undefined when it works again. */
  readonly onTrouble: (problem: StreamProblem | undefined) => void
  readonly clock: Clock
  readonly random: Random
  readonly backoff: Backoff
}

export interface KeyFrameDecoder extends StreamConsumer {
  /** Seconds between the last key frames of the stream; undefined before the second. */
  readonly interval: number | undefined
  /** @returns once no child is running. */
  stop(): Promise<void>
}

const limits = {
  /** Minimum seconds of the stream between two frames: some cameras send only key frames. */
  pace: 0.4,
  /** Frames after a key frame that the decoder may need before it outputs that key frame, in a stream with B-frames. */
  extras: 8,
  /**
   * Milliseconds per frame. On a machine too busy for a decoder, starting another makes it worse: each time a decoder
   * times out without output, the timeout doubles, up to `max`.
   */
  timeout: { first: 8000, max: 64_000 },
  /** Milliseconds between two corrections of the stream's time. */
  settle: 10_000,
} as const

interface Running {
  readonly child: FfmpegChild
  /** Standard input of the decoder. */
  readonly feed: PassThrough
  /** The key frame being decoded; undefined while the decoder is idle. */
  requested: { readonly at: number; readonly since: number; extras: number } | undefined
}

/**
 * Small frames from the key frames of a live stream, by a separate decoder at low priority.
 *
 * The decoder gets one key frame at a time from the live view, and the next only after the previous one is decoded. So
 * a decoder that fails, stalls or gets no processor time never delays the stream, and each result belongs to a known
 * key frame.
 */
export function createKeyFrameDecoder(deps: PicturesDeps): KeyFrameDecoder {
  const { ffmpeg, size, clock, random } = deps
  let init: InitSegment | undefined
  let wall: WallTime = startWallTime(instantOf(clock))
  let settledAt = clock.elapsed()
  let running: Running | undefined
  let leaving: Promise<void> = Promise.resolve()
  /** Seconds of the stream. */
  let lastKey: number | undefined
  let lastAsked: number | undefined
  let interval: number | undefined
  let lastAt = 0
  let failures = 0
  let retryAt = 0
  let timeout: number = limits.timeout.first

  const fail = (problem: StreamProblem): void => {
    failures++
    retryAt = clock.elapsed() + waitAfter(failures, deps.backoff, random)
    deps.onTrouble(problem)
  }
  const drop = (): void => {
    const before = running
    running = undefined
    before?.feed.destroy()
    if (before) leaving = Promise.all([leaving, before.child.stop()]).then(() => undefined)
  }

  /** No output: the input is broken, which not every decoder reports, or the decoder had hardly any time. */
  const abort = (): void => {
    const complained = running?.child.stderrText(/\S/)
    drop()
    if (!complained) timeout = Math.min(timeout * 2, limits.timeout.max)
    fail(streamProblem(complained ? 'unreadable-video' : 'decoder-slow'))
  }

  const start = (first: InitSegment): Running => {
    const feed = new PassThrough()
    // The end of the decoder reports a broken pipe.
    feed.on('error', () => {})
    const child = startFfmpeg({
      program: ffmpeg,
      input: feed,
      nice: true,
      args: [
        // Output must start with the first frame: the init segment describes the stream.
        [...plainDecoder, '-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
        ['-protocol_whitelist', 'pipe', '-f', 'mp4', '-i', 'pipe:0'],
        smallPictures(size, 'select=key'),
      ].flat(),
    })
    const self: Running = { child, feed, requested: undefined }
    const cut = createPictureCutter(size.width * size.height, (pixels) => {
      const { requested } = self
      if (running !== self || !requested) return
      self.requested = undefined
      if (failures > 0) deps.onTrouble(undefined)
      failures = 0
      timeout = limits.timeout.first
      deps.onPicture({ at: requested.at, pixels })
    })
    child.outputs[0]?.on('data', cut)
    void follow(self)
    feed.write(first.data)
    return self
  }

  const follow = async (self: Running): Promise<void> => {
    const { lines } = await self.child.ended
    if (running !== self) return
    running = undefined
    fail(reasonFrom(lines) ?? streamProblem('unreadable-video'))
  }

  /** Arrival time of the key frame. No two are equal, even if the clock was set back between them. */
  const timeOf = (fragment: Fragment): number => {
    if (hasJumped(wall, instantOf(clock)) || hasStrayed(wall)) {
      wall = startWallTime(instantOf(clock))
      wall = observe(wall, fragment.time + fragment.duration, instantOf(clock))
      lastAt = 0
    }
    if (clock.elapsed() - settledAt > limits.settle) {
      settledAt = clock.elapsed()
      wall = settle(wall)
    }
    lastAt = Math.max(lastAt + 1, Math.round(wallTimeOf(wall, fragment.time, instantOf(clock))))
    return lastAt
  }

  const ask = (fragment: Fragment): void => {
    if (!init) return
    running ??= start(init)
    lastAsked = fragment.time
    running.requested = { at: timeOf(fragment), since: clock.elapsed(), extras: 0 }
    running.feed.write(fragment.data)
  }

  return {
    get interval() {
      return interval
    },
    begin(next) {
      if (init && !init.data.equals(next.data)) drop()
      init = next
      wall = startWallTime(instantOf(clock))
      settledAt = clock.elapsed()
      lastKey = undefined
      lastAsked = undefined
    },
    fragment(fragment) {
      if (!fragment.video || !init) return
      wall = observe(wall, fragment.time + fragment.duration, instantOf(clock))
      const requested = running?.requested
      if (!fragment.key) {
        if (!running || !requested || requested.extras >= limits.extras) return
        requested.extras++
        running.feed.write(fragment.data)
        return
      }
      if (lastKey !== undefined && fragment.time > lastKey) interval = fragment.time - lastKey
      lastKey = fragment.time
      if (requested) {
        if (clock.elapsed() - requested.since < timeout) return
        return abort()
      }
      const since = lastAsked === undefined ? Infinity : fragment.time - lastAsked
      if (clock.elapsed() < retryAt || (since >= 0 && since < limits.pace)) return
      ask(fragment)
    },
    end() {
      drop()
      init = undefined
    },
    async stop() {
      drop()
      init = undefined
      await leaving
    },
  }
}
