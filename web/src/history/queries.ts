import { queryOptions } from '@tanstack/react-query'
import type { SummaryResponse, TimelineResponse } from '../../../server/src/api-types.ts'
import { cameraPath } from '../cameras/queries.ts'
import { ask } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { timeZone, type TimeRange } from './day.ts'

/** Number of motion buckets in a day: about one per minute. */
const buckets = 1440

/** The recordings and the motion of a day. */
export const timelineQuery = (camera: string, { from, to }: TimeRange, live: boolean) =>
  queryOptions({
    queryKey: queryKeys.recordings.timeline(camera, from),
    queryFn: ({ signal }) =>
      ask<TimelineResponse>(`${cameraPath(camera)}/timeline?after=${from}&before=${to}&buckets=${buckets}`, { signal }),
    // Recordings of today grow every ten seconds.
    refetchInterval: live ? 10_000 : false,
    staleTime: live ? 0 : 60_000,
  })

/** Seconds of one summary; the service allows 62 days. */
const month = 31 * 86_400

/** The days with recordings in the month before and the month after a time. */
export const summaryQuery = (camera: string, around: number) =>
  queryOptions({
    queryKey: queryKeys.recordings.summary(camera, around),
    queryFn: ({ signal }) => {
      const span = `after=${Math.max(0, around - month)}&before=${around + month}`
      return ask<SummaryResponse>(
        `${cameraPath(camera)}/recordings/summary?${span}&timezone=${encodeURIComponent(timeZone())}`,
        { signal },
      )
    },
    staleTime: 60_000,
  })
