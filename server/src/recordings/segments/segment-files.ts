import { join } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import { unreachable } from '../../shared/cluster/inner-body.ts'
import { isMissing } from '../../shared/files/missing-file.ts'
import { open, readFile } from '../../shared/storage/media-disk.ts'
import { DiskLost } from '../../shared/storage/mounted-disk.ts'
import type { Places } from '../../shared/storage/places.ts'
import type { Segment } from '../index/recording-store.ts'
import type { RecordingReasons } from '../reasons.ts'

/**
 * Reads the files of segments at one place. A file that is shorter than the index says is returned as it is.
 *
 * @throws ServiceError `not-found` if the file is missing, `unavailable` if its place doesn't respond or it can't be read
 */
export interface SegmentFiles {
  /** The first `initBytes` bytes. */
  head(segment: Segment, signal?: AbortSignal): Promise<Buffer>
  whole(segment: Segment, signal?: AbortSignal): Promise<Buffer>
}

/** The files below a folder. @param requireDisk rejects if the disk is missing: then a missing file wasn't deleted */
export const filesOnDisk = (folder: string, requireDisk: () => Promise<void>): SegmentFiles => ({
  whole: ({ file }) => readFile(join(folder, file)).catch(missingOn(requireDisk)),
  async head({ file, initBytes }) {
    const opened = await open(join(folder, file)).catch(missingOn(requireDisk))
    try {
      const { buffer, bytesRead } = await opened
        .read(Buffer.alloc(initBytes), 0, initBytes, 0)
        .catch(missingOn(requireDisk))
      return buffer.subarray(0, bytesRead)
    } finally {
      await opened.close()
    }
  },
})

/** Where segments are read, by the kind of their place. */
export interface FilesByPlace {
  readonly disk: SegmentFiles
  /** Those of other instances; undefined: this one is alone. */
  readonly instance?: (instance: string) => SegmentFiles
  /** Those in the object storage; undefined: none is configured. */
  readonly object?: (key: string) => SegmentFiles
}

/** Reads each segment at its place. */
export function filesAtPlaces(places: Places, { disk, instance, object }: FilesByPlace): SegmentFiles {
  const of = (segment: Segment): SegmentFiles => {
    const place = places(segment)
    switch (place.kind) {
      case 'disk':
        return disk
      case 'instance':
        return instance?.(place.instance) ?? nowhere
      case 'object':
        return object?.(place.key) ?? nowhere
      case 'away':
        return place.isLost ? lost : nowhere
    }
  }
  return {
    head: (segment, signal) => of(segment).head(segment, signal),
    whole: (segment, signal) => of(segment).whole(segment, signal),
  }
}

const failing = (error: () => Error): SegmentFiles => {
  const fail = async (): Promise<never> => {
    throw error()
  }
  return { head: fail, whole: fail }
}
const nowhere = failing(unreachable)
const lost = failing(() => new DiskLost())

/** @returns rejects with why a file can't be read: its disk is missing, it is missing, or the disk fails, for example for a moment */
export const missingOn =
  (requireDisk: () => Promise<void>) =>
  async (cause: unknown): Promise<never> => {
    await requireDisk()
    if (isMissing(cause)) return missing(cause)
    throw new ServiceError<RecordingReasons>('unavailable', { cause, reason: 'recording-unreachable', retryAfter: 10 })
  }

export function missing(cause?: unknown): never {
  throw new ServiceError<RecordingReasons>('not-found', { cause, reason: 'recording-deleted' })
}
