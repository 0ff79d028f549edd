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
  /** The frame as a JPEG, at most `height` pixels high. */
  jpegOf(frame: Frame, height?: number): Promise<Buffer>
}

/** Concurrent decoders, and callers that can wait for one. */
const limits = { concurrency: 2, waiting: 64 }

/** Milliseconds per frame. */
const timeout = 5000

/** Decodes single key frames from memory on demand; costs nothing when idle. */
export function createJpegEncoder({ ffmpeg }: { ffmpeg: string }): JpegEncoder {
  const limit = pLimit(limits.concurrency)

  return {
    async jpegOf({ mp4 }, height) {
      if (limit.pendingCount >= limits.waiting) {
        throw new ServiceError<MediaReasons>('busy', {
          reason: 'snapshot-queue-full',
          retryAfter: 1,
        })
      }
      return limit(decode, ffmpeg, mp4, height)
    },
  }
}

async function decode(program: string, input: readonly Buffer[], height: number | undefined): Promise<Buffer> {
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
  const stopTimer = systemClock.after(timeout, () => void child.stop())
  const { lines } = await child.ended
  stopTimer()
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
