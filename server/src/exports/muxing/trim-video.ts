import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { MuxedFile } from './muxing-messages.ts'
import type { Muxer, StartMuxer } from './muxing-thread.ts'
import { ExportFailure, exportProblem } from '../problem.ts'

/** Recorded video as files of fragmented MP4 with one description, of which the first begins with a key frame. */
export interface SourceClip {
  /** Bytes of the description and of what is used of the files. */
  readonly size: number
  /** The description of the tracks: an init segment. */
  readonly head: Buffer
  /** Seconds of video before the first cut. */
  readonly lead: number
  /** Seconds of video from the first cut to the second. */
  readonly length: number
  /** Reads the files, the next one when it is asked for. The caller owns their memory. */
  files(signal: AbortSignal): AsyncIterable<MuxedFile>
}

export interface CutDeps {
  readonly startMuxer: StartMuxer
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

/** Milliseconds without a byte read or written after which an export has stalled. */
const timeout = 120_000

/**
 * Makes an MP4 of a source clip without decoding.
 *
 * A cut inside a group of pictures needs the frames before it: they are included, and an edit list (ISO/IEC 14496-12,
 * 8.6.6) makes playback begin after them. The table of contents is at the front, so that the file can play while it
 * loads.
 *
 * @returns the duration in seconds
 * @throws ExportFailure, the abort reason of the signal, or an error of the clip or the file
 */
export async function trimVideo(deps: CutDeps): Promise<number> {
  const { startMuxer, clip, file, filmed, clock, signal } = deps
  signal.throwIfAborted()
  const ending = new AbortController()
  const stop = (): void => ending.abort(signal.reason)
  signal.addEventListener('abort', stop)
  let aliveAt = clock.elapsed()
  const onAlive = (): void => void (aliveAt = clock.elapsed())
  const stopWatch = clock.every(1000, () => {
    if (clock.elapsed() - aliveAt >= timeout) ending.abort(new ExportFailure(exportProblem('took-too-long')))
  })
  const { head, lead, length } = clip
  const muxer = startMuxer({ file, head, lead, length, filmed }, onAlive)
  const aborted = new Promise<never>((_, reject) =>
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error)),
  )
  try {
    return await Promise.race([muxed(deps, muxer, ending.signal), aborted])
  } finally {
    stopWatch()
    signal.removeEventListener('abort', stop)
    ending.abort()
    await muxer.stop()
  }
}

/** The next file is read while the one before it is being added. */
async function muxed({ clip, onProgress }: CutDeps, muxer: Muxer, signal: AbortSignal): Promise<number> {
  let adding = Promise.resolve()
  let bytes = clip.head.length
  for await (const file of clip.files(signal)) {
    await adding
    onProgress(Math.min(99, Math.floor((bytes / clip.size) * 99)))
    bytes += file.to - file.from
    adding = muxer.add(file)
    // Reported when it is awaited.
    adding.catch(() => undefined)
  }
  await adding
  return muxer.finish()
}
