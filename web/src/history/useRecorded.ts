import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TimelineResponse } from '../../../server/src/api-types.ts'
import { dayOf, type TimeRange } from '../lib/day.ts'
import { summaryQuery, timelineQuery } from './queries.ts'
import { spansWithout, type Motion, type Span } from './spans.ts'

/** The recordings of one camera on one day. */
export interface Recorded {
  /** What can be played. */
  readonly spans: readonly Span[]
  /** What is on instances that are away. */
  readonly unavailable: readonly Span[]
  readonly motion: Motion
}

/** Each camera's recordings on a day, in the order of `cameras`; undefined while loading. */
export function useRecorded(
  cameras: readonly string[],
  day: TimeRange,
  live: boolean,
): readonly (Recorded | undefined)[] {
  const found = useQueries({
    queries: cameras.map((camera) => timelineQuery(camera, day, live)),
    combine: (results) => results.map(({ data }) => data),
  })
  // Memoized: must not change with every frame that plays.
  return useMemo(() => found.map((data) => data && recordedOf(data, day)), [found, day])
}

const recordedOf = ({ spans, motion, unavailable = [] }: TimelineResponse, { from, to }: TimeRange): Recorded => ({
  spans: spansWithout(spans, unavailable),
  unavailable,
  motion: { from, part: (to - from) / Math.max(1, motion.length), percent: motion },
})

/** The days of the surrounding months on which any camera recorded, sorted; undefined until known. */
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

/** Rounds to the month, so that one response serves every day of it. */
function monthStart(at: number): number {
  const date = new Date(at * 1000)
  return new Date(date.getFullYear(), date.getMonth(), 1).getTime() / 1000
}

/** The next day with recordings (`step` 1), or the previous one (-1). */
export function dayBeside(days: readonly string[], at: number, step: 1 | -1): string | undefined {
  const name = dayOf(at)
  return step > 0 ? days.find((each) => each > name) : days.findLast((each) => each < name)
}
