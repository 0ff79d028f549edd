import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TimelineResponse } from '../../../../server/src/api-types.ts'
import type { TimeRange } from '../../lib/day.ts'
import { daysIn, farDayQuery, isRefused, summaryQuery, timelineQuery } from './queries.ts'
import { adjacentDay, summaryRange } from './recorded-days.ts'
import { spansWithout, type Motion, type Span } from './spans.ts'

/** The recordings of one camera on one day. */
export interface Recorded {
  /** What can be played. */
  readonly spans: readonly Span[]
  /** What is on disks that can't be reached. */
  readonly unavailable: readonly Span[]
  readonly motion: Motion
}

/** Whether something is unknown. */
export interface RequestState {
  /** Why the latest request failed. A request that is repeated for the first response has no error until it fails. */
  readonly error: Error | undefined
  readonly isPending: boolean
}

interface Queried {
  readonly error: Error | null
  readonly isPending: boolean
}

/** Of several requests, with the first failure that the user can do something about. */
const stateOf = (results: readonly Queried[]): RequestState => ({
  error: results.find(({ error }) => error && !isRefused(error))?.error ?? undefined,
  isPending: results.some(({ isPending }) => isPending),
})

const known: RequestState = { error: undefined, isPending: false }

/** Each camera's recordings on a day, in the order of `cameras`; undefined while loading. */
export function useRecorded(cameras: readonly string[], day: TimeRange, live: boolean) {
  const { found, ...state } = useQueries({
    queries: cameras.map((camera) => timelineQuery(camera, day, live)),
    combine: (results) => ({ found: results.map(({ data }) => data), ...stateOf(results) }),
  })
  // Memoized: must not change with every frame that plays.
  const recorded: readonly (Recorded | undefined)[] = useMemo(
    () => found.map((data) => data && recordedOf(data, day)),
    [found, day],
  )
  return { recorded, ...state }
}

const recordedOf = ({ spans, motion, unavailable = [] }: TimelineResponse, { from, to }: TimeRange): Recorded => ({
  spans: spansWithout(spans, unavailable),
  unavailable,
  motion: { from, part: (to - from) / Math.max(1, motion.length), percent: motion },
})

/**
 * The days of a month, and of some beside it, on which any camera recorded, sorted; undefined until known.
 *
 * @param awaited see {@link summaryQuery}
 */
export const useRecordedDays = (cameras: readonly string[], month: number, awaited?: string) =>
  useQueries({
    queries: cameras.map((camera) => summaryQuery(camera, month, awaited)),
    combine: (results) => {
      const summaries = results.flatMap(({ data }) => data ?? [])
      if (summaries.length === 0) return { days: undefined, ...stateOf(results) }
      // What some cameras have is enough if the requests of the others fail.
      const isKnown = results.every(({ data, errorUpdateCount }) => data !== undefined || errorUpdateCount > 0)
      return { days: isKnown ? daysIn(summaries) : undefined, ...known }
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
): RequestState & { readonly day: string | null | undefined } {
  const near = days && adjacentDay(days, at, step)
  const { from, to } = summaryRange(at)
  const isFar = until !== undefined && (step > 0 ? to < until : until < from)
  const far = useQuery({
    ...farDayQuery(cameras, at, step, until ?? at),
    enabled: days !== undefined && near === undefined && isFar,
  })
  if (days === undefined || near !== undefined) return { day: near, ...known }
  return isFar ? { day: far.data, ...stateOf([far]) } : { day: null, ...known }
}
