import { Readable } from 'node:stream'
import { startFfmpeg } from '../media/ffmpeg-child.ts'
import type { Clock } from '../shared/clock.ts'
import { chunks } from '../shared/chunks.ts'
import { ExportFailure, exportProblem } from './problem.ts'
import { secondsOf } from './whole-mp4.ts'

/** Recorded pictures as one stream of fragmented MP4, from a key frame on. */
export interface SourceClip {
  readonly size: number
  /** Seconds of it that lie before the cut. */
  readonly lead: number
  /** Seconds of it from there to the other cut. */
  readonly length: number
  /** Seconds of these at which the last picture begins. */
  readonly lastPicture: number
  readonly tracks: readonly { readonly kind: string; readonly codec: string }[]
  /** Bytes `from` to `to`, the end not among them. */
  read(from: number, to: number): Readable
}

export interface CutDeps {
  readonly ffmpeg: string
  readonly excerpt: SourceClip
  /** An empty file. */
  readonly file: string
  /** When it was filmed, Unix milliseconds. */
  readonly filmed: number
  readonly clock: Clock
  /** Percent. */
  readonly onProgress: (percent: number) => void
  readonly signal: AbortSignal
}

/** Milliseconds without a byte being taken after which it has stalled. */
const timeout = 120_000
/** Bytes a millisecond at which a file is at least put in order once all is in it. */
const slowest = 2000

/**
 * Makes an MP4 of an excerpt, without anything being decoded.
 *
 * A cut within a group of pictures needs those before it: they come along, and an edit list (ISO/IEC 14496-12, 8.6.6)
 * says that the film begins after them. The table of contents goes to the front, so that it plays while it is loaded.
 *
 * @returns seconds that it plays
 * @throws ExportFailure, or what the signal was aborted with
 */
export async function trimVideo(deps: CutDeps): Promise<number> {
  const { ffmpeg, excerpt, file, filmed, clock, onProgress, signal } = deps
  signal.throwIfAborted()
  let fed = 0
  let takenAt = clock.elapsed()
  const taken = (bytes: number): void => {
    fed += bytes
    takenAt = clock.elapsed()
    onProgress(Math.min(99, Math.floor((fed / excerpt.size) * 99)))
  }
  const input = Readable.from(counted(excerpt.read(0, excerpt.size), taken), { objectMode: false })
  let trouble: unknown
  input.on('error', (error: unknown) => {
    trouble ??= error
    void child.stop()
  })
  const child = startFfmpeg({ program: ffmpeg, args: argumentsFor(excerpt, file, filmed), input, nice: true })
  const stop = (): void => void child.stop()
  signal.addEventListener('abort', stop)
  const watch = setInterval(() => {
    const max = timeout + (fed >= excerpt.size ? excerpt.size / slowest : 0)
    if (clock.elapsed() - takenAt < max) return
    trouble ??= new ExportFailure(exportProblem('took-too-long'))
    stop()
  }, 1000).unref()
  try {
    const { code, signal: killed, lines } = await child.ended
    signal.throwIfAborted()
    if (trouble) throw trouble
    if (child.pid === undefined) throw new ExportFailure(exportProblem('ffmpeg-missing'), { lines })
    if (code !== 0) throw new ExportFailure(exportProblem(failureReason(lines)), { code, killed, lines })
    const seconds = await secondsOf(file)
    // What it could not read it leaves out, and says nothing.
    if (seconds === undefined || seconds < excerpt.lastPicture - 1) {
      throw new ExportFailure(exportProblem('ffmpeg-failed'), { seconds, expected: excerpt.lastPicture, lines })
    }
    return seconds
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
    input.destroy()
  }
}

/** Small enough that what is taken of them says how far it is. */
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
    ['-f', 'mov', '-itsoffset', seconds(-lead), '-i', 'pipe:0', '-map', '0', '-c', 'copy', '-t', seconds(length)],
    // Apple's players know no other name for it.
    hevc ? ['-tag:v', 'hvc1'] : [],
    ['-map_metadata', '-1', '-metadata', `creation_time=${new Date(filmed).toISOString()}`],
    ['-avoid_negative_ts', 'disabled', '-movflags', '+faststart', '-f', 'mp4', '-y', `file:${file}`],
  ].flat()
}

/** ffmpeg takes no `1e-16`. */
const seconds = (duration: number): string => duration.toFixed(6)

function failureReason(lines: readonly string[]): 'disk-full' | 'disk-refuses' | 'ffmpeg-failed' {
  const text = lines.join('\n')
  if (/no space left|quota exceeded|file too large/i.test(text)) return 'disk-full'
  return /read-only file system|input\/output error|permission denied/i.test(text) ? 'disk-refuses' : 'ffmpeg-failed'
}
