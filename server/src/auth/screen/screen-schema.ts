import { Type, type Static } from 'typebox'
import { Timestamp } from '../../shared/http/timestamp.ts'
import { LayoutChange } from './screen-layout.ts'

const Code = Type.String({ minLength: 1, maxLength: 32, description: 'The code that the display shows.' })

const keys = {
  name: Type.String({ minLength: 1, maxLength: 64, description: 'For display, in the list and the audit log.' }),
  cameras: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: 64,
    description: 'Names of the cameras, in the order in which the screen shows them.',
  }),
  audio: Type.Boolean({ description: 'Whether the screen can play audio. Default: false.' }),
  layout: LayoutChange,
}

export const ConfirmedPairing = Type.Object(
  {
    code: Code,
    name: keys.name,
    cameras: keys.cameras,
    audio: Type.Optional(keys.audio),
    layout: Type.Optional(keys.layout),
  },
  { additionalProperties: false },
)
export type ConfirmedPairing = Static<typeof ConfirmedPairing>

export const PairingCode = Type.Object({ code: Code }, { additionalProperties: false })
export type PairingCode = Static<typeof PairingCode>

export const ScreenBody = Type.Partial(Type.Object(keys), { additionalProperties: false })
export type ScreenBody = Static<typeof ScreenBody>

export const StartedPairing = Type.Object({
  id: Type.String({ description: 'A secret that the display uses to ask for the result.' }),
  code: Type.String({ description: 'Eight characters for an admin to enter.' }),
  expires_at: Timestamp,
})
export type StartedPairing = Static<typeof StartedPairing>

/** What an admin compares with the display before confirming its code. */
export const WaitingDisplay = Type.Object({
  address: Type.String(),
  user_agent: Type.String(),
  requested_at: Timestamp,
  expires_at: Timestamp,
})
export type WaitingDisplay = Static<typeof WaitingDisplay>

/** Problems with the fields of a screen. */
export interface ScreenProblems {
  'no-such-camera': { readonly camera: string }
}
