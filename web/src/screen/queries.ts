import { queryOptions } from '@tanstack/react-query'
import type { OwnScreen } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/**
 * The screen of this display. Asked for each minute, in the background too: it renews the cookie, and admins see when
 * the screen was last seen. After a failure it is asked for soon, for as long as it takes.
 */
export const ownScreenQuery = queryOptions({
  queryKey: queryKeys.screens.own,
  // 401 is an expected response: this page says itself that the screen was removed.
  queryFn: ({ signal }) => fetchJson<OwnScreen>('api/screen', { signal, signingIn: true }),
  retry: false,
  refetchInterval: ({ state: { status } }) => (status === 'error' ? 5000 : 60_000),
  refetchIntervalInBackground: true,
})
