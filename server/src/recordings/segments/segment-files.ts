import { join } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import { unreachable } from '../../shared/cluster/inner-body.ts'
import { open, readFile } from '../../shared/storage/media-disk.ts'
import type { Places } from '../../shared/storage/places.ts'
import type { Segment } from '../index/recording-store.ts'
import type { RecordingReasons } from '../reasons.ts'

/**
 * Reads the files of segments at one place. A file that is shorter than the index says is returned as it is.
 *
 * @throws ServiceError `not-found` if the file is missing, `unavailable` if its place doesn't respond
 */
export interface SegmentFiles {
  /** The first `initBytes` bytes. */
  head(segment: Segment, signal?: AbortSignal): Promise<Buffer>
  whole(segment: Segment, signal?: AbortSignal): Promise<Buffer>
}

/** The files below a folder. */
export const filesOnDisk = (folder: string): SegmentFiles => ({
  whole: ({ file }) => readFile(join(folder, file)).catch(missing),
  async head({ file, initBytes }) {
    const opened = await open(join(folder, file)).catch(missing)
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(initBytes), 0, initBytes, 0).catch(missing)
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
        return nowhere
    }
  }
  return {
    head: (segment, signal) => of(segment).head(segment, signal),
    whole: (segment, signal) => of(segment).whole(segment, signal),
  }
}

const away = (): Promise<never> => Promise.reject(unreachable())

const nowhere: SegmentFiles = { head: away, whole: away }

export function missing(cause?: unknown): never {
  throw new ServiceError<RecordingReasons>('not-found', { cause, reason: 'recording-deleted' })
}
