import { day } from '../../shared/time/durations.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'
import type {
  CameraUsage,
  CountedRecordings,
  RemovedSegment,
  Segment,
  SegmentKey,
  SegmentPlace,
} from '../index/recording-store.ts'
import { noRecordings, sumOfUsage } from '../index/usage-sum.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

type AddedSegment = SegmentKey & Pick<Segment, 'bytes'>

/** Size of recordings by camera: counted periodically, and updated in between as segments are added and removed. */
export interface Usage {
  /** Whether everything has been counted since the start. */
  readonly counted: boolean
  /** Keys of the cameras that have or had recordings. */
  cameras(): CameraKey[]
  bytesOf(camera: CameraKey): number
  segmentsOf(camera: CameraKey): number
  /** Bytes of all cameras in one place, without what is missing. */
  bytesIn(place: SegmentPlace): number
  /**
   * Bytes of a camera's segments whose files are missing. After a restore, they may be in the object storage without the
   * index knowing it.
   */
  missingOf(camera: CameraKey): number
  /** Replaces what is missing, by camera. */
  setMissing(bytes: ReadonlyMap<CameraKey, number>): void
  added(segment: AddedSegment): void
  /** @param isMissing its file was missing */
  removed(segment: RemovedSegment, isMissing?: boolean): void
  /** Notes that a segment went from the volume to the object storage. */
  stored(segment: AddedSegment): void
  /** Counts all recordings again, one piece of one camera at a time. Callers of a count in progress share it. */
  count(): Promise<void>
  /** The same, but after a count in progress, which may not have seen what the caller knows of. */
  recount(): Promise<void>
}

/** A camera that is being counted. */
interface CountedPart {
  readonly camera: CameraKey
  /** Of the segments that start earlier. */
  readonly until: number
  readonly amount: CameraUsage
}

/**
 * @param open called for each count
 * @param piece milliseconds of a camera that are counted at a time
 */
export function createUsage(open: () => Promise<CountedRecordings>, piece = day): Usage {
  const known = new Map<CameraKey, CameraUsage>()
  let missing = new Map<CameraKey, number>()
  let counted = false
  let counting: Promise<void> | undefined
  let part: CountedPart | undefined
  const of = (camera: CameraKey): CameraUsage => known.get(camera) ?? noRecordings
  const change = ({ camera, start }: SegmentKey, more: CameraUsage): void => {
    known.set(camera, sumOfUsage(of(camera), more))
    // Later segments are counted as they are then.
    if (part?.camera === camera && start < part.until) part = { ...part, amount: sumOfUsage(part.amount, more) }
  }
  /** A long count blocks every request with SQLite, and ends with a timeout of the server with PostgreSQL. */
  const countCamera = async (store: CountedRecordings, camera: CameraKey): Promise<void> => {
    part = { camera, until: 0, amount: noRecordings }
    for (let from = await store.firstStart(camera, 0); from !== undefined;) {
      // What is added from now on between the last piece and this one isn't found anymore.
      part = { ...part, until: from }
      const until = from + piece
      const found = await store.usage(camera, from, until)
      part = { camera, until, amount: sumOfUsage(part.amount, found) }
      await yieldToEventLoop()
      from = await store.firstStart(camera, until)
    }
    known.set(camera, part.amount)
    part = undefined
  }
  const countAll = async (): Promise<void> => {
    const store = await open()
    for (const camera of new Set([...known.keys(), ...(await store.cameras())])) await countCamera(store, camera)
    counted = true
  }
  const count = (): Promise<void> => (counting ??= countAll().finally(() => void (counting = undefined)))
  return {
    get counted() {
      return counted
    },
    cameras: () => [...known.keys()],
    bytesOf: (camera) => of(camera).bytes,
    segmentsOf: (camera) => of(camera).segments,
    bytesIn(place) {
      const amounts = [...known.values()]
      if (place === 'object') return amounts.reduce((sum, { stored }) => sum + stored, 0)
      const recorded = amounts.reduce((sum, { bytes, stored }) => sum + bytes - stored, 0)
      return [...missing.values()].reduce((sum, bytes) => sum - bytes, recorded)
    },
    missingOf: (camera) => missing.get(camera) ?? 0,
    setMissing: (bytes) => void (missing = new Map(bytes)),
    added: (segment) => change(segment, { bytes: segment.bytes, segments: 1, stored: 0 }),
    removed(segment, isMissing = false) {
      const { camera, bytes, object } = segment
      change(segment, { bytes: -bytes, segments: -1, stored: object === null ? 0 : -bytes })
      const lost = missing.get(camera)
      if (isMissing && object === null && lost !== undefined) missing.set(camera, Math.max(0, lost - bytes))
    },
    stored: (segment) => change(segment, { bytes: 0, segments: 0, stored: segment.bytes }),
    count,
    async recount() {
      await counting?.catch(() => undefined)
      await count()
    },
  }
}
