import { queryOptions } from '@tanstack/react-query'
import type { RoleResponse } from '../../../server/src/api-types.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

export const rolesQuery = queryOptions({
  queryKey: queryKeys.roles.list,
  queryFn: ({ signal }) => fetchJson<RoleResponse[]>('api/roles', { signal }),
  // Another admin can change roles too.
  refetchInterval: 30_000,
})

export const rolePath = (name: string): string => `api/roles/${encodeURIComponent(name)}`
