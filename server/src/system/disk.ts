import { systemClock, type StopTimer } from '../shared/time/clock.ts'
import { diskSpace, type DiskSpace } from '../shared/storage/disk-space.ts'
import { diskId } from './disk-id.ts'

/** Milliseconds to wait for the disk. */
const timeout = 1000

/** Reads the space of the disk under a folder; null if the disk doesn't respond in time, such as an unreachable network disk. */
export const createDiskCheck = (folder: string): (() => Promise<DiskSpace | null>) => inTime(() => diskSpace(folder))

/** The same, with the id of the disk. */
export const createDiskReport = (folder: string): (() => Promise<IdentifiedDisk | null>) =>
  inTime(async () => ({ ...(await diskSpace(folder)), id: await diskId(folder) }))

export interface IdentifiedDisk extends DiskSpace {
  /** The same for all folders of one disk; null: unknown. */
  readonly id: string | null
}

function inTime<T>(read: () => Promise<T>): () => Promise<T | null> {
  let pending: Promise<T | null> | undefined
  return () => {
    // A hanging request blocks a thread, so there is never a second one.
    pending ??= read()
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
