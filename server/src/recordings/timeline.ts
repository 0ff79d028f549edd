import type { SegmentSpan } from './index/recording-store.ts'

/** A time range without a gap, Unix milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

export interface Timeline {
  readonly spans: TimeRange[]
  /** Largest part of the frame that moved, percent, for each part of the requested time. */
  readonly motion: number[]
}

/** Milliseconds between two segments that are too short to show on a timeline. */
const seam = 1000

/**
 * Builds a timeline: recorded time ranges, and motion over time.
 *
 * @param spans sorted by start
 * @param after Unix milliseconds
 * @param before Unix milliseconds
 * @param buckets number of equal parts of the time for motion
 */
export function timelineOf(spans: readonly SegmentSpan[], after: number, before: number, buckets: number): Timeline {
  const ranges: { start: number; end: number }[] = []
  const motion = Array.from({ length: buckets }, () => 0)
  const width = (before - after) / buckets
  for (const span of spans) {
    const start = Math.max(span.start, after)
    const end = Math.min(span.end, before)
    const last = ranges.at(-1)
    if (last && start - last.end <= seam) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
    if (span.motion === 0) continue
    const to = Math.min(buckets - 1, Math.ceil((end - after) / width) - 1)
    for (let bucket = Math.max(0, Math.floor((start - after) / width)); bucket <= to; bucket++) {
      motion[bucket] = Math.max(motion[bucket] ?? 0, span.motion)
    }
  }
  return { spans: ranges, motion }
}
