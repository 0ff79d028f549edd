import { ServiceError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import type { MediaReasons } from '../reasons.ts'
import { jpegOutput } from './jpeg-frames.ts'
import { createKeyFrameDecoder, type KeyFrameDecoder, type KeyFrameDecoderDeps } from './key-frame-decoder.ts'

/** Makes JPEGs of the key frames that it gets, one at a time: others that arrive until it is done are skipped. */
export interface JpegDecoder extends Pick<KeyFrameDecoder, 'begin' | 'fragment' | 'end'> {
  stop(): void
}

export interface JpegReceiver {
  /** @param at arrival time of the key frame, Unix milliseconds */
  onJpeg(jpeg: Uint8Array, at: number): void
  /** The decoder failed. After a wait, it tries a later key frame. */
  onFailure(): void
  /** Whether the receiver can do without the decoder now. */
  readonly isOptional: boolean
  /** Another receiver needs an optional decoder more: stops it. */
  onDisplaced(): void
}

/**
 * Starts a decoder, whose child starts with its first key frame and runs until the stream or the decoder ends.
 *
 * @param height maximum height, pixels
 * @throws ServiceError `busy` if too many are running that aren't optional, for an optional one if half as many are
 */
export type StartJpegDecoder = (height: number | undefined, receiver: JpegReceiver) => JpegDecoder

/** Decoders of all cameras: each takes tens of megabytes. A camera needs one for each height that is requested. */
export const maxDecoders = (cameras: number): number => Math.max(64, 2 * cameras)

export interface JpegDecodersDeps extends Omit<KeyFrameDecoderDeps, 'output' | 'onFrame' | 'onTrouble'> {
  /** Number of cameras. */
  readonly cameras: () => number
  readonly log: Log
}

/** @returns a function that starts decoders of one camera */
export function createJpegDecoders({ cameras, log, ...deps }: JpegDecodersDeps): (camera: string) => StartJpegDecoder {
  const running = new Set<JpegReceiver>()
  const requireFreeDecoder = ({ isOptional }: JpegReceiver): void => {
    const max = maxDecoders(cameras()) / (isOptional ? 2 : 1)
    if (running.size >= max && !isOptional) [...running].find((other) => other.isOptional)?.onDisplaced()
    if (running.size >= max) {
      throw new ServiceError<MediaReasons>('busy', { reason: 'too-many-mjpeg-streams', retryAfter: 30 })
    }
  }
  return (camera) => (height, receiver) => {
    requireFreeDecoder(receiver)
    running.add(receiver)
    const { begin, fragment, end, stop } = createKeyFrameDecoder({
      ...deps,
      output: jpegOutput(height),
      onFrame: ({ data, arrivedAt }) => receiver.onJpeg(data, arrivedAt),
      onTrouble(problem) {
        if (!problem) return
        log.debug({ camera, height, reason: problem.message }, 'MJPEG decoding failed')
        receiver.onFailure()
      },
    })
    return {
      begin,
      fragment,
      end,
      stop() {
        running.delete(receiver)
        void stop()
      },
    }
  }
}
