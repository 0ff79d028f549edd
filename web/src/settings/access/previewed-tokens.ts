import { queryOptions } from '@tanstack/react-query'
import type { ApiTokenPage, ApiTokenResponse } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** The API tokens of all users, all pages at a time. */
export const previewedTokensQuery = queryOptions({
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
