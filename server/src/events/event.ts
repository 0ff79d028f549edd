import { Type, type Static } from 'typebox'
import { ReasonResponse } from '../shared/http/message-schema.ts'

/** The state of a camera, its recording or its motion detection changed. */
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
  change: Type.Union([
    Type.Literal('created'),
    Type.Literal('updated'),
    Type.Literal('ended'),
    Type.Literal('deleted'),
  ]),
  camera: Type.String(),
  id: Type.String(),
  severity: Type.Union([Type.Literal('alert'), Type.Literal('detection')]),
})

const ExportEvent = Type.Object({
  type: Type.Literal('export'),
  change: Type.Union([Type.Literal('updated'), Type.Literal('deleted')]),
  camera: Type.String(),
  id: Type.String(),
  state: Type.String(),
  progress: Type.Number({ description: 'Progress, percent: 0 to 100.' }),
})

/** Sent to one user only: items that the user marked as seen or unseen, possibly on another open page. */
const SeenEvent = Type.Object({
  type: Type.Literal('seen'),
  camera: Type.String(),
  seen: Type.Boolean(),
  ids: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Ids of the items. Without ids: all items of the camera that match the filter.',
    }),
  ),
  severity: Type.Optional(Type.Union([Type.Literal('alert'), Type.Literal('detection')])),
  after: Type.Optional(Type.Number({ description: 'Earliest start time of an item, Unix seconds.' })),
  before: Type.Optional(Type.Number({ description: 'Time before which an item starts, Unix seconds.' })),
})

/** Sent to one connection only: its permissions changed, so it has to reload everything. */
export interface AccessEvent {
  readonly type: 'access'
}

export const ServerEvent = Type.Union([CameraEvent, ReviewEvent, ExportEvent, SeenEvent])
export type ServerEvent = Static<typeof ServerEvent>
