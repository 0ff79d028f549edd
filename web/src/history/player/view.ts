import type { TimeRange } from '../../lib/day.ts'

/** Minimum seconds that a timeline shows. */
export const narrowest = 600

const length = ({ from, to }: TimeRange): number => to - from

/** Position of a time within a range, as a fraction. */
export const shareOf = ({ from, to }: TimeRange, at: number): number => (at - from) / (to - from)

/** The inverse of {@link shareOf}. */
export const momentIn = ({ from, to }: TimeRange, share: number): number => from + share * (to - from)

/** Clamps a view to the day. */
function within(day: TimeRange, from: number, seconds: number): TimeRange {
  const width = Math.min(Math.max(seconds, Math.min(narrowest, length(day))), length(day))
  const start = Math.min(Math.max(day.from, from), day.to - width)
  return { from: start, to: start + width }
}

/** Zooms out (`factor` above 1) or in; the time at `anchor` stays in place. */
export function zoomed(view: TimeRange, day: TimeRange, factor: number, anchor: number): TimeRange {
  const seconds = Math.min(Math.max(length(view) * factor, narrowest), length(day))
  const share = (anchor - view.from) / length(view)
  return within(day, anchor - share * seconds, seconds)
}

export const panned = (view: TimeRange, day: TimeRange, seconds: number): TimeRange =>
  within(day, view.from + seconds, length(view))

/** Seconds shown at first while little was recorded. */
const initialSeconds = 3600

/**
 * The initial view: the whole day, or one hour if recording began only recently, as in a new installation.
 *
 * @param begun when recording began on this day; undefined if it did not, or if that is unknown
 */
export function firstView(day: TimeRange, begun: number | undefined, now: number): TimeRange {
  if (begun === undefined || now > day.to || begun < now - initialSeconds) return day
  return within(day, now - 0.9 * initialSeconds, initialSeconds)
}

export interface ChosenView {
  readonly view: TimeRange
  /** The user moved the view away from the playback time, so that it does not follow. */
  readonly away: boolean
}

/** The view that contains a time: unchanged if it already does, otherwise moved around it. */
export function showing({ view, away }: ChosenView, day: TimeRange, at: number): TimeRange {
  if (view.from < day.from || view.to > day.to) return day
  if (away || (at >= view.from && at <= view.to)) return view
  return within(day, at - length(view) / 2, length(view))
}

/** Possible seconds between two ticks. */
const steps = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200]

/** Minimum pixels between the labels of two ticks. */
const labelGap = 16

const isWholeHour = (at: number): boolean => new Date(at * 1000).getMinutes() === 0

/** The ticks of an axis that have room for their labels. */
export interface Ticks {
  readonly at: readonly number[]
  /** Pixel width of the widest label. */
  readonly words: number
  /** All ticks are at whole hours. */
  readonly hourly: boolean
}

/**
 * Returns as many ticks as there is room for their labels.
 *
 * @param width pixels of the axis
 * @param words pixel widths of an hour label and of a time label
 */
export function ticksFor(
  view: TimeRange,
  width: number,
  words: { readonly hour: number; readonly time: number },
): Ticks {
  const hours = ticksIn(view, Math.max(2, width / (words.hour + labelGap)))
  if (hours.every(isWholeHour)) return { at: hours, words: words.hour, hourly: true }
  const times = ticksIn(view, Math.max(2, width / (words.time + labelGap)))
  const hourly = times.every(isWholeHour)
  return { at: times, words: hourly ? words.hour : words.time, hourly }
}

/** The ticks of an axis: at round times of the day, even on a day of 23 or 25 hours. */
export function ticksIn(view: TimeRange, max: number): number[] {
  const step = steps.find((each) => length(view) / each <= max) ?? 43_200
  const start = new Date(view.from * 1000)
  const wallOffset = -start.getTimezoneOffset() * 60
  if (step <= 3600) {
    // Clocks change by whole hours.
    const first = Math.ceil((view.from + wallOffset) / step) * step - wallOffset
    return Array.from({ length: Math.max(0, Math.ceil((view.to - first) / step)) }, (_, index) => first + index * step)
  }
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()]
  return Array.from(
    { length: 86_400 / step },
    (_, index) => new Date(year, month, date, 0, 0, index * step).getTime() / 1000,
  ).filter((at) => at >= view.from && at < view.to)
}
