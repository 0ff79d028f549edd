import type { Readable } from 'node:stream'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { StartJpegDecoder } from '../ffmpeg/jpeg-decoders.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { mjpegPart } from './mjpeg-part.ts'

export interface JpegOutputDeps {
  /** Pixels; undefined: the original height. */
  readonly height: number | undefined
  /** Whether only snapshots need it. */
  readonly isOptional: boolean
  readonly startDecoder: StartJpegDecoder
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
   * @returns `absent` if the newest key frame is another one, `failed` if nothing was decoded in time
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

/** Whether the reader has consumed everything sent. */
const isReady = (reader: Readable): boolean => reader.readableLength === 0

/** @throws ServiceError `busy` if too many decoders are running */
export function createJpegOutput({ height, isOptional, startDecoder, clock }: JpegOutputDeps): JpegOutput {
  const readers = new Set<Readable>()
  /** {@link Clock.elapsed} of the last key frame given to the decoder, and its arrival time, Unix milliseconds. */
  let given: { readonly since: number; readonly at: number | undefined } = { since: clock.elapsed(), at: undefined }
  /** Whether the newest key frame was given to the decoder. */
  let isGiven = false
  let newest: { readonly jpeg: Buffer; readonly at: number } | undefined
  /** Sent to readers; undefined if it was one of another source. */
  let last: Buffer | undefined
  /** Called with the end of the decoding, whatever comes of it. */
  const waiting: ResultListeners = new Set()
  const settle = (result: Decoding): void => waiting.forEach((done) => done(result))
  const push = (): void => {
    if (last) for (const reader of readers) if (isReady(reader)) reader.push(last)
  }

  const receiver = {
    onJpeg(data: Uint8Array, at: number): void {
      const jpeg = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      newest = { jpeg, at }
      last = mjpegPart(jpeg)
      push()
      settle('decoded')
    },
    onFailure: () => settle('failed'),
  }
  const decoder = startDecoder(height, receiver, isOptional)
  const isDue = (): boolean => clock.elapsed() - given.since >= pace && [...readers].some(isReady)
  const give: StreamConsumer['fragment'] = (fragment, at) => {
    if (!fragment.video) return
    if (fragment.key) {
      given = { since: clock.elapsed(), at }
      isGiven = true
    }
    decoder.fragment(fragment, at)
  }
  /** What has followed a key frame costs as much again, and only with B-frames it needs some: those that come next do. */
  const giveKey: StreamConsumer['fragment'] = (fragment, at) => {
    if (fragment.key) give(fragment, at)
  }
  return {
    height,
    readers,
    repeat: push,
    show: (part) => void (last = part),
    jpegOf: (at) => (newest?.at === at ? newest.jpeg : undefined),
    async decode(at, replay) {
      if (given.at !== at) replay({ begin() {}, fragment: giveKey, end() {} })
      return given.at === at ? nextResult(waiting, clock) : 'absent'
    },
    begin: (init) => decoder.begin(init),
    fragment(fragment, at) {
      if (fragment.key && fragment.video) isGiven = isDue()
      // With B-frames, a key frame needs those after it. ffmpeg drops a key frame that comes after a later frame, and a
      // snapshot can request this key frame any time until the next.
      if (isGiven) give(fragment, at)
    },
    end() {
      decoder.end()
      settle('absent')
    },
    forget() {
      last = undefined
      newest = undefined
      given = { ...given, at: undefined }
    },
    stop() {
      decoder.stop()
      settle('absent')
    },
  }
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
