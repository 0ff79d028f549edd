import type { MotionSample, MotionBox } from './motion.ts'
import type { Severity } from './review-response.ts'

/** Milliseconds, but for `strong`. */
export const joining = {
  /** After so long without movement it is over; what moves sooner belongs to it. */
  still: 15_000,
  /** It begins so much before the first movement, and ends so much after the last, that nothing is missed. */
  lead: 3_000,
  trail: 2_000,
  /** What lasts longer goes on as another item. */
  longest: 5 * 60_000,
  /** Percent of the picture: what moves so much of it at a time is an alert. */
  strong: 8,
  /** What moves so long, all moments of it together, is an alert too. */
  long: 10_000,
  /** Two pictures further apart tell nothing of what was between them. */
  apart: 5_000,
  /** Pictures come in order; a time that lies so much further back comes from a clock that was set. */
  disorder: 2_000,
} as const

/** Movement of one camera that belongs together. Times are Unix milliseconds. */
export interface OpenItem {
  readonly start: number
  /** When it moved first, and last. */
  readonly movedFrom: number
  readonly movedAt: number
  /** When the last picture was looked at. */
  readonly heardAt: number
  /** Whether something was on its way in that picture. */
  readonly moving: boolean
  /** All moments of movement together. */
  readonly moved: number
  readonly peak: Peak
  readonly severity: Severity
}

/** The moment at which most of the picture moved. */
export interface Peak {
  readonly at: number
  readonly percent: number
  readonly box: MotionBox | null
}

export interface Joined {
  /** What is over. */
  readonly ended: OpenItem | undefined
  /** What goes on, or has just begun. */
  readonly open: OpenItem | undefined
}

/**
 * Takes one picture into account.
 *
 * @param open what goes on
 * @param endedAt until when the one before lasted: no two overlap
 */
export function mergeMotion(open: OpenItem | undefined, motion: MotionSample, endedAt: number | undefined): Joined {
  if (!open) return { ended: undefined, open: motion.moving ? begun(motion, startOf(motion, endedAt)) : undefined }
  const since = motion.at - open.heardAt
  // The clock was set, or nobody looked for a while: what was, is over.
  if (since < -joining.disorder || since > joining.still)
    return { ended: open, open: mergeMotion(undefined, motion, endOf(open)).open }
  if (motion.moving && motion.at - open.start >= joining.longest) {
    return { ended: open, open: begun(motion, motion.at) }
  }
  if (motion.moving) return { ended: undefined, open: grown(open, motion) }
  if (motion.at - open.movedAt >= joining.still) return { ended: open, open: undefined }
  return { ended: undefined, open: { ...open, heardAt: Math.max(open.heardAt, motion.at), moving: false } }
}

/** Until when it lasts, as far as is known. */
export const endOf = ({ start, movedAt }: OpenItem): number =>
  Math.min(movedAt + joining.trail, start + joining.longest + joining.trail)

function startOf({ at }: MotionSample, endedAt: number | undefined): number {
  const start = at - joining.lead
  // One that ended later than now ended by another clock.
  return endedAt !== undefined && endedAt <= at ? Math.max(start, endedAt) : start
}

const begun = ({ at, percent, box }: MotionSample, start: number): OpenItem =>
  judged({
    start,
    movedFrom: at,
    movedAt: at,
    heardAt: at,
    moving: true,
    moved: 0,
    peak: { at, percent, box },
    severity: 'detection',
  })

function grown(open: OpenItem, { at, percent, box }: MotionSample): OpenItem {
  const step = open.moving ? Math.min(Math.max(0, at - open.heardAt), joining.apart) : 0
  return judged({
    ...open,
    movedAt: Math.max(open.movedAt, at),
    heardAt: Math.max(open.heardAt, at),
    moving: true,
    moved: open.moved + step,
    peak: percent > open.peak.percent ? { at, percent, box } : open.peak,
  })
}

/** It may become an alert, and stays one. */
const judged = (open: OpenItem): OpenItem =>
  open.peak.percent >= joining.strong || open.moved >= joining.long ? { ...open, severity: 'alert' } : open
