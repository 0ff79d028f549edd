import { Type, type Static } from 'typebox'
import type { AnyCodedMessage } from '../shared/messages/coded-message.ts'
import { ReasonResponse, reasonResponse } from '../shared/http/message-schema.ts'
import { nullable } from '../shared/nullable.ts'

/** A camera as the API shows it. */
export const CameraResponse = Type.Object({
  name: Type.String(),
  title: Type.String(),
  state: Type.Union([
    Type.Literal('online'),
    Type.Literal('connecting'),
    Type.Literal('offline'),
    Type.Literal('disabled'),
  ]),
  detail: Type.Optional(Type.String({ description: 'Why the camera is not online.' })),
  reason: Type.Optional(ReasonResponse),
  resolution: nullable(Type.String(), '`1280x720`; null while not online.'),
  fps: nullable(Type.Number(), 'Frames per second; null while unknown.'),
  codec: nullable(Type.String(), 'Video codec (RFC 6381), for example `avc1.4D401F`; null while not online.'),
  recording: Type.Boolean({ description: 'Whether video is being recorded now.' }),
  recording_state: Type.Union(
    [Type.Literal('off'), Type.Literal('waiting'), Type.Literal('recording'), Type.Literal('paused')],
    {
      description: '`off`: recording is disabled. `waiting`: no video to record. `paused`: video cannot be saved.',
    },
  ),
  recording_detail: Type.Optional(Type.String({ description: 'Why recording is paused.' })),
  recording_reason: Type.Optional(ReasonResponse),
  motion_state: Type.Union(
    [Type.Literal('off'), Type.Literal('waiting'), Type.Literal('active'), Type.Literal('paused')],
    {
      description:
        'State of motion detection. `off`: disabled. `waiting`: no frames, or the scene is still being learned. `paused`: frames cannot be read.',
    },
  ),
  motion_detail: Type.Optional(Type.String({ description: 'Why motion detection is paused.' })),
  motion_reason: Type.Optional(ReasonResponse),
})
export type CameraResponse = Static<typeof CameraResponse>

/** Recording status of a camera. */
export interface RecordingStatus {
  readonly state: CameraResponse['recording_state']
  /** Why it is paused. */
  readonly problem?: AnyCodedMessage
}

/** Motion detection status of a camera. */
export interface MotionStatus {
  readonly state: CameraResponse['motion_state']
  /** Why it is paused. */
  readonly problem?: AnyCodedMessage
}

/** Why the camera is not online, as text and code. */
export const reasonFields = ({
  problem,
}: {
  readonly problem?: AnyCodedMessage
}): Pick<CameraResponse, 'detail' | 'reason'> =>
  problem ? { detail: problem.message, reason: reasonResponse(problem) } : {}

/** Recording status, with the reason as text and code. */
export const recordingResponse = ({
  state,
  problem,
}: RecordingStatus): Pick<
  CameraResponse,
  'recording' | 'recording_state' | 'recording_detail' | 'recording_reason'
> => ({
  recording: state === 'recording',
  recording_state: state,
  ...(problem && { recording_detail: problem.message, recording_reason: reasonResponse(problem) }),
})

/** Motion detection status, with the reason as text and code. */
export const motionResponse = ({
  state,
  problem,
}: MotionStatus): Pick<CameraResponse, 'motion_state' | 'motion_detail' | 'motion_reason'> => ({
  motion_state: state,
  ...(problem && { motion_detail: problem.message, motion_reason: reasonResponse(problem) }),
})
