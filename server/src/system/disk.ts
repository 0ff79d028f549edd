import { diskSpace, type DiskSpace } from '../shared/disk-space.ts'

/** Milliseconds to wait for an answer. */
const timeout = 1000

/** How full the disk below a folder is; null where that cannot be found out in time, as of a network disk that is away. */
export function createDiskLook(folder: string): () => Promise<DiskSpace | null> {
  let asking: Promise<DiskSpace | null> | undefined
  return () => {
    // A question that hangs holds a thread: there is never a second.
    asking ??= diskSpace(folder)
      .catch(() => null)
      .finally(() => {
        asking = undefined
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeout)
    })
    return Promise.race([asking, late]).finally(() => clearTimeout(timer))
  }
}
