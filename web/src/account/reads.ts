import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OwnReads, OwnSummary } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Entries per request. */
const pageSize = 100

/** What the signed-in user watched, newest first. @param camera its name; empty: all cameras */
export const ownReadsQuery = (camera: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.reads(camera),
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(pageSize) })
      if (camera !== '') query.set('camera', camera)
      if (pageParam !== undefined) query.set('cursor', pageParam)
      return fetchJson<OwnReads>(`api/account/reads?${query.toString()}`, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    // A list of many pages isn't fetched again at each focus of the window, but when the page is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Seconds. */
const month = 30 * 24 * 3600

/** Sums by camera of what the signed-in user watched in the last 30 days. */
export const ownSummaryQuery = queryOptions({
  queryKey: queryKeys.readsSummary,
  queryFn: ({ signal }) => {
    const after = Math.floor(Date.now() / 1000) - month
    return fetchJson<OwnSummary>(`api/account/reads/summary?after=${after}`, { signal })
  },
})
