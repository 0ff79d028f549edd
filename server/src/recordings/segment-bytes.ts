import { join } from 'node:path'
import { Fmp4Error } from '../media/mp4/box.ts'
import { shiftTimestamps } from '../media/mp4/shift-timestamps.ts'
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
  return {
    of,
    async head(segment) {
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
    },
    async at(segment, seconds) {
      const data = await of(segment)
      try {
        shiftTimestamps(data, seconds)
      } catch (error) {
        throw error instanceof Fmp4Error ? broken(segment, error) : error
      }
      return data
    },
  }
}

const gone = (cause: unknown): ServiceError =>
  new ServiceError<RecordingReasons>('not-found', { cause, reason: 'recording-deleted' })
