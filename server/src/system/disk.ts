import { statfs } from '../shared/media-disk.ts'

/** Bytes. */
export interface Disk {
  readonly total: number
  /** What the service may still write. */
  readonly free: number
}

/** Milliseconds to wait for an answer. */
const patience = 1000

/** How full the disk below a folder is; null where that cannot be found out in time, as of a network disk that is away. */
export function createDiskLook(folder: string): () => Promise<Disk | null> {
  let asking: Promise<Disk | null> | undefined
  return () => {
    // A question that hangs holds a thread: there is never a second.
    asking ??= statfs(folder)
      .then(
        ({ bsize, blocks, bavail }) => ({ total: bsize * blocks, free: bsize * bavail }),
        () => null,
      )
      .finally(() => {
        asking = undefined
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patience)
    })
    return Promise.race([asking, late]).finally(() => clearTimeout(timer))
  }
}
