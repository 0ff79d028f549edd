import { queryOptions } from '@tanstack/react-query'
import type { Stats } from '../../../server/src/system/stats-view.ts'
import { ask } from '../shared/api.ts'
import { queryKeys } from '../shared/query-keys.ts'

/** Polled as often as the service measures, and only while a component uses it. */
export const statsQuery = queryOptions({
  queryKey: queryKeys.stats,
  queryFn: ({ signal }) => ask<Stats>('api/stats', { signal }),
  refetchInterval: 5000,
})
