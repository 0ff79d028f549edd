import type { SegmentSpan } from './recording-store.ts'

/** A stretch without a break, Unix milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

export interface Timeline {
  readonly spans: TimeRange[]
  /** Percent that moved at most, for each part of the time asked for. */
  readonly motion: number[]
}

/** Milliseconds between two segments that nobody would see on a timeline. */
const seam = 1000

/**
 * What a timeline shows: stretches that are recorded, and how much moved when.
 *
 * @param spans in order of their start
 * @param parts into how many the time is divided for motion
 */
export function timelineOf(spans: readonly SegmentSpan[], after: number, before: number, parts: number): Timeline {
  const stretches: { start: number; end: number }[] = []
  const motion = Array.from({ length: parts }, () => 0)
  const width = (before - after) / parts
  for (const span of spans) {
    const start = Math.max(span.start, after)
    const end = Math.min(span.end, before)
    const last = stretches.at(-1)
    if (last && start - last.end <= seam) last.end = Math.max(last.end, end)
    else stretches.push({ start, end })
    if (span.motion === 0) continue
    const to = Math.min(parts - 1, Math.ceil((end - after) / width) - 1)
    for (let part = Math.max(0, Math.floor((start - after) / width)); part <= to; part++) {
      motion[part] = Math.max(motion[part] ?? 0, span.motion)
    }
  }
  return { spans: stretches, motion }
}
