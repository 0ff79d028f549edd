import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ApiTokenPage, ApiTokenResponse } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The user's own tokens, the newest first. Refreshed, so that the first use of a new token shows. */
export const ownTokensQuery = queryOptions({
  queryKey: queryKeys.tokens.own,
  queryFn: ({ signal }) => fetchJson<ApiTokenResponse[]>('api/tokens', { signal }),
  refetchInterval: 10_000,
})

/** The tokens of all users, the newest first. */
export const allTokensQuery = infiniteQueryOptions({
  queryKey: queryKeys.tokens.everyones,
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam === undefined ? '' : `?${new URLSearchParams({ cursor: pageParam }).toString()}`
    return fetchJson<ApiTokenPage>(`api/tokens/all${query}`, { signal })
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
})
