import { queryOptions } from '@tanstack/react-query'
import type { MotionNow } from '../../../../server/src/motion/motion.routes.ts'
import { cameraPath } from '../../live/cameras.ts'
import { ask } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'

/** The current motion of a camera, fetched every second. */
export const motionNowQuery = (camera: string) =>
  queryOptions({
    queryKey: queryKeys.motion(camera),
    queryFn: ({ signal }) => ask<MotionNow>(`${cameraPath(camera)}/motion`, { signal }),
    refetchInterval: 1000,
  })
