import { createKeyFrameDecoder, type KeyFrameDecoder, type KeyFrameDecoderDeps } from './key-frame-decoder.ts'

/** Size of the small gray frames made of a stream, pixels. */
export interface FrameSize {
  readonly width: number
  readonly height: number
}

/** A small gray frame, 0 black to 255 white, row by row from the top left. */
export interface GrayFrame {
  /** Time of the frame, Unix milliseconds. */
  readonly at: number
  readonly pixels: Uint8Array
}

/**
 * Minimum seconds of a stream between two small frames, whatever it sends: half a second, slightly less so that a stream
 * with two frames per second loses none. More frames find no more motion, and each is one more chance of a false
 * detection.
 */
export const minInterval = 0.45

/**
 * ffmpeg's arguments from a decoded stream to raw gray frames: each pixel is the mean of the pixels it represents.
 *
 * @param only which frames, as a filter
 */
export const grayFrameArgs = ({ width, height }: FrameSize, only: string): string[] =>
  [
    ['-map', '0:v:0', '-fps_mode', 'passthrough', '-threads', '1', '-filter_threads', '1'],
    ['-vf', `${only},scale=${width}:${height}:flags=area,format=gray`],
    ['-f', 'rawvideo', '-flush_packets', '1', 'pipe:1'],
  ].flat()

/** Fast decoding on one core, good enough for a frame that is scaled down. */
export const plainDecoder: readonly string[] = ['-threads', '1', '-skip_loop_filter', 'all']

/** Cuts bytes into frames of one size, regardless of chunk boundaries. */
export function createFrameSplitter(size: number, onFrame: (pixels: Uint8Array) => void): (chunk: Buffer) => void {
  let frame = new Uint8Array(size)
  let filled = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + size - filled)
      frame.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      const whole = frame
      frame = new Uint8Array(size)
      filled = 0
      onFrame(whole)
    }
  }
}

export interface GrayFrameDecoderDeps extends Omit<KeyFrameDecoderDeps, 'output' | 'onFrame'> {
  readonly size: FrameSize
  readonly onFrame: (frame: GrayFrame) => void
}

/** Small frames from the key frames of a live stream, at low priority. */
export const createGrayFrameDecoder = ({ size, onFrame, ...deps }: GrayFrameDecoderDeps): KeyFrameDecoder =>
  createKeyFrameDecoder({
    ...deps,
    output: {
      decoder: plainDecoder,
      encoder: grayFrameArgs(size, 'select=key'),
      splitter: (onPixels) => createFrameSplitter(size.width * size.height, onPixels),
      minInterval,
      nice: true,
    },
    onFrame: ({ at, data }) => onFrame({ at, pixels: data }),
  })
