import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createFmp4Parser, moveTimes } from '../media/fmp4.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Segment } from './recording-store.ts'

/** One MP4 made of recorded segments, the same bytes each time. */
export interface Clip {
  readonly size: number
  readonly etag: string
  /** Bytes `from` to `to`, the end not among them. */
  read(from: number, to: number): Readable
}

/** Bytes of one segment's file that belong to the clip, and where they lie in it. */
interface Part {
  readonly segment: Segment
  /** In the segment's file. */
  readonly from: number
  readonly to: number
  /** In the clip. */
  readonly place: number
  /** Seconds in the clip at which the file's first picture would be; below 0 where the clip begins within it. */
  readonly at: number
}

/**
 * Puts segments together, without anything being decoded: from the key frame at or before `start` to the first picture
 * at or after `end`.
 *
 * @param segments in order, at least one
 * @param start Unix milliseconds
 * @throws ServiceError `conflict` where the picture's kind changes in between, `not-found` where a file is gone
 */
export async function createClip(
  folder: string,
  segments: readonly Segment[],
  start: number,
  end: number,
): Promise<Clip> {
  const first = segments[0]
  if (!first) throw new ServiceError('not-found', 'Nothing was recorded then.', { reason: 'nothing-recorded' })
  const head = (await fileOf(folder, first)).subarray(0, first.initBytes)
  const parts: Part[] = []
  let size = head.length
  let at = 0
  for (const segment of segments) {
    const edge = segment.start < start || segment.end > end
    const { from, to, skipped, duration } = edge
      ? await cut(folder, segment, start, end)
      : { from: segment.initBytes, to: segment.bytes, skipped: 0, duration: segment.end - segment.start }
    if (to <= from) continue
    parts.push({ segment, from, to, place: size, at: at - skipped / 1000 })
    size += to - from
    at += duration / 1000
  }
  if (parts.length === 0)
    throw new ServiceError('not-found', 'Nothing was recorded then.', { reason: 'nothing-recorded' })
  await refuseOtherKinds(folder, head, segments)

  const names = parts.map(({ segment, from, to }) => `${segment.file}:${from}-${to}`)
  const etag = `"${createHash('sha256').update(names.join()).digest('base64url').slice(0, 22)}"`
  return {
    size,
    etag,
    read: (from, to) => Readable.from(bytesOf(folder, head, parts, from, to), { objectMode: false }),
  }
}

async function* bytesOf(folder: string, head: Buffer, parts: readonly Part[], from: number, to: number) {
  if (from < head.length) yield head.subarray(from, to)
  for (const { segment, place, at, ...file } of parts) {
    const [begin, end] = [Math.max(from, place), Math.min(to, place + file.to - file.from)]
    if (begin >= end) continue
    const data = await fileOf(folder, segment)
    moveTimes(data, at)
    yield data.subarray(file.from + begin - place, file.from + end - place)
  }
}

interface Cut {
  readonly from: number
  readonly to: number
  /** Milliseconds of the segment that lie before the cut. */
  readonly skipped: number
  /** Milliseconds between the cuts. */
  readonly duration: number
}

/** Finds the bytes of a segment that a span needs. */
async function cut(folder: string, segment: Segment, start: number, end: number): Promise<Cut> {
  let place = segment.initBytes
  let zero: number | undefined
  let begin: { readonly place: number; readonly time: number } | undefined
  let stop: { readonly place: number; readonly time: number } | undefined
  const parser = createFmp4Parser({
    init: () => {},
    fragment({ data, video, key, time }) {
      if (video) {
        zero ??= time
        const wall = segment.start + (time - zero) * 1000
        if (key && (!begin || wall <= start)) begin = { place, time }
        if (wall >= end && begin) stop ??= { place, time }
      }
      place += data.length
    },
  })
  parser.write(await fileOf(folder, segment))
  if (!begin || zero === undefined) return { from: 0, to: 0, skipped: 0, duration: 0 }
  const skipped = (begin.time - zero) * 1000
  const until = stop ? (stop.time - zero) * 1000 : segment.end - segment.start
  return { from: begin.place, to: stop?.place ?? place, skipped, duration: until - skipped }
}

/** One file has one description of its pictures. */
async function refuseOtherKinds(folder: string, head: Buffer, segments: readonly Segment[]): Promise<void> {
  const seen = new Set([segments[0]?.run])
  for (const segment of segments) {
    if (seen.has(segment.run)) continue
    seen.add(segment.run)
    const other = (await fileOf(folder, segment)).subarray(0, segment.initBytes)
    if (other.equals(head)) continue
    const at = new Date(segment.start).toISOString()
    throw new ServiceError('conflict', `The camera changed its picture at ${at}: ask for what is before, or after.`, {
      reason: 'picture-changed',
      values: { at },
    })
  }
}

async function fileOf(folder: string, { file }: Segment): Promise<Buffer> {
  try {
    return await readFile(join(folder, file))
  } catch (cause) {
    throw new ServiceError('not-found', 'This recording is gone.', { cause, reason: 'recording-gone' })
  }
}
