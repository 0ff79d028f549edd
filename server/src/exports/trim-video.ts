import { Readable } from 'node:stream'
import { startFfmpeg } from '../media/ffmpeg/ffmpeg-child.ts'
import type { Clock, Timers } from '../shared/time/clock.ts'
import { chunks } from '../shared/http/chunks.ts'
import { ExportFailure, exportProblem } from './problem.ts'
import { durationOf } from '../media/mp4/duration.ts'

/** Recorded video as one stream of fragmented MP4 that begins with a key frame. */
export interface SourceClip {
  readonly size: number
  /** Seconds of video before the first cut. */
  readonly lead: number
  /** Seconds of video from the first cut to the second. */
  readonly length: number
  /** Seconds from the first cut to the start of the last frame. */
  readonly lastPicture: number
  readonly tracks: readonly { readonly kind: string; readonly codec: string }[]
  /** Reads the bytes `from` to `to`, end exclusive. */
  read(from: number, to: number): Readable
}

export interface CutDeps {
  readonly ffmpeg: string
  readonly clip: SourceClip
  /** An empty file. */
  readonly file: string
  /** When the video was recorded, Unix milliseconds. */
  readonly filmed: number
  readonly clock: Clock & Timers
  /** Percent. */
  readonly onProgress: (percent: number) => void
  readonly signal: AbortSignal
}

/** Milliseconds without a byte read by ffmpeg after which it has stalled. */
const timeout = 120_000
/** Minimum speed in bytes per millisecond at which ffmpeg moves the table of contents after reading everything. */
const slowest = 2000

/**
 * Makes an MP4 of a source clip without decoding.
 *
 * A cut inside a group of pictures needs the frames before it: they are included, and an edit list (ISO/IEC 14496-12,
 * 8.6.6) makes playback begin after them. The table of contents is moved to the front, so that the file can play while
 * it loads.
 *
 * @returns the duration in seconds
 * @throws ExportFailure, or the abort reason of the signal
 */
export async function trimVideo(deps: CutDeps): Promise<number> {
  const { ffmpeg, clip, file, filmed, clock, onProgress, signal } = deps
  signal.throwIfAborted()
  let fed = 0
  let takenAt = clock.elapsed()
  const taken = (bytes: number): void => {
    fed += bytes
    takenAt = clock.elapsed()
    onProgress(Math.min(99, Math.floor((fed / clip.size) * 99)))
  }
  const input = Readable.from(counted(clip.read(0, clip.size), taken), { objectMode: false })
  let failure: unknown
  input.on('error', (error: unknown) => {
    failure ??= error
    void child.stop()
  })
  const args = argumentsFor(clip, file, filmed)
  const child = startFfmpeg({ program: ffmpeg, args, input, nice: true, writesFile: true })
  const stop = (): void => void child.stop()
  signal.addEventListener('abort', stop)
  const stopWatch = clock.every(1000, () => {
    const max = timeout + (fed >= clip.size ? clip.size / slowest : 0)
    if (clock.elapsed() - takenAt < max) return
    failure ??= new ExportFailure(exportProblem('took-too-long'))
    stop()
  })
  try {
    const { code, signal: killed, lines } = await child.ended
    signal.throwIfAborted()
    if (failure) throw failure
    if (child.pid === undefined) throw new ExportFailure(exportProblem('ffmpeg-missing'), { lines })
    if (code !== 0) throw new ExportFailure(exportProblem(failureReason(lines)), { code, killed, lines })
    const seconds = await durationOf(file)
    // ffmpeg silently leaves out frames that it can't read.
    if (seconds === undefined || seconds < clip.lastPicture - 1) {
      throw new ExportFailure(exportProblem('ffmpeg-failed'), { seconds, expected: clip.lastPicture, lines })
    }
    return seconds
  } finally {
    stopWatch()
    signal.removeEventListener('abort', stop)
    input.destroy()
  }
}

/** Splits a stream into pieces that are small enough to measure progress. */
async function* counted(stream: Readable, onTaken: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (const piece of chunks(chunk)) {
      yield piece
      onTaken(piece.length)
    }
  }
}

function argumentsFor({ lead, length, tracks }: SourceClip, file: string, filmed: number): string[] {
  const hevc = tracks.some(({ kind, codec }) => kind === 'video' && /^h[ev][cv]1/.test(codec))
  return [
    ['-protocol_whitelist', 'pipe', '-f', 'mov', '-itsoffset', seconds(-lead), '-i', 'pipe:0'],
    ['-map', '0', '-c', 'copy', '-t', seconds(length)],
    // Apple players accept only the tag hvc1 for HEVC.
    hevc ? ['-tag:v', 'hvc1'] : [],
    ['-map_metadata', '-1', '-metadata', `creation_time=${new Date(filmed).toISOString()}`],
    ['-avoid_negative_ts', 'disabled', '-movflags', '+faststart', '-f', 'mp4', '-y', `file:${file}`],
  ].flat()
}

/** Without an exponent: ffmpeg rejects `1e-16`. */
const seconds = (duration: number): string => duration.toFixed(6)

function failureReason(lines: readonly string[]): 'disk-full' | 'disk-error' | 'ffmpeg-failed' {
  const text = lines.join('\n')
  if (/no space left|quota exceeded|file too large/i.test(text)) return 'disk-full'
  return /read-only file system|input\/output error|permission denied/i.test(text) ? 'disk-error' : 'ffmpeg-failed'
}
