import { Type, type Static } from 'typebox'
import type { AnySaid } from '../shared/said.ts'
import { ReasonShown, reasonShown } from '../shared/shown.ts'

/** A camera as the API shows it. */
export const CameraShown = Type.Object({
  name: Type.String(),
  title: Type.String(),
  state: Type.Union([
    Type.Literal('online'),
    Type.Literal('connecting'),
    Type.Literal('offline'),
    Type.Literal('disabled'),
  ]),
  detail: Type.Optional(Type.String({ description: 'Why it is not online.' })),
  reason: Type.Optional(ReasonShown),
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
  recording_reason: Type.Optional(ReasonShown),
  motion_state: Type.Union(
    [Type.Literal('off'), Type.Literal('waiting'), Type.Literal('looking'), Type.Literal('paused')],
    {
      description:
        'How the search for motion fares. `off`: nothing is to look for it. `waiting`: no pictures come, or the scene is being learnt. `paused`: pictures come, or should, and cannot be read.',
    },
  ),
  motion_detail: Type.Optional(Type.String({ description: 'Why the search for motion is paused.' })),
  motion_reason: Type.Optional(ReasonShown),
})
export type CameraShown = Static<typeof CameraShown>

/** How the recording of a camera fares. */
export interface RecordingStatus {
  readonly state: CameraShown['recording_state']
  /** Why it is paused. */
  readonly problem?: AnySaid
}

/** How the search for motion at a camera fares. */
export interface MotionStatus {
  readonly state: CameraShown['motion_state']
  /** Why it is paused. */
  readonly problem?: AnySaid
}

/** Why it is not online, in words and as a code. */
export const whyShown = ({ problem }: { readonly problem?: AnySaid }): Pick<CameraShown, 'detail' | 'reason'> =>
  problem ? { detail: problem.message, reason: reasonShown(problem) } : {}

/** How its recording fares, in the same ways. */
export const recordingShown = ({
  state,
  problem,
}: RecordingStatus): Pick<CameraShown, 'recording' | 'recording_state' | 'recording_detail' | 'recording_reason'> => ({
  recording: state === 'recording',
  recording_state: state,
  ...(problem && { recording_detail: problem.message, recording_reason: reasonShown(problem) }),
})

/** How the search for motion fares, in the same ways. */
export const motionShown = ({
  state,
  problem,
}: MotionStatus): Pick<CameraShown, 'motion_state' | 'motion_detail' | 'motion_reason'> => ({
  motion_state: state,
  ...(problem && { motion_detail: problem.message, motion_reason: reasonShown(problem) }),
})
