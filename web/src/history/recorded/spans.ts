/** A recording without a gap, Unix seconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Motion in buckets of equal length. */
export interface Motion {
  readonly from: number
  /** Seconds of one bucket. */
  readonly part: number
  /** Maximum share of the frame with motion in each bucket, percent. */
  readonly percent: readonly number[]
}

/** Seconds by which the end of a recording may be inaccurate. */
export const rounding = 0.3

export const spanAt = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find(({ start, end }) => at >= start - rounding && at < end - rounding)

/** The parts of `spans` outside `gone`. Both sorted. */
export function spansWithout(spans: readonly Span[], gone: readonly Span[]): Span[] {
  return gone.reduce<Span[]>(
    (left, out) =>
      left.flatMap((span) => {
        if (out.end <= span.start || out.start >= span.end) return [span]
        const parts = [
          { start: span.start, end: out.start },
          { start: out.end, end: span.end },
        ]
        return parts.filter(({ start, end }) => end - start > rounding)
      }),
    [...spans],
  )
}

/** The first recorded time at or after `at`. */
export function recordedFrom(spans: readonly Span[], at: number): number | undefined {
  const span = spans.find(({ end }) => end - rounding > at)
  return span && Math.max(span.start, at)
}

/** The first time at or after `at` that any of the cameras recorded. */
export function anyRecordedFrom(cameras: readonly (readonly Span[])[], at: number): number | undefined {
  const moments = cameras.flatMap((spans) => recordedFrom(spans, at) ?? [])
  return moments.length > 0 ? Math.min(...moments) : undefined
}

/** The times at which motion starts, in order. */
export function motionStarts({ from, part, percent }: Motion): number[] {
  return percent.flatMap((each, index) => (each > 0 && !(percent[index - 1] ?? 0) ? [from + index * part] : []))
}

/** Seconds after the start of a motion within which "previous" skips to the motion before. */
const restartWindow = 3

export function nextMotion(motions: readonly Motion[], at: number): number | undefined {
  const starts = motions.flatMap(motionStarts).filter((start) => start > at + 1)
  return starts.length > 0 ? Math.min(...starts) : undefined
}

export function previousMotion(motions: readonly Motion[], at: number): number | undefined {
  const starts = motions.flatMap(motionStarts).filter((start) => start < at - restartWindow)
  return starts.length > 0 ? Math.max(...starts) : undefined
}
