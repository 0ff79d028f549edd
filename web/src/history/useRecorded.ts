import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TimelineResponse } from '../../../server/src/recordings/recordings.routes.ts'
import { dayName, type TimeRange } from './day.ts'
import { summaryQuery, timelineQuery } from './recorded.ts'
import type { Motion, Span } from './spans.ts'

/** What is known of one camera on one day; undefined until it is. */
export interface Recorded {
  readonly spans: readonly Span[]
  readonly motion: Motion
}

/** What each camera recorded on a day, in their order. */
export function useRecorded(
  cameras: readonly string[],
  day: TimeRange,
  live: boolean,
): readonly (Recorded | undefined)[] {
  const found = useQueries({
    queries: cameras.map((camera) => timelineQuery(camera, day, live)),
    combine: (results) => results.map(({ data }) => data),
  })
  // Not new for each picture that plays.
  return useMemo(() => found.map((data) => data && recordedOf(data, day)), [found, day])
}

const recordedOf = ({ spans, motion }: TimelineResponse, { from, to }: TimeRange): Recorded => ({
  spans,
  motion: { from, part: (to - from) / Math.max(1, motion.length), percent: motion },
})

/** The days around one on which any of the cameras recorded, by name, in order; undefined until they are known. */
export function useRecordedDays(cameras: readonly string[], day: TimeRange): readonly string[] | undefined {
  const around = monthStart(day.from)
  return useQueries({
    queries: cameras.map((camera) => summaryQuery(camera, around)),
    combine: (results) => {
      if (results.some(({ data, isError }) => data === undefined && !isError)) return undefined
      return [...new Set(results.flatMap(({ data }) => data?.days.map((each) => each.day) ?? []))].toSorted()
    },
  })
}

/** So that one answer does for every day of a month. */
function monthStart(at: number): number {
  const date = new Date(at * 1000)
  return new Date(date.getFullYear(), date.getMonth(), 1).getTime() / 1000
}

/** The next day with recordings after one (`step` 1), or the last one before it (-1). */
export function dayBeside(days: readonly string[], at: number, step: 1 | -1): string | undefined {
  const name = dayName(at)
  return step > 0 ? days.find((each) => each > name) : days.findLast((each) => each < name)
}
