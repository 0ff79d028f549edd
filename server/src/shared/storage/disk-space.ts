import { stat, statfs } from './media-disk.ts'

/** Bytes. */
export interface DiskSpace {
  /** Space that the service could use in total, whether free or used. */
  readonly total: number
  /** Space that the service can still write. */
  readonly free: number
}

/** Reads the space of the disk under a folder. All other code uses this function. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  return { total: bsize * (blocks - bfree + bavail), free: bsize * bavail }
}

/** Whether two folders are on the same disk. */
export async function onOneDisk(folder: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([stat(folder), stat(other)])
  return one.dev === two.dev
}

/** Share of the space for recordings and exports together that is reserved for recordings. */
const reserved = 0.5

/**
 * Space that stays free for files being written: a share of the disk, up to a maximum in bytes. Recordings leave more
 * than exports, so that an export fits on a disk full of recordings.
 */
const margins = { recordings: { share: 0.1, max: 2e9 }, exports: { share: 0.05, max: 1e9 } } as const

const marginOf = (of: keyof typeof margins, { total }: DiskSpace): number =>
  Math.min(margins[of].max, total * margins[of].share)

/** Used space on the recordings disk. Bytes. */
export interface Stored {
  readonly recordings: number
  readonly exports: number
}

/**
 * Bytes that exports leave to recordings, used or not: half of the space for both, or the maximum of recordings if that
 * is less.
 *
 * @param given maximum bytes of recordings
 */
export function reserveOf({ free }: DiskSpace, { recordings, exports }: Stored, given: number): number {
  return Math.min(given, (free + recordings + exports) * reserved)
}

/** Bytes that exports can still write, without subtracting the expected bytes of unfinished exports. */
export function spaceForExports(disk: DiskSpace, stored: Stored, given: number): number {
  const reserve = reserveOf(disk, stored, given) + marginOf('recordings', disk)
  return Math.max(0, disk.free - Math.max(marginOf('exports', disk), reserve - stored.recordings))
}

/** The same if exports have their own disk. */
export const spaceOnOwnDisk = (disk: DiskSpace): number => Math.max(0, disk.free - marginOf('exports', disk))

/**
 * Bytes that recordings can take on their disk; above that, the oldest are removed. Exports never make recordings pause,
 * so if there are exports, space used by other files doesn't count as available. Without exports it does: no recording
 * is removed because of other files, which an admin has to delete.
 */
export function spaceForRecordings(disk: DiskSpace, { recordings, exports }: Stored): number {
  const total = exports > 0 ? Math.min(disk.total, disk.free + recordings + exports) : disk.total
  return Math.max(0, total - marginOf('recordings', { ...disk, total }) - exports)
}
