/** The data is not fragmented MP4 as the service reads and writes it: a box is broken, missing or too large. */
export class Fmp4Error extends Error {
  override readonly name = 'Fmp4Error'
}

/*
 * A box (ISO/IEC 14496-12, 4.2) is a size of 32 bits that counts the whole box, a type of four letters, and a body. The
 * functions below use positions in one buffer instead of objects, because most boxes are only skipped:
 *
 *   for (let box = from; hasBox(box, to); box = endOf(data, box, to)) if (typeAt(data, box) === moof) …
 */

/** Bytes of a box before its body. */
export const headerSize = 8

/** Four letters as the number that is in the data. */
export const typeOf = (letters: string): number => Buffer.from(letters, 'latin1').readUInt32BE(0)

/** Bytes of the box at a position, including its header. */
export const sizeAt = (data: Buffer, box: number): number => data.readUInt32BE(box)

export const typeAt = (data: Buffer, box: number): number => data.readUInt32BE(box + 4)

/** Whether a box begins at a position. Fewer bytes than a header are the end. */
export const hasBox = (box: number, to: number): boolean => box + headerSize <= to

/** @throws Fmp4Error if the box does not end at or before `to` */
export function endOf(data: Buffer, box: number, to: number): number {
  const size = sizeAt(data, box)
  // Sizes 0 (to the end) and 1 (64 bits) are never written for boxes that are read here.
  if (size < headerSize || box + size > to) throw new Fmp4Error('a box that leaves its parent')
  return box + size
}

/** A box and where it is, in a buffer or a file. */
export interface Box {
  readonly type: number
  readonly start: number
  /** Where the body begins: the header has 8 bytes, or 16 with a size of 64 bits (`largesize`). */
  readonly body: number
  readonly end: number
}

/** Bytes of the longest header. */
export const maxHeaderSize = 16

/**
 * Reads a header, which can have a size of 64 bits.
 *
 * @param header at least {@link maxHeaderSize} bytes from the beginning of the box on; fewer only if `to` is nearer
 * @param start position of the box
 * @throws Fmp4Error if the box does not end at or before `to`, also for size 0 (to the end of the file)
 */
export function readHeader(header: Buffer, start: number, to: number): Box {
  if (header.length < headerSize) throw new Fmp4Error('a box without a whole header')
  const isLarge = sizeAt(header, 0) === 1
  if (isLarge && header.length < maxHeaderSize) throw new Fmp4Error('a box without a whole header')
  const body = start + (isLarge ? maxHeaderSize : headerSize)
  const end = start + (isLarge ? readLong(header, 8) : sizeAt(header, 0))
  if (end < body || end > to) throw new Fmp4Error('a box that leaves its parent')
  return { type: typeAt(header, 0), start, body, end }
}

/** All boxes between two positions. @throws Fmp4Error if they do not fill the space between exactly */
export function boxesIn(data: Buffer, from: number, to: number): Box[] {
  if (to > data.length) throw new Fmp4Error('boxes beyond the end of the data')
  const boxes: Box[] = []
  for (let at = from; at < to;) {
    const box = readHeader(data.subarray(at, Math.min(at + maxHeaderSize, to)), at, to)
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** Position of the first box of a type; -1 if missing. */
export function findBox(data: Buffer, type: number, from: number, to: number): number {
  for (let box = from; hasBox(box, to); box = endOf(data, box, to)) if (typeAt(data, box) === type) return box
  return -1
}

/**
 * Position of the body of the first box of a type.
 *
 * @throws Fmp4Error if the box is missing, or its body has fewer than `length` bytes
 */
export function bodyAt(data: Buffer, type: number, from: number, to: number, length: number): number {
  const box = findBox(data, type, from, to)
  if (box < 0 || endOf(data, box, to) < box + headerSize + length) throw incomplete(type)
  return box + headerSize
}

/** The bodies of all boxes of a type. */
export function bodiesIn(parent: Buffer, letters: string): Buffer[] {
  const type = typeOf(letters)
  const bodies: Buffer[] = []
  for (let box = 0, end = 0; hasBox(box, parent.length); box = end) {
    end = endOf(parent, box, parent.length)
    if (typeAt(parent, box) === type) bodies.push(parent.subarray(box + headerSize, end))
  }
  return bodies
}

/** The body of the first box at a path of types; undefined if missing. */
export function bodyIn(parent: Buffer, ...path: readonly string[]): Buffer | undefined {
  let body: Buffer | undefined = parent
  for (const letters of path) body = body && bodiesIn(body, letters)[0]
  return body
}

/** @throws Fmp4Error if a box found by {@link bodyIn} is missing, or its body has fewer than `length` bytes */
export function atLeast(length: number, body: Buffer | undefined, letters: string): Buffer {
  if (!body || body.length < length) throw incomplete(typeOf(letters))
  return body
}

const incomplete = (type: number): Fmp4Error => new Fmp4Error(`no whole ${lettersOf(type)}`)

/** The four letters of a type. */
export const lettersOf = (type: number): string => words(type).toString('latin1')

/** The flags of a box whose body begins with a version and flags (a "full box"). */
export const flagsAt = (data: Buffer, body: number): number => data.readUInt32BE(body) & 0xffffff

/**
 * Position in the body of `mvhd`, `tkhd` or `mdhd` after the times of creation and modification, which have 32 or 64
 * bits.
 */
export const afterTimes = (body: Buffer): number => (body[0] === 1 ? 20 : 12)

const high = 2 ** 32

/**
 * A number of 64 bits. Without BigInt, which would be two objects for each fragment.
 *
 * @throws Fmp4Error for one that a number can't express exactly
 */
export function readLong(data: Buffer, at: number): number {
  const value = data.readUInt32BE(at) * high + data.readUInt32BE(at + 4)
  if (value > Number.MAX_SAFE_INTEGER) throw new Fmp4Error(`the number ${value}`)
  return value
}

/** @param value a safe integer */
export function writeLong(data: Buffer, at: number, value: number): void {
  data.writeUInt32BE(Math.floor(value / high), at)
  data.writeUInt32BE(value % high, at + 4)
}

export function makeBox(letters: string, ...bodies: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(headerSize)
  header.write(letters, 4, 'latin1')
  const box = Buffer.concat([header, ...bodies])
  box.writeUInt32BE(box.length, 0)
  return box
}

/** @param flags the version in the highest byte */
export const makeFullBox = (letters: string, flags: number, ...bodies: readonly Buffer[]): Buffer =>
  makeBox(letters, words(flags), ...bodies)

/** Numbers of 32 bits. */
export function words(...values: readonly number[]): Buffer {
  const body = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) body.writeUInt32BE(value >>> 0, i * 4)
  return body
}
