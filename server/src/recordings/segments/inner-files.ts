import { withoutCaller } from '../../access/grant.ts'
import { join } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import { innerBuffer, unreachable } from '../../shared/cluster/inner-body.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../../shared/cluster/inner-route.ts'
import type { Timers } from '../../shared/time/clock.ts'
import { open } from '../../shared/storage/media-disk.ts'
import type { PlayedPart } from '../one-history.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import { missing, missingOn, type SegmentFiles } from './segment-files.ts'

const path = '/recordings/segment'

/** Reads segments on the disk of another instance. */
export const filesOfInstance =
  (inner: InnerClient, timers: Pick<Timers, 'after'>) =>
  (instance: string): SegmentFiles => {
    const read = async (segment: PlayedPart<Segment>, bytes: number, signal?: AbortSignal): Promise<Buffer> => {
      const { camera, start, end, fileEnd = end } = segment
      const response = await inner.request(instance, {
        path: `${path}?start=${start}&bytes=${bytes}`,
        ticket: { camera, action: 'recording', range: { start, end: fileEnd } },
        ...(signal && { signal }),
      })
      if (response.status === 200) return innerBuffer(response, bytes, timers)
      response.body.destroy()
      return response.status === 404
        ? missing(new Error('missing on the other instance'))
        : Promise.reject(unreachable())
    }
    return {
      head: (segment, signal) => read(segment, segment.initBytes, signal),
      whole: (segment, signal) => read(segment, segment.bytes, signal),
    }
  }

export interface SegmentInnerRouteDeps {
  readonly folder: string
  /** Rejects if the disk is missing: then a missing file wasn't deleted. */
  readonly requireDisk: () => Promise<void>
  /** The own volume. */
  readonly store: Pick<RecordingStore, 'startingAt'>
}

/** Sends the first bytes of one segment on the own disk: exactly what the ticket names. */
export const segmentInnerRoute = ({ folder, requireDisk, store }: SegmentInnerRouteDeps): InnerRoute => ({
  path,
  action: 'recording',
  scope: 'range',
  async handle({ camera, range, query }) {
    const [start, bytes] = ['start', 'bytes'].map((name) => Number(query.get(name) ?? NaN))
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(bytes) || !bytes || bytes < 1)
      throw new ServiceError('invalid-request')
    const segment = start === undefined ? undefined : await store.startingAt(withoutCaller(camera), start)
    if (!segment || segment.object !== null || segment.start < range.start || segment.end > range.end) return missing()
    const file = await open(join(folder, segment.file)).catch(missingOn(requireDisk))
    const body = file.createReadStream({ start: 0, end: Math.min(bytes, segment.bytes) - 1 })
    return { body, headers: { 'content-type': 'application/octet-stream' } }
  },
})
