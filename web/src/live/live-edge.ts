/** A stretch of media that is there to play, in seconds of media time. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What keeps the playing near the present. All times are seconds of media time. */
export interface Steering {
  /** Jump to here. */
  readonly seek?: number
  readonly rate: number
  /** Drop what lies before this. */
  readonly dropBefore?: number
}

/** Farther behind than this, jump. */
const tooFar = 3
/** Where a jump lands behind the newest frame: room for one late fragment. */
const landing = 0.6
/** Farther behind than this, catch up by playing a little faster. */
const late = 1.5
/** Kept behind the playing position. */
const kept = 10
/** Dropped no oftener than when this much more has gathered. */
const slack = 10

/** Where to play, given what is there: pure, so that a late, gapped or restarted stream can be tried without a camera. */
export function steer(spans: readonly Span[], at: number): Steering {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return { rate: 1 }

  const edge = last.end
  const landingAt = Math.max(last.start, edge - landing)
  const inside = spans.some(({ start, end }) => at >= start - 0.05 && at <= end + 0.05)
  const behind = edge - at
  const dropBefore = at - first.start > kept + slack ? at - kept : undefined
  const rest = dropBefore === undefined ? {} : { dropBefore }

  // Before the first frame, in a gap, past the end (media times began anew), or too late.
  if (!inside || behind > tooFar) return { seek: landingAt, rate: 1, ...rest }
  return { rate: behind > late ? 1.08 : 1, ...rest }
}

/** Milliseconds to wait before the n-th try again, n from 0; up to a quarter more by chance, so that a wall of players spreads. */
export const backoff = (tries: number, chance: number): number => Math.min(15_000, 1000 * 2 ** tries) * (1 + chance / 4)
