import { queryOptions } from '@tanstack/react-query'
import type { InstanceResponse, ScreenResponse } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The instances that share the database, themselves with a new report every two seconds. */
export const instancesQuery = queryOptions({
  queryKey: queryKeys.instances,
  queryFn: ({ signal }) => fetchJson<InstanceResponse[]>('api/instances', { signal }),
  refetchInterval: 3000,
})

/** Refreshed: a display that was just confirmed connects within seconds. */
export const screensQuery = queryOptions({
  queryKey: queryKeys.screens.list,
  queryFn: ({ signal }) => fetchJson<ScreenResponse[]>('api/screens', { signal }),
  refetchInterval: 5000,
})

export const instancePath = (id: string): string => `api/instances/${encodeURIComponent(id)}`
