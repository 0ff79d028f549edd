import { hashKey, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { OwnScreen } from '../../../server/src/api-types.ts'
import { ApiError, fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { forgetAndRefetch, profileQuery } from '../session/session.ts'

/**
 * The screen of this display. Asked for each minute, in the background too: it renews the cookie, and admins see when
 * the screen was last seen. After a failure it is asked for soon, for as long as it takes.
 */
export const ownScreenQuery = queryOptions({
  queryKey: queryKeys.screens.own,
  // 401 is an expected response: this page says itself that the screen was removed.
  queryFn: async ({ signal, client }) => {
    try {
      const screen = await fetchJson<OwnScreen>('api/screen', { signal, signingIn: true })
      forgetPreviousUser(client)
      return screen
    } catch (error) {
      if (error instanceof ApiError && error.failure.status === 401) forgetPreviousUser(client)
      throw error
    }
  },
  retry: false,
  refetchInterval: ({ state: { status } }) => (status === 'error' ? 5000 : 60_000),
  refetchIntervalInBackground: true,
})

const ownScreenHash = hashKey(queryKeys.screens.own)

/** No user is signed in: drops what the last one saw on this display, whose session may have ended elsewhere. */
function forgetPreviousUser(queries: QueryClient): void {
  const profile = queries.getQueryData(profileQuery.queryKey)
  if (profile === undefined || profile.auth === 'screen') return
  void forgetAndRefetch(queries, ({ queryHash }) => queryHash === ownScreenHash)
}
