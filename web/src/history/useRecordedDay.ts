import { useMemo } from 'react'
import { dayAround, startOf, type TimeRange } from '../lib/day.ts'
import { summaryRange } from './recorded-days.ts'
import type { Span } from './spans.ts'
import { useDayBeside, useRecorded, useRecordedDays, type Recorded } from './useRecorded.ts'

/** The day that contains the playback time, and what was recorded on it. */
export interface RecordedDay {
  readonly day: TimeRange
  readonly isToday: boolean
  /** Each camera's recordings, in the order of the cameras; undefined while loading. */
  readonly recorded: readonly (Recorded | undefined)[]
  readonly spans: readonly (readonly Span[] | undefined)[]
  /** Some recordings of this day are on instances that are away. */
  readonly hasUnavailable: boolean
  /** No camera has anything to play on this day. */
  readonly isEmpty: boolean
  /** The days of the month and of some beside it with recordings; undefined until known. */
  readonly days: readonly string[] | undefined
  /** The nearest days with recordings before and after this one; one before is searched only if this one has none. */
  readonly before: string | undefined
  readonly after: string | undefined
  /** The first time after this day that may have recordings; undefined if none does. */
  readonly nextStart: number | 'searching' | undefined
}

export function useRecordedDay(cameras: readonly string[], at: number, now: number): RecordedDay {
  const dayStart = dayAround(at).from
  const day = useMemo(() => dayAround(dayStart), [dayStart])
  const isToday = now >= day.from && now < day.to
  const recorded = useRecorded(cameras, day, isToday)
  const spans = useMemo(() => recorded.map((each) => each?.spans), [recorded])
  const isEmpty = spans.length > 0 && spans.every((each) => each?.length === 0)
  const days = useRecordedDays(cameras, day.from)
  const before = useDayBeside(cameras, days, day.from, -1, isEmpty)
  const after = useDayBeside(cameras, days, day.from, 1, summaryRange(day.from).to < now)
  return {
    day,
    isToday,
    recorded,
    spans,
    hasUnavailable: recorded.some((each) => each !== undefined && each.unavailable.length > 0),
    isEmpty,
    days,
    before: before ?? undefined,
    after: after ?? undefined,
    nextStart: after === undefined ? 'searching' : after === null ? undefined : startOf(after),
  }
}
