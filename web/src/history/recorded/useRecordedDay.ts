import { useMemo, useState } from 'react'
import { dayAround, dayOf, startOf, type TimeRange } from '../../lib/day.ts'
import type { Span } from './spans.ts'
import { useDayBeside, useRecorded, useRecordedDays, type RequestState, type Recorded } from './useRecorded.ts'

/** The day that contains the playback time, and what was recorded on it. */
export interface RecordedDay {
  readonly day: TimeRange
  readonly isToday: boolean
  /** Each camera's recordings, in the order of the cameras; undefined while loading. */
  readonly recorded: readonly (Recorded | undefined)[]
  readonly spans: readonly (readonly Span[] | undefined)[]
  /** Some recordings of this day are on disks that can't be reached. */
  readonly hasUnavailable: boolean
  /** No camera has anything to play on this day. */
  readonly isEmpty: boolean
  /** The days of the month and of some beside it with recordings; undefined until known. */
  readonly days: readonly string[] | undefined
  /** The nearest days with recordings before and after this one; one before is searched only if this one has none. */
  readonly before: string | undefined
  readonly after: string | undefined
  /** The first time after this day that may have recordings; undefined if none does. */
  readonly nextStart: number | 'searching' | 'failed' | undefined
  /** Why something of this is unknown, or perhaps no longer so. */
  readonly error: Error | undefined
}

/** Seconds before a day within which an earlier day is searched. */
const year = 365 * 86_400

/** Seconds after a day within which its last recordings are completed. */
const completion = 60

const isJustOver = ({ to }: TimeRange, now: number): boolean => now >= to && now < to + completion

/** Today, for the day before it. */
const dayJustBegun = ({ to }: TimeRange, now: number): string | undefined =>
  now >= to && dayOf(now) === dayOf(to) ? dayOf(to) : undefined

/** @param oldest the oldest time that the role shows; undefined: no limit */
export function useRecordedDay(
  cameras: readonly string[],
  at: number,
  now: number,
  oldest: number | undefined,
): RecordedDay {
  const dayStart = dayAround(at).from
  const day = useMemo(() => dayAround(dayStart), [dayStart])
  const isToday = now >= day.from && now < day.to
  // The last recording of a day is complete only after it.
  const { recorded, ...timelines } = useRecorded(cameras, day, isToday || isJustOver(day, now))
  const spans = useMemo(() => recorded.map((each) => each?.spans), [recorded])
  const isEmpty = spans.length > 0 && spans.every((each) => each?.length === 0)
  const { days, ...summaries } = useRecordedDays(cameras, day.from, dayJustBegun(day, now))
  const earliest = Math.max(day.from - year, oldest ?? 0)
  const before = useDayBeside(cameras, days, day.from, -1, isEmpty ? earliest : undefined)
  const after = useDayBeside(cameras, days, day.from, 1, now)
  return {
    day,
    isToday,
    recorded,
    spans,
    hasUnavailable: recorded.some((each) => each !== undefined && each.unavailable.length > 0),
    isEmpty,
    days,
    before: before.day ?? undefined,
    after: after.day ?? undefined,
    nextStart: summaries.error || after.error ? 'failed' : startAfter(after.day),
    error: useLastError([timelines, summaries, after, before]),
  }
}

/** @param day the next day with recordings; null if there is none, undefined until known */
const startAfter = (day: string | null | undefined): number | 'searching' | undefined =>
  day === undefined ? 'searching' : day === null ? undefined : startOf(day)

/** The first error of several requests. It stays while they are repeated. */
function useLastError(requests: readonly RequestState[]): Error | undefined {
  const error = requests.find((each) => each.error)?.error
  const [last, setLast] = useState(error)
  const shown = error ?? (requests.some(({ isPending }) => isPending) ? last : undefined)
  if (shown !== last) setLast(shown)
  return shown
}
