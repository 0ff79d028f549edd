import { Type, type Static } from 'typebox'
import { ReasonShown, reasonShown } from '../shared/shown.ts'
import type { CameraStatus } from './camera.ts'

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
  recording: Type.Boolean(),
})
export type CameraShown = Static<typeof CameraShown>

/** Why it is not online, in words and as a code. */
export const whyShown = ({ problem }: Pick<CameraStatus, 'problem'>): Pick<CameraShown, 'detail' | 'reason'> =>
  problem ? { detail: problem.message, reason: reasonShown(problem) } : {}
