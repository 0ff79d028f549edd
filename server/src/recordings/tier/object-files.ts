import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { ObjectError, type Objects } from '../../shared/storage/objects.ts'
import { checksumIn } from './object-key.ts'
import type { RecordingReasons } from '../reasons.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import type { SegmentFiles } from '../segments/segment-files.ts'

/** Init segments kept, of one or two kilobytes each: a player reads one before the first segment. */
const keptHeads = 500

/** Lost objects that are logged once. */
const loggedOnce = 1000

/** The segments in the object storage. Only a whole object has a checksum, so each is read as a whole. */
export function filesInObjects({
  objects,
  log,
}: {
  readonly objects: Pick<Objects, 'get'>
  readonly log: Log
}): (key: string) => SegmentFiles {
  const heads = new LRUCache<string, Buffer>(cacheLimit(keptHeads))
  const logged = new LRUCache<string, true>(cacheLimit(loggedOnce))

  const failure = (error: unknown, key: string, { camera, file }: Segment): unknown => {
    if (!(error instanceof ObjectError)) return error
    if (error.problem !== 'missing' && error.problem !== 'damaged') {
      const reason = 'recording-unreachable'
      return new ServiceError<RecordingReasons>('unavailable', { cause: error, reason, retryAfter: 10 })
    }
    if (!logged.has(key)) log.error({ camera, file, err: error }, 'recording in object storage lost')
    logged.set(key, true)
    return new ServiceError<RecordingReasons>('not-found', { cause: error, reason: 'recording-deleted' })
  }

  return (key) => {
    const whole: SegmentFiles['whole'] = async (segment, signal) => {
      const { bytes, initBytes } = segment
      try {
        const sha256 = checksumIn(key)
        if (sha256 === undefined) throw new ObjectError('missing', 'key')
        const data = await objects.get(key, { bytes, sha256 }, signal)
        heads.set(key, Buffer.from(data.subarray(0, initBytes)))
        return data
      } catch (error) {
        throw failure(error, key, segment)
      }
    }
    return {
      whole,
      head: async (segment, signal) => heads.get(key) ?? (await whole(segment, signal)).subarray(0, segment.initBytes),
    }
  }
}

/** A file, or the disk with it, or because the disk fails. */
const isMissing = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'not-found' || ['recordings-disk-missing', 'recording-unreachable'].includes(error.reason ?? ''))

/** Reads a segment that is missing at its place from the object storage, if it moved there since its row was read. */
export function followMoved(files: SegmentFiles, store: Pick<RecordingStore, 'objectOf'>): SegmentFiles {
  const following =
    (read: SegmentFiles['whole']): SegmentFiles['whole'] =>
    async (segment, signal) => {
      try {
        return await read(segment, signal)
      } catch (error) {
        if (segment.object !== null || !isMissing(error)) throw error
        const object = await store.objectOf(segment.id)
        if (typeof object !== 'string') throw error
        return read({ ...segment, object }, signal)
      }
    }
  return { head: following(files.head), whole: following(files.whole) }
}
