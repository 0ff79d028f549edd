import type { CameraUsage, RecordingStore, RemovedSegment, SegmentPlace } from '../index/recording-store.ts'

type Amount = Pick<CameraUsage, 'bytes' | 'segments' | 'stored'>

/** Size of recordings by camera: counted periodically, and updated in between as segments are added and removed. */
export interface Usage {
  /** Whether everything has been counted since the start. */
  readonly counted: boolean
  /** Keys of the cameras that have or had recordings. */
  cameras(): string[]
  bytesOf(camera: string): number
  segmentsOf(camera: string): number
  /** Bytes of all cameras in one place, without what is missing. */
  bytesIn(place: SegmentPlace): number
  /**
   * Bytes of a camera's segments whose files are missing. After a restore, they may be in the object storage without the
   * index knowing it.
   */
  missingOf(camera: string): number
  /** Replaces what is missing, by camera. */
  setMissing(bytes: ReadonlyMap<string, number>): void
  added(camera: string, bytes: number): void
  /** @param isMissing its file was missing */
  removed(segment: Pick<RemovedSegment, 'camera' | 'bytes' | 'object'>, isMissing?: boolean): void
  /** Notes that a segment went from the volume to the object storage. */
  stored(camera: string, bytes: number): void
  /** Counts all recordings again, one camera at a time. */
  count(): Promise<void>
}

const nothing: Amount = { bytes: 0, segments: 0, stored: 0 }

export function createUsage(store: Pick<RecordingStore, 'cameras' | 'usage'>): Usage {
  const known = new Map<string, Amount>()
  let missing = new Map<string, number>()
  let counted = false
  const of = (camera: string): Amount => known.get(camera) ?? nothing
  const change = (camera: string, more: Amount): void => {
    const { bytes, segments, stored } = of(camera)
    known.set(camera, {
      bytes: bytes + more.bytes,
      segments: segments + more.segments,
      stored: stored + more.stored,
    })
  }
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
    added: (camera, bytes) => change(camera, { bytes, segments: 1, stored: 0 }),
    removed({ camera, bytes, object }, isMissing = false) {
      change(camera, { bytes: -bytes, segments: -1, stored: object === null ? 0 : -bytes })
      const lost = missing.get(camera)
      if (isMissing && object === null && lost !== undefined) missing.set(camera, Math.max(0, lost - bytes))
    },
    stored: (camera, bytes) => change(camera, { bytes: 0, segments: 0, stored: bytes }),
    async count() {
      for (const camera of new Set([...known.keys(), ...(await store.cameras())])) {
        known.set(camera, (await store.usage(camera)) ?? nothing)
      }
      counted = true
    },
  }
}
