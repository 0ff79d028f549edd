import type { Readable } from 'node:stream'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { StartJpegDecoder } from '../ffmpeg/jpeg-decoders.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { mjpegPart } from './mjpeg-part.ts'

export interface JpegOutputDeps {
  /** Pixels; undefined: the original height. */
  readonly height: number | undefined
  /** The first reader; undefined: only snapshots need it. */
  readonly reader: Readable | undefined
  readonly startDecoder: StartJpegDecoder
  /** Called when readers of another output need the decoder, and only snapshots use it: stops the output. */
  readonly onDisplaced: () => void
  readonly clock: Clock & Timers
}

type Decoding = 'decoded' | 'absent' | 'failed'
type ResultListeners = Set<(result: Decoding) => void>

/** JPEGs of one height, for MJPEG readers and snapshots, which share a decoder. */
export interface JpegOutput extends StreamConsumer {
  readonly height: number | undefined
  /** Each key frame is decoded if any of them is ready for it. */
  readonly readers: Set<Readable>
  /** Sends the last frame again. */
  repeat(): void
  /** Sets the frame to repeat until one is decoded. */
  show(part: Buffer): void
  /** The JPEG of the key frame that arrived at this time, Unix milliseconds, if it's the last one that was decoded. */
  jpegOf(at: number): Buffer | undefined
  /**
   * Decodes a key frame, whether or not a reader is ready, unless it's the last one that the decoder got.
   *
   * @param at arrival time of the key frame, Unix milliseconds
   * @param replay gives a consumer the newest key frame, and what has followed it
   * @returns `absent` if the newest key frame is another one or the decoder can't take it, `failed` if nothing was
   *   decoded in time
   */
  decode(at: number, replay: (to: StreamConsumer) => void): Promise<Decoding>
  /** Drops what was shown, because the camera shows something else now. */
  forget(): void
  stop(): void
}

/** Minimum milliseconds between two frames for readers. */
const pace = 250

/** Milliseconds to decode a key frame for a snapshot: less than the time for which a snapshot keeps the output. */
const timeout = 4000

/**
 * Frames after a key frame that the decoder gets at once: with B-frames, ffmpeg outputs the key frame only after some of
 * them. It also gets those that arrive until then. More of them at once would cost as much as the key frame.
 */
const followers = 4

/** Whether the reader has consumed everything sent. */
const isReady = (reader: Readable): boolean => reader.readableLength === 0

/** @throws ServiceError `busy` if too many decoders are running */
export function createJpegOutput({ height, reader, startDecoder, onDisplaced, clock }: JpegOutputDeps): JpegOutput {
  const readers = new Set<Readable>(reader && [reader])
  /** {@link Clock.elapsed} when the decoder got its last key frame, for {@link pace}. */
  let givenSince = clock.elapsed()
  let times: KeyFrameTimes = {}
  let newest: { readonly jpeg: Buffer; readonly at: number } | undefined
  /** Sent to readers; undefined if it was one of another source. */
  let last: Buffer | undefined
  /** Called with the end of the decoding, whatever comes of it. */
  const waiting: ResultListeners = new Set()
  const settle = (result: Decoding): void => waiting.forEach((done) => done(result))
  const reset = (result: Decoding): void => {
    times = {}
    settle(result)
  }
  const push = (): void => {
    if (last) for (const each of readers) if (isReady(each)) each.push(last)
  }

  const decoder = startDecoder(height, {
    onJpeg(data, at) {
      const jpeg = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      newest = { jpeg, at }
      last = mjpegPart(jpeg)
      push()
      settle('decoded')
    },
    onFailure: () => reset('failed'),
    get isOptional() {
      return readers.size === 0
    },
    onDisplaced,
  })
  const isDue = (): boolean => clock.elapsed() - givenSince >= pace && [...readers].some(isReady)
  const give = (fragment: Fragment, at: number): void => {
    if (!decoder.fragment(fragment, at)) return
    if (fragment.key) {
      givenSince = clock.elapsed()
      times = { newest: at, given: at }
    } else if (times.newest !== times.given) times = { ...times, missed: times.newest }
  }
  return {
    height,
    readers,
    repeat: push,
    show: (part) => void (last = part),
    jpegOf: (at) => (newest?.at === at ? newest.jpeg : undefined),
    async decode(at, replay) {
      let left = followers
      const fragment: StreamConsumer['fragment'] = (each, arrivedAt) => {
        if (each.key ? arrivedAt === at : each.video && times.given === at && left-- > 0) give(each, at)
      }
      if (times.given !== at && times.missed !== at) replay({ begin() {}, fragment, end() {} })
      return times.given === at ? nextResult(waiting, clock) : 'absent'
    },
    begin(init) {
      decoder.begin(init)
      reset('absent')
    },
    fragment(fragment, at) {
      if (fragment.key) times = { ...times, newest: at }
      if (fragment.key ? isDue() : fragment.video) give(fragment, at)
    },
    end() {
      decoder.end()
      reset('absent')
    },
    forget() {
      last = undefined
      newest = undefined
    },
    stop() {
      decoder.stop()
      settle('absent')
    },
  }
}

/** Arrival times of key frames of the stream, Unix milliseconds. */
interface KeyFrameTimes {
  readonly newest?: number | undefined
  /** The last one that the decoder got. */
  readonly given?: number | undefined
  /** The one that the decoder didn't get before the frames after it: ffmpeg would drop it. */
  readonly missed?: number | undefined
}

/** The next result, or `failed` if there is none in time. */
async function nextResult(waiting: ResultListeners, clock: Timers): Promise<Decoding> {
  const { promise, resolve } = Promise.withResolvers<Decoding>()
  const stopTimer = clock.after(timeout, () => resolve('failed'))
  waiting.add(resolve)
  const result = await promise
  waiting.delete(resolve)
  stopTimer()
  return result
}
