import { Readable } from 'node:stream'
import { ServiceError } from '../../shared/errors.ts'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { JpegDecoder, StartJpegDecoder } from '../ffmpeg/jpeg-decoders.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

/** A camera's frames one after the other in one response, for simple clients. */
export interface Mjpeg {
  /**
   * Streams frames from now on, until the stream is destroyed.
   *
   * @param latest gives the frame that is sent immediately
   * @param height pixels, as {@link mjpegHeight} gives them
   * @throws ServiceError `busy` if too many decoders are running, `not-found` if the camera is removed before the frame
   *   is there
   */
  open(latest: () => Promise<Buffer>, height: number | undefined): Promise<Readable>
  readonly readers: number
  /** Drops what was shown, because the camera shows something else now. */
  forget(): void
  /** Ends all open streams. */
  close(): void
}

export interface MjpegDeps {
  /** Subscribes to the stream. @returns a function that unsubscribes */
  readonly follow: (consumer: StreamConsumer) => () => void
  readonly startDecoder: StartJpegDecoder
  readonly clock: Clock & Timers
}

/** Supported heights, pixels: each needs its own decoder. */
const heights = [180, 360, 720, 1080] as const

/** The supported height for a requested one; undefined: the original height. */
export const mjpegHeight = (requested: number | undefined): number | undefined =>
  requested === undefined ? undefined : heights.find((height) => height >= requested)

/** Minimum milliseconds between two frames. */
const pace = 250

/**
 * Milliseconds between two repetitions of the last frame. A connection on which nothing is sent for a minute is closed,
 * and a page doesn't open it again: a camera that restarts must not end the response.
 */
const repeatEvery = 25_000

const boundary = 'frame'
export const mjpegType = `multipart/x-mixed-replace; boundary=${boundary}`

/** Browsers show a frame only after the next boundary, so the boundary follows immediately. */
const part = (jpeg: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`),
    jpeg,
    Buffer.from(`\r\n--${boundary}\r\n`),
  ])

/** Whether the reader has consumed everything sent. */
const isReady = (reader: Readable): boolean => reader.readableLength === 0

/** Readers of one height: they share a decoder, which ends with the last of them. */
interface Output {
  readonly readers: Set<Readable>
  readonly decoder: JpegDecoder
  /** {@link Clock.elapsed} of the last key frame given to the decoder. */
  decodedAt: number
  /** The last frame; undefined if it was one of another source. */
  last: Buffer | undefined
}

function createOutput(height: number | undefined, startDecoder: StartJpegDecoder, clock: Clock): Output {
  const output: Output = {
    readers: new Set(),
    decoder: startDecoder(height, (jpeg) => {
      output.last = part(jpeg)
      push(output.last, output)
    }),
    decodedAt: clock.elapsed(),
    last: undefined,
  }
  return output
}

function push(next: Buffer, { readers }: Output): void {
  for (const reader of readers) if (isReady(reader)) reader.push(next)
}

/** The outputs of all heights that have readers. */
interface Outputs extends StreamConsumer {
  readonly all: ReadonlyMap<number | undefined, Output>
  /** Starts the output unless it is running. @throws ServiceError `busy` if too many decoders are running */
  of(height: number | undefined): Output
  /** The output ends with its last reader. */
  leave(reader: Readable, height: number | undefined): void
  /** Drops what was shown. */
  forget(): void
}

function createOutputs(startDecoder: StartJpegDecoder, clock: Clock): Outputs {
  const all = new Map<number | undefined, Output>()
  let init: InitSegment | undefined
  const isDue = ({ readers, decodedAt }: Output): boolean =>
    clock.elapsed() - decodedAt >= pace && [...readers].some(isReady)

  return {
    all,
    of(height) {
      const known = all.get(height)
      if (known) return known
      const added = createOutput(height, startDecoder, clock)
      if (init) added.decoder.begin(init)
      all.set(height, added)
      return added
    },
    leave(reader, height) {
      const from = all.get(height)
      from?.readers.delete(reader)
      if (from?.readers.size !== 0) return
      all.delete(height)
      from.decoder.stop()
    },
    forget() {
      for (const output of all.values()) {
        output.last = undefined
        output.decoder.end()
        if (init) output.decoder.begin(init)
      }
    },
    begin(next) {
      init = next
      for (const { decoder } of all.values()) decoder.begin(next)
    },
    fragment(fragment, at) {
      if (!fragment.video) return
      for (const output of all.values()) {
        if (fragment.key && !isDue(output)) continue
        if (fragment.key) output.decodedAt = clock.elapsed()
        // With B-frames, a key frame needs those after it.
        output.decoder.fragment(fragment, at)
      }
    },
    end() {
      init = undefined
      for (const { decoder } of all.values()) decoder.end()
    },
  }
}

/**
 * Decodes key frames while there are readers, once per height.
 *
 * Each height has a decoder that keeps running: starting ffmpeg for each frame would cost several times as much as
 * decoding it. A reader that has not consumed the last frame skips the next: nothing queues up for slow readers.
 */
export function createMjpeg({ follow, startDecoder, clock }: MjpegDeps): Mjpeg {
  const outputs = createOutputs(startDecoder, clock)
  /** While there are readers. */
  let stop: (() => void) | undefined
  /** Counts calls of `forget`: what was begun before shows another source. */
  let forgotten = 0

  const leave = (reader: Readable, height: number | undefined): void => {
    outputs.leave(reader, height)
    if (outputs.all.size > 0) return
    stop?.()
    stop = undefined
    outputs.end()
  }

  const start = (): (() => void) => {
    const unfollow = follow(outputs)
    const stopRepeating = clock.every(repeatEvery, () => {
      for (const each of outputs.all.values()) if (each.last) push(each.last, each)
    })
    return () => (unfollow(), stopRepeating())
  }

  /** @param latest as in {@link Mjpeg.open} */
  const firstOf = async (latest: () => Promise<Buffer>): Promise<Buffer> => {
    const before = forgotten
    const jpeg = await latest()
    return forgotten === before ? part(jpeg) : firstOf(latest)
  }

  return {
    async open(latest, height) {
      // Before the first frame, which costs a decoding: a client that gets no decoder gets no frame either.
      const output = outputs.of(height)
      const reader = new Readable({ read() {}, destroy: (error, done) => (leave(reader, height), done(error)) })
      output.readers.add(reader)
      // Until it is read, the reader isn't ready for frames, so the first frame follows it.
      reader.push(`--${boundary}\r\n`)
      try {
        const first = await firstOf(latest)
        if (reader.destroyed) throw new ServiceError('not-found', { reason: 'no-such-camera' })
        output.last = first
        reader.push(first)
      } catch (error) {
        reader.destroy()
        throw error
      }
      stop ??= start()
      return reader
    },
    get readers() {
      return [...outputs.all.values()].reduce((sum, { readers }) => sum + readers.size, 0)
    },
    forget() {
      forgotten += 1
      outputs.forget()
    },
    close() {
      for (const { readers } of outputs.all.values()) for (const reader of readers) reader.destroy()
    },
  }
}
