import { Fmp4Error, headerSize, sizeAt, typeAt, typeOf } from './box.ts'
import { readFragment, type Fragment } from './fragment.ts'
import { readInitSegment, type InitSegment } from './init-segment.ts'

export interface Fmp4Receiver {
  init(segment: InitSegment): void
  fragment(fragment: Fragment): void
}

const [ftyp, moov, moof, mdat] = [typeOf('ftyp'), typeOf('moov'), typeOf('moof'), typeOf('mdat')]

/** Maximum bytes of a box by type. An 8K key frame at the highest bit rate stays far below the limit of `mdat`. */
const limits = new Map([
  [ftyp, 4096],
  [mdat, 32 << 20],
])
const otherLimit = 1 << 20

/**
 * Splits a byte stream of fragmented MP4 into its init segment and fragments, regardless of chunk boundaries. `write`
 * throws an {@link Fmp4Error}.
 */
export function createFmp4Parser(receiver: Fmp4Receiver): { write(chunk: Buffer): void } {
  let waiting: Buffer[] = []
  let held = 0
  let needed = headerSize
  let header: Buffer | undefined
  let init: InitSegment | undefined
  let head: Buffer | undefined

  const onBox = (data: Buffer): void => {
    const type = typeAt(data, 0)
    if (type === ftyp) header = data
    if (type === moov) {
      if (!header) throw new Fmp4Error('moov before ftyp')
      init = readInitSegment(header, data)
      receiver.init(init)
    }
    if (type === moof) head = data
    if (type === mdat && head) {
      if (!init) throw new Fmp4Error('moof before moov')
      const fragment = readFragment(init, head, data)
      head = undefined
      receiver.fragment(fragment)
    }
  }

  return {
    write(chunk) {
      waiting.push(chunk)
      held += chunk.length
      while (held >= needed) {
        let all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, held)
        let size = firstSize(all)
        while (size <= all.length && size > 0) {
          onBox(all.subarray(0, size))
          all = all.subarray(size)
          size = firstSize(all)
        }
        waiting = all.length > 0 ? [all] : []
        held = all.length
        needed = Math.max(size, headerSize)
        if (size === 0) return
      }
    },
  }
}

/** Size in bytes of the box that begins here; 0 if more data is needed. */
function firstSize(data: Buffer): number {
  if (data.length < headerSize) return 0
  const size = sizeAt(data, 0)
  // Our ffmpeg arguments never produce sizes 0 (to the end) and 1 (64 bits) on a pipe.
  if (size < headerSize || size > (limits.get(typeAt(data, 0)) ?? otherLimit))
    throw new Fmp4Error(`a box of ${size} bytes`)
  return size
}
