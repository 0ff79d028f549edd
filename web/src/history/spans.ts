/** A stretch recorded without a break, Unix seconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** How much moved, in equal parts of a stretch of time. */
export interface Motion {
  readonly from: number
  /** Seconds of one part. */
  readonly part: number
  /** Percent of the picture, at most. */
  readonly percent: readonly number[]
}

/** Seconds by which the end of what is recorded may be off. */
export const rounding = 0.3

export const spanAt = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find(({ start, end }) => at >= start - rounding && at < end - rounding)

/** The first moment from `at` on that was recorded. */
export function recordedFrom(spans: readonly Span[], at: number): number | undefined {
  const span = spans.find(({ end }) => end - rounding > at)
  return span && Math.max(span.start, at)
}

/** The same for several cameras: the first moment at which one of them was. */
export function anyRecordedFrom(cameras: readonly (readonly Span[])[], at: number): number | undefined {
  const moments = cameras.flatMap((spans) => recordedFrom(spans, at) ?? [])
  return moments.length > 0 ? Math.min(...moments) : undefined
}

/** Where something begins to move, in order. */
export function motionStarts({ from, part, percent }: Motion): number[] {
  return percent.flatMap((each, index) => (each > 0 && !(percent[index - 1] ?? 0) ? [from + index * part] : []))
}

/** Seconds behind the start of a motion within which one goes back to the one before. */
const still = 3

export function nextMotion(motions: readonly Motion[], at: number): number | undefined {
  const starts = motions.flatMap(motionStarts).filter((start) => start > at + 1)
  return starts.length > 0 ? Math.min(...starts) : undefined
}

export function previousMotion(motions: readonly Motion[], at: number): number | undefined {
  const starts = motions.flatMap(motionStarts).filter((start) => start < at - still)
  return starts.length > 0 ? Math.max(...starts) : undefined
}
