import { systemClock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import { serviceItself } from '../../shared/requester.ts'
import { canceled, createDecodingQueue, type SnapshotNeed } from './decoding-queue.ts'
import type { MediaReasons } from '../reasons.ts'
import { startFfmpeg } from './ffmpeg-child.ts'
import { imageFilter, jpegQuality } from './jpeg-frames.ts'

/** One frame as received. */
export interface Frame {
  /** An MP4 with only this key frame, in pieces. */
  readonly mp4: readonly Buffer[]
  /** Arrival time, Unix milliseconds. */
  readonly at: number
}

export interface JpegEncoder {
  /**
   * The frame as a JPEG, at most `height` pixels high.
   *
   * @param need who needs it; default: the service itself. Once no one does, its place is free, and it is rejected.
   * @throws ServiceError `busy` if too many wait, and none has more waiting than those that need this one
   */
  jpegOf(frame: Frame, height?: number, need?: SnapshotNeed): Promise<Buffer>
}

/** Concurrent decoders, and decodings that can wait for one. */
const limits = { concurrency: 2, waiting: 64 }

/** Milliseconds per frame. */
const timeout = 5000

/** Decodes single key frames from memory on demand; costs nothing when idle. */
export function createJpegEncoder({ ffmpeg }: { ffmpeg: string }): JpegEncoder {
  const queue = createDecodingQueue(limits)
  return {
    jpegOf: ({ mp4 }, height, need = { signal: new AbortController().signal, requesters: [serviceItself] }) =>
      queue.run(need, () => decode(ffmpeg, mp4, height, need.signal)),
  }
}

async function decode(
  program: string,
  input: readonly Buffer[],
  height: number | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const child = startFfmpeg({
    program,
    input,
    args: [
      ['-threads', '1', '-protocol_whitelist', 'pipe', '-f', 'mp4', '-i', 'pipe:0', '-map', '0:v:0'],
      ['-frames:v', '1', '-vf', imageFilter(height), ...jpegQuality, '-f', 'mjpeg', 'pipe:1'],
    ].flat(),
  })
  const chunks: Buffer[] = []
  child.outputs[0]?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const stop = (): void => void child.stop()
  const stopTimer = systemClock.after(timeout, stop)
  signal.addEventListener('abort', stop)
  const { lines } = await child.ended
  stopTimer()
  signal.removeEventListener('abort', stop)
  if (signal.aborted) throw canceled()
  const jpeg = Buffer.concat(chunks)
  // Some decoders warn and still return a frame; only the frame counts.
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) {
    throw new ServiceError<MediaReasons>('unavailable', {
      reason: 'no-frame',
      note: "The latest frame couldn't be decoded.",
      cause: lines,
      retryAfter: 1,
    })
  }
  return jpeg
}
