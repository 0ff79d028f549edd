import { Type, type Static } from 'typebox'
import { ReasonResponse } from '../shared/message-schema.ts'

/** A camera, its recording or its search for motion is in another state. */
const CameraEvent = Type.Object({
  type: Type.Literal('camera'),
  camera: Type.String(),
  state: Type.String(),
  recording: Type.Boolean(),
  recording_state: Type.String(),
  recording_detail: Type.Optional(Type.String()),
  recording_reason: Type.Optional(ReasonResponse),
  motion_state: Type.String(),
  motion_detail: Type.Optional(Type.String()),
  motion_reason: Type.Optional(ReasonResponse),
})

const ReviewEvent = Type.Object({
  type: Type.Literal('review'),
  change: Type.Union([Type.Literal('new'), Type.Literal('update'), Type.Literal('end'), Type.Literal('deleted')]),
  camera: Type.String(),
  id: Type.String(),
  severity: Type.Union([Type.Literal('alert'), Type.Literal('detection')]),
})

const ExportEvent = Type.Object({
  type: Type.Literal('export'),
  change: Type.Union([Type.Literal('update'), Type.Literal('deleted')]),
  camera: Type.String(),
  id: Type.String(),
  state: Type.String(),
  progress: Type.Number({ description: '0 to 100.' }),
})

/** To one person alone: what they marked as seen, or as not seen, perhaps on another page of theirs. */
const SeenEvent = Type.Object({
  type: Type.Literal('seen'),
  camera: Type.String(),
  seen: Type.Boolean(),
  ids: Type.Optional(Type.Array(Type.String(), { description: 'Without them: all of the camera that fit.' })),
  severity: Type.Optional(Type.Union([Type.Literal('alert'), Type.Literal('detection')])),
  after: Type.Optional(Type.Number({ description: 'Unix seconds: what begins then or later.' })),
  before: Type.Optional(Type.Number({ description: 'Unix seconds: what begins earlier.' })),
})

/** To one receiver alone: it may see or do more or less than before, and has to ask for everything anew. */
export interface AccessEvent {
  readonly type: 'access'
}

export const ServerEvent = Type.Union([CameraEvent, ReviewEvent, ExportEvent, SeenEvent])
export type ServerEvent = Static<typeof ServerEvent>
