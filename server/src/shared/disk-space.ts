import { stat, statfs } from './media-disk.ts'

/** Bytes. */
export interface DiskSpace {
  /** What the service may use of it at all, by whomever it is used now. */
  readonly total: number
  /** What the service may still write. */
  readonly free: number
}

/** How full the disk below a folder is. The only place that asks for it. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  return { total: bsize * (blocks - bfree + bavail), free: bsize * bavail }
}

/** Whether two folders lie on one disk. */
export async function onOneDisk(folder: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([stat(folder), stat(other)])
  return one.dev === two.dev
}

/** Part of the disk that recordings can have whatever is exported: it counts by what recordings and exports share. */
const reserved = 0.5

/**
 * What stays free, so that what is being written at this moment has room: of a small disk a part, of a large one no
 * more than so many bytes. Recordings leave more than exports, so that there is room for an export on a disk full of recordings.
 */
const margins = { recordings: { share: 0.1, max: 2e9 }, exports: { share: 0.05, max: 1e9 } } as const

const marginOf = (of: keyof typeof margins, { total }: DiskSpace): number =>
  Math.min(margins[of].max, total * margins[of].share)

/** What lies on the disk of recordings. Bytes. */
export interface Stored {
  readonly recordings: number
  readonly exports: number
}

/**
 * Bytes that exports leave to recordings, used by these already or not: half of what both can have together, or all
 * that recordings are given where that is less.
 *
 * @param given what recordings may take at most
 */
export function reserveOf({ free }: DiskSpace, { recordings, exports }: Stored, given: number): number {
  return Math.min(given, (free + recordings + exports) * reserved)
}

/** Bytes that exports may still write, what is promised to them included. */
export function roomForExports(disk: DiskSpace, stored: Stored, given: number): number {
  const reserve = reserveOf(disk, stored, given) + marginOf('recordings', disk)
  return Math.max(0, disk.free - Math.max(marginOf('exports', disk), reserve - stored.recordings))
}

/** The same where exports have a disk of their own. */
export const roomOnOwnDisk = (disk: DiskSpace): number => Math.max(0, disk.free - marginOf('exports', disk))

/**
 * Bytes that recordings may take of their disk: beyond that the oldest make room. Exports never make recordings pause, so
 * where there are some, what others have taken of the disk is not counted on. Without exports it is: what others fill is
 * for people to empty, and nothing recorded is removed for it.
 */
export function roomForRecordings(disk: DiskSpace, { recordings, exports }: Stored): number {
  const total = exports > 0 ? Math.min(disk.total, disk.free + recordings + exports) : disk.total
  return Math.max(0, total - marginOf('recordings', { ...disk, total }) - exports)
}
