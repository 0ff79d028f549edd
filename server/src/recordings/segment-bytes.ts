import { join } from 'node:path'
import { Fmp4Error } from '../media/mp4/box.ts'
import { initSegmentIn } from '../media/mp4/init-segment.ts'
import { shiftTimestamps } from '../media/mp4/shift-timestamps.ts'
import { videoOnlyFragments } from '../media/mp4/video-only-fragments.ts'
import { videoOnlyInit } from '../media/mp4/video-only-init.ts'
import { ServiceError } from '../shared/errors.ts'
import { open, readFile } from '../shared/media-disk.ts'
import type { Segment } from './recording-store.ts'
import type { RecordingReasons } from './reasons.ts'

/** Reads the bytes of recorded files. */
export interface SegmentBytes {
  /** The init segment at the beginning of a file. @throws ServiceError `not-found` if the file is missing or truncated. */
  head(segment: Segment): Promise<Buffer>
  /** The whole file. @throws ServiceError `not-found` if the file is missing or truncated. */
  of(segment: Segment): Promise<Buffer>
  /** The whole file, with timestamps shifted so that the first frame is at `seconds`. */
  at(segment: Segment, seconds: number): Promise<Buffer>
  /** The init segment without audio (GRANT-2). @throws ServiceError `not-found`, also if the audio can't be taken out */
  videoOnlyHead(segment: Segment): Promise<Buffer>
  /** The fragments without audio, with timestamps as {@link at}. @throws ServiceError as {@link videoOnlyHead} */
  videoOnlyAt(segment: Segment, seconds: number): Promise<Buffer>
}

/** @param onBroken called for a file that exists but doesn't match the index */
export function segmentBytes(folder: string, onBroken: (segment: Segment) => void): SegmentBytes {
  const broken = (segment: Segment, cause: unknown): ServiceError => {
    onBroken(segment)
    return gone(cause)
  }

  const of: SegmentBytes['of'] = async (segment) => {
    const data = await readFile(join(folder, segment.file)).catch((cause: unknown) => Promise.reject(gone(cause)))
    if (data.length < segment.bytes) throw broken(segment, new Error(`${data.length} of ${segment.bytes} bytes`))
    return data
  }
  const head: SegmentBytes['head'] = async (segment) => {
    const file = await open(join(folder, segment.file)).catch((cause: unknown) => Promise.reject(gone(cause)))
    try {
      const { initBytes } = segment
      const { buffer, bytesRead } = await file
        .read(Buffer.alloc(initBytes), 0, initBytes, 0)
        .catch((cause: unknown) => Promise.reject(gone(cause)))
      if (bytesRead < initBytes) throw broken(segment, new Error(`${bytesRead} of the first ${initBytes} bytes`))
      return buffer
    } finally {
      await file.close()
    }
  }
  const readable = <T>(segment: Segment, read: () => T): T => {
    try {
      return read()
    } catch (error) {
      throw error instanceof Fmp4Error ? broken(segment, error) : error
    }
  }
  const at: SegmentBytes['at'] = async (segment, seconds) => {
    const data = await of(segment)
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
    async videoOnlyAt(segment, seconds) {
      const data = await at(segment, seconds)
      return readable(segment, () => {
        const { tracks } = initSegmentIn(data.subarray(0, segment.initBytes))
        return videoOnlyFragments(data, tracks, segment.initBytes, segment.bytes)
      })
    },
  }
}

const gone = (cause: unknown): ServiceError =>
  new ServiceError<RecordingReasons>('not-found', { cause, reason: 'recording-deleted' })
