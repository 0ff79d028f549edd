import { bodiesIn, Fmp4Error, headerSize, lettersOf, maxHeaderSize, typeOf, writeLong, type Box } from './box.ts'
import { readChunkTable, type ChunkTable } from './chunk-table.ts'
import { readTracks, type Track } from './init-segment.ts'
import { videoOnlyMoov } from './video-only-moov.ts'

/** The bytes of a progressive MP4 without its audio: `head`, then ranges of the file. */
export interface VideoOnlyPlan {
  /** Bytes in total. */
  readonly size: number
  readonly head: Buffer
  readonly ranges: FileRanges
}

/**
 * Ranges of a file that follow each other in a response. Often each is a frame or two, so an hour has more than
 * 50,000: two numbers each instead of an object.
 */
export interface FileRanges {
  readonly count: number
  /** Position of each range in the file. */
  readonly offsets: Float64Array
  /** Position of each range in the response, and the end of the last. */
  readonly places: Float64Array
}

const [ftyp, moov, mdat, free] = [typeOf('ftyp'), typeOf('moov'), typeOf('mdat'), typeOf('free')]

/**
 * Plans what to send of a progressive MP4 (`ftyp`, `moov`, `mdat`) without its audio: the samples of other tracks are left
 * out, and the tables of the video refer to the new positions. No space remains where audio was, because its size
 * would show how loud the audio is.
 *
 * @param boxes all boxes of the file, from its beginning to its end
 * @param header the file's bytes up to the end of its `moov`
 * @throws Fmp4Error if any part of it is in doubt: another order of boxes, fragments, samples that overlap or are not in
 * the `mdat`
 */
export function planVideoOnly(boxes: readonly Box[], header: Buffer): VideoOnlyPlan {
  const [first, second, third, ...more] = boxes.filter(({ type }) => type !== free)
  if (first?.type !== ftyp || second?.type !== moov || third?.type !== mdat || more.length > 0) {
    const found = boxes.map(({ type }) => lettersOf(type)).join(', ')
    throw new Fmp4Error(`not ftyp, moov and mdat but ${found || 'nothing'}`)
  }
  const { start, end } = second
  if (end > header.length) throw new Fmp4Error('no whole moov')
  const whole = header.subarray(start, end)
  const stripped = videoOnlyMoov(whole)
  if (stripped === whole) return wholeFile(boxes.at(-1)?.end ?? 0)
  if (bodiesIn(whole.subarray(headerSize), 'mvex').length > 0) throw new Fmp4Error('fragmented')
  const beginning = header.subarray(first.start, first.end)
  const mdatAt = beginning.length + stripped.length
  const mdatBody = mdatAt + third.body - third.start
  const ranges = moveChunks(
    tablesOf(stripped, isVideo),
    tablesOf(whole, (track) => !isVideo(track)),
    third,
    mdatBody,
  )
  const size = ranges.places[ranges.count] ?? mdatBody
  return { size, head: Buffer.concat([beginning, stripped, mdatHeader(third, size - mdatAt)]), ranges }
}

function wholeFile(size: number): VideoOnlyPlan {
  const ranges = { count: 1, offsets: Float64Array.of(0), places: Float64Array.of(0, size) }
  return { size, head: Buffer.alloc(0), ranges }
}

const isVideo = ({ kind }: Track): boolean => kind === 'video'

function tablesOf(moov: Buffer, isRead: (track: Track) => boolean): ChunkTable[] {
  const tracks = readTracks(moov)
  const traks = bodiesIn(moov.subarray(headerSize), 'trak')
  return tracks.flatMap((track, i) => (isRead(track) ? [readChunkTable(traks[i] ?? Buffer.alloc(0))] : []))
}

/** With as many bytes as before, since positions count from its end. */
function mdatHeader({ start, body }: Box, size: number): Buffer {
  const header = Buffer.alloc(body - start)
  header.writeUInt32BE(header.length === maxHeaderSize ? 1 : size, 0)
  header.writeUInt32BE(mdat, 4)
  if (header.length === maxHeaderSize) writeLong(header, 8, size)
  return header
}

/**
 * Writes the new positions of the videos' chunks into their tables.
 *
 * @param place position of the first sample in the response
 * @throws Fmp4Error if chunks are not in the order of the file, overlap or are not in the `mdat`: audio must not be
 * reachable as video
 */
function moveChunks(
  videos: readonly ChunkTable[],
  others: readonly ChunkTable[],
  { body, end }: Box,
  place: number,
): FileRanges {
  const cursors = [...videos, ...others].map((table, i) => ({ table, next: 0, isVideo: i < videos.length }))
  const total = videos.reduce((sum, { count }) => sum + count, 0)
  const [offsets, places] = [new Float64Array(total), new Float64Array(total + 1)]
  let count = 0
  let free = body
  let videoEnd = -1
  places[0] = place
  for (let cursor = nearest(cursors); cursor; cursor = nearest(cursors)) {
    const index = cursor.next++
    const start = cursor.table.at(index)
    const size = cursor.table.sizes[index] ?? 0
    if (start < free || start + size > end) throw new Fmp4Error('samples outside the mdat, or twice')
    free = start + size
    if (!cursor.isVideo) continue
    cursor.table.moveTo(index, place)
    if (start !== videoEnd) offsets[count++] = start
    place += size
    places[count] = place
    videoEnd = free
  }
  return { count, offsets, places }
}

interface Cursor {
  readonly table: ChunkTable
  /** Index of the chunk. */
  next: number
  readonly isVideo: boolean
}

/** The cursor whose chunk comes first in the file, an empty one before others; undefined after the last chunk. */
function nearest(cursors: readonly Cursor[]): Cursor | undefined {
  let found: Cursor | undefined
  let [start, end] = [Infinity, Infinity]
  for (const cursor of cursors) {
    const { table, next } = cursor
    if (next >= table.count) continue
    const at = table.at(next)
    const to = at + (table.sizes[next] ?? 0)
    if (at > start || (at === start && to >= end)) continue
    found = cursor
    start = at
    end = to
  }
  return found
}
