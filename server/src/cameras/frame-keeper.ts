import type { Timers } from '../shared/time/clock.ts'
import type { CameraEntry } from './camera-entry.ts'
import type { LastFrameStore } from './last-frame-store.ts'

export interface FrameKeeperDeps {
  readonly store: Pick<LastFrameStore, 'keep' | 'forget'>
  readonly cameras: () => ReadonlyMap<string, Pick<CameraEntry, 'camera' | 'setting'>>
  /** Milliseconds between two saves, which is also what a crash can lose. */
  readonly interval: number
  readonly clock: Timers
}

/** Saves the newest frames of all cameras. */
export interface FrameKeeper {
  /** Saves a camera's newest frame now. */
  keep(name: string): Promise<void>
  forget(name: string): void
  /** Saves all frames a last time. */
  stop(): Promise<void>
}

export function createFrameKeeper({ store, cameras, interval, clock }: FrameKeeperDeps): FrameKeeper {
  /** Time of the last saved frame, by camera. */
  const writtenAt = new Map<string, number>()
  const keep = async (name: string): Promise<void> => {
    const { camera, setting } = cameras().get(name) ?? {}
    const frame = camera?.frame
    if (!setting || !frame || writtenAt.get(name) === frame.at) return
    writtenAt.set(name, frame.at)
    await store.keep(name, setting.source, frame)
  }
  const keepAll = async (): Promise<void> => {
    await Promise.all([...cameras().keys()].map(keep))
  }
  const stopTimer = clock.every(interval, () => void keepAll())
  return {
    keep,
    forget(name) {
      writtenAt.delete(name)
      void store.forget(name)
    },
    stop() {
      stopTimer()
      return keepAll()
    },
  }
}
