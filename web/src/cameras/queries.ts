import { queryOptions } from '@tanstack/react-query'
import type { Camera, Stats } from '../../../server/src/api-types.ts'
import { pace } from '../events/listening.ts'
import { ask } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

export const cameraPath = (name: string): string => `api/cameras/${encodeURIComponent(name)}`

/** The cameras the user can see. Polled every few seconds: camera states change, and so can the user's role. */
export const camerasQuery = queryOptions({
  queryKey: queryKeys.cameras.list,
  queryFn: ({ signal }) => ask<Camera[]>('api/cameras', { signal }),
  refetchInterval: () => pace(5000),
})

export const cameraQuery = (name: string) =>
  queryOptions({
    queryKey: queryKeys.cameras.one(name),
    queryFn: ({ signal }) => ask<Camera>(cameraPath(name), { signal }),
    refetchInterval: () => pace(5000),
  })

export const titleOf = ({ title, name }: Camera): string => title || name

/** Polled as often as the service measures, and only while a component uses it. */
export const statsQuery = queryOptions({
  queryKey: queryKeys.stats,
  queryFn: ({ signal }) => ask<Stats>('api/stats', { signal }),
  refetchInterval: 5000,
})
