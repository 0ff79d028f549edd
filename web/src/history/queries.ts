import { queryOptions } from '@tanstack/react-query'
import type { SummaryResponse, TimelineResponse } from '../../../server/src/api-types.ts'
import { cameraPath } from '../cameras/queries.ts'
import { fetchJson } from '../api/api.ts'
import { urlOf } from '../lib/base.ts'
import { queryKeys } from '../api/query-keys.ts'
import { timeZone, type TimeRange } from '../lib/day.ts'

/** Number of motion buckets in a day: about one per minute. */
const buckets = 1440

/** The recordings and the motion of a day. */
export const timelineQuery = (camera: string, { from, to }: TimeRange, live: boolean) =>
  queryOptions({
    queryKey: queryKeys.recordings.timeline(camera, from),
    queryFn: ({ signal }) =>
      fetchJson<TimelineResponse>(`${cameraPath(camera)}/timeline?after=${from}&before=${to}&buckets=${buckets}`, {
        signal,
      }),
    // Recordings of today grow every ten seconds; an instance that is away comes back.
    refetchInterval: ({ state: { data } }) => (live ? 10_000 : data?.unavailable ? 30_000 : false),
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
      return fetchJson<SummaryResponse>(
        `${cameraPath(camera)}/recordings/summary?${span}&timezone=${encodeURIComponent(timeZone())}`,
        { signal },
      )
    },
    staleTime: 60_000,
  })

/** URL of a recorded time range as one file, not re-encoded. */
export const clipUrl = (camera: string, { from, to }: TimeRange): string =>
  urlOf(`${cameraPath(camera)}/clip.mp4?start=${from}&end=${to}`).href
