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
  /** Bytes of all cameras in one place. */
  bytesIn(place: SegmentPlace): number
  added(camera: string, bytes: number): void
  removed(segment: Pick<RemovedSegment, 'camera' | 'bytes' | 'object'>): void
  /** Notes that a segment went from the volume to the object storage. */
  stored(camera: string, bytes: number): void
  /** Counts all recordings again, one camera at a time. */
  count(): Promise<void>
}

const nothing: Amount = { bytes: 0, segments: 0, stored: 0 }

export function createUsage(store: Pick<RecordingStore, 'cameras' | 'usage'>): Usage {
  const known = new Map<string, Amount>()
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
      return amounts.reduce((sum, { bytes, stored }) => sum + (place === 'object' ? stored : bytes - stored), 0)
    },
    added: (camera, bytes) => change(camera, { bytes, segments: 1, stored: 0 }),
    removed: ({ camera, bytes, object }) =>
      change(camera, { bytes: -bytes, segments: -1, stored: object === null ? 0 : -bytes }),
    stored: (camera, bytes) => change(camera, { bytes: 0, segments: 0, stored: bytes }),
    async count() {
      for (const camera of new Set([...known.keys(), ...(await store.cameras())])) {
        known.set(camera, (await store.usage(camera)) ?? nothing)
      }
      counted = true
    },
  }
}
