import type { TimeRange } from './day.ts'

/** Seconds that a timeline shows at least. */
export const narrowest = 600

const length = ({ from, to }: TimeRange): number => to - from

/** Moves a view so that it lies within the day. */
function within(day: TimeRange, from: number, seconds: number): TimeRange {
  const width = Math.min(Math.max(seconds, Math.min(narrowest, length(day))), length(day))
  const start = Math.min(Math.max(day.from, from), day.to - width)
  return { from: start, to: start + width }
}

/** Shows more (`factor` above 1) or less; what stands at `anchor` stays where it is. */
export function zoomed(view: TimeRange, day: TimeRange, factor: number, anchor: number): TimeRange {
  const seconds = Math.min(Math.max(length(view) * factor, narrowest), length(day))
  const share = (anchor - view.from) / length(view)
  return within(day, anchor - share * seconds, seconds)
}

export const panned = (view: TimeRange, day: TimeRange, seconds: number): TimeRange =>
  within(day, view.from + seconds, length(view))

/** Seconds that are shown at first where no more was recorded. */
const beginning = 3600

/**
 * The view to begin with: the day, or an hour of it where recording began only just now, as in a new house.
 *
 * @param begun when it began on this day; undefined where it has not, or where that is not known
 */
export function firstView(day: TimeRange, begun: number | undefined, now: number): TimeRange {
  if (begun === undefined || now > day.to || begun < now - beginning) return day
  return within(day, now - 0.9 * beginning, beginning)
}

export interface Looked {
  readonly view: TimeRange
  /** By hand somewhere else than where one is: it does not follow. */
  readonly away: boolean
}

/** The view in which a moment is seen: the same one where it is, else one around it. */
export function showing({ view, away }: Looked, day: TimeRange, at: number): TimeRange {
  if (view.from < day.from || view.to > day.to) return day
  if (away || (at >= view.from && at <= view.to)) return view
  return within(day, at - length(view) / 2, length(view))
}

/** Seconds between two marks on an axis. */
const steps = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200]

/** Pixels between the words of two marks. */
const between = 16

const whole = (at: number): boolean => new Date(at * 1000).getMinutes() === 0

/** The marks of an axis, and the words of those that have room for them. */
export interface Ticks {
  readonly at: readonly number[]
  /** Pixels that the widest words take. */
  readonly words: number
  /** All stand at whole hours. */
  readonly hourly: boolean
}

/**
 * As many marks as have room for their words.
 *
 * @param width pixels of the axis
 * @param words pixels of an hour's words, and of those of a time between
 */
export function ticksFor(
  view: TimeRange,
  width: number,
  words: { readonly hour: number; readonly time: number },
): Ticks {
  const hours = ticksIn(view, Math.max(2, width / (words.hour + between)))
  if (hours.every(whole)) return { at: hours, words: words.hour, hourly: true }
  const times = ticksIn(view, Math.max(2, width / (words.time + between)))
  const hourly = times.every(whole)
  return { at: times, words: hourly ? words.hour : words.time, hourly }
}

/** Where the marks of an axis stand: at round times of the day, though its hours be 23 or 25. */
export function ticksIn(view: TimeRange, max: number): number[] {
  const step = steps.find((each) => length(view) / each <= max) ?? 43_200
  const start = new Date(view.from * 1000)
  const wallOffset = -start.getTimezoneOffset() * 60
  if (step <= 3600) {
    // Clocks are set by whole hours.
    const first = Math.ceil((view.from + wallOffset) / step) * step - wallOffset
    return Array.from({ length: Math.max(0, Math.ceil((view.to - first) / step)) }, (_, index) => first + index * step)
  }
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()]
  return Array.from(
    { length: 86_400 / step },
    (_, index) => new Date(year, month, date, 0, 0, index * step).getTime() / 1000,
  ).filter((at) => at >= view.from && at < view.to)
}
