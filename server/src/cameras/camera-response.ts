import { Type, type Static } from 'typebox'
import type { AnyCodedMessage } from '../shared/coded-message.ts'
import { ReasonResponse, reasonResponse } from '../shared/message-schema.ts'

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
  detail: Type.Optional(Type.String({ description: 'Why it is not online.' })),
  reason: Type.Optional(ReasonResponse),
  resolution: Type.Union([Type.String(), Type.Null()], { description: '`1280x720`; null while not online.' }),
  fps: Type.Union([Type.Number(), Type.Null()], { description: 'Frames a second; null while not known.' }),
  codec: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the picture (RFC 6381), as `avc1.4D401F`; null while not online.',
  }),
  recording: Type.Boolean({ description: 'Whether what comes is being kept at this moment.' }),
  recording_state: Type.Union(
    [Type.Literal('off'), Type.Literal('waiting'), Type.Literal('recording'), Type.Literal('paused')],
    {
      description:
        '`off`: it is not to be recorded. `waiting`: nothing comes to be recorded. `paused`: what comes cannot be kept.',
    },
  ),
  recording_detail: Type.Optional(Type.String({ description: 'Why recording is paused.' })),
  recording_reason: Type.Optional(ReasonResponse),
  motion_state: Type.Union(
    [Type.Literal('off'), Type.Literal('waiting'), Type.Literal('looking'), Type.Literal('paused')],
    {
      description:
        'How the search for motion fares. `off`: nothing is to look for it. `waiting`: no pictures come, or the scene is being learnt. `paused`: pictures come, or should, and cannot be read.',
    },
  ),
  motion_detail: Type.Optional(Type.String({ description: 'Why the search for motion is paused.' })),
  motion_reason: Type.Optional(ReasonResponse),
})
export type CameraResponse = Static<typeof CameraResponse>

/** How the recording of a camera fares. */
export interface RecordingStatus {
  readonly state: CameraResponse['recording_state']
  /** Why it is paused. */
  readonly problem?: AnyCodedMessage
}

/** How the search for motion at a camera fares. */
export interface MotionStatus {
  readonly state: CameraResponse['motion_state']
  /** Why it is paused. */
  readonly problem?: AnyCodedMessage
}

/** Why it is not online, in words and as a code. */
export const reasonFields = ({
  problem,
}: {
  readonly problem?: AnyCodedMessage
}): Pick<CameraResponse, 'detail' | 'reason'> =>
  problem ? { detail: problem.message, reason: reasonResponse(problem) } : {}

/** How its recording fares, in the same ways. */
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

/** How the search for motion fares, in the same ways. */
export const motionResponse = ({
  state,
  problem,
}: MotionStatus): Pick<CameraResponse, 'motion_state' | 'motion_detail' | 'motion_reason'> => ({
  motion_state: state,
  ...(problem && { motion_detail: problem.message, motion_reason: reasonResponse(problem) }),
})
