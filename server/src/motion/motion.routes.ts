import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { MotionResult } from './detector.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

/** What moves at a camera at this moment. */
export const MotionNow = Type.Object({
  at: Type.Union([Type.Number(), Type.Null()], {
    description: 'When the newest picture that was looked at came, Unix seconds; null while none is.',
  }),
  percent: Type.Union([Type.Number(), Type.Null()], {
    description: 'How much of what is looked at moves in it, 0 to 100; null while none is.',
  }),
  moving: Type.Boolean({ description: 'Whether that counts as motion, by the sensitivity of the camera.' }),
  box: Type.Union([Type.Object({ x: Share, y: Share, width: Share, height: Share }), Type.Null()], {
    description: 'What surrounds all that moves, as shares of the picture from its top left.',
  }),
})
export type MotionNow = Static<typeof MotionNow>

export const motionRoutes = (newestOf: (camera: string) => MotionResult | undefined): Route[] => [
  route({
    method: 'GET',
    path: '/api/cameras/:camera/motion',
    access: { camera: 'cameras.watch', of: 'path' },
    schema: {
      summary: 'What moves at a camera at this moment, as its search for motion sees it',
      params: Type.Object({ camera: Type.String() }),
      response: { 200: MotionNow },
    },
    handle({ params }) {
      const newest = newestOf(params.camera)
      if (!newest) return { at: null, percent: null, moving: false, box: null }
      const { at, percent, moving, box } = newest
      return { at: at / 1000, percent, moving, box }
    },
  }),
]
