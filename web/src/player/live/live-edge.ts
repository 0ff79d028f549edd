/** A buffered range, in seconds of media time. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** How to keep playback near the live edge. All times are seconds of media time. */
export interface Steering {
  /** Position to jump to. */
  readonly seek?: number
  readonly rate: number
  /** Buffered media before this position can be dropped. */
  readonly dropBefore?: number
}

/** Seconds behind the live edge beyond which playback jumps. */
const jumpBeyond = 3
/** Seconds behind the newest frame where a jump lands: room for one late fragment. */
const landingDelay = 0.6
/** Seconds behind the live edge beyond which playback runs slightly faster to catch up. */
const late = 1.5
/** Seconds of media kept behind the playback position. */
const keepBehind = 10
/** Seconds of further media that accumulate before a drop. */
const slack = 10

/** Decides where to play from the buffered ranges. Pure: tests need no camera for a late or restarted stream. */
export function steer(spans: readonly Span[], at: number): Steering {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return { rate: 1 }

  const edge = last.end
  const landingAt = Math.max(last.start, edge - landingDelay)
  const inside = spans.some(({ start, end }) => at >= start - 0.05 && at <= end + 0.05)
  const behind = edge - at
  const dropBefore = at - first.start > keepBehind + slack ? at - keepBehind : undefined
  const rest = dropBefore === undefined ? {} : { dropBefore }

  // Before the first frame, in a gap, past the end (media times restarted), or too far behind.
  if (!inside || behind > jumpBeyond) return { seek: landingAt, rate: 1, ...rest }
  return { rate: behind > late ? 1.08 : 1, ...rest }
}
