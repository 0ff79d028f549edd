import pLimit from 'p-limit'
import { systemClock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import { startFfmpeg } from './ffmpeg-child.ts'
import { imageFilter, jpegQuality } from './jpeg-frames.ts'
import type { MediaReasons } from '../reasons.ts'

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
   * @param signal once aborted, the result isn't needed anymore: its place is free, and it is rejected
   */
  jpegOf(frame: Frame, height?: number, signal?: AbortSignal): Promise<Buffer>
}

/** Concurrent decoders, and callers that can wait for one. */
const limits = { concurrency: 2, waiting: 64 }

/** Milliseconds per frame. */
const timeout = 5000

const canceled = (): ServiceError => new ServiceError('unavailable', { note: 'The snapshot was canceled.' })

/** Decodes single key frames from memory on demand; costs nothing when idle. */
export function createJpegEncoder({ ffmpeg }: { ffmpeg: string }): JpegEncoder {
  const limit = pLimit(limits.concurrency)
  /** Those that are decoded, and those that wait and are still needed. */
  const needed = new Set<object>()

  return {
    async jpegOf({ mp4 }, height, signal) {
      if (needed.size >= limits.concurrency + limits.waiting) {
        throw new ServiceError<MediaReasons>('busy', {
          reason: 'snapshot-queue-full',
          retryAfter: 1,
        })
      }
      const place = {}
      needed.add(place)
      const free = (): void => void needed.delete(place)
      signal?.addEventListener('abort', free)
      try {
        return await limit(async () => {
          if (signal?.aborted) throw canceled()
          return decode(ffmpeg, mp4, height, signal)
        })
      } finally {
        signal?.removeEventListener('abort', free)
        free()
      }
    },
  }
}

async function decode(
  program: string,
  input: readonly Buffer[],
  height: number | undefined,
  signal: AbortSignal | undefined,
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
  signal?.addEventListener('abort', stop)
  const { lines } = await child.ended
  stopTimer()
  signal?.removeEventListener('abort', stop)
  if (signal?.aborted) throw canceled()
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
