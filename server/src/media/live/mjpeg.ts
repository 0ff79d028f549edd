import { Readable } from 'node:stream'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { Frame } from '../ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

/** A camera's frames one after the other in one response, for simple clients. */
export interface Mjpeg {
  /**
   * Streams frames from now on, until the stream is destroyed.
   *
   * @param latest gives the frame that is sent immediately
   * @param height pixels, as {@link mjpegHeight} gives them
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
  readonly jpegOf: (frame: Frame, height: number | undefined) => Promise<Buffer>
  readonly clock: Clock & Timers
}

/** Supported heights, pixels: each needs its own decoding. */
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
  /** The last frame; undefined if it was one of another source. */
  last: Buffer | undefined
}

const newShow = (clock: Clock): Show => ({
  readers: new Set(),
  decoding: false,
  shownAt: clock.elapsed(),
  last: undefined,
})

function push(next: Buffer, { readers }: Show): void {
  for (const reader of readers) if (isReady(reader)) reader.push(next)
}

/**
 * Decodes key frames while there are readers, once per height.
 *
 * A reader that has not consumed the last frame skips the next: nothing queues up for slow readers.
 */
export function createMjpeg({ follow, jpegOf, clock }: MjpegDeps): Mjpeg {
  const shows = new Map<number | undefined, Show>()
  /** While there are readers. */
  let stop: (() => void) | undefined
  let init: InitSegment | undefined
  /** Counts calls of `forget`: what was begun before shows another source. */
  let forgotten = 0

  const show = async (frame: Frame, height: number | undefined, to: Show): Promise<void> => {
    if (to.decoding || clock.elapsed() - to.shownAt < pace || ![...to.readers].some(isReady)) return
    to.decoding = true
    to.shownAt = clock.elapsed()
    try {
      const before = forgotten
      const next = part(await jpegOf(frame, height))
      if (forgotten !== before) return
      to.last = next
      push(next, to)
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
      for (const [height, each] of shows) void show({ mp4: [init.data, data], at }, height, each)
    },
    end: () => void (init = undefined),
  }

  const leave = (reader: Readable, height: number | undefined): void => {
    const from = shows.get(height)
    from?.readers.delete(reader)
    if (from?.readers.size === 0) shows.delete(height)
    if (shows.size > 0) return
    stop?.()
    stop = undefined
    init = undefined
  }

  const start = (): (() => void) => {
    const unfollow = follow(consumer)
    const stopRepeating = clock.every(repeatEvery, () => {
      for (const each of shows.values()) if (each.last) push(each.last, each)
    })
    return () => (unfollow(), stopRepeating())
  }

  const mjpeg: Mjpeg = {
    async open(latest, height) {
      const before = forgotten
      const first = part(await latest())
      if (forgotten !== before) return mjpeg.open(latest, height)
      const known = shows.get(height) ?? newShow(clock)
      shows.set(height, known)
      const reader = new Readable({ read() {}, destroy: (error, done) => (leave(reader, height), done(error)) })
      known.readers.add(reader)
      known.last = first
      reader.push(`--${boundary}\r\n`)
      reader.push(first)
      stop ??= start()
      return reader
    },
    get readers() {
      return [...shows.values()].reduce((sum, { readers }) => sum + readers.size, 0)
    },
    forget() {
      forgotten += 1
      for (const each of shows.values()) each.last = undefined
    },
    close() {
      for (const { readers } of shows.values()) for (const reader of readers) reader.destroy()
    },
  }
  return mjpeg
}
