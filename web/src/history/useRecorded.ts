import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TimelineResponse } from '../../../server/src/api-types.ts'
import type { TimeRange } from '../lib/day.ts'
import { daysIn, farDayQuery, summaryQuery, timelineQuery } from './queries.ts'
import { dayBeside, summaryRange } from './recorded-days.ts'
import { spansWithout, type Motion, type Span } from './spans.ts'

/** The recordings of one camera on one day. */
export interface Recorded {
  /** What can be played. */
  readonly spans: readonly Span[]
  /** What is on disks that can't be reached. */
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

/** The days of a month, and of some beside it, on which any camera recorded, sorted; undefined until known. */
export const useRecordedDays = (cameras: readonly string[], month: number): readonly string[] | undefined =>
  useQueries({
    queries: cameras.map((camera) => summaryQuery(camera, month)),
    combine: (results) => {
      const summaries = results.flatMap(({ data }) => data ?? [])
      const isKnown = summaries.length > 0 && results.every(({ data, isError }) => data !== undefined || isError)
      return isKnown ? daysIn(summaries) : undefined
    },
  })

/**
 * The day with recordings after a time (`step` 1) or before it (-1); null if there is none, undefined until known.
 *
 * @param days the days around the time
 * @param until how far a day beyond those is searched; undefined: not at all
 */
export function useDayBeside(
  cameras: readonly string[],
  days: readonly string[] | undefined,
  at: number,
  step: 1 | -1,
  until: number | undefined,
): string | null | undefined {
  const near = days && dayBeside(days, at, step)
  const { from, to } = summaryRange(at)
  const isFar = until !== undefined && (step > 0 ? to < until : until < from)
  const far = useQuery({
    ...farDayQuery(cameras, at, step, until ?? at),
    enabled: days !== undefined && near === undefined && isFar,
  })
  if (days === undefined || near !== undefined) return near
  return isFar ? far.data : null
}
