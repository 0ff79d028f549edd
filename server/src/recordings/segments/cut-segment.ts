import { eachSample } from '../../media/mp4/each-sample.ts'
import { createFmp4Parser } from '../../media/mp4/fmp4-parser.ts'
import { fragmentsIn } from '../../media/mp4/fragment-boxes.ts'
import type { Track } from '../../media/mp4/init-segment.ts'
import { trackFragmentsIn } from '../../media/mp4/track-fragment.ts'
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

export interface CutRange {
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  /**
   * `complete`: with every frame that is shown before the end, and those after it that they need. `replaced`: without any
   * that is shown later, because another file follows.
   */
  readonly ends: 'complete' | 'replaced'
}

/**
 * Finds the bytes of a segment that a time range needs: from a key frame to the first frame at or after the end.
 *
 * @param file the whole file, with any timestamps
 */
export function cutSegment(
  file: Buffer,
  segment: Pick<Segment, 'start' | 'end' | 'initBytes'>,
  { start, end, ends }: CutRange,
): Cut {
  let place = segment.initBytes
  let zero: number | undefined
  /** `delay`: milliseconds from when it's decoded to when it's shown. */
  let begin: { readonly place: number; readonly time: number; readonly delay: number } | undefined
  let stop: { readonly place: number; readonly time: number } | undefined
  let last = 0
  let tracks: readonly Track[] = []
  const parser = createFmp4Parser({
    init: (described) => void (tracks = described.tracks),
    fragment({ data, video, key, time }) {
      if (video) {
        zero ??= time
        const wall = segment.start + (time - zero) * 1000
        const delay = delayIn(data, tracks) * 1000
        if (key && (!begin || wall <= start)) begin = { place, time, delay }
        // No frame is shown before it's decoded.
        const latest = ends === 'complete' ? wall : wall + delay
        if (begin && Math.round(latest - begin.delay) >= end) stop ??= { place, time }
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

/** Seconds from when the first frame of a fragment is decoded to when it's shown, which is later with B-frames. */
function delayIn(data: Buffer, tracks: readonly Track[]): number {
  let delay: number | undefined
  for (const { moof } of fragmentsIn(data, 0, data.length)) {
    for (const fragment of trackFragmentsIn(data, tracks, moof)) {
      const { kind, timescale } = fragment.track
      if (kind === 'video') eachSample(data, fragment, ({ offset }) => (delay ??= offset / timescale))
    }
  }
  return Math.max(0, delay ?? 0)
}
