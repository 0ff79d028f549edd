import { open } from '../shared/media-disk.ts'

/** Maximum bytes before the first sample, for the longest file that the service makes. */
const maxAhead = 256 << 20

/**
 * Reads the duration of a finished MP4 from its table of contents.
 *
 * @returns seconds; undefined if the file has no complete table of contents before its samples
 */
export async function secondsOf(path: string): Promise<number | undefined> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const at = async (place: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, place)
      return buffer.subarray(0, bytesRead)
    }
    for (let place = 0; place < Math.min(size, maxAhead);) {
      const head = await at(place, 8)
      if (head.length < 8) return undefined
      const length = head.readUInt32BE(0)
      if (length < 8 || place + length > size) return undefined
      if (head.toString('latin1', 4) !== 'moov') {
        place += length
        continue
      }
      // ISO/IEC 14496-12, 8.2.2: mvhd is the first box in moov.
      const mvhd = await at(place + 8, 40)
      if (mvhd.length < 40 || mvhd.toString('latin1', 4, 8) !== 'mvhd') return undefined
      const [timescale, duration] =
        mvhd[8] === 1
          ? [mvhd.readUInt32BE(28), Number(mvhd.readBigUInt64BE(32))]
          : [mvhd.readUInt32BE(20), mvhd.readUInt32BE(24)]
      return timescale === 0 ? undefined : duration / timescale
    }
    return undefined
  } finally {
    await file.close()
  }
}
