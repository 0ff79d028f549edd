import { queryOptions } from '@tanstack/react-query'
import type { MotionNow } from '../../../../server/src/api-types.ts'
import { cameraPath } from '../../cameras/queries.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** The current motion of a camera, fetched every second. */
export const motionNowQuery = (camera: string) =>
  queryOptions({
    queryKey: queryKeys.motion(camera),
    queryFn: ({ signal }) => fetchJson<MotionNow>(`${cameraPath(camera)}/motion`, { signal }),
    refetchInterval: 1000,
  })
