import { queryOptions } from '@tanstack/react-query'
import type { InstanceView } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The instances that share the database, themselves with a new report every two seconds. */
export const instancesQuery = queryOptions({
  queryKey: queryKeys.instances,
  queryFn: ({ signal }) => fetchJson<InstanceView[]>('api/instances', { signal }),
  refetchInterval: 3000,
})

export const instancePath = (id: string): string => `api/instances/${encodeURIComponent(id)}`
