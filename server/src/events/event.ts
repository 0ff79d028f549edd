import { Type, type Static } from 'typebox'

/** What happens to one camera, for everybody who may see it. Times are unix seconds. */
export const CameraEvent = Type.Object({
  type: Type.Literal('camera'),
  camera: Type.String(),
  state: Type.String(),
  recording: Type.Boolean(),
})

export const ReviewEvent = Type.Object({
  type: Type.Literal('review'),
  change: Type.Union([Type.Literal('new'), Type.Literal('update'), Type.Literal('end'), Type.Literal('deleted')]),
  camera: Type.String(),
  id: Type.String(),
})

export const ExportEvent = Type.Object({
  type: Type.Literal('export'),
  change: Type.Union([Type.Literal('update'), Type.Literal('deleted')]),
  camera: Type.String(),
  id: Type.String(),
  state: Type.String(),
  progress: Type.Number({ description: '0 to 100.' }),
})

export const Event = Type.Union([CameraEvent, ReviewEvent, ExportEvent])
export type Event = Static<typeof Event>
