import { ServiceError } from '../../shared/errors.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import type { MediaReasons } from '../reasons.ts'
import { jpegOutput } from './jpeg-frames.ts'
import { createKeyFrameDecoder, type KeyFrameDecoderDeps } from './key-frame-decoder.ts'

/** Makes JPEGs of the key frames that it gets, one at a time: others that arrive until it is done are skipped. */
export interface JpegDecoder extends StreamConsumer {
  stop(): void
}

/**
 * Starts a decoder, whose child starts with its first key frame and runs until the stream or the decoder ends.
 *
 * @param height maximum height, pixels
 * @throws ServiceError `busy` if too many are running
 */
export type StartJpegDecoder = (height: number | undefined, onJpeg: (jpeg: Uint8Array) => void) => JpegDecoder

/** Decoders of all cameras: each takes tens of megabytes. */
const maxDecoders = 64

export function createJpegDecoders(
  deps: Omit<KeyFrameDecoderDeps, 'output' | 'onFrame' | 'onTrouble'>,
): StartJpegDecoder {
  let running = 0
  return (height, onJpeg) => {
    if (running >= maxDecoders) {
      throw new ServiceError<MediaReasons>('busy', { reason: 'snapshot-queue-full', retryAfter: 1 })
    }
    running += 1
    const { begin, fragment, end, stop } = createKeyFrameDecoder({
      ...deps,
      output: jpegOutput(height),
      onFrame: ({ data }) => onJpeg(data),
      // The next key frame is tried.
      onTrouble: () => {},
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
