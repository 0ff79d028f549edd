import { queryOptions } from '@tanstack/react-query'
import type { DiskResponse, StorageResponse } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

export const storageQuery = queryOptions({
  queryKey: queryKeys.storage.cameras,
  queryFn: ({ signal }) => fetchJson<StorageResponse>('api/recordings/storage', { signal }),
  refetchInterval: 10_000,
})

export const diskQuery = queryOptions({
  queryKey: queryKeys.storage.disk,
  queryFn: ({ signal }) => fetchJson<DiskResponse>('api/recordings/disk', { signal }),
  refetchInterval: 10_000,
})
