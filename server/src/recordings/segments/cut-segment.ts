import { createFmp4Parser } from '../../media/mp4/fmp4-parser.ts'
import type { Segment } from '../index/recording-store.ts'

/** The part of a segment's file that a time range needs. Byte offsets in the file, end exclusive. */
export interface Cut {
  readonly from: number
  readonly to: number
  /** Milliseconds of the segment before the cut. */
  readonly skipped: number
  /** Milliseconds between the two cuts. */
  readonly duration: number
  /** Milliseconds from the first cut to the start of the last frame. */
  readonly last: number
}

/**
 * Finds the bytes of a segment that a time range needs: from a key frame to the first frame at or after the end.
 *
 * @param file the whole file, with any timestamps
 * @param start Unix milliseconds
 * @param end Unix milliseconds
 */
export function cutSegment(
  file: Buffer,
  segment: Pick<Segment, 'start' | 'end' | 'initBytes'>,
  start: number,
  end: number,
): Cut {
  let place = segment.initBytes
  let zero: number | undefined
  let begin: { readonly place: number; readonly time: number } | undefined
  let stop: { readonly place: number; readonly time: number } | undefined
  let last = 0
  const parser = createFmp4Parser({
    init: () => {},
    fragment({ data, video, key, time }) {
      if (video) {
        zero ??= time
        const wall = segment.start + (time - zero) * 1000
        if (key && (!begin || wall <= start)) begin = { place, time }
        if (wall >= end && begin) stop ??= { place, time }
        if (!stop) last = time
      }
      place += data.length
    },
  })
  parser.write(file)
  if (!begin || zero === undefined) return { from: 0, to: 0, skipped: 0, duration: 0, last: 0 }
  const skipped = (begin.time - zero) * 1000
  // After a stall, the next frame may come long after the end.
  const until = Math.min(end, stop ? segment.start + (stop.time - zero) * 1000 : segment.end) - segment.start
  return {
    from: begin.place,
    to: stop?.place ?? place,
    skipped,
    duration: until - skipped,
    last: (last - begin.time) * 1000,
  }
}
