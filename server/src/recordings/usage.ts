import type { CameraUsage, RecordingStore } from './recording-store.ts'

type Amount = Pick<CameraUsage, 'bytes' | 'segments'>

/** Size of recordings by camera: counted periodically, and updated in between as segments are added and removed. */
export interface Usage {
  /** Whether everything has been counted since the start. */
  readonly counted: boolean
  /** Keys of the cameras that have or had recordings. */
  cameras(): string[]
  bytesOf(camera: string): number
  segmentsOf(camera: string): number
  /** Bytes of all cameras. */
  bytes(): number
  added(camera: string, bytes: number): void
  removed(camera: string, bytes: number): void
  /** Counts all recordings again, one camera at a time. */
  count(): Promise<void>
}

const nothing: Amount = { bytes: 0, segments: 0 }

export function createUsage(store: Pick<RecordingStore, 'cameras' | 'usage'>): Usage {
  const known = new Map<string, Amount>()
  let counted = false
  const of = (camera: string): Amount => known.get(camera) ?? nothing
  const change = (camera: string, more: Amount): void => {
    const { bytes, segments } = of(camera)
    known.set(camera, { bytes: bytes + more.bytes, segments: segments + more.segments })
  }
  return {
    get counted() {
      return counted
    },
    cameras: () => [...known.keys()],
    bytesOf: (camera) => of(camera).bytes,
    segmentsOf: (camera) => of(camera).segments,
    bytes: () => [...known.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    added: (camera, bytes) => change(camera, { bytes, segments: 1 }),
    removed: (camera, bytes) => change(camera, { bytes: -bytes, segments: -1 }),
    async count() {
      for (const camera of new Set([...known.keys(), ...(await store.cameras())])) {
        known.set(camera, (await store.usage(camera)) ?? nothing)
      }
      counted = true
    },
  }
}
