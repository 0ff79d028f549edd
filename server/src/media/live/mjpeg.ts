import { Readable } from 'node:stream'
import type { Clock } from '../../shared/time/clock.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { Frame } from '../ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

/** A camera's frames one after the other in one response, for simple clients. */
export interface Mjpeg {
  /**
   * Streams frames from now on, until the stream is destroyed.
   *
   * @param first frame sent immediately
   * @param height pixels, as {@link mjpegHeight} gives them
   */
  open(first: Buffer, height: number | undefined): Readable
  readonly readers: number
  /** Ends all open streams. */
  close(): void
}

export interface MjpegDeps {
  /** Subscribes to the stream. @returns a function that unsubscribes */
  readonly follow: (consumer: StreamConsumer) => () => void
  readonly jpegOf: (frame: Frame, height: number | undefined) => Promise<Buffer>
  readonly clock: Clock
}

/** Supported heights, pixels: each needs its own decoding. */
const heights = [180, 360, 720, 1080] as const

/** The supported height for a requested one; undefined: the original height. */
export const mjpegHeight = (requested: number | undefined): number | undefined =>
  requested === undefined ? undefined : heights.find((height) => height >= requested)

/** Minimum milliseconds between two frames. */
const pace = 250

const boundary = 'picture'
export const mjpegType = `multipart/x-mixed-replace; boundary=${boundary}`

/** Browsers show a frame only after the next boundary, so the boundary follows immediately. */
const part = (jpeg: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`),
    jpeg,
    Buffer.from(`\r\n--${boundary}\r\n`),
  ])

/** Whether the reader has consumed everything sent. */
const isReady = (reader: Readable): boolean => reader.readableLength === 0

/** Readers of one height: they share every decoding. */
interface Show {
  readonly readers: Set<Readable>
  decoding: boolean
  /** {@link Clock.elapsed} of the last frame. */
  shownAt: number
}

/**
 * Decodes key frames while there are readers, once per height.
 *
 * A reader that has not consumed the last frame skips the next: nothing queues up for slow readers.
 */
export function createMjpeg({ follow, jpegOf, clock }: MjpegDeps): Mjpeg {
  const shows = new Map<number | undefined, Show>()
  let unfollow: (() => void) | undefined
  let init: InitSegment | undefined

  const show = async (frame: Frame, height: number | undefined, to: Show): Promise<void> => {
    if (to.decoding || clock.elapsed() - to.shownAt < pace || ![...to.readers].some(isReady)) return
    to.decoding = true
    to.shownAt = clock.elapsed()
    try {
      const next = part(await jpegOf(frame, height))
      for (const reader of to.readers) if (isReady(reader)) reader.push(next)
    } catch {
      // Try the next key frame.
    } finally {
      to.decoding = false
    }
  }

  const consumer: StreamConsumer = {
    begin: (next) => void (init = next),
    fragment({ key, video, data }, at) {
      if (!key || !video || !init) return
      const frame = { mp4: [init.data, data], at }
      for (const [height, each] of shows) void show(frame, height, each)
    },
    end: () => void (init = undefined),
  }

  const leave = (reader: Readable, height: number | undefined): void => {
    const from = shows.get(height)
    from?.readers.delete(reader)
    if (from?.readers.size === 0) shows.delete(height)
    if (shows.size > 0) return
    unfollow?.()
    unfollow = undefined
    init = undefined
  }

  return {
    open(first, height) {
      const known = shows.get(height) ?? { readers: new Set(), decoding: false, shownAt: clock.elapsed() }
      shows.set(height, known)
      const reader = new Readable({ read() {}, destroy: (error, done) => (leave(reader, height), done(error)) })
      known.readers.add(reader)
      reader.push(`--${boundary}\r\n`)
      reader.push(part(first))
      unfollow ??= follow(consumer)
      return reader
    },
    get readers() {
      return [...shows.values()].reduce((sum, { readers }) => sum + readers.size, 0)
    },
    close() {
      for (const { readers } of shows.values()) for (const reader of readers) reader.destroy()
    },
  }
}
