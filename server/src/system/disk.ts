import { systemClock, type StopTimer } from '../shared/time/clock.ts'
import { diskSpace, type DiskSpace } from '../shared/storage/disk-space.ts'

/** Milliseconds to wait for the disk. */
const timeout = 1000

/** Reads the space of the disk under a folder; null if the disk doesn't respond in time, such as an unreachable network disk. */
export function createDiskLook(folder: string): () => Promise<DiskSpace | null> {
  let pending: Promise<DiskSpace | null> | undefined
  return () => {
    // A hanging request blocks a thread, so there is never a second one.
    pending ??= diskSpace(folder)
      .catch(() => null)
      .finally(() => {
        pending = undefined
      })
    let stopTimer: StopTimer | undefined
    const late = new Promise<null>((resolve) => {
      stopTimer = systemClock.after(timeout, () => resolve(null))
    })
    return Promise.race([pending, late]).finally(() => stopTimer?.())
  }
}
