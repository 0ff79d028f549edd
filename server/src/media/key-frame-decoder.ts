import { PassThrough } from 'node:stream'
import { waitAfter, type Backoff } from '../shared/backoff.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { startFfmpeg, type FfmpegChild } from './ffmpeg-child.ts'
import type { Fragment, InitSegment } from './fmp4.ts'
import { reasonFrom, streamProblem, type StreamProblem } from './reason.ts'
import {
  createPictureCutter,
  plainDecoder,
  smallPictures,
  type GreyPicture,
  type PictureSize,
} from './small-pictures.ts'
import type { StreamConsumer } from './stream-consumer.ts'
import { createWallTime, type WallTime } from './wall-time.ts'

export interface PicturesDeps {
  readonly ffmpeg: string
  readonly size: PictureSize
  readonly onPicture: (picture: GreyPicture) => void
  /** None can be made, for a reason; undefined: they come again. */
  readonly onTrouble: (problem: StreamProblem | undefined) => void
  readonly clock: Clock
  readonly random: Random
  readonly backoff: Backoff
}

export interface KeyFrameDecoder extends StreamConsumer {
  /** Seconds between the last key frames of the stream; undefined before there were two. */
  readonly interval: number | undefined
  /** @returns once no child is left. */
  stop(): Promise<void>
}

const limits = {
  /** Seconds of the stream between two pictures, at least: some cameras send nothing but key frames. */
  pace: 0.4,
  /** Frames after a key frame that the decoder may need before it hands that out: those of a stream with B-frames. */
  extras: 8,
  /**
   * Milliseconds that one picture may take. Where the machine has no time for a decoder, to begin with another makes it
   * worse: each time that one was given up without a word, the next may take twice as long, up to so many.
   */
  timeout: { first: 8000, max: 64_000 },
  /** Milliseconds between two corrections of what is known of the stream's time. */
  settle: 10_000,
} as const

interface Running {
  readonly child: FfmpegChild
  /** Its standard input. */
  readonly feed: PassThrough
  /** What is being decoded; undefined: it waits for the next. */
  requested: { readonly at: number; readonly since: number; extras: number } | undefined
}

/**
 * Small pictures of a live stream's key frames, by a decoder of their own that everything else goes before.
 *
 * It is fed from what the live view has in hand, one key frame at a time, and the next only when that one is back. So
 * whatever befalls the decoder, garbage, a stall, a machine without a moment to spare, the stream neither notices nor
 * waits, and which picture is which is never a question.
 */
export function createKeyFrameDecoder(deps: PicturesDeps): KeyFrameDecoder {
  const { ffmpeg, size, clock, random } = deps
  let init: InitSegment | undefined
  let wall: WallTime = createWallTime(clock)
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

  /** Nothing came back: what it was given is garbage, of which some complain, or it has hardly had a moment. */
  const abort = (): void => {
    const complained = running?.child.stderrText(/\S/)
    drop()
    if (!complained) timeout = Math.min(timeout * 2, limits.timeout.max)
    fail(streamProblem(complained ? 'unreadable-video' : 'decoder-slow'))
  }

  const start = (first: InitSegment): Running => {
    const feed = new PassThrough()
    // Who reads it may be gone; that is told by its end.
    feed.on('error', () => {})
    const child = startFfmpeg({
      program: ffmpeg,
      input: feed,
      nice: true,
      args: [
        // The first picture is to come at once: what the stream is stands in its init segment.
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

  /** When the key frame was taken. Two are never at one moment; the clock may have been set back between them. */
  const timeOf = (fragment: Fragment): number => {
    if (wall.jumped || wall.strayed) {
      wall = createWallTime(clock)
      wall.observe(fragment.time + fragment.duration)
      lastAt = 0
    }
    if (clock.elapsed() - settledAt > limits.settle) {
      settledAt = clock.elapsed()
      wall.settle()
    }
    lastAt = Math.max(lastAt + 1, Math.round(wall.of(fragment.time)))
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
      wall = createWallTime(clock)
      settledAt = clock.elapsed()
      lastKey = undefined
      lastAsked = undefined
    },
    fragment(fragment) {
      if (!fragment.video || !init) return
      wall.observe(fragment.time + fragment.duration)
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
