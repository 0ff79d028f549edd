import { queryOptions } from '@tanstack/react-query'
import type { SummaryResponse, TimelineResponse } from '../../../../server/src/api-types.ts'
import { cameraPath } from '../../cameras/queries.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import { urlOf } from '../../lib/base.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { timeZone, type TimeRange } from '../../lib/day.ts'
import { adjacentDay, monthsUntil, summaryRange } from './recorded-days.ts'

/** Number of motion buckets in a day: about one per minute. */
const buckets = 1440

/** Milliseconds between two attempts after a failure. */
const retryInterval = 10_000

/** Milliseconds between two questions whether a day that has just begun has recordings. */
const awaitInterval = 30_000

/** Whether the user can't see the camera: its video says so, and asking again doesn't change it. */
export const isRefused = (error: Error): boolean =>
  error instanceof ApiError && [403, 404].includes(error.failure.status)

const whileFailing = (error: Error | null): number | false => (error && !isRefused(error) ? retryInterval : false)

/** The recordings and the motion of a day. */
export const timelineQuery = (camera: string, { from, to }: TimeRange, live: boolean) =>
  queryOptions({
    queryKey: queryKeys.recordings.timeline(camera, from),
    queryFn: ({ signal }) =>
      fetchJson<TimelineResponse>(`${cameraPath(camera)}/timeline?after=${from}&before=${to}&buckets=${buckets}`, {
        signal,
      }),
    // Recordings of today grow every ten seconds; a disk that can't be reached comes back.
    refetchInterval: ({ state: { data, error } }) =>
      live ? 10_000 : whileFailing(error) || (data?.unavailable ? 30_000 : false),
    staleTime: live ? 0 : 60_000,
  })

/**
 * The days with recordings in the month that contains a time, and some before and after it.
 *
 * @param awaited a day that has just begun, and will probably have recordings
 */
export const summaryQuery = (camera: string, around: number, awaited?: string) => {
  const { from, to } = summaryRange(around)
  return queryOptions({
    queryKey: queryKeys.recordings.summary(camera, from),
    queryFn: ({ signal }) => {
      const span = `after=${Math.max(0, from)}&before=${to}`
      return fetchJson<SummaryResponse>(
        `${cameraPath(camera)}/recordings/summary?${span}&timezone=${encodeURIComponent(timeZone())}`,
        { signal },
      )
    },
    refetchInterval: ({ state: { data, error } }) =>
      whileFailing(error) || (isAwaited(data, awaited) ? awaitInterval : false),
    staleTime: 60_000,
  })
}

const isAwaited = (summary: SummaryResponse | undefined, day: string | undefined): boolean =>
  day !== undefined && summary?.days.every((each) => each.day !== day) === true

/** The days with recordings of any camera, sorted. */
export const daysIn = (summaries: readonly SummaryResponse[]): readonly string[] =>
  [...new Set(summaries.flatMap(({ days }) => days.map(({ day }) => day)))].toSorted()

/**
 * The nearest day on which any camera recorded beyond the summary around a time: after it (`step` 1) or before it (-1), up
 * to the month of another time. null if there is none.
 */
export const farDayQuery = (cameras: readonly string[], around: number, step: 1 | -1, until: number) => {
  const { from, to } = summaryRange(around)
  const months = monthsUntil(around, until)
  return queryOptions({
    queryKey: queryKeys.recordings.farDay(cameras, from, step, months.length),
    queryFn: async ({ client, signal }) => {
      for (const month of months) {
        signal.throwIfAborted()
        const summaries = await anyOf(cameras.map((camera) => client.fetchQuery(summaryQuery(camera, month))))
        const day = adjacentDay(daysIn(summaries), step > 0 ? to - 1 : from, step)
        if (day !== undefined) return day
      }
      return null
    },
    // The summaries are asked for again already.
    retry: false,
    refetchInterval: ({ state: { error } }) => whileFailing(error),
    staleTime: 60_000,
  })
}

/** The responses of the cameras that have one: the user may have lost others. @throws if none has one */
async function anyOf<Response>(requests: readonly Promise<Response>[]): Promise<Response[]> {
  const results = await Promise.allSettled(requests)
  const found = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = results.find((each) => each.status === 'rejected')
  if (found.length === 0 && failed) throw failed.reason
  return found
}

/** URL of a recorded time range as one file, not re-encoded. */
export const clipUrl = (camera: string, { from, to }: TimeRange): string =>
  urlOf(`${cameraPath(camera)}/clip.mp4?start=${from}&end=${to}`).href
