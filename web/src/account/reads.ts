import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OwnReads } from '../../../server/src/api-types.ts'
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
  })
