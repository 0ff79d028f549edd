import { Fmp4Error } from '../../media/mp4/box.ts'
import { initSegmentIn } from '../../media/mp4/init-segment.ts'
import { shiftTimestamps } from '../../media/mp4/shift-timestamps.ts'
import { videoOnlyFragments } from '../../media/mp4/video-only-fragments.ts'
import { videoOnlyInit } from '../../media/mp4/video-only-init.ts'
import { ServiceError } from '../../shared/errors.ts'
import { cutSegment } from './cut-segment.ts'
import type { Segment } from '../index/recording-store.ts'
import type { RecordingReasons } from '../reasons.ts'
import type { SegmentFiles } from './segment-files.ts'

/** Reads the bytes of recorded files. With a signal, a read that another instance doesn't answer ends early. */
export interface SegmentBytes {
  /** The init segment at the beginning of a file. @throws ServiceError `not-found` if the file is missing or truncated. */
  head(segment: Segment, signal?: AbortSignal): Promise<Buffer>
  /** The whole file. @throws ServiceError `not-found` if the file is missing or truncated. */
  of(segment: Segment, signal?: AbortSignal): Promise<Buffer>
  /** The whole file, with timestamps shifted so that the first frame is at `seconds`. */
  at(segment: Segment, seconds: number, signal?: AbortSignal): Promise<Buffer>
  /** The init segment without audio (GRANT-2). @throws ServiceError `not-found`, also if the audio can't be taken out */
  videoOnlyHead(segment: Segment): Promise<Buffer>
  /** The fragments alone, with timestamps as {@link at}. @throws ServiceError as {@link videoOnlyHead} */
  fragments(segment: Segment, options: FragmentOptions): Promise<Buffer>
}

export interface FragmentOptions {
  /** Seconds at which the first frame is. */
  readonly at: number
  /** Unix milliseconds from which frames are left out; undefined: none is. */
  readonly until?: number | undefined
  /** false: without audio (GRANT-2). */
  readonly audio: boolean
}

/** @param onBroken called for a file that exists but doesn't match the index */
export function segmentBytes(files: SegmentFiles, onBroken: (segment: Segment) => void): SegmentBytes {
  const broken = (segment: Segment, cause: unknown): ServiceError => {
    onBroken(segment)
    return new ServiceError<RecordingReasons>('not-found', { cause, reason: 'recording-deleted' })
  }

  const of: SegmentBytes['of'] = async (segment, signal) => {
    const data = await files.whole(segment, signal)
    if (data.length < segment.bytes) throw broken(segment, new Error(`${data.length} of ${segment.bytes} bytes`))
    return data
  }
  const head: SegmentBytes['head'] = async (segment, signal) => {
    const data = await files.head(segment, signal)
    const { initBytes } = segment
    if (data.length < initBytes) throw broken(segment, new Error(`${data.length} of the first ${initBytes} bytes`))
    return data
  }
  const readable = <T>(segment: Segment, read: () => T): T => {
    try {
      return read()
    } catch (error) {
      throw error instanceof Fmp4Error ? broken(segment, error) : error
    }
  }
  const at: SegmentBytes['at'] = async (segment, seconds, signal) => {
    const data = await of(segment, signal)
    readable(segment, () => shiftTimestamps(data, seconds))
    return data
  }
  return {
    of,
    head,
    at,
    async videoOnlyHead(segment) {
      const data = await head(segment)
      return readable(segment, () => videoOnlyInit(initSegmentIn(data)).data)
    },
    async fragments(segment, { at: seconds, until, audio }) {
      const data = await at(segment, seconds)
      return readable(segment, () => {
        const { initBytes, bytes } = segment
        const to =
          until === undefined
            ? bytes
            : cutSegment(data, segment, { start: segment.start, end: until, ends: 'replaced' }).to
        if (audio) return data.subarray(initBytes, to)
        return videoOnlyFragments(data, initSegmentIn(data.subarray(0, initBytes)).tracks, initBytes, to)
      })
    },
  }
}
