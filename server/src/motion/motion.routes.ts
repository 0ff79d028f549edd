import { Type, type Static } from 'typebox'
import type { ScopedCamera } from '../access/grant.ts'
import { route, type Route } from '../http/route.ts'
import type { MotionResult } from './detector.ts'
import { nullable } from '../shared/nullable.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

/** Current motion at a camera. */
export const MotionNow = Type.Object({
  at: nullable(Type.Number(), 'Time of the newest analyzed frame, Unix seconds; null if there is none.'),
  percent: nullable(Type.Number(), 'Moving share of the analyzed area, 0 to 100; null if there is no frame.'),
  moving: Type.Boolean({ description: "Whether this counts as motion at the camera's sensitivity." }),
  box: nullable(
    Type.Object({ x: Share, y: Share, width: Share, height: Share }),
    'Bounding box of all motion, as fractions of the frame from its top left.',
  ),
})
export type MotionNow = Static<typeof MotionNow>

export const motionRoutes = (newestOf: (camera: ScopedCamera) => MotionResult | undefined): Route[] => [
  route({
    method: 'GET',
    path: '/api/cameras/:camera/motion',
    access: { camera: 'live', of: 'path' },
    schema: {
      summary: 'Get the current motion at a camera.',
      params: CameraPath,
      response: { 200: MotionNow },
    },
    handle(_input, { camera }) {
      const newest = newestOf(camera)
      if (!newest) return { at: null, percent: null, moving: false, box: null }
      const { at, percent, moving, box } = newest
      return { at: at / 1000, percent, moving, box }
    },
  }),
]
