import { ServiceError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import type { MediaReasons } from '../reasons.ts'
import { jpegOutput } from './jpeg-frames.ts'
import { createKeyFrameDecoder, type KeyFrameDecoderDeps } from './key-frame-decoder.ts'

/** Makes JPEGs of the key frames that it gets, one at a time: others that arrive until it is done are skipped. */
export interface JpegDecoder extends StreamConsumer {
  stop(): void
}

export interface JpegReceiver {
  /** @param at arrival time of the key frame, Unix milliseconds */
  onJpeg(jpeg: Uint8Array, at: number): void
  /** The decoder failed. After a wait, it tries a later key frame. */
  onFailure(): void
}

/**
 * Starts a decoder, whose child starts with its first key frame and runs until the stream or the decoder ends.
 *
 * @param height maximum height, pixels
 * @param isOptional the caller can do without: then others could need it
 * @throws ServiceError `busy` if too many are running, for an optional one if half as many are
 */
export type StartJpegDecoder = (height: number | undefined, receiver: JpegReceiver, isOptional?: boolean) => JpegDecoder

/** Decoders of all cameras: each takes tens of megabytes. A camera needs one for each height that is requested. */
export const maxDecoders = (cameras: number): number => Math.max(64, 2 * cameras)

export interface JpegDecodersDeps extends Omit<KeyFrameDecoderDeps, 'output' | 'onFrame' | 'onTrouble'> {
  /** Number of cameras. */
  readonly cameras: () => number
  readonly log: Log
}

/** @returns a function that starts decoders of one camera */
export function createJpegDecoders({ cameras, log, ...deps }: JpegDecodersDeps): (camera: string) => StartJpegDecoder {
  let running = 0
  return (camera) =>
    (height, { onJpeg, onFailure }, isOptional = false) => {
      if (running >= maxDecoders(cameras()) / (isOptional ? 2 : 1)) {
        throw new ServiceError<MediaReasons>('busy', { reason: 'too-many-mjpeg-streams', retryAfter: 30 })
      }
      running += 1
      const { begin, fragment, end, stop } = createKeyFrameDecoder({
        ...deps,
        output: jpegOutput(height),
        onFrame: ({ data, arrivedAt }) => onJpeg(data, arrivedAt),
        onTrouble(problem) {
          if (!problem) return
          log.debug({ camera, height, reason: problem.message }, 'MJPEG decoding failed')
          onFailure()
        },
      })
      return {
        begin,
        fragment,
        end,
        stop() {
          running -= 1
          void stop()
        },
      }
    }
}
