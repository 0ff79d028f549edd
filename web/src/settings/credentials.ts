import { queryOptions } from '@tanstack/react-query'
import type { ApiTokenPage, ApiTokenResponse, ScreenResponse } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Refreshed: a display that was just confirmed connects within seconds. */
export const screensQuery = queryOptions({
  queryKey: queryKeys.screens.list,
  queryFn: ({ signal }) => fetchJson<ScreenResponse[]>('api/screens', { signal }),
  refetchInterval: 5000,
})

/** The API tokens of all users. */
export const allTokensQuery = queryOptions({
  queryKey: queryKeys.previewedTokens,
  async queryFn({ signal }) {
    const tokens: ApiTokenResponse[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = cursor === '' ? '' : `?${new URLSearchParams({ cursor }).toString()}`
      const page: ApiTokenPage = await fetchJson<ApiTokenPage>(`api/tokens/all${query}`, { signal })
      tokens.push(...page.tokens)
      cursor = page.cursor
    }
    return tokens
  },
})
