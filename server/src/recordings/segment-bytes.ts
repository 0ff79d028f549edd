import { join } from 'node:path'
import { Fmp4Error } from '../media/fmp4.ts'
import { shiftTimestamps } from '../media/shift-timestamps.ts'
import { ServiceError } from '../shared/errors.ts'
import { open, readFile } from '../shared/media-disk.ts'
import type { Segment } from './recording-store.ts'

/** Hands out what recorded files hold. */
export interface SegmentBytes {
  /** The init segment alone, with which a file begins. @throws ServiceError `not-found` where it is gone, or torn */
  head(segment: Segment): Promise<Buffer>
  /** All of a file. @throws ServiceError `not-found` where it is gone, or not what it was */
  of(segment: Segment): Promise<Buffer>
  /** The same, with its first picture at so many seconds. */
  at(segment: Segment, seconds: number): Promise<Buffer>
}

/** @param onBroken told of a file that is there, and is not what the index says */
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
  new ServiceError('not-found', 'This recording is gone.', { cause, reason: 'recording-gone' })
