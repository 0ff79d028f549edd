import { queryOptions } from '@tanstack/react-query'
import type { Camera, CameraGroup, Stats } from '../../../server/src/api-types.ts'
import { pollInterval } from '../events/listening.ts'
import { fetchJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

export const cameraPath = (name: string): string => `api/cameras/${encodeURIComponent(name)}`

/** The cameras the user can see. Polled every few seconds: camera states change, and so can the user's role. */
export const camerasQuery = queryOptions({
  queryKey: queryKeys.cameras.list,
  queryFn: ({ signal }) => fetchJson<Camera[]>('api/cameras', { signal }),
  refetchInterval: () => pollInterval(5000),
})

export const cameraQuery = (name: string) =>
  queryOptions({
    queryKey: queryKeys.cameras.one(name),
    queryFn: ({ signal }) => fetchJson<Camera>(cameraPath(name), { signal }),
    refetchInterval: () => pollInterval(5000),
  })

/** The groups of cameras that the user can see, without the cameras that they can't. */
export const cameraGroupsQuery = queryOptions({
  queryKey: queryKeys.cameraGroups,
  queryFn: ({ signal }) => fetchJson<CameraGroup[]>('api/camera-groups', { signal }),
  refetchInterval: 30_000,
})

export const titleOf = ({ title, name }: Camera): string => title || name

/** The cameras as a select offers them. */
export const cameraChoices = (cameras: readonly Camera[]) =>
  cameras.map((camera) => ({ value: camera.name, label: titleOf(camera) }))

/** Polled as often as the service measures, and only while a component uses it. */
export const statsQuery = queryOptions({
  queryKey: queryKeys.stats,
  queryFn: ({ signal }) => fetchJson<Stats>('api/stats', { signal }),
  refetchInterval: 5000,
})
