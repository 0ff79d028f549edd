import { Readable } from 'node:stream'
import { ServiceError } from '../../shared/errors.ts'
import type { JpegOutputs } from './jpeg-outputs.ts'
import { firstBoundary, mjpegPart } from './mjpeg-part.ts'

/** A camera's frames one after the other in one response, for simple clients. */
export interface Mjpeg {
  /**
   * Streams frames from now on, until the stream is destroyed.
   *
   * @param latest gives the frame that is sent immediately
   * @param height pixels, as {@link mjpegHeight} gives them
   * @param signal aborted when the client has disconnected, which releases the decoder also before the first frame
   * @throws ServiceError `busy` if too many decoders are running, `not-found` if the camera is removed before the frame
   *   is there, `unavailable` if the client has disconnected by then
   */
  open(latest: () => Promise<Buffer>, height: number | undefined, signal: AbortSignal): Promise<Readable>
  readonly readers: number
  /** Drops what was shown, because the camera shows something else now. */
  forget(): void
  /** Ends all open streams. */
  close(): void
}

/** Supported heights, pixels: each needs its own decoder. */
const heights = [180, 360, 720, 1080] as const

/** The supported height for a requested one; undefined: the original height. */
export const mjpegHeight = (requested: number | undefined): number | undefined =>
  requested === undefined ? undefined : heights.find((height) => height >= requested)

/**
 * MJPEG streams of one camera. A reader that has not consumed the last frame skips the next: nothing queues up for slow
 * readers.
 */
export function createMjpeg(outputs: JpegOutputs): Mjpeg {
  /** Counts calls of `forget`: what was begun before shows another source. */
  let forgotten = 0

  /** @param latest as in {@link Mjpeg.open} */
  const firstOf = async (latest: () => Promise<Buffer>): Promise<Buffer> => {
    const before = forgotten
    const jpeg = await latest()
    return forgotten === before ? mjpegPart(jpeg) : firstOf(latest)
  }

  return {
    async open(latest, height, signal) {
      requireClient(signal)
      const leave = (): void => outputs.leave(reader, height)
      const reader = new Readable({ read() {}, destroy: (error, done) => (leave(), done(error)) })
      // Before the first frame, which costs a decoding: a client that gets no decoder gets no frame either.
      const output = outputs.join(reader, height)
      signal.addEventListener('abort', () => reader.destroy(), { once: true })
      // Until it is read, the reader isn't ready for frames, so the first frame follows it.
      reader.push(firstBoundary)
      try {
        const first = await firstOf(latest)
        requireClient(signal)
        if (reader.destroyed) throw new ServiceError('not-found', { reason: 'no-such-camera' })
        output.show(first)
        reader.push(first)
      } catch (error) {
        reader.destroy()
        throw error
      }
      return reader
    },
    get readers() {
      return outputs.readers
    },
    forget() {
      forgotten += 1
      outputs.forget()
    },
    close: outputs.close,
  }
}

function requireClient({ aborted }: AbortSignal): void {
  if (aborted) throw new ServiceError('unavailable', { note: 'The client has disconnected.' })
}
