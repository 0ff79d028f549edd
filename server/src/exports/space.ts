import { statfs } from '../shared/media-disk.ts'

/** Bytes left to everything else, recordings before all; of a small disk a part of it. */
const reserve = { bytes: 1_000_000_000, share: 0.05 }

/** Bytes that may be written to the disk below a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bsize, blocks, bavail } = await statfs(folder)
  return Math.max(0, bsize * bavail - Math.min(reserve.bytes, bsize * blocks * reserve.share))
}
