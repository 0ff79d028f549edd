import { Readable } from 'node:stream'
import { Fmp4Error, maxHeaderSize, readHeader, typeOf, type Box } from './box.ts'
import { planVideoOnly, type FileRanges, type VideoOnlyPlan } from './video-only-plan.ts'

/** A file that is read at any place, such as a `FileHandle`. */
export interface RandomFile {
  stat(): Promise<{ readonly size: number }>
  /** Reads at most `length` bytes from `position` on into the buffer. `bytesRead` is 0 at the end of the file. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  close(): Promise<void>
}

/** A file without its audio. The same file always gives the same bytes. */
export interface VideoOnlyFile {
  /** Bytes. */
  readonly size: number
  /** Reads the bytes `from` to `to`, end exclusive. The stream closes the file when it ends. */
  read(from: number, to: number): Readable
}

const moov = typeOf('moov')

/** Maximum bytes before the samples, for the longest file that the service makes. */
const maxAhead = 256 << 20
/** Maximum boxes of a file that the service makes: `ftyp`, `moov`, `free`, `mdat`. */
const maxBoxes = 16

/**
 * A progressive MP4, as an export is, without its audio, for a caller without the action `audio` (GRANT-2). An ETag that
 * names the size is another one than that of the file with audio: the result is smaller whenever audio is left out.
 */
export function videoOnlyFile(file: RandomFile, plan: VideoOnlyPlan): VideoOnlyFile {
  return {
    size: plan.size,
    read(from, to) {
      const stream = Readable.from(bytesOf(file, plan, from, to), { objectMode: false })
      return stream.on('close', () => void file.close().catch(() => undefined))
    },
  }
}

/**
 * Plans what to send of a file. Only its table of contents is read: one to three megabytes for each hour of video.
 *
 * @throws Fmp4Error as {@link planVideoOnly}; the file is then still open
 */
export async function readPlan(file: RandomFile): Promise<VideoOnlyPlan> {
  const { size } = await file.stat()
  const boxes = await boxesOf(file, size)
  const ahead = boxes.find(({ type }) => type === moov)?.end ?? 0
  if (ahead > maxAhead) throw new Fmp4Error(`a table of contents of ${ahead} bytes`)
  return planVideoOnly(boxes, await readWhole(file, 0, ahead))
}

async function boxesOf(file: RandomFile, size: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = 0; at < size; at = boxes.at(-1)?.end ?? size) {
    if (boxes.length === maxBoxes) throw new Fmp4Error('too many boxes')
    boxes.push(readHeader(await readWhole(file, at, Math.min(at + maxHeaderSize, size)), at, size))
  }
  return boxes
}

/** @throws Fmp4Error if the file ends before `to` */
async function readWhole(file: RandomFile, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from)
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at)
    if (bytesRead === 0) throw new Fmp4Error(`a file that ends at ${from + at} bytes`)
    at += bytesRead
  }
  return bytes
}

/** Maximum bytes that are read from the disk together. Most ranges are far smaller: a read for each would be slow. */
const maxSpan = 512 * 1024

async function* bytesOf(file: RandomFile, { head, ranges }: VideoOnlyPlan, from: number, to: number) {
  if (from < head.length) yield head.subarray(from, Math.min(to, head.length))
  for (let place = Math.max(from, head.length); place < to;) {
    const parts = partsAt(ranges, place, to)
    const [first, last] = [parts[0], parts.at(-1)]
    if (!first || !last) return
    const span = await readWhole(file, first.start, last.end)
    const bytes = Buffer.concat(parts.map(({ start, end }) => span.subarray(start - first.start, end - first.start)))
    yield bytes
    place += bytes.length
  }
}

/** Parts of the file that follow each other in the response from `place` on, up to {@link maxSpan} apart. */
function partsAt({ count, offsets, places }: FileRanges, place: number, to: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  let at = place
  let limit = Infinity
  for (let range = rangeAt(places, count, place); range < count && at < to; range++) {
    const start = (offsets[range] ?? 0) + at - (places[range] ?? 0)
    limit = Math.min(limit, start + maxSpan)
    if (start >= limit) break
    const end = Math.min(start + Math.min(places[range + 1] ?? 0, to) - at, limit)
    parts.push({ start, end })
    at += end - start
  }
  return parts
}

/** Index of the last range that begins at or before a position in the response, by bisection. */
function rangeAt(places: Float64Array, count: number, place: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((places[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
