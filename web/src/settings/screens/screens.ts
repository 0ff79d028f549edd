import { queryOptions } from '@tanstack/react-query'
import type { ScreenResponse } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { urlOf } from '../../lib/base.ts'

/** Refreshed: a display that was just confirmed connects within seconds. */
export const screensQuery = queryOptions({
  queryKey: queryKeys.screens.list,
  queryFn: ({ signal }) => fetchJson<ScreenResponse[]>('api/screens', { signal }),
  refetchInterval: 5000,
})

/** What to open on a display. */
export const pairUrl = (): string => {
  const { host, pathname } = urlOf('pair')
  return host + pathname
}
