import type { RecordingStore } from './recording-store.ts'

/** How much is recorded, by camera: counted now and then, and in between along with what comes and goes. */
export interface Usage {
  cameras(): string[]
  bytesOf(camera: string): number
  /** Of all cameras. */
  bytes(): number
  added(camera: string, bytes: number): void
  removed(camera: string, bytes: number): void
  /** Counts anew, one camera at a time. */
  count(): Promise<void>
}

export function createUsage(store: Pick<RecordingStore, 'cameras' | 'usage'>): Usage {
  const known = new Map<string, number>()
  const change = (camera: string, bytes: number): void => void known.set(camera, (known.get(camera) ?? 0) + bytes)

  return {
    cameras: () => [...known.keys()],
    bytesOf: (camera) => known.get(camera) ?? 0,
    bytes: () => [...known.values()].reduce((sum, bytes) => sum + bytes, 0),
    added: change,
    removed: (camera, bytes) => change(camera, -bytes),
    async count() {
      for (const camera of new Set([...known.keys(), ...(await store.cameras())])) {
        known.set(camera, (await store.usage(camera))?.bytes ?? 0)
      }
    },
  }
}
