import { queryOptions } from '@tanstack/react-query'
import type { TimelineResponse } from '../../../server/src/recordings/recordings.routes.ts'
import type { SummaryResponse } from '../../../server/src/recordings/summary.ts'
import { cameraPath } from '../live/cameras.ts'
import { ask } from '../shared/api.ts'
import { queryKeys } from '../shared/query-keys.ts'
import { timeZone, type TimeRange } from './day.ts'

/** Parts of a day whose motion is told apart: about a minute each. */
const parts = 1440

/** What was recorded on a day, and how much moved. */
export const timelineQuery = (camera: string, { from, to }: TimeRange, live: boolean) =>
  queryOptions({
    queryKey: queryKeys.recordings.timeline(camera, from),
    queryFn: ({ signal }) =>
      ask<TimelineResponse>(`${cameraPath(camera)}/timeline?after=${from}&before=${to}&parts=${parts}`, { signal }),
    // Of today there is more every ten seconds.
    refetchInterval: live ? 10_000 : false,
    staleTime: live ? 0 : 60_000,
  })

/** Seconds of one summary; the service gives 62 days. */
const month = 31 * 86_400

/** The days on which something was recorded, of the month before a moment and the one after it. */
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
