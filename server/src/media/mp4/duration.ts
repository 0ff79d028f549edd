import { open } from '../../shared/storage/media-disk.ts'
import { afterTimes, headerSize, sizeAt, typeAt, typeOf } from './box.ts'

const [moov, mvhd] = [typeOf('moov'), typeOf('mvhd')]

/** Maximum bytes before the table of contents, for the longest file that the service makes. */
const maxAhead = 256 << 20
/** Bytes of an `mvhd` up to its duration, in the longer of its two versions. */
const mvhdSize = headerSize + 32

/**
 * Reads the duration of a finished MP4 from its table of contents.
 *
 * @returns seconds; undefined if the file has no complete table of contents before its samples
 */
export async function durationOf(path: string): Promise<number | undefined> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const read = async (place: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, place)
      return buffer.subarray(0, bytesRead)
    }
    for (let box = 0; box < Math.min(size, maxAhead);) {
      const header = await read(box, headerSize)
      if (header.length < headerSize) return undefined
      const length = sizeAt(header, 0)
      if (length < headerSize || box + length > size) return undefined
      // ISO/IEC 14496-12, 8.2.2: mvhd is the first box in moov.
      if (typeAt(header, 0) === moov) return durationIn(await read(box + headerSize, mvhdSize))
      box += length
    }
    return undefined
  } finally {
    await file.close()
  }
}

function durationIn(box: Buffer): number | undefined {
  if (box.length < mvhdSize || typeAt(box, 0) !== mvhd) return undefined
  const body = box.subarray(headerSize)
  const at = afterTimes(body)
  const timescale = body.readUInt32BE(at)
  const duration = body[0] === 1 ? Number(body.readBigUInt64BE(at + 4)) : body.readUInt32BE(at + 4)
  return timescale === 0 ? undefined : duration / timescale
}
