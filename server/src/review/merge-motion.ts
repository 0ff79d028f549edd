import type { MotionSample, MotionBox } from '../shared/camera/motion-sample.ts'
import type { Severity } from './review-response.ts'

/** How motion is merged into items. Milliseconds, except `strong`. */
export const joining = {
  /** An item ends after this long without motion; earlier motion belongs to it. */
  still: 15_000,
  /** An item begins this long before the first motion and ends this long after the last, so that nothing is missed. */
  lead: 3_000,
  trail: 2_000,
  /** Longer motion continues as another item. */
  longest: 5 * 60_000,
  /** Percent of the frame: an item with a frame that moves this much is an alert. */
  strong: 8,
  /** An item whose motion adds up to this much is an alert, too. */
  long: 10_000,
  /** Maximum time between two frames that counts as continuous motion. */
  apart: 5_000,
  /** Frames arrive in order; a time further back than this means that the clock was set. */
  disorder: 2_000,
} as const

/** Motion of one camera that belongs together. Times are Unix milliseconds. */
export interface OpenItem {
  readonly start: number
  /** Times of the first and the last motion. */
  readonly movedFrom: number
  readonly movedAt: number
  /** Time of the last analyzed frame. */
  readonly lastReportAt: number
  /** Whether something was moving in that frame. */
  readonly moving: boolean
  /** Total duration of motion, milliseconds. */
  readonly moved: number
  readonly peak: Peak
  readonly severity: Severity
}

/** The time at which most of the frame moved. */
export interface Peak {
  readonly at: number
  readonly percent: number
  readonly box: MotionBox | null
}

export interface Joined {
  /** The item that ended. */
  readonly ended: OpenItem | undefined
  /** The item that is open now, old or new. */
  readonly open: OpenItem | undefined
}

/**
 * Adds one motion sample.
 *
 * @param open the open item, if any
 * @param endedAt end of the item before, Unix milliseconds: items don't overlap
 */
export function mergeMotion(open: OpenItem | undefined, motion: MotionSample, endedAt: number | undefined): Joined {
  if (!open) return { ended: undefined, open: motion.moving ? begun(motion, startOf(motion, endedAt)) : undefined }
  const since = motion.at - open.lastReportAt
  // The clock was set, or no frame was analyzed for a while: the open item ends.
  if (since < -joining.disorder || since > joining.still)
    return { ended: open, open: mergeMotion(undefined, motion, endOf(open)).open }
  if (motion.moving && motion.at - open.start >= joining.longest) {
    return { ended: open, open: begun(motion, motion.at) }
  }
  if (motion.moving) return { ended: undefined, open: extended(open, motion) }
  if (motion.at - open.movedAt >= joining.still) return { ended: open, open: undefined }
  return { ended: undefined, open: { ...open, lastReportAt: Math.max(open.lastReportAt, motion.at), moving: false } }
}

/** End of an item as known so far, Unix milliseconds. */
export const endOf = ({ start, movedAt }: OpenItem): number =>
  Math.min(movedAt + joining.trail, start + joining.longest + joining.trail)

function startOf({ at }: MotionSample, endedAt: number | undefined): number {
  const start = at - joining.lead
  // An item that ended after this sample was timed by another clock.
  return endedAt !== undefined && endedAt <= at ? Math.max(start, endedAt) : start
}

const begun = ({ at, percent, box }: MotionSample, start: number): OpenItem =>
  withSeverity({
    start,
    movedFrom: at,
    movedAt: at,
    lastReportAt: at,
    moving: true,
    moved: 0,
    peak: { at, percent, box },
    severity: 'detection',
  })

function extended(open: OpenItem, { at, percent, box }: MotionSample): OpenItem {
  const step = open.moving ? Math.min(Math.max(0, at - open.lastReportAt), joining.apart) : 0
  return withSeverity({
    ...open,
    movedAt: Math.max(open.movedAt, at),
    lastReportAt: Math.max(open.lastReportAt, at),
    moving: true,
    moved: open.moved + step,
    peak: percent > open.peak.percent ? { at, percent, box } : open.peak,
  })
}

/** Raises an item to an alert if it qualifies. An alert stays an alert. */
const withSeverity = (open: OpenItem): OpenItem =>
  open.peak.percent >= joining.strong || open.moved >= joining.long ? { ...open, severity: 'alert' } : open
